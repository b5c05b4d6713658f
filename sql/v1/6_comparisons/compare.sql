-- Grain: one row for two runs with shared rows, local ones too, as asked (A minus B). Columns as in comparisons.
-- Units: shares of the shared rows, probabilities. p_holm is NULL, since two runs alone are no family. The pair is computed
-- in one order, the smaller run id first, and turned round when it was asked the other way: A against B mirrors B against A
-- to the last bit. 0 - x instead of -x: a difference of 0 has no sign.
-- Source: pair_statistics.
CREATE MACRO compare(run_a, run_b) AS TABLE
SELECT
  CASE WHEN run_a <= run_b THEN s.run_a ELSE s.run_b END AS run_a,
  CASE WHEN run_a <= run_b THEN s.run_b ELSE s.run_a END AS run_b,
  s.rows,
  s.tasks,
  s.both_correct,
  CASE WHEN run_a <= run_b THEN s.a_only ELSE s.b_only END AS a_only,
  CASE WHEN run_a <= run_b THEN s.b_only ELSE s.a_only END AS b_only,
  s.both_wrong,
  CASE WHEN run_a <= run_b THEN s.accuracy_difference ELSE 0.0::DOUBLE - s.accuracy_difference END AS accuracy_difference,
  CASE WHEN run_a <= run_b THEN s.bootstrap_low ELSE 0.0::DOUBLE - s.bootstrap_high END AS bootstrap_low,
  CASE WHEN run_a <= run_b THEN s.bootstrap_high ELSE 0.0::DOUBLE - s.bootstrap_low END AS bootstrap_high,
  s.jackknife_se,
  CASE WHEN run_a <= run_b THEN s.jackknife_low ELSE 0.0::DOUBLE - s.jackknife_high END AS jackknife_low,
  CASE WHEN run_a <= run_b THEN s.jackknife_high ELSE 0.0::DOUBLE - s.jackknife_low END AS jackknife_high,
  s.p_jackknife,
  s.p_mcnemar,
  s.mde80,
  s.p_holm
FROM pair_statistics(least(run_a, run_b), greatest(run_a, run_b)) AS s
-- NULL is no run; pair_statistics would take it for all of them.
WHERE run_a IS NOT NULL AND run_b IS NOT NULL;

COMMENT ON MACRO TABLE compare IS 'Any two runs on one corpus and suite, local ones too, as one row (A minus B); no row when they share none';
