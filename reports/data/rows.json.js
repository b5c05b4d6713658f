// What the list of rows is filtered and ordered by, as columns in the order of corpus.json.
import { printJson } from "decision-bench/report-loader";

await printJson({
  rows: `
    SELECT
      coalesce(list(c.modality ORDER BY c.row_id), []) AS modality,
      coalesce(list(c.option_count ORDER BY c.row_id), []) AS option_count,
      coalesce(list(c.gold_position ORDER BY c.row_id), []) AS gold_position,
      coalesce(list(w.results ORDER BY c.row_id), []) AS results,
      coalesce(list(w.correct ORDER BY c.row_id), []) AS correct,
      coalesce(list(w.share_correct ORDER BY c.row_id), []) AS share_correct
    FROM corpus_rows AS c
    JOIN row_results AS w ON w.row_id = c.row_id`,
});
