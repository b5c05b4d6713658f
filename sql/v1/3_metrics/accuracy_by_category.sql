-- Grain: a run and category, where it has finished rows.
-- Unit: share of rows. Source: k/n and Wilson's interval as in accuracy_overall. Rows that are not in the active corpus
-- have no category and are left out, unless a published result says it; names are the active corpus's alone.
CREATE VIEW accuracy_by_category AS
WITH names AS (
  SELECT category, min(category_name) AS name FROM corpus_rows GROUP BY category
)
SELECT
  a.run_id,
  a.category,
  -- A row of another corpus, which may mean something else by this id, has no source kind.
  CASE WHEN count(a.source_kind) > 0 THEN n.name END AS name,
  count(*)::BIGINT AS rows,
  count(*) FILTER (WHERE a.correct)::BIGINT AS correct,
  count(*) FILTER (WHERE a.correct) / count(*) AS accuracy,
  wilson_low(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_low,
  wilson_high(count(*) FILTER (WHERE a.correct), count(*)) AS wilson_high,
  count(*) FILTER (WHERE NOT a.is_valid)::BIGINT AS errors
FROM answers AS a
LEFT JOIN names AS n ON n.category = a.category
WHERE a.category IS NOT NULL
GROUP BY a.run_id, a.category, n.name;

COMMENT ON VIEW accuracy_by_category IS 'How often a run is right, by category; key: run_id, category';
COMMENT ON COLUMN accuracy_by_category.run_id IS 'The run';
COMMENT ON COLUMN accuracy_by_category.category IS 'Id of the category';
COMMENT ON COLUMN accuracy_by_category.name IS 'Name of the category for readers; NULL for a result on another corpus';
COMMENT ON COLUMN accuracy_by_category.rows IS 'Finished rows, errors included';
COMMENT ON COLUMN accuracy_by_category.correct IS 'Rows with the right label';
COMMENT ON COLUMN accuracy_by_category.accuracy IS 'correct / rows';
COMMENT ON COLUMN accuracy_by_category.wilson_low IS 'Lower end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_category.wilson_high IS 'Upper end of the 95 % Wilson interval';
COMMENT ON COLUMN accuracy_by_category.errors IS 'Rows without a valid answer (they count as wrong)';
