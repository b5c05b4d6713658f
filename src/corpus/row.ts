// One line of cases.jsonl, checked: what the schema cannot say (options, their order, the answer) is said here.
import type { z } from "zod";
import {
  isJsonObject,
  type Json,
  JsonError,
  type JsonObject,
  parseJson,
  stringifyJson,
} from "../answers/json.ts";
import { fieldPath, isRecord, issuesOf } from "../fields.ts";
import { quoted } from "../quote.ts";
import { unseenDifference } from "./characters.ts";
import { type Asset, type CorpusRow, type Manifest, type Option, rowSchema, unwrap } from "./schema.ts";

/** Takes one problem of a row: where in it, and what is wrong. */
export type Report = (field: string, message: string) => void;

/**
 * The row; null when its shape is too wrong to make one. Everything found goes to `report`.
 *
 * @param text the line that `value` was parsed from: what a run needs of a row only when it is called (its state, where
 * it comes from) is read from there again, so that a large corpus does not have to stand in memory as data.
 * @param lists the option lists of the rows before: those of a task are mostly one and the same.
 */
export function readRow(
  value: Json,
  report: Report,
  text: string = stringifyJson(value),
  lists: OptionLists = new Map(),
): CorpusRow | null {
  if (!isJsonObject(value)) {
    report("", "expected a JSON object");
    return null;
  }
  const parsed = rowSchema.safeParse(unwrap(value), { reportInput: true });
  if (!parsed.success) {
    for (const { field, message } of issuesOf(parsed.error)) report(field, message);
    return null;
  }
  return rowOf(parsed.data, report, text, lists);
}

/**
 * {@link readRow} for the usual row, read with JSON.parse: several times faster, and null for anything that is not as
 * usual, which {@link readRow} then reads and explains. What JSON.parse overlooks (a key that stands twice, depth, digits)
 * is the business of whoever digests the same line.
 */
export function readUsualRow(text: string, lists: OptionLists): CorpusRow | null {
  // Keys that an object would put into another place, or take for its prototype.
  if (UNORDERED_KEY.test(text)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (!isRecord(value)) return null;
  if (isRecord(value.state)) value.state = new Map(Object.entries(value.state));
  for (const question of Array.isArray(value.questions) ? value.questions : []) {
    if (isRecord(question) && isRecord(question.options)) {
      question.options = new Map(Object.entries(question.options));
    }
  }
  const parsed = rowSchema.safeParse(value);
  if (!parsed.success) return null;
  let usual = true;
  const row = rowOf(
    parsed.data,
    () => {
      usual = false;
    },
    text,
    lists,
  );
  return usual ? row : null;
}

/** The row of a line that was checked before; null when it is none. */
export function readRowLine(text: string, lists: OptionLists): CorpusRow | null {
  const usual = readUsualRow(text, lists);
  if (usual !== null) return usual;
  try {
    return readRow(parseJson(text), () => {}, text, lists);
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

const UNORDERED_KEY = /"(?:[0-9]+|__proto__)"\s*:|\\u/;

function rowOf(data: RowData, report: Report, text: string, lists: OptionLists): CorpusRow | null {
  const [question] = data.questions;
  if (question === undefined) return null;
  if (!question.options.has(question.gold)) {
    const unseen = unseenDifference(question.gold, question.options.keys(), "option");
    report("questions[0].gold", unseen ?? `${quoted(question.gold)} is not one of the options`);
  }
  if (data.modality === "image" && (data.assets ?? []).length === 0) {
    report("assets", "expected a picture, since the modality is image");
  }
  const options = shared(lists, shownOptions(question.options, question.option_order ?? null, report));
  return new LineRow(text, data, question, options);
}

const NO_ASSETS: readonly Asset[] = [];

type Lazy = "state" | "source" | "provenance";
type RowData = z.infer<typeof rowSchema>;
type QuestionData = RowData["questions"][number];

/** A row over its line of cases.jsonl. */
class LineRow implements CorpusRow {
  readonly id: string;
  readonly suite: string;
  readonly category: string;
  readonly categoryName: string | null;
  readonly task: string;
  readonly taskName: string | null;
  readonly modality: CorpusRow["modality"];
  readonly title: string;
  readonly assets: readonly Asset[];
  readonly question: CorpusRow["question"];
  readonly sourceKind: string;
  readonly #text: string;

  constructor(text: string, data: RowData, question: QuestionData, options: readonly Option[]) {
    this.#text = text;
    this.id = data.id;
    this.suite = data.suite;
    this.category = data.category;
    this.categoryName = data.category_name ?? null;
    this.task = data.task;
    this.taskName = data.task_name ?? null;
    this.modality = data.modality;
    this.title = data.title;
    this.assets = data.assets ?? NO_ASSETS;
    this.question = {
      id: question.id,
      type: question.type,
      instructions: question.instructions,
      options,
      gold: question.gold,
      rationale: question.rationale ?? null,
      ask: question.ask ?? null,
    };
    this.sourceKind = data.source_kind;
  }

  get state(): string | JsonObject {
    return this.#member("state") as string | JsonObject;
  }

  get source(): Json {
    return this.#member("source");
  }

  get provenance(): string {
    return this.#member("provenance") as string;
  }

  /** The line was parsed and checked before: all three are there and have their type. */
  #member(name: Lazy): Json {
    return (parseJson(this.#text) as JsonObject).get(name) ?? null;
  }
}

/** Option lists by all that they say, each text with its length in front so that no two lists look alike. */
export type OptionLists = Map<string, readonly Option[]>;

const MOST_LISTS = 10_000;

function shared(lists: OptionLists, options: readonly Option[]): readonly Option[] {
  let key = "";
  for (const { label, description } of options) {
    key += `${label.length}:${label}${description.length}:${description}`;
  }
  const known = lists.get(key);
  if (known !== undefined) return known;
  // Where every row has options of its own, nothing would be shared.
  if (lists.size < MOST_LISTS) lists.set(key, options);
  return options;
}

function shownOptions(
  options: ReadonlyMap<string, Json>,
  order: readonly string[] | null,
  report: Report,
): Option[] {
  if (options.size < 2) report("questions[0].options", `expected two or more, found ${options.size}`);
  for (const [label, description] of options) {
    if (isLine(description)) continue;
    report(fieldPath(["questions", 0, "options", label]), "expected a description, a text of one line");
  }
  let shown: Iterable<string> = options.keys();
  if (order !== null) {
    const permutation =
      order.length === options.size &&
      new Set(order).size === order.length &&
      order.every((label) => options.has(label));
    if (permutation) shown = order;
    else report("questions[0].option_order", "expected every option's label exactly once");
  }
  return Array.from(shown, (label) => {
    const description = options.get(label);
    return { label, description: isLine(description) ? description : "" };
  });
}

function isLine(value: Json | undefined): value is string {
  return typeof value === "string" && !/[\r\n]/.test(value);
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
