// All rows of the corpus in short, as the list of rows is searched, filtered and ordered by.
import { FileAttachment } from "observablehq:stdlib";
import { fold } from "./fold.js";
import { type Run, type Site, shard, site } from "./site.js";

/** Rows of a file `rows/<number>.json`, as src/report/rows.ts writes them. */
const SHARD_ROWS = 32;

export interface RowEntry {
  /** Place in the order of the corpus' ids, from 0. */
  readonly place: number;
  readonly row_id: string;
  readonly task: string;
  readonly category: string;
  /** At most 160 characters of it. */
  readonly title: string;
  readonly gold: string;
  readonly modality: string;
  readonly option_count: number;
  /** From 1. */
  readonly gold_position: number;
  /** Reference results with a record for the row, and those that have it right. */
  readonly results: number;
  readonly correct: number;
  readonly share_correct: number | null;
  /** What is searched, folded. */
  readonly words: string;
}

export interface RowIndex {
  readonly site: Site;
  readonly rows: readonly RowEntry[];
  readonly byId: ReadonlyMap<string, RowEntry>;
  readonly taskName: (task: string) => string;
  readonly categoryName: (category: string) => string;
}

type Columns<T> = { readonly [K in keyof T]: readonly T[K][] };
type Named = Pick<RowEntry, "row_id" | "task" | "gold"> & { readonly title: string | null };
type Counted = Omit<RowEntry, "place" | "category" | "words" | keyof Named>;

export async function rowIndex(): Promise<RowIndex> {
  const [about, { rows: named }, { rows: counted }] = await Promise.all([
    site(),
    FileAttachment("../data/corpus.json").json() as Promise<{ rows: readonly Columns<Named>[] }>,
    FileAttachment("../data/rows.json").json() as Promise<{ rows: readonly Columns<Counted>[] }>,
  ]);
  const tasks = new Map(about.tasks.map((task) => [task.task, task]));
  const names = objects(named[0]);
  const figures = objects(counted[0]);
  const rows = names.map((name, place) => {
    const task = tasks.get(name.task);
    const title = name.title ?? "";
    return {
      ...(figures[place] as Counted),
      ...name,
      title,
      place,
      category: task?.category ?? "",
      words: fold([name.row_id, title, name.gold, name.task, task?.task_name ?? ""].join("\n")),
    };
  });
  const categories = new Map(about.tasks.map((task) => [task.category, task.category_name]));
  return {
    site: about,
    rows,
    byId: new Map(rows.map((row) => [row.row_id, row])),
    taskName: (task) => tasks.get(task)?.task_name ?? task,
    categoryName: (category) => categories.get(category) ?? category,
  };
}

/** Lists of values as a list of objects. */
export function objects<T>(columns: Columns<T> | null | undefined): T[] {
  const entries = Object.entries(columns ?? {}) as [keyof T, readonly T[keyof T][]][];
  return Array.from({ length: entries[0]?.[1].length ?? 0 }, (_, i) => {
    const object = {} as Record<keyof T, unknown>;
    for (const [name, values] of entries) object[name] = values[i];
    return object as T;
  });
}

/** The file in which everything about a row stands. */
export function shardOf({ place }: RowEntry): string {
  return `rows/${String(Math.floor(place / SHARD_ROWS)).padStart(4, "0")}.json`;
}

/** What came of a row: `none` is no valid answer, `unfinished` no record at all. */
export type Outcome = "right" | "wrong" | "none" | "unfinished";

/** What a result says of every row, as columns in their order. */
export interface RunAnswers {
  readonly label: readonly (string | null)[];
  readonly status: readonly (string | null)[];
  readonly correct: readonly (boolean | null)[];
}

export async function answersOf(run: Run): Promise<RunAnswers> {
  const { answers } = await shard<{ answers: RunAnswers }>(`runs/${run.file}.json`);
  return answers;
}

export function outcomeAt({ status, correct }: RunAnswers, place: number): Outcome {
  return outcomeOf(status[place] ?? null, correct[place] ?? null);
}

export function outcomeOf(status: string | null, correct: boolean | null): Outcome {
  if (status === null) return "unfinished";
  if (status !== "ok") return "none";
  return correct === true ? "right" : "wrong";
}

/** In a sign and words, so that it is not said by a colour alone. */
export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  right: "✓ right",
  wrong: "✗ wrong",
  none: "⚠ no valid answer",
  unfinished: "– not finished",
};
