-- Grain: a run with at least one finished row. Unit: share of rows. Source: k/n over finished rows, a row without a valid
-- answer counting as wrong; Wilson's interval as in 0_macros/wilson.sql. The jackknife columns are not computed yet.
CREATE VIEW accuracy_overall AS
SELECT
  a.run_id,
  count(*)::BIGINT AS rows,
  count(*) FILTER (WHERE a.correct)::BIGINT AS correct,
  count(*) FILTER (WHERE a.correct) / count(*) AS accuracy,
  wilson_low(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_low,
  wilson_high(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_high,
  count(*) FILTER (WHERE NOT a.is_valid)::BIGINT AS errors,
  count(*) FILTER (WHERE a.is_valid)::BIGINT AS answered,
  CASE WHEN count(*) FILTER (WHERE a.is_valid) > 0
    THEN count(*) FILTER (WHERE a.correct) / count(*) FILTER (WHERE a.is_valid)
  END AS accuracy_answered,
  NULL::DOUBLE AS jackknife_se,
  NULL::DOUBLE AS jackknife_low,
  NULL::DOUBLE AS jackknife_high
FROM answers AS a
GROUP BY a.run_id;

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
COMMENT ON COLUMN accuracy_overall.jackknife_se IS 'Standard error with tasks as clusters';
COMMENT ON COLUMN accuracy_overall.jackknife_low IS 'Lower end of the 95 % jackknife interval';
COMMENT ON COLUMN accuracy_overall.jackknife_high IS 'Upper end of the 95 % jackknife interval';
