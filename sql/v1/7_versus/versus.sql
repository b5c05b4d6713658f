-- Grain: a published result and another one on the same corpus and suite with shared rows; every pair of `comparisons`
-- stands here twice, once from each side. Units: shares of the shared rows, probabilities. Differences are those of the
-- result minus the other one; from the side of run_b everything is mirrored as in compare, to the last bit.
-- Source: `comparisons`.
CREATE VIEW versus AS
WITH pairs AS MATERIALIZED (
  FROM comparisons
)
SELECT
  run_a AS run_id,
  run_b AS other_run_id,
  rows,
  tasks,
  both_correct,
  a_only AS only_run,
  b_only AS only_other,
  both_wrong,
  accuracy_difference,
  bootstrap_low,
  bootstrap_high,
  jackknife_se,
  jackknife_low,
  jackknife_high,
  p_jackknife,
  p_mcnemar,
  mde80,
  p_holm
FROM pairs
UNION ALL
-- 0 - x instead of -x: a difference of 0 has no sign.
SELECT
  run_b,
  run_a,
  rows,
  tasks,
  both_correct,
  b_only,
  a_only,
  both_wrong,
  0.0::DOUBLE - accuracy_difference,
  0.0::DOUBLE - bootstrap_high,
  0.0::DOUBLE - bootstrap_low,
  jackknife_se,
  0.0::DOUBLE - jackknife_high,
  0.0::DOUBLE - jackknife_low,
  p_jackknife,
  p_mcnemar,
  mde80,
  p_holm
FROM pairs;

COMMENT ON VIEW versus IS 'A published result against each other one, from both sides; key: run_id, other_run_id';
COMMENT ON COLUMN versus.run_id IS 'The result';
COMMENT ON COLUMN versus.other_run_id IS 'The one that it is compared with';
COMMENT ON COLUMN versus.rows IS 'Rows that both have finished';
COMMENT ON COLUMN versus.tasks IS 'Tasks of these rows';
COMMENT ON COLUMN versus.both_correct IS 'Rows that both have right';
COMMENT ON COLUMN versus.only_run IS 'Rows that only this result has right';
COMMENT ON COLUMN versus.only_other IS 'Rows that only the other one has right';
COMMENT ON COLUMN versus.both_wrong IS 'Rows that neither has right';
COMMENT ON COLUMN versus.accuracy_difference IS 'Accuracy of this result minus that of the other one on these rows';
COMMENT ON COLUMN versus.bootstrap_low IS 'Lower end of the 95 % task bootstrap interval (too narrow with few tasks)';
COMMENT ON COLUMN versus.bootstrap_high IS 'Upper end of the 95 % task bootstrap interval (too narrow with few tasks)';
COMMENT ON COLUMN versus.jackknife_se IS 'Standard error of the difference with tasks as clusters; NULL below two tasks';
COMMENT ON COLUMN versus.jackknife_low IS 'Lower end of the 95 % jackknife interval; NULL below two tasks';
COMMENT ON COLUMN versus.jackknife_high IS 'Upper end of the 95 % jackknife interval; NULL below two tasks';
COMMENT ON COLUMN versus.p_jackknife IS 'Two-sided p of the difference with tasks as clusters; NULL below two tasks';
COMMENT ON COLUMN versus.p_mcnemar IS 'McNemar''s mid-p, which takes rows as independent';
COMMENT ON COLUMN versus.mde80 IS 'Smallest true difference that is found in 80 of 100 such tests; NULL below two tasks';
COMMENT ON COLUMN versus.p_holm IS 'p_jackknife adjusted for all pairs of full published results of the suite, corpus and prompt; NULL for other pairs';
