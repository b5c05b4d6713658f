// The rows of the corpus as columns, by id: the order in which the files of the results name them.
import { printJson } from "decision-bench/report-loader";

await printJson({
  rows: `
    SELECT
      coalesce(list(row_id ORDER BY row_id), []) AS row_id,
      coalesce(list(task ORDER BY row_id), []) AS task,
      coalesce(list(gold ORDER BY row_id), []) AS gold,
      coalesce(list(left(title, 160) ORDER BY row_id), []) AS title
    FROM corpus_rows`,
});
