// Accuracies by task and by place of the right option, and the rows that most results have wrong.
import { printJson } from "decision-bench/report-loader";

/** Rows of a category, so that there are some to show when one is chosen. */
const HARDEST = 40;

await printJson({
  // A task's file among the confusions is named by src/report/confusions.ts in the same way.
  tasks: `
    SELECT
      c.task, left(sha256(c.task), 16) AS file, max(w.results)::BIGINT AS results,
      sum(w.correct) / nullif(sum(w.results), 0) AS share_correct
    FROM corpus_rows AS c
    JOIN row_results AS w ON w.row_id = c.row_id
    GROUP BY c.task
    ORDER BY c.task`,
  cells: `
    SELECT a.run_id, a.task, a.accuracy, a.wilson_low, a.wilson_high, a.correct, a.rows, a.errors
    FROM accuracy_by_task AS a
    JOIN runs AS r ON r.run_id = a.run_id
    WHERE r.current_corpus
    ORDER BY a.run_id, a.task`,
  positions: `
    SELECT a.run_id, a.gold_position, a.accuracy, a.wilson_low, a.wilson_high, a.correct, a.rows
    FROM accuracy_by_gold_position AS a
    JOIN runs AS r ON r.run_id = a.run_id
    WHERE r.current_corpus
    ORDER BY a.run_id, a.gold_position`,
  hardest: `
    SELECT
      w.row_id, c.title, c.task, c.category, c.gold, w.results, w.correct, w.errors, w.share_correct, w.wrong_label,
      w.wrong_label_results
    FROM row_results AS w
    JOIN corpus_rows AS c ON c.row_id = w.row_id
    WHERE w.correct < w.results
    QUALIFY row_number() OVER (
      PARTITION BY c.category
      ORDER BY w.share_correct, w.results DESC, w.wrong_label_results DESC, w.row_id
    ) <= ${HARDEST}
    ORDER BY w.share_correct, w.results DESC, w.wrong_label_results DESC, w.row_id`,
});
