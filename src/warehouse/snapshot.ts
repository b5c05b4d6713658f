// Copies a database in memory into a file: the same tables, macros, views and comments, for any program that opens
// DuckDB files.
import type { DuckDBConnection } from "@duckdb/node-api";
import { literal, SOURCE_TABLES, sourceTables } from "./sources.ts";
import { sqlFiles } from "./views.ts";

/**
 * Views of which a file holds the rows. Every other view stands on them: with 20 results a query over a file is ten times
 * as fast this way, and the file twice as large.
 */
export const STORED_VIEWS = ["attempts", "answers"] as const;

/** By what the rows of such views are put in order, so that the same ledgers make the same file. Others are in one by themselves. */
const KEYS: Readonly<Record<string, string>> = {
  answers: "run_id, row_id",
  comparisons: "run_a, run_b",
  leaderboard: "run_id",
};

/**
 * Puts a table with the rows of a view in its place. Views that read it go on as before: they know it by its name.
 *
 * @param columns that are kept, all when null; a view that reads another one fails from then on.
 * @param key by which the rows are put in order; in whichever they come when null.
 */
export async function storeView(
  connection: DuckDBConnection,
  view: string,
  columns: readonly string[] | null = null,
  key: string | null = null,
): Promise<void> {
  const order = key === null ? "" : ` ORDER BY ${key}`;
  await connection.run(
    `CREATE TABLE stored_${view} AS SELECT ${columns?.join(", ") ?? "*"} FROM ${view}${order}; DROP VIEW ${view}; ALTER TABLE stored_${view} RENAME TO ${view};`,
  );
}

/** How many rows a file holds. */
export interface SnapshotCounts {
  readonly local_runs: number;
  readonly published_results: number;
  readonly corpus_rows: number;
  readonly answers: number;
  readonly attempts: number;
}

// Read from the file: there the answers are counted already.
const COUNTS = `
SELECT
  (SELECT count(*) FROM snapshot.ledger.runs WHERE source = 'local') AS local_runs,
  (SELECT count(*) FROM snapshot.ledger.runs WHERE source = 'published') AS published_results,
  (SELECT count(*) FROM snapshot.ledger.corpus_rows) AS corpus_rows,
  (SELECT count(*) FROM snapshot.answers) AS answers,
  (SELECT count(*) FROM snapshot.attempts) AS attempts`;

/**
 * Writes the tables of the schema `ledger`, as they are now, and everything that stands on them into a new file. The
 * file is whole when this resolves.
 *
 * @param check called between the steps; what it throws ends the writing.
 * @param stored views of which the file holds the rows.
 */
export async function writeSnapshot(
  connection: DuckDBConnection,
  path: string,
  check: () => void,
  stored: readonly string[] = STORED_VIEWS,
): Promise<SnapshotCounts> {
  // A storage version that older readers understand (tried with DuckDB 1.1).
  await connection.run(`ATTACH ${literal(path)} AS snapshot (STORAGE_VERSION 'v1.0.0')`);
  let counts: SnapshotCounts;
  const detach = (): Promise<unknown> => connection.run("USE memory; DETACH snapshot");
  try {
    // Names without a database must mean those of the file, now and when somebody opens it.
    await connection.run(`USE snapshot; ${sourceTables()}`);
    for (const table of Object.keys(SOURCE_TABLES)) {
      check();
      // In the order of their rowid, by which the views tell earlier records from later ones.
      await connection.run(`INSERT INTO snapshot.ledger.${table} SELECT * FROM memory.ledger.${table}`);
    }
    for (const { name, stage, sql } of sqlFiles()) {
      check();
      await connection.run(sql);
      if (!stage.startsWith("0_") && stored.includes(name)) {
        await storeView(connection, name, null, KEYS[name] ?? null);
        await connection.run(tableComments(sql));
      }
    }
    check();
    const [row = {}] = (await connection.runAndReadAll(COUNTS)).getRowObjects();
    const count = (name: keyof SnapshotCounts): number => Number(row[name]);
    counts = {
      local_runs: count("local_runs"),
      published_results: count("published_results"),
      corpus_rows: count("corpus_rows"),
      answers: count("answers"),
      attempts: count("attempts"),
    };
  } catch (error) {
    // What went wrong first is the reason; the file is thrown away.
    await detach().catch(() => {});
    throw error;
  }
  await detach();
  return counts;
}

/** The comments of a view's file, said of a table. */
function tableComments(sql: string): string {
  const comments = sql.slice(sql.indexOf("COMMENT ON VIEW"));
  return comments.replace("COMMENT ON VIEW", "COMMENT ON TABLE");
}
