// What the page of the tasks is drawn from, as the loader of tasks.json and the files of the confusions give it.
import { FileAttachment } from "observablehq:stdlib";
import { markedNames, type Run, type Site, site, type Task } from "./site.js";

/** A share of rows with its 95 % Wilson interval. */
export interface Share {
  readonly run_id: string;
  readonly accuracy: number;
  readonly wilson_low: number;
  readonly wilson_high: number;
  readonly correct: number;
  readonly rows: number;
}

export interface Cell extends Share {
  readonly task: string;
  readonly errors: number;
}

export interface PositionCell extends Share {
  /** Place of the right option, from 1. */
  readonly gold_position: number;
}

export interface HardRow {
  readonly row_id: string;
  readonly title: string | null;
  readonly task: string;
  readonly category: string;
  readonly gold: string;
  readonly results: number;
  readonly correct: number;
  readonly errors: number;
  readonly share_correct: number;
  readonly wrong_label: string | null;
  readonly wrong_label_results: number;
}

/** A task, with how the reference results do on it. */
export interface TaskLine extends Task {
  /** Name of its file among the confusions. */
  readonly file: string;
  readonly results: number;
  /** Of all answers of the reference results; null without results. */
  readonly share_correct: number | null;
}

export interface TaskData {
  readonly site: Site;
  readonly tasks: readonly TaskLine[];
  readonly cells: readonly Cell[];
  readonly positions: readonly PositionCell[];
  readonly hardest: readonly HardRow[];
  /** Results that have finished rows, in the order of the site. */
  readonly runs: readonly Run[];
  readonly nameOf: (run: string) => string;
  readonly taskName: (task: string) => string;
  readonly categoryName: (category: string) => string;
}

/** What `confusions/<file>.json` holds. */
export interface Confusion {
  readonly labels: readonly string[];
  readonly cells: readonly {
    readonly run_id: string;
    readonly gold: string;
    /** Null for no valid answer. */
    readonly label: string | null;
    readonly n: number;
    /** Rows of this result with this right label. */
    readonly gold_rows: number;
    /** n / gold_rows */
    readonly share: number;
  }[];
}

export async function taskData(): Promise<TaskData> {
  const [about, data] = await Promise.all([
    site(),
    FileAttachment("../data/tasks.json").json() as Promise<{
      tasks: Pick<TaskLine, "task" | "file" | "results" | "share_correct">[];
      cells: Cell[];
      positions: PositionCell[];
      hardest: HardRow[];
    }>,
  ]);
  const more = new Map(data.tasks.map((task) => [task.task, task]));
  const known = new Set(data.cells.map(({ run_id }) => run_id));
  const names = markedNames(about.runs);
  const tasks = about.tasks.flatMap((task) => {
    const line = more.get(task.task);
    return line === undefined ? [] : [{ ...task, ...line }];
  });
  const taskNames = new Map(tasks.map(({ task, task_name }) => [task, task_name ?? task]));
  const categories = new Map(
    tasks.map(({ category, category_name }) => [category, category_name ?? category]),
  );
  return {
    site: about,
    tasks,
    cells: data.cells.filter(({ task }) => taskNames.has(task)),
    positions: data.positions,
    hardest: data.hardest,
    runs: about.runs.filter(({ run_id }) => known.has(run_id)),
    nameOf: (run) => names.get(run) ?? run,
    taskName: (task) => taskNames.get(task) ?? task,
    categoryName: (category) => categories.get(category) ?? category,
  };
}
