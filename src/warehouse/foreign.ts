// Results for rows that the corpus does not have. A run that names the active corpus by its digest can only have its rows;
// anything else was put into the file, and would count with the answer that it brings along.
import type { DuckDBConnection } from "@duckdb/node-api";

/**
 * Takes them, and their attempts, out of the tables and counts them as damaged lines of their runs. Corpus and runs must
 * have been read.
 *
 * @param notify told of every run that has some.
 */
export async function leaveOutForeign(
  connection: DuckDBConnection,
  notify: (message: string) => void,
): Promise<void> {
  const reader = await connection.runAndReadAll(`
    CREATE OR REPLACE TEMP TABLE decision_bench_foreign AS
    SELECT l.run_id, l.row_id, r.source
    FROM ledger.results AS l
    JOIN ledger.runs AS r ON r.run_id = l.run_id
    JOIN ledger.corpus AS c ON c.sha256 = r.corpus_sha256
    WHERE l.row_id NOT IN (SELECT row_id FROM ledger.corpus_rows);
    SELECT source, run_id, count(*) FROM decision_bench_foreign GROUP BY ALL ORDER BY ALL`);
  const found = reader.getRows();
  for (const [source, run, lines] of found) {
    const file = source === "published" ? `results/${run}/predictions.jsonl` : `runs/${run}/results.jsonl`;
    const many = Number(lines) === 1 ? "1 line is about a row" : `${lines} lines are about rows`;
    notify(`${file}: ${many} that the corpus does not have; left out`);
  }
  if (found.length > 0) {
    await connection.run(`
      UPDATE ledger.runs SET damaged_lines = damaged_lines + f.lines
      FROM (SELECT run_id, count(*) AS lines FROM decision_bench_foreign GROUP BY run_id) AS f
      WHERE f.run_id = ledger.runs.run_id;
      DELETE FROM ledger.attempts WHERE (run_id, row_id) IN (SELECT (run_id, row_id) FROM decision_bench_foreign);
      DELETE FROM ledger.results WHERE (run_id, row_id) IN (SELECT (run_id, row_id) FROM decision_bench_foreign)`);
  }
  await connection.run("DROP TABLE decision_bench_foreign");
}
