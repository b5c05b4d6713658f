// What the rows come to together: their categories and tasks for the manifest, and what makes a benchmark weak.
import { createHash } from "node:crypto";
import { isJsonObject, type Json, JsonNumber, stringifyJson, type Writable } from "../../answers/json.ts";
import { quoted } from "../../quote.ts";
import type { Report } from "../row.ts";
import { type Draft, OWN } from "./row.ts";

/** What counts of a row. */
export interface Counted
  extends Pick<
    Draft,
    "category" | "categoryName" | "task" | "taskName" | "instructions" | "ask" | "options" | "gold"
  > {
  readonly line: number;
  readonly state: string | Json;
  readonly picture: string | null;
}

interface Task {
  readonly category: string;
  name: string | null;
  nameLine: number;
  readonly line: number;
  readonly instructions: string;
  ask: string | null;
  rows: number;
  pictures: number;
  optionsMin: number;
  optionsMax: number;
  /** Those of all rows so far; null when they differ. */
  options: ReadonlyMap<string, string> | null;
  readonly optionsKey: string;
  readonly golds: Map<string, number>;
  readonly states: Set<string>;
  repeated: number;
  goldInState: number;
  otherInState: number;
}

/** A task as it is reported. */
export interface TaskSummary {
  readonly task: string;
  readonly category: string;
  readonly name: string;
  readonly rows: number;
  readonly image_rows: number;
  readonly options_min: number;
  readonly options_max: number;
}

const FEW_ROWS = 10;
const ONE_SIDED = 0.9;
/** Most characters of a row's state, times its options, that are searched. */
const MOST_COMPARED = 100_000_000;

/** Takes the rows one by one. */
export class TaskBook {
  readonly #tasks = new Map<string, Task>();
  readonly #categories = new Map<string, { name: string | null; line: number }>();

  /** Counts a row; a row that contradicts an earlier one is reported. */
  add(row: Counted, report: Report): void {
    const category = this.#categories.get(row.category) ?? { name: null, line: row.line };
    this.#categories.set(row.category, category);
    agree(category, row.categoryName, row.line, (message) =>
      report("category_name", `${quoted(row.category)} ${message}`),
    );
    const task = this.#tasks.get(row.task) ?? newTask(row);
    this.#tasks.set(row.task, task);
    if (task.category !== row.category) {
      report(
        "category",
        `${quoted(row.category)}, but task ${quoted(row.task)} is in ${quoted(task.category)} since line ${task.line}`,
      );
    }
    const named = { name: task.name, line: task.nameLine };
    agree(named, row.taskName, row.line, (message) => report("task_name", `${quoted(row.task)} ${message}`));
    task.name = named.name;
    task.nameLine = named.line;
    task.ask ??= row.ask;
    task.rows += 1;
    if (row.picture !== null) task.pictures += 1;
    task.optionsMin = Math.min(task.optionsMin, row.options.size);
    task.optionsMax = Math.max(task.optionsMax, row.options.size);
    if (task.options !== null && keyOf(row.options) !== task.optionsKey) task.options = null;
    task.golds.set(row.gold, (task.golds.get(row.gold) ?? 0) + 1);
    const state = createHash("sha256")
      .update(`${stringifyJson(row.state)}${row.picture ?? ""}`)
      .digest("base64");
    if (task.states.has(state)) task.repeated += 1;
    task.states.add(state);
    const text = textIn(row.state);
    // Thousands of labels in a megabyte of text would take minutes, and no such row gives its answer away by that.
    const labels = text.length * row.options.size > MOST_COMPARED ? [] : row.options.keys();
    for (const label of labels) {
      if (!standsIn(text, label)) continue;
      if (label === row.gold) task.goldInState += 1;
      else task.otherInState += 1;
    }
  }

