// `pairs/<file>.json`: a result against every other one, as a whole and task by task, for the page that compares two.
import { join } from "node:path";
import { stringifyJson, type Writable } from "../answers/json.ts";
import { plainRows } from "../warehouse/formats.ts";
import { runList } from "./run-list.ts";
import { type FileSource, writeWhole } from "./site-files.ts";

/** One query for all results, since the pairs of one are not counted faster than those of all. */
export const PAIRS = `
  WITH tasks AS (
    SELECT
      run_id,
      other_run_id,
      {
        'task': list(task ORDER BY task),
        'rows': list(rows ORDER BY task),
        'correct': list(correct ORDER BY task),
        'correct_other': list(correct_other ORDER BY task),
        'both_correct': list(both_correct ORDER BY task),
        'only_run': list(only_run ORDER BY task),
        'only_other': list(only_other ORDER BY task),
        'both_wrong': list(both_wrong ORDER BY task),
        'difference': list(difference ORDER BY task),
        'difference_low': list(difference_low ORDER BY task),
        'difference_high': list(difference_high ORDER BY task)
      } AS by_task
    FROM versus_by_task
    GROUP BY run_id, other_run_id
  ),
  -- Over how many pairs p_holm is adjusted: those of one prompt, each of which stands in versus twice.
  families AS (
    SELECT
      v.run_id,
      v.other_run_id,
      count(*) OVER (PARTITION BY r.suite, r.prompt_version, r.prompt_sha256) // 2 AS holm_pairs
    FROM versus AS v
    JOIN runs AS r ON r.run_id = v.run_id AND r.current_corpus
    WHERE v.p_holm IS NOT NULL
  )
  SELECT v.*, f.holm_pairs, t.by_task
  FROM versus AS v
  JOIN runs AS r ON r.run_id = v.run_id AND r.current_corpus
  LEFT JOIN families AS f ON f.run_id = v.run_id AND f.other_run_id = v.other_run_id
  LEFT JOIN tasks AS t ON t.run_id = v.run_id AND t.other_run_id = v.other_run_id
  ORDER BY v.run_id, v.other_run_id`;

/** Writes `{ run_id, others: [a line of versus with holm_pairs, and by_task, which holds columns of versus_by_task] }` a result. */
export async function writePairs(source: FileSource, folder: string): Promise<void> {
  const runs = await runList(source);
  const files = new Map(runs.map(({ run, file }) => [run, file]));
  const write = (run: string, others: readonly Writable[]): void => {
    const file = files.get(run);
    if (file === undefined) return;
    files.delete(run);
    const content = new Map<string, Writable>([
      ["run_id", run],
      ["others", [...others]],
    ]);
    writeWhole(join(folder, `${file}.json`), stringifyJson(content));
  };
  let current: string | null = null;
  let others: Writable[] = [];
  for await (const rows of plainRows(await source.snapshot.query(PAIRS))) {
    source.signal.throwIfAborted();
    for (const row of rows) {
      const run = String(row.get("run_id"));
      if (current !== null && run !== current) {
        write(current, others);
        others = [];
      }
      current = run;
      row.delete("run_id");
      others.push(row);
    }
  }
  if (current !== null) write(current, others);
  // A local run, and the only result there is, have nothing to be compared with.
  for (const run of [...files.keys()]) write(run, []);
}
