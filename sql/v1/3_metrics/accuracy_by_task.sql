-- Grain: a run and task, where it has finished rows.
-- Unit: share of rows. Source: k/n and Wilson's interval as in accuracy_overall. Rows that are not in the active corpus
-- have no task and are left out, unless a published result says it; names are the active corpus's alone.
CREATE VIEW accuracy_by_task AS
WITH names AS (
  SELECT task, min(task_name) AS name FROM corpus_rows GROUP BY task
)
SELECT
  a.run_id,
  a.task,
  -- A row of another corpus, which may mean something else by this id, has no source kind.
  CASE WHEN count(a.source_kind) > 0 THEN n.name END AS name,
  count(*)::BIGINT AS rows,
  count(*) FILTER (WHERE a.correct)::BIGINT AS correct,
  count(*) FILTER (WHERE a.correct) / count(*) AS accuracy,
  wilson_low(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_low,
  wilson_high(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_high,
  count(*) FILTER (WHERE NOT a.is_valid)::BIGINT AS errors
FROM answers AS a
LEFT JOIN names AS n ON n.task = a.task
WHERE a.task IS NOT NULL
GROUP BY a.run_id, a.task, n.name;

COMMENT ON VIEW accuracy_by_task IS 'How often a run is right, by task; key: run_id, task';
COMMENT ON COLUMN accuracy_by_task.run_id IS 'The run';
COMMENT ON COLUMN accuracy_by_task.task IS 'Id of the task';
COMMENT ON COLUMN accuracy_by_task.name IS 'Name of the task for readers; NULL for a result on another corpus';
COMMENT ON COLUMN accuracy_by_task.rows IS 'Finished rows, errors included';
COMMENT ON COLUMN accuracy_by_task.correct IS 'Rows with the right label';
COMMENT ON COLUMN accuracy_by_task.accuracy IS 'correct / rows';
COMMENT ON COLUMN accuracy_by_task.wilson_low IS 'Lower end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_task.wilson_high IS 'Upper end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_task.errors IS 'Rows without a valid answer (they count as wrong)';
