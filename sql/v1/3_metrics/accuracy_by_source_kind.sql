-- Grain: a run and source kind, where it has finished rows.
-- Unit: share of rows. Source: k/n and Wilson's interval as in accuracy_overall. Rows that are not in the active corpus
-- have no source kind and are left out.
CREATE VIEW accuracy_by_source_kind AS
SELECT
  a.run_id,
  a.source_kind,
  count(*)::BIGINT AS rows,
  count(*) FILTER (WHERE a.correct)::BIGINT AS correct,
  count(*) FILTER (WHERE a.correct) / count(*) AS accuracy,
  wilson_low(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_low,
  wilson_high(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_high,
  count(*) FILTER (WHERE NOT a.is_valid)::BIGINT AS errors
FROM answers AS a
WHERE a.source_kind IS NOT NULL
GROUP BY a.run_id, a.source_kind;

COMMENT ON VIEW accuracy_by_source_kind IS 'How often a run is right, by source kind; key: run_id, source_kind';
COMMENT ON COLUMN accuracy_by_source_kind.run_id IS 'The run';
COMMENT ON COLUMN accuracy_by_source_kind.source_kind IS 'How the rows came to be';
COMMENT ON COLUMN accuracy_by_source_kind.rows IS 'Finished rows, errors included';
COMMENT ON COLUMN accuracy_by_source_kind.correct IS 'Rows with the right label';
COMMENT ON COLUMN accuracy_by_source_kind.accuracy IS 'correct / rows';
COMMENT ON COLUMN accuracy_by_source_kind.wilson_low IS 'Lower end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_source_kind.wilson_high IS 'Upper end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_source_kind.errors IS 'Rows without a valid answer (they count as wrong)';
