// From chosen candidates to rows: ids, the order of the options, and what a reader is told about the source.
import type { Writable } from "../../answers/json.ts";
import { CheckError } from "../../errors.ts";
import { optionOrders } from "../option-order.ts";
import type { Asset } from "../schema.ts";
import { CANARY } from "./canary.ts";
import type { PictureStore } from "./pictures/store.ts";
import type { FactStore } from "./sources.ts";
import type { Candidate, Category, Options, Task } from "./task.ts";

/** A row as it is written, keys in the order of the file format. */
export type Row = { readonly [key: string]: Writable };

/**
 * Rows of one task, from its chosen candidates in drawing order; their pictures are placed in `pictures`.
 *
 * @throws {CheckError} for a source that is not there, and for a picture that is missing, not asked for or not to be had.
 */
export async function taskRows(
  suite: string,
  category: Category,
  task: Task,
  chosen: readonly Candidate[],
  facts: FactStore,
  pictures: PictureStore,
): Promise<Row[]> {
  const orders = optionOrders(
    chosen.map((candidate, index) => ({
      rowId: rowId(task, index),
      labels: optionsOf(task, candidate).map(([label]) => label),
      gold: candidate.gold,
    })),
    `${suite}/${task.id}`,
  );
  const assets: Asset[][] = [];
  for (const [index, candidate] of chosen.entries()) {
    assets.push(await assetsOf(task, rowId(task, index), candidate, pictures));
  }
  return chosen.map((candidate, index) => {
    const sourceId = candidate.source ?? task.sources[0];
    const source = facts.sources.get(sourceId);
    if (source === undefined) throw new CheckError(`${task.id}: no source ${sourceId}`);
    return {
      id: rowId(task, index),
      suite,
      category: category.id,
      category_name: category.name,
      task: task.id,
      task_name: task.name,
      modality: task.modality,
      tags: [`difficulty:${candidate.difficulty}`, `contamination:${task.contamination}`],
      title: candidate.title,
      state: candidate.state,
      assets: (assets[index] ?? []).map((asset) => ({ ...asset })),
      questions: [
        {
          id: "decision",
          type: "choice",
          instructions: task.instruction,
          options: new Map(optionsOf(task, candidate)),
          option_order: orders[index],
          gold: candidate.gold,
          rationale: candidate.rationale,
          ask: task.ask,
        },
      ],
      source: {
        dataset: source.title,
        dataset_id: source.id,
        package: source.package,
        version: source.version,
        license: source.license,
        record_id: candidate.recordId,
        original_label: candidate.originalLabel,
        canary: CANARY,
      },
      source_kind: task.labelOrigin,
      provenance:
        `${source.title}: ${source.package} ${source.version} (${source.license}), ` +
        `record ${candidate.recordId}. ${task.changed}`,
    };
  });
}

async function assetsOf(
  task: Task,
  id: string,
  { key, picture }: Candidate,
  pictures: PictureStore,
): Promise<Asset[]> {
  if ((picture !== undefined) !== (task.modality === "image")) {
    throw new CheckError(
      `${task.id} ${key}: a task of modality ${task.modality} has ${picture === undefined ? "no picture" : "a picture"}`,
    );
  }
  return picture === undefined ? [] : [await pictures.place(`images/${id}.png`, picture())];
}

function rowId(task: Task, index: number): string {
  return `${task.id.toLowerCase()}-${String(index + 1).padStart(3, "0")}`;
}

function optionsOf(task: Task, candidate: Candidate): Options {
  const options = candidate.options ?? task.options;
  if (options === undefined) throw new CheckError(`${task.id} ${candidate.key}: no options`);
  return options;
}