  summaries(): TaskSummary[] {
    return Array.from(this.#tasks, ([task, one]) => ({
      task,
      category: one.category,
      name: one.name ?? nameOf(task),
      rows: one.rows,
      image_rows: one.pictures,
      options_min: one.optionsMin,
      options_max: one.optionsMax,
    }));
  }

  /** `categories`, `tasks` and `counts` of the manifest. */
  manifest(): { readonly [key: string]: Writable } {
    const categories = Array.from(
      this.#categories,
      ([id, { name }]) =>
        [id, { name: name ?? (id === OWN.category ? OWN.name : id), description: "" }] as const,
    );
    const tasks = Array.from(this.#tasks, ([id, task]) => {
      const written = {
        category: task.category,
        name: task.name ?? nameOf(id),
        ask: task.ask ?? task.instructions,
        instruction: task.instructions,
        modality: task.pictures > 0 ? "image" : "text",
        label_origin: "own",
        per_row_options: task.options === null,
        options: task.options ?? undefined,
        rows: task.rows,
      };
      return [id, written] as const;
    });
    const cases = [...this.#tasks.values()].reduce((sum, { rows }) => sum + rows, 0);
    return {
      categories: new Map(categories),
      tasks: new Map(tasks),
      counts: { cases, categories: categories.length, tasks: tasks.length },
    };
  }

  get categories(): number {
    return this.#categories.size;
  }

  /** One sentence for everything that weakens the benchmark, task by task. */
  warnings(): string[] {
    return Array.from(this.#tasks, ([id, task]) => {
      const found: string[] = [];
      const say = (message: string): void => {
        found.push(`task ${quoted(id)}: ${message}`);
      };
      if (task.rows < FEW_ROWS)
        say(`it has few rows (${task.rows}), and an accuracy over fewer than ${FEW_ROWS} says little`);
      const [label = "", most = 0] = [...task.golds].sort((a, b) => b[1] - a[1])[0] ?? [];
      if (task.rows > 1 && most > ONE_SIDED * task.rows) {
        say(
          `${quoted(label)} is the answer of ${most} of ${task.rows} rows: always saying it looks like skill`,
        );
      }
      if (task.repeated > 0) say(`${task.repeated} rows repeat the state of another one`);
      if (task.goldInState > 0 && task.otherInState === 0) {
        say(
          `the state names the right label in ${task.goldInState} of ${task.rows} rows and a wrong one in none: it may give the answer away`,
        );
      }
      return found;
    }).flat();
  }
}

function newTask(row: Counted): Task {
  return {
    category: row.category,
    name: null,
    nameLine: row.line,
    line: row.line,
    instructions: row.instructions,
    ask: null,
    rows: 0,
    pictures: 0,
    optionsMin: Number.POSITIVE_INFINITY,
    optionsMax: 0,
    options: row.options,
    optionsKey: keyOf(row.options),
    golds: new Map(),
    states: new Set(),
    repeated: 0,
    goldInState: 0,
    otherInState: 0,
  };
}

function nameOf(task: string): string {
  return task === OWN.task ? OWN.name : task;
}

/** The first row that gives a name decides, a later one must say the same. */
function agree(
  named: { name: string | null; line: number },
  name: string | null,
  line: number,
  wrong: (message: string) => void,
): void {
  if (name === null) return;
  if (named.name === null) {
    named.name = name;
    named.line = line;
  } else if (named.name !== name)
    wrong(`is called ${quoted(name)}, on line ${named.line} ${quoted(named.name)}`);
}

function keyOf(options: ReadonlyMap<string, string>): string {
  return JSON.stringify([...options].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** All texts and numbers of a state; names of fields are no evidence. */
function textIn(value: Json): string {
  if (typeof value === "string") return value;
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return value.map(textIn).join("\n");
  if (isJsonObject(value)) return [...value.values()].map(textIn).join("\n");
  return value === null ? "" : String(value);
}

/** Whether the label stands in the text as it is, not as a part of a longer word. */
function standsIn(text: string, label: string): boolean {
  // Nothing stands everywhere, and behind the end of the text it would be found for ever.
  if (label === "") return false;
  for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + label.length, at + label.length + 2);
    if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}
