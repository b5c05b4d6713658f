-- Grain: a pair of `comparisons` and a row that both have finished. Unit: none. Source: pair_rows.
CREATE VIEW paired_rows AS
SELECT
  run_a,
  run_b,
  row_id,
  task,
  category,
  correct_a,
  correct_b,
  CASE
    WHEN correct_a AND correct_b THEN 'both_correct'
    WHEN correct_a THEN 'a_only'
    WHEN correct_b THEN 'b_only'
    ELSE 'both_wrong'
  END AS outcome
FROM pair_rows(NULL, NULL);

COMMENT ON VIEW paired_rows IS 'Published results side by side on every shared row; key: run_a, run_b, row_id';
COMMENT ON COLUMN paired_rows.run_a IS 'The run with the smaller id';
COMMENT ON COLUMN paired_rows.run_b IS 'The run with the larger id';
COMMENT ON COLUMN paired_rows.row_id IS 'The row of the corpus';
COMMENT ON COLUMN paired_rows.task IS 'Task of the row';
COMMENT ON COLUMN paired_rows.category IS 'Category of the row';
COMMENT ON COLUMN paired_rows.correct_a IS 'Whether A has it right';
COMMENT ON COLUMN paired_rows.correct_b IS 'Whether B has it right';
COMMENT ON COLUMN paired_rows.outcome IS 'both_correct, a_only, b_only or both_wrong';
