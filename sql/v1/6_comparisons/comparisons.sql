-- Grain: a pair (run_a < run_b) of published results on one corpus and suite with shared rows. Units: shares of the shared
-- rows, probabilities. Source: pair_statistics.
CREATE VIEW comparisons AS
FROM pair_statistics(NULL, NULL);

COMMENT ON VIEW comparisons IS 'Published results against each other, row by row; key: run_a, run_b';
COMMENT ON COLUMN comparisons.run_a IS 'The run with the smaller id';
COMMENT ON COLUMN comparisons.run_b IS 'The run with the larger id';
COMMENT ON COLUMN comparisons.rows IS 'Rows that both have finished';
COMMENT ON COLUMN comparisons.tasks IS 'Tasks of these rows';
COMMENT ON COLUMN comparisons.both_correct IS 'Rows that both have right';
COMMENT ON COLUMN comparisons.a_only IS 'Rows that only A has right';
COMMENT ON COLUMN comparisons.b_only IS 'Rows that only B has right';
COMMENT ON COLUMN comparisons.both_wrong IS 'Rows that neither has right';
COMMENT ON COLUMN comparisons.accuracy_difference IS 'Accuracy of A minus accuracy of B on these rows';
COMMENT ON COLUMN comparisons.bootstrap_low IS 'Lower end of the 95 % task bootstrap interval (too narrow with few tasks)';
COMMENT ON COLUMN comparisons.bootstrap_high IS 'Upper end of the 95 % task bootstrap interval (too narrow with few tasks)';
COMMENT ON COLUMN comparisons.jackknife_se IS 'Standard error of the difference with tasks as clusters; NULL below two tasks';
COMMENT ON COLUMN comparisons.jackknife_low IS 'Lower end of the 95 % jackknife interval; NULL below two tasks';
COMMENT ON COLUMN comparisons.jackknife_high IS 'Upper end of the 95 % jackknife interval; NULL below two tasks';
COMMENT ON COLUMN comparisons.p_jackknife IS 'Two-sided p of the difference with tasks as clusters; NULL below two tasks';
COMMENT ON COLUMN comparisons.p_mcnemar IS 'McNemar''s mid-p, which takes rows as independent';
COMMENT ON COLUMN comparisons.mde80 IS 'Smallest true difference that is found in 80 of 100 such tests; NULL below two tasks';
COMMENT ON COLUMN comparisons.p_holm IS 'p_jackknife adjusted for all pairs of full published results of the suite, corpus and prompt; NULL for other pairs';
