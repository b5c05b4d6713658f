// The views as Parquet files, for whoever analyses results with tools of their own.
import { join } from "node:path";
import { CheckError, UserError } from "../errors.ts";
import { materialiseScored } from "../warehouse/score.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** A view and the columns that tell its rows apart, by which the file is sorted. */
type Table = readonly [view: string, key: string];

/** Those with texts of the rows, or what the scores do without; written before `answers` is put down without them. */
const ROWS: readonly Table[] = [
  ["runs", "run_id"],
  ["corpus_rows", "row_id"],
  ["attempts", "run_id, row_id, number, attempt_id"],
  ["answers", "run_id, row_id"],
  ["pictured_rows", "row_id"],
  ["confident_mistakes", "run_id, row_id"],
  ["accuracy_by_slice", "run_id, category, modality, pictures"],
];

const FIGURES: readonly Table[] = [
  ["reference_results", "run_id"],
  ["row_results", "row_id"],
  ["accuracy_overall", "run_id"],
  ["accuracy_by_category", "run_id, category"],
  ["accuracy_by_task", "run_id, task"],
  ["accuracy_by_source_kind", "run_id, source_kind"],
  ["accuracy_by_modality", "run_id, modality"],
  ["accuracy_by_gold_position", "run_id, gold_position"],
  ["attempt_totals", "run_id"],
  ["confusion", "run_id, task, gold, label"],
  ["cost", "run_id"],
  ["latency", "run_id"],
  ["reliability", "run_id, bin"],
  ["risk_coverage", "run_id, threshold"],
  ["tokens", "run_id"],
  ["calibration", "run_id"],
  ["task_f1", "run_id, task"],
  ["macro_averages", "run_id"],
  ["leaderboard", "run_id"],
  ["comparisons", "run_a, run_b"],
  ["tied_groups", "run_id"],
  ["fronts", "run_id"],
];

/**
 * The views that are exported. `paired_rows` and `versus_by_task` are not: they are `answers` once more for every pair of
 * results; nor are `versus`, which is `comparisons` from both sides, and `corpus_texts`, which is the corpus's own file.
 */
export const TABLES: readonly Table[] = [...ROWS, ...FIGURES];

/**
 * Writes `<view>.parquet` for every view, and says how many rows each has.
 *
 * @param onTable told of each view that is written.
 * @throws {UserError} when a file cannot be written, as on a full disk.
 */
export async function writeTables(
  warehouse: Warehouse,
  folder: string,
  onTable: (view: string) => void = () => {},
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const write = async ([view, key]: Table): Promise<void> => {
    const path = join(folder, `${view}.parquet`);
    try {
      await warehouse.writeParquet(`SELECT * FROM ${view} ORDER BY ${key}`, path);
    } catch (error) {
      throw fileError(error, view);
    }
    const [row] = await warehouse.rows("SELECT count(*) AS rows FROM read_parquet($1)", [path]);
    counts.set(view, Number(row?.rows));
    onTable(view);
  };
  for (const table of ROWS) await write(table);
  // Most of the others read them, again and again.
  await materialiseScored(warehouse);
  for (const table of FIGURES) await write(table);
  return counts;
}

/** The queries are ours and sound: what DuckDB calls an input or output error is one of the file, not of the SQL. */
function fileError(error: unknown, view: string): unknown {
  if (!(error instanceof CheckError) || !error.message.startsWith("SQL: IO error: ")) return error;
  const why = error.message.slice(error.message.lastIndexOf(": ") + 2);
  return new UserError(`${view}.parquet cannot be written (${why})`);
}
