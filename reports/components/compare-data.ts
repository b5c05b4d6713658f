// What the page that compares two results is drawn from: the files of the pairs and of the answers.
import { FileAttachment } from "observablehq:stdlib";
import { type Entry, entries } from "./board.js";
import { type Run, runNames, type Site, shard, site } from "./site.js";

/** What stands once a pair and once a task of it: rows that both have finished. */
export interface Counts {
  readonly rows: number;
  readonly both_correct: number;
  /** Right for a alone. */
  readonly only_run: number;
  readonly only_other: number;
  readonly both_wrong: number;
}

/** A task of a pair. Differences are a minus b, as shares. */
export interface PairTask extends Counts {
  readonly task: string;
  readonly correct: number;
  readonly correct_other: number;
  readonly difference: number;
  readonly difference_low: number;
  readonly difference_high: number;
}

/** A line of the view `versus`, a being its result and b the other one. Null is what the view cannot say. */
export interface PairLine extends Counts {
  readonly other_run_id: string;
  readonly tasks: number;
  readonly accuracy_difference: number;
  readonly bootstrap_low: number | null;
  readonly bootstrap_high: number | null;
  readonly jackknife_se: number | null;
  readonly jackknife_low: number | null;
  readonly jackknife_high: number | null;
  readonly p_jackknife: number | null;
  readonly p_mcnemar: number | null;
  readonly mde80: number | null;
  readonly p_holm: number | null;
  /** Over how many pairs `p_holm` is adjusted. */
  readonly holm_pairs: number | null;
  readonly by_task: { readonly [K in keyof PairTask]: readonly PairTask[K][] } | null;
}

/** What a result says about every row, in the order of the corpus; null where it has none. */
export interface Answers {
  readonly label: readonly (string | null)[];
  readonly status: readonly (string | null)[];
  readonly correct: readonly (boolean | null)[];
  readonly confidence: readonly (number | null)[];
}

/** The rows of the corpus as columns. */
export interface CorpusRows {
  readonly row_id: readonly string[];
  readonly task: readonly string[];
  readonly gold: readonly string[];
  readonly title: readonly (string | null)[];
}

export interface CompareData {
  readonly site: Site;
  readonly runs: readonly Run[];
  readonly nameOf: (run: string) => string;
  readonly taskName: (task: string) => string;
  readonly categoryOf: (task: string) => string;
  /** Tasks by category, as the site has them; unknown ones last. */
  readonly placeOf: (task: string) => number;
}

/** A result on its side of the comparison. */
export interface Side {
  readonly run: Run;
  readonly name: string;
  /** What it has on its own, beside the other one. */
  readonly entry: Entry | undefined;
  readonly answers: Answers;
}

export interface Comparison {
  readonly a: Side;
  readonly b: Side;
  /** Null where `versus` has no line. */
  readonly pair: PairLine | null;
  readonly tasks: readonly PairTask[];
  readonly corpus: CorpusRows;
}

/** What is known before anything is chosen. */
export async function compareData(): Promise<CompareData> {
  const about = await site();
  const names = runNames(about.runs);
  const tasks = new Map(about.tasks.map((task, place) => [task.task, { ...task, place }]));
  return {
    site: about,
    runs: about.runs,
    nameOf: (run) => names.get(run) ?? run,
    taskName: (task) => tasks.get(task)?.task_name ?? task,
    categoryOf: (task) => tasks.get(task)?.category_name ?? tasks.get(task)?.category ?? "",
    placeOf: (task) => tasks.get(task)?.place ?? tasks.size,
  };
}

/** Loads what there is about two results. */
export async function comparisonOf(data: CompareData, a: Run, b: Run): Promise<Comparison> {
  const [board, corpus, pairs, ofA, ofB] = await Promise.all([
    entries(),
    FileAttachment("../data/corpus.json").json() as Promise<{ rows: CorpusRows[] }>,
    shard<{ others: PairLine[] }>(`pairs/${a.file}.json`),
    shard<{ answers: Answers }>(`runs/${a.file}.json`),
    shard<{ answers: Answers }>(`runs/${b.file}.json`),
  ]);
  const side = (run: Run, answers: Answers): Side => ({
    run,
    name: data.nameOf(run.run_id),
    entry: board.find((entry) => entry.run.run_id === run.run_id),
    answers,
  });
  const pair = pairs.others.find(({ other_run_id }) => other_run_id === b.run_id) ?? null;
  return {
    a: side(a, ofA.answers),
    b: side(b, ofB.answers),
    pair,
    tasks: linesOf(pair?.by_task ?? null),
    corpus: corpus.rows[0] ?? { row_id: [], task: [], gold: [], title: [] },
  };
}

function linesOf(columns: PairLine["by_task"]): PairTask[] {
  if (columns === null) return [];
  const names = Object.keys(columns) as (keyof PairTask)[];
  return columns.task.map(
    (_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])) as unknown as PairTask,
  );
}

/** Who is right on a row on which two results differ; `wrong`: neither, with different answers. */
export type Verdict = "a" | "b" | "wrong";

/** A row on which two results differ, by its place in the corpus. */
export interface Difference {
  readonly at: number;
  readonly verdict: Verdict;
}

export interface Differences {
  readonly rows: readonly Difference[];
  /** Rows that both have finished. */
  readonly shared: number;
  /** Rows that one of them has finished, and not the other. */
  readonly lone: number;
}

/** The rows on which the answers differ, in the order of the corpus. */
export function differences({ a, b, corpus }: Comparison): Differences {
  const rows: Difference[] = [];
  let shared = 0;
  let lone = 0;
  for (let at = 0; at < corpus.row_id.length; at += 1) {
    const [rightA, rightB] = [a.answers.correct[at] ?? null, b.answers.correct[at] ?? null];
    if (rightA === null || rightB === null) {
      if (rightA !== rightB) lone += 1;
      continue;
    }
    shared += 1;
    if (rightA !== rightB) rows.push({ at, verdict: rightA ? "a" : "b" });
    else if (!rightA && answer(a.answers, at) !== answer(b.answers, at)) rows.push({ at, verdict: "wrong" });
  }
  return { rows, shared, lone };
}

/** The label that counts; null for none, for whatever reason. */
function answer({ label, status }: Answers, at: number): string | null {
  return status[at] === "ok" ? (label[at] ?? null) : null;
}
