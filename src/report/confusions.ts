// What was answered where what was right: a file a task, since all of them together are too much for a page.
import { join } from "node:path";
import { stringifyJson } from "../answers/json.ts";
import { InterruptedError } from "../errors.ts";
import { toWritable } from "../warehouse/values.ts";
import { type FileSource, writeWhole } from "./site-files.ts";

/**
 * A line a task: its labels in the order in which models see them, those of the corpus first, and how often a result
 * gave which. `gold_rows` is the number of the result's rows with that right label, and `share` what n is of it.
 */
export const CONFUSIONS = `
  WITH counted AS (
    SELECT c.run_id, c.task, c.gold, c.label, c.n, sum(c.n) OVER (PARTITION BY c.run_id, c.task, c.gold)::BIGINT AS gold_rows
    FROM confusion AS c
    JOIN runs AS r ON r.run_id = c.run_id
    WHERE r.current_corpus
  ),
  cells AS (
    SELECT
      task,
      list({ run_id: run_id, gold: gold, label: label, n: n, gold_rows: gold_rows, share: n / gold_rows } ORDER BY run_id, gold, label NULLS LAST) AS cells
    FROM counted
    GROUP BY task
  ),
  places AS (
    SELECT task, o.option.label AS label, min(o.place) AS place
    FROM (
      SELECT task, unnest(options) AS option, generate_subscripts(options, 1) AS place FROM corpus_rows
    ) AS o
    GROUP BY ALL
  ),
  labels AS (SELECT task, list(label ORDER BY place, label) AS labels FROM places GROUP BY task)
  SELECT left(sha256(l.task), 16) AS file, { labels: l.labels, cells: coalesce(c.cells, []) } AS content
  FROM labels AS l
  LEFT JOIN cells AS c ON c.task = l.task
  ORDER BY l.task`;

/** Writes `<file>.json` for every task of the corpus; the loader of reports/data/tasks.json names them. */
export async function makeConfusions({ snapshot, signal }: FileSource, folder: string): Promise<void> {
  const { columns, batches } = await snapshot.query(CONFUSIONS);
  const type = columns[1]?.type;
  for await (const batch of batches()) {
    for (const [file, content] of batch) {
      if (signal.aborted) throw new InterruptedError("interrupted");
      if (type === undefined || content === undefined) continue;
      writeWhole(join(folder, `${String(file)}.json`), stringifyJson(toWritable(content, type)));
    }
  }
}
