// Figures published for 18 real models: counts and intervals of every model, category and task, and the predictions of
// one model on 160 rows.
import { readFileSync } from "node:fs";
import { addPublished, prediction } from "./published.ts";
import { makeWorkspace, type RowSpec, type TestWorkspace } from "./workspace.ts";

const FOLDER = new URL("../fixtures/published/", import.meta.url);

/** A line of a CSV file by the names of its columns. */
export type Line = Readonly<Record<string, string>>;

/** The lines of a file without quoted fields. */
export function readCsv(url: URL): Line[] {
  const [head = "", ...lines] = readFileSync(url, "utf8").trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const fields = line.split(",");
    return Object.fromEntries(names.map((name, i) => [name, fields[i] ?? ""]));
  });
}

export const overall = (): Line[] => readCsv(new URL("overall.csv", FOLDER));
export const byCategory = (): Line[] => readCsv(new URL("per_category.csv", FOLDER));
export const byTask = (): Line[] => readCsv(new URL("per_task.csv", FOLDER));

/** The suite of the workspaces below; a model's run id is `<suite>/<model>`. */
export const SUITE = "tiny";

/**
 * A workspace with as many rows a task as published, and every model's result with as many of them right: the first ones.
 * Which ones were right is not published, and no figure here depends on it.
 */
export function workspaceOfCounts(): TestWorkspace {
  const lines = byTask();
  const row = (task: string, i: number): string => `${task}-${i}`;
  const tasks = new Map(lines.map((line) => [line.task_id as string, line]));
  const workspace = makeWorkspace(
    [...tasks].flatMap(([task, { category, rows }]) =>
      Array.from(
        { length: Number(rows) },
        (_, i): RowSpec => ({
          id: row(task, i),
          task,
          category: category as string,
          gold: "yes",
          options: ["yes", "no"],
        }),
      ),
    ),
  );
  for (const { model_id: model } of overall()) {
    const predictions = lines
      .filter((line) => line.model_id === model)
      .flatMap(({ task_id: task, category, rows, correct }) =>
        Array.from({ length: Number(rows) }, (_, i) =>
          prediction({
            row: row(task as string, i),
            task: task as string,
            category: category as string,
            gold: "yes",
            label: i < Number(correct) ? "yes" : "no",
          }),
        ),
      );
    addPublished(workspace, [SUITE, model as string], { predictions });
  }
  return workspace;
}

export interface RealPrediction {
  readonly row_id: string;
  readonly task: string;
  readonly category: string;
  readonly answer: string;
  readonly gold: string;
  readonly probabilities: Readonly<Record<string, number>>;
}

export function realPredictions(): RealPrediction[] {
  const lines = readFileSync(new URL("predictions-160.jsonl", FOLDER), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as RealPrediction);
}

/** A workspace whose corpus is these rows, and one result: the predictions. */
export function workspaceOfPredictions(): TestWorkspace {
  const lines = realPredictions();
  const workspace = makeWorkspace(
    lines.map(({ row_id, task, category, gold, probabilities }) => ({
      id: row_id,
      task,
      category,
      gold,
      options: Object.keys(probabilities),
    })),
  );
  addPublished(workspace, [SUITE, "real"], {
    predictions: lines.map(({ row_id: row, task, category, gold, answer: label, probabilities }) =>
      prediction({ row, task, category, gold, label, probabilities: Object.entries(probabilities) }),
    ),
  });
  return workspace;
}
