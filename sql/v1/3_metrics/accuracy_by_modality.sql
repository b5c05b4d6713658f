-- Grain: a run and modality, where it has finished rows.
-- Unit: share of rows. Source: k/n and Wilson's interval as in accuracy_overall. Rows that are not in the active corpus
-- have no modality and are left out.
CREATE VIEW accuracy_by_modality AS
SELECT
  a.run_id,
  a.modality,
  count(*)::BIGINT AS rows,
  count(*) FILTER (WHERE a.correct)::BIGINT AS correct,
  count(*) FILTER (WHERE a.correct) / count(*) AS accuracy,
  wilson_low(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_low,
  wilson_high(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_high,
  count(*) FILTER (WHERE NOT a.is_valid)::BIGINT AS errors
FROM answers AS a
WHERE a.modality IS NOT NULL
GROUP BY a.run_id, a.modality;

COMMENT ON VIEW accuracy_by_modality IS 'How often a run is right, by modality; key: run_id, modality';
COMMENT ON COLUMN accuracy_by_modality.run_id IS 'The run';
COMMENT ON COLUMN accuracy_by_modality.modality IS 'text or image';
COMMENT ON COLUMN accuracy_by_modality.rows IS 'Finished rows, errors included';
COMMENT ON COLUMN accuracy_by_modality.correct IS 'Rows with the right label';
COMMENT ON COLUMN accuracy_by_modality.accuracy IS 'correct / rows';
COMMENT ON COLUMN accuracy_by_modality.wilson_low IS 'Lower end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_modality.wilson_high IS 'Upper end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_modality.errors IS 'Rows without a valid answer (they count as wrong)';
