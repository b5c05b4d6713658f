-- Grain: a run with at least one finished row. Unit: share of rows. Source: k/n over finished rows, a row without a valid
-- answer counting as wrong; Wilson's interval as in 0_macros/wilson.sql; the jackknife over tasks as in
-- 0_macros/jackknife.sql with correct as 0 and 1, its interval accuracy +- t SE with tasks - 1 degrees of freedom, clamped to
-- [0, 1]. The jackknife is NULL below two tasks, and when the task of any row is unknown (a run on another corpus).
CREATE VIEW accuracy_overall AS
WITH by_task AS (
  SELECT
    run_id,
    task,
    count(*) AS rows,
    count(*) FILTER (WHERE correct) AS correct,
    count(*) FILTER (WHERE is_valid) AS answered
  FROM answers
  GROUP BY run_id, task
),
by_run AS (
  SELECT
    run_id,
    sum(rows)::BIGINT AS rows,
    sum(correct)::BIGINT AS correct,
    sum(answered)::BIGINT AS answered,
    count(*)::BIGINT AS tasks,
    bool_and(task IS NOT NULL) AS tasks_known,
    list(correct ORDER BY task ASC) AS task_correct,
    list(rows ORDER BY task ASC) AS task_rows
  FROM by_task
  GROUP BY run_id
),
errors AS (
  SELECT
    *,
    correct / rows AS accuracy,
    CASE WHEN tasks_known THEN jackknife_error(task_correct, task_rows, correct, rows) END AS jackknife_se
  FROM by_run
)
SELECT
  run_id,
  rows,
  correct,
  accuracy,
  wilson_low(correct, rows) AS wilson_low,
  wilson_high(correct, rows) AS wilson_high,
  rows - answered AS errors,
  answered,
  CASE WHEN answered > 0 THEN correct / answered END AS accuracy_answered,
  jackknife_se,
  CASE WHEN jackknife_se IS NOT NULL
    THEN greatest(0.0::DOUBLE, accuracy - t_quantile_975(tasks - 1) * jackknife_se)
  END AS jackknife_low,
  CASE WHEN jackknife_se IS NOT NULL
    THEN least(1.0::DOUBLE, accuracy + t_quantile_975(tasks - 1) * jackknife_se)
  END AS jackknife_high
FROM errors;

COMMENT ON VIEW accuracy_overall IS 'How often a run is right; key: run_id';
COMMENT ON COLUMN accuracy_overall.run_id IS 'The run';
COMMENT ON COLUMN accuracy_overall.rows IS 'Finished rows, errors included';
COMMENT ON COLUMN accuracy_overall.correct IS 'Rows with the right label';
COMMENT ON COLUMN accuracy_overall.accuracy IS 'correct / rows';
COMMENT ON COLUMN accuracy_overall.wilson_low IS 'Lower end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_overall.wilson_high IS 'Upper end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_overall.errors IS 'Rows without a valid answer (they count as wrong)';
COMMENT ON COLUMN accuracy_overall.answered IS 'Rows with a valid answer';
COMMENT ON COLUMN accuracy_overall.accuracy_answered IS 'correct / answered; NULL when nothing was answered';
COMMENT ON COLUMN accuracy_overall.jackknife_se IS 'Standard error of the accuracy with tasks as clusters; NULL below two tasks';
COMMENT ON COLUMN accuracy_overall.jackknife_low IS 'Lower end of the 95 % jackknife interval, at least 0; NULL below two tasks';
COMMENT ON COLUMN accuracy_overall.jackknife_high IS 'Upper end of the 95 % jackknife interval, at most 1; NULL below two tasks';
