// Published results over a corpus of yes and no, of which only which rows are right matters.
import { addPublished, type PredictionSpec, prediction } from "./published.ts";
import type { RowSpec, TestWorkspace } from "./workspace.ts";

/** Rows `<task>-1`, `<task>-2`, … of each task, all answered by "yes". */
export function corpus(sizes: Readonly<Record<string, number>>): RowSpec[] {
  return Object.entries(sizes).flatMap(([task, size]) =>
    Array.from({ length: size }, (_, i) => ({
      id: `${task}-${i + 1}`,
      task,
      category: "alpha",
      gold: "yes",
      options: ["yes", "no"],
    })),
  );
}

/** A result in which the rows with these ids are right and the others of `rows` wrong. */
export function publish(
  workspace: TestWorkspace,
  model: string,
  rows: readonly RowSpec[],
  right: readonly string[],
  changes: Partial<PredictionSpec> = {},
): void {
  addPublished(workspace, ["tiny", model], {
    predictions: rows.map(({ id: row, task, category, gold }) => {
      const label = right.includes(row) ? "yes" : "no";
      const probabilities = [
        ["yes", label === "yes" ? 0.75 : 0.25],
        ["no", label === "no" ? 0.75 : 0.25],
      ] as const;
      return prediction({ row, task, category, gold, label, probabilities, ...changes });
    }),
  });
}
