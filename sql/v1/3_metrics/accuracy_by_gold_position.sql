-- Grain: a run and place of the right option among the shown ones (a model that prefers the first option shows here), where it has finished rows.
-- Unit: share of rows. Source: k/n and Wilson's interval as in accuracy_overall. Rows that are not in the active corpus
-- have no gold position and are left out.
CREATE VIEW accuracy_by_gold_position AS
SELECT
  a.run_id,
  a.gold_position,
  count(*)::BIGINT AS rows,
  count(*) FILTER (WHERE a.correct)::BIGINT AS correct,
  count(*) FILTER (WHERE a.correct) / count(*) AS accuracy,
  wilson_low(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_low,
  wilson_high(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_high,
  count(*) FILTER (WHERE NOT a.is_valid)::BIGINT AS errors
FROM answers AS a
WHERE a.gold_position IS NOT NULL
GROUP BY a.run_id, a.gold_position;

COMMENT ON VIEW accuracy_by_gold_position IS 'How often a run is right, by gold position; key: run_id, gold_position';
COMMENT ON COLUMN accuracy_by_gold_position.run_id IS 'The run';
COMMENT ON COLUMN accuracy_by_gold_position.gold_position IS 'Place of the right option as shown, from 1';
COMMENT ON COLUMN accuracy_by_gold_position.rows IS 'Finished rows, errors included';
COMMENT ON COLUMN accuracy_by_gold_position.correct IS 'Rows with the right label';
COMMENT ON COLUMN accuracy_by_gold_position.accuracy IS 'correct / rows';
COMMENT ON COLUMN accuracy_by_gold_position.wilson_low IS 'Lower end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_gold_position.wilson_high IS 'Upper end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_gold_position.errors IS 'Rows without a valid answer (they count as wrong)';
