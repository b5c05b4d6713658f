-- Grain: a published result, another one on the same corpus and suite, and a task with rows that both have finished; every
-- pair stands here twice, once from each side. Unit: rows, and shares of them. Differences are those of the result minus
-- the other one; the interval takes the task's rows as independent, and says nothing about other tasks. Rows whose task is
-- unknown are left out. Source: counted once over pair_rows, then mirrored; the interval as in
-- 0_macros/paired_interval.sql, which mirrors to the last bit.
CREATE VIEW versus_by_task AS
WITH counted AS MATERIALIZED (
  SELECT
    run_a,
    run_b,
    task,
    count(*)::BIGINT AS rows,
    count(*) FILTER (WHERE correct_a AND correct_b)::BIGINT AS both_correct,
    count(*) FILTER (WHERE correct_a AND NOT correct_b)::BIGINT AS a_only,
    count(*) FILTER (WHERE correct_b AND NOT correct_a)::BIGINT AS b_only
  FROM pair_rows(NULL, NULL)
  WHERE task IS NOT NULL
  GROUP BY run_a, run_b, task
),
sides AS (
  SELECT run_a AS run_id, run_b AS other_run_id, task, rows, both_correct, a_only AS only_run, b_only AS only_other FROM counted
  UNION ALL
  SELECT run_b, run_a, task, rows, both_correct, b_only, a_only FROM counted
)
SELECT
  run_id,
  other_run_id,
  task,
  rows,
  both_correct + only_run AS correct,
  both_correct + only_other AS correct_other,
  both_correct,
  only_run,
  only_other,
  rows - both_correct - only_run - only_other AS both_wrong,
  (only_run - only_other) / rows AS difference,
  paired_low(only_run, only_other, rows) AS difference_low,
  paired_high(only_run, only_other, rows) AS difference_high
FROM sides;

COMMENT ON VIEW versus_by_task IS 'A published result against each other one, task by task, from both sides; key: run_id, other_run_id, task';
COMMENT ON COLUMN versus_by_task.run_id IS 'The result';
COMMENT ON COLUMN versus_by_task.other_run_id IS 'The one that it is compared with';
COMMENT ON COLUMN versus_by_task.task IS 'Id of the task';
COMMENT ON COLUMN versus_by_task.rows IS 'Rows that both have finished';
COMMENT ON COLUMN versus_by_task.correct IS 'Rows that this result has right';
COMMENT ON COLUMN versus_by_task.correct_other IS 'Rows that the other one has right';
COMMENT ON COLUMN versus_by_task.both_correct IS 'Rows that both have right';
COMMENT ON COLUMN versus_by_task.only_run IS 'Rows that only this result has right';
COMMENT ON COLUMN versus_by_task.only_other IS 'Rows that only the other one has right';
COMMENT ON COLUMN versus_by_task.both_wrong IS 'Rows that neither has right';
COMMENT ON COLUMN versus_by_task.difference IS 'Accuracy of this result minus that of the other one on these rows';
COMMENT ON COLUMN versus_by_task.difference_low IS 'Lower end of the 95 % interval for rows like these (Agresti and Min), at least -1';
COMMENT ON COLUMN versus_by_task.difference_high IS 'Upper end of it, at most 1';
