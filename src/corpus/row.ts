// One line of cases.jsonl, checked: what the schema cannot say (options, their order, the answer) is said here.
import { isJsonObject, type Json } from "../answers/json.ts";
import { fieldPath, issuesOf } from "../fields.ts";
import { quoted } from "../quote.ts";
import { type CorpusRow, type Manifest, type Option, rowSchema, unwrap } from "./schema.ts";

/** Takes one problem of a row: where in it, and what is wrong. */
export type Report = (field: string, message: string) => void;

/** The row; null when its shape is too wrong to make one. Everything found goes to `report`. */
export function readRow(value: Json, report: Report): CorpusRow | null {
  if (!isJsonObject(value)) {
    report("", "expected a JSON object");
    return null;
  }
  const parsed = rowSchema.safeParse(unwrap(value), { reportInput: true });
  if (!parsed.success) {
    for (const { field, message } of issuesOf(parsed.error)) report(field, message);
    return null;
  }
  const data = parsed.data;
  const [question] = data.questions;
  if (question === undefined) return null;
  if (!question.options.has(question.gold)) {
    report("questions[0].gold", `${quoted(question.gold)} is not one of the options`);
  }
  if (data.modality === "image" && (data.assets ?? []).length === 0) {
    report("assets", "expected a picture, since the modality is image");
  }
  return {
    id: data.id,
    suite: data.suite,
    category: data.category,
    categoryName: data.category_name ?? null,
    task: data.task,
    taskName: data.task_name ?? null,
    modality: data.modality,
    title: data.title,
    state: data.state,
    assets: data.assets ?? [],
    question: {
      id: question.id,
      type: question.type,
      instructions: question.instructions,
      options: shownOptions(question.options, question.option_order ?? null, report),
      gold: question.gold,
      rationale: question.rationale ?? null,
      ask: question.ask ?? null,
    },
    source: data.source,
    sourceKind: data.source_kind,
    provenance: data.provenance,
  };
}

function shownOptions(
  options: ReadonlyMap<string, Json>,
  order: readonly string[] | null,
  report: Report,
): Option[] {
  if (options.size < 2) report("questions[0].options", `expected two or more, found ${options.size}`);
  const descriptions = new Map<string, string>();
  for (const [label, description] of options) {
    const valid = typeof description === "string" && !/[\r\n]/.test(description);
    if (!valid)
      report(fieldPath(["questions", 0, "options", label]), "expected a description, a text of one line");
    descriptions.set(label, valid ? description : "");
  }
  let shown = [...options.keys()];
  if (order !== null) {
    const permutation =
      order.length === shown.length &&
      new Set(order).size === order.length &&
      order.every((label) => options.has(label));
    if (permutation) shown = [...order];
    else report("questions[0].option_order", "expected every option's label exactly once");
  }
  return shown.map((label) => ({ label, description: descriptions.get(label) ?? "" }));
}

/** Checks that a row stands where the manifest has a place for it. */
export function checkPlace(row: CorpusRow, manifest: Manifest, report: Report): void {
  if (row.suite !== manifest.suite) {
    report("suite", `${quoted(row.suite)} is not the manifest's ${quoted(manifest.suite)}`);
  }
  const task = manifest.tasks.get(row.task);
  if (task === undefined) report("task", `${quoted(row.task)} is not among the manifest's tasks`);
  else if (task.category !== row.category) {
    report("category", `${quoted(row.category)} is not the task's category, ${quoted(task.category)}`);
  }
}
