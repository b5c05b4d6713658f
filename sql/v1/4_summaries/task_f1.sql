-- Grain: a run and task, where it has finished rows. Unit: F1, 0 to 1.
-- Per label F1 = 2 tp / (2 tp + fp + fn), 0 where that is 0/0; the mean over the labels that occur in the task as gold or
-- as answer. A row without an answer is a false negative of its gold only.
-- Source: macro averaged F1 over the union of both label sets, as in scikit-learn's f1_score(average='macro').
CREATE VIEW task_f1 AS
WITH sides AS (
  SELECT run_id, task, gold AS label, n AS gold_rows, 0 AS label_rows, CASE WHEN label = gold THEN n ELSE 0 END AS hits
  FROM confusion
  UNION ALL
  SELECT run_id, task, label, 0 AS gold_rows, n AS label_rows, 0 AS hits
  FROM confusion
  WHERE label IS NOT NULL
),
labels AS (
  SELECT run_id, task, label, 2 * sum(hits) / (sum(gold_rows) + sum(label_rows)) AS f1
  FROM sides
  GROUP BY run_id, task, label
)
SELECT
  run_id,
  task,
  count(*)::BIGINT AS labels,
  sum(f1 ORDER BY label ASC) / count(*) AS macro_f1
FROM labels
GROUP BY run_id, task;

COMMENT ON VIEW task_f1 IS 'Macro F1 of a task; key: run_id, task';
COMMENT ON COLUMN task_f1.run_id IS 'The run';
COMMENT ON COLUMN task_f1.task IS 'Id of the task';
COMMENT ON COLUMN task_f1.labels IS 'Labels that occur as gold or as answer';
COMMENT ON COLUMN task_f1.macro_f1 IS 'Mean of the labels'' F1, 0 to 1';
