// What a build makes of one task, for the documents that are generated from it.
import { parseJson, stringifyJson } from "../../answers/json.ts";
import { CheckError } from "../../errors.ts";
import { lexicalGuess } from "../../providers/baseline.ts";
import { readRow } from "../row.ts";
import type { CorpusRow } from "../schema.ts";
import { type Decidability, decidability } from "./decidability.ts";
import type { PictureStore } from "./pictures/store.ts";
import { type Row, taskRows } from "./rows.ts";
import { selectCandidates } from "./selection.ts";
import type { FactStore } from "./sources.ts";
import type { Category, Task } from "./task.ts";

/** One task with its rows and what was found about them. */
export interface BuiltTask {
  readonly category: Category;
  readonly task: Task;
  readonly rows: readonly Row[];
  /** Fewest and most options of a row. */
  readonly optionCounts: readonly [least: number, most: number];
  /** Accuracy of blind choice (expected) and of the lexical baseline. */
  readonly floors: { readonly uniform: number; readonly lexical: number };
  readonly decidability: Decidability | null;
}

/**
 * Selects and composes one task.
 *
 * @throws {CheckError} when a rule of selection cannot be met, or a row is not one that the loader accepts.
 */
export async function buildTask(
  suite: string,
  category: Category,
  task: Task,
  facts: FactStore,
  pictures: PictureStore,
): Promise<BuiltTask> {
  const candidates = task.candidates(facts);
  const name = `${suite}/${task.id}`;
  const chosen = selectCandidates(candidates, { name, rows: task.rows, perGroup: task.perGroup });
  const rows = await taskRows(suite, category, task, chosen, facts, pictures);
  const read = rows.map((row) => asRead(row));
  const counts = read.map(({ question }) => question.options.length);
  return {
    category,
    task,
    rows,
    optionCounts: [Math.min(...counts), Math.max(...counts)],
    floors: {
      uniform: mean(counts.map((count) => 1 / count)),
      lexical: mean(read.map((row) => (lexicalGuess(row).label === row.question.gold ? 1 : 0))),
    },
    decidability: decidability(task, candidates, chosen, facts),
  };
}

function asRead(row: Row): CorpusRow {
  const problems: string[] = [];
  const read = readRow(parseJson(stringifyJson(row)), (field, message) =>
    problems.push(`${field}: ${message}`),
  );
  if (read === null || problems.length > 0) {
    throw new CheckError(`${String(row.id)} is not a row: ${problems.join("; ")}`);
  }
  return read;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
