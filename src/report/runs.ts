// `runs/<file>.json`: what one result says about every row of the corpus, and how sure it is.
import { join } from "node:path";
import { stringifyJson, type Writable } from "../answers/json.ts";
import { plainRows } from "../warehouse/formats.ts";
import type { SnapshotFile } from "../warehouse/snapshot-file.ts";
import { literal } from "../warehouse/sources.ts";
import { runList } from "./run-list.ts";
import { type FileSource, writeWhole } from "./site-files.ts";

/** Part of the file → its columns, in one line of lists. `$run` stands for the id, quoted. */
export const RUN_PARTS: Readonly<Record<string, string>> = {
  // In the order of data/corpus.json; null where the result has nothing.
  answers: `
    SELECT
      list(a.label ORDER BY c.row_id) AS label,
      list(a.status ORDER BY c.row_id) AS status,
      list(a.correct ORDER BY c.row_id) AS correct,
      list(a.confidence ORDER BY c.row_id) AS confidence
    FROM corpus_rows AS c
    LEFT JOIN (FROM answers WHERE run_id = $run) AS a ON a.row_id = c.row_id`,
  risk_coverage: `
    SELECT
      list(threshold ORDER BY threshold DESC) AS threshold,
      list(coverage ORDER BY threshold DESC) AS coverage,
      list(risk ORDER BY threshold DESC) AS risk,
      list(accepted ORDER BY threshold DESC) AS accepted,
      list(errors ORDER BY threshold DESC) AS errors
    FROM risk_coverage
    WHERE run_id = $run`,
  confident_mistakes: `
    SELECT
      list(row_id ORDER BY confidence DESC, row_id) AS row_id,
      list(task ORDER BY confidence DESC, row_id) AS task,
      list(label ORDER BY confidence DESC, row_id) AS label,
      list(gold ORDER BY confidence DESC, row_id) AS gold,
      list(confidence ORDER BY confidence DESC, row_id) AS confidence,
      list(p_gold ORDER BY confidence DESC, row_id) AS p_gold
    FROM confident_mistakes
    WHERE run_id = $run`,
  argmax_disagreements: `
    SELECT
      list(row_id ORDER BY row_id) AS row_id,
      list(task ORDER BY row_id) AS task,
      list(label ORDER BY row_id) AS label,
      list(gold ORDER BY row_id) AS gold,
      list(confidence ORDER BY row_id) AS confidence,
      list(p_gold ORDER BY row_id) AS p_gold
    FROM answers
    WHERE run_id = $run AND NOT label_is_argmax`,
};

/** Writes `{ run_id, <part>: { <column>: [values] } }` a result; one after the other, so that little is held at once. */
export async function writeRuns(source: FileSource, folder: string): Promise<void> {
  for (const { run, file } of await runList(source)) {
    source.signal.throwIfAborted();
    const content = new Map<string, Writable>([["run_id", run]]);
    for (const [name, sql] of Object.entries(RUN_PARTS)) {
      content.set(
        name,
        await columns(
          source.snapshot,
          sql.replace("$run", () => literal(run)),
        ),
      );
    }
    writeWhole(join(folder, `${file}.json`), stringifyJson(content));
  }
}

async function columns(snapshot: SnapshotFile, sql: string): Promise<Writable> {
  const lists = new Map<string, Writable>();
  for await (const rows of plainRows(await snapshot.query(sql))) {
    // A list of nothing is null.
    for (const row of rows) for (const [name, list] of row) lists.set(name, list ?? []);
  }
  return lists;
}
