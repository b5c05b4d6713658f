-- Grain: a run on the active corpus and a slice in which it has finished rows: a category or all, a modality or all, all
-- rows or only those whose picture was sent. Unit: share of rows. Rows are counted once for each task, category, modality
-- and picture_sent of a run; every slice is a sum of these counts.
-- Source: k/n, Wilson's interval and the jackknife over the slice's tasks as in accuracy_overall; picture_sent as in
-- pictured_rows.
CREATE VIEW accuracy_by_slice AS
WITH counted AS (
  SELECT
    a.run_id,
    a.task,
    a.category,
    a.modality,
    p.picture_sent,
    count(*) AS rows,
    count(*) FILTER (WHERE a.correct) AS correct,
    count(*) FILTER (WHERE NOT a.is_valid) AS errors
  FROM answers AS a
  JOIN runs AS r ON r.run_id = a.run_id
  JOIN pictured_rows AS p ON p.row_id = a.row_id
  WHERE r.current_corpus
  GROUP BY a.run_id, a.task, a.category, a.modality, p.picture_sent
),
-- Every count stands in the slices of all rows, and, if its pictures were sent, in those of these rows too.
placed AS (
  SELECT run_id, task, category, modality, unnest(CASE WHEN picture_sent THEN ['all', 'sent'] ELSE ['all'] END) AS pictures, rows, correct, errors
  FROM counted
),
-- A row of the corpus has a category and a modality, so that NULL can only mean all.
by_task AS (
  SELECT
    run_id,
    category,
    modality,
    pictures,
    task,
    sum(rows)::BIGINT AS rows,
    sum(correct)::BIGINT AS correct,
    sum(errors)::BIGINT AS errors
  FROM placed
  GROUP BY GROUPING SETS (
    (run_id, pictures, task),
    (run_id, pictures, task, category),
    (run_id, pictures, task, modality),
    (run_id, pictures, task, category, modality)
  )
),
slices AS (
  SELECT
    run_id,
    category,
    modality,
    pictures,
    sum(rows)::BIGINT AS rows,
    sum(correct)::BIGINT AS correct,
    sum(errors)::BIGINT AS errors,
    count(*)::BIGINT AS tasks,
    list(correct ORDER BY task ASC) AS task_correct,
    list(rows ORDER BY task ASC) AS task_rows
  FROM by_task
  GROUP BY run_id, category, modality, pictures
),
measured AS (
  SELECT *, correct / rows AS accuracy, jackknife_error(task_correct, task_rows, correct, rows) AS jackknife_se FROM slices
)
SELECT
  run_id,
  category,
  modality,
  pictures,
  rows,
  correct,
  accuracy,
  wilson_low(correct, rows) AS wilson_low,
  wilson_high(correct, rows) AS wilson_high,
  errors,
  tasks,
  CASE WHEN jackknife_se IS NOT NULL
    THEN greatest(0.0::DOUBLE, accuracy - t_quantile_975(tasks - 1) * jackknife_se)
  END AS jackknife_low,
  CASE WHEN jackknife_se IS NOT NULL
    THEN least(1.0::DOUBLE, accuracy + t_quantile_975(tasks - 1) * jackknife_se)
  END AS jackknife_high
FROM measured;

COMMENT ON VIEW accuracy_by_slice IS 'How often a run on the active corpus is right, by category, modality and whether pictures were sent, in every combination; key: run_id, category, modality, pictures';
COMMENT ON COLUMN accuracy_by_slice.run_id IS 'The run';
COMMENT ON COLUMN accuracy_by_slice.category IS 'Id of the category; NULL for all of them';
COMMENT ON COLUMN accuracy_by_slice.modality IS 'text or image; NULL for both';
COMMENT ON COLUMN accuracy_by_slice.pictures IS 'all, or sent: without the rows whose picture was not sent to all models (see pictured_rows)';
COMMENT ON COLUMN accuracy_by_slice.rows IS 'Finished rows of the slice, errors included';
COMMENT ON COLUMN accuracy_by_slice.correct IS 'Rows with the right label';
COMMENT ON COLUMN accuracy_by_slice.accuracy IS 'correct / rows';
COMMENT ON COLUMN accuracy_by_slice.wilson_low IS 'Lower end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_slice.wilson_high IS 'Upper end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_slice.errors IS 'Rows without a valid answer (they count as wrong)';
COMMENT ON COLUMN accuracy_by_slice.tasks IS 'Tasks of these rows';
COMMENT ON COLUMN accuracy_by_slice.jackknife_low IS 'Lower end of the 95 % jackknife interval, at least 0; NULL below two tasks';
COMMENT ON COLUMN accuracy_by_slice.jackknife_high IS 'Upper end of the 95 % jackknife interval, at most 1; NULL below two tasks';
