// What every page knows: the corpus, its tasks, and the results on it.
import { printJson } from "decision-bench/report-loader";

await printJson({
  corpus: `SELECT suite, version, sha256, row_count AS rows FROM ledger.corpus`,
  tasks: `
    SELECT
      task, any_value(task_name) AS task_name, any_value(category) AS category, any_value(category_name) AS category_name,
      count(*) AS rows, count(*) FILTER (WHERE modality = 'image') AS rows_with_picture
    FROM corpus_rows GROUP BY task ORDER BY category, task`,
  // The name of a run's files must suit any file system, and stay when other results come.
  runs: `
    SELECT
      r.run_id, r.source, r.model_id, r.label, r.vendor, r.provider, r.api_model, r.status, r.full_coverage,
      coalesce(r.provider = 'baseline', FALSE) AS baseline, r.prompt_version, r.prompt_sha256, r.rows_completed,
      left(sha256(r.run_id), 16) AS file
    FROM runs AS r
    LEFT JOIN leaderboard AS l ON l.run_id = r.run_id
    WHERE r.current_corpus
    ORDER BY r.source DESC, l.rank NULLS LAST, r.run_id`,
});
