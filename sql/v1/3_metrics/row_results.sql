-- Grain: a row of the active corpus, every one. Unit: results are counts, share_correct a share of them. Over the reference
-- results: a result without a record for the row does not count, one without a valid answer counts as wrong. The most
-- frequent wrong label is taken among valid answers; of equally frequent ones the first in the order of their bytes.
-- Source: `answers` of `reference_results`.
CREATE VIEW row_results AS
WITH given AS (
  SELECT a.row_id, a.label, a.correct, a.is_valid
  FROM answers AS a
  JOIN reference_results AS r ON r.run_id = a.run_id
),
counted AS (
  SELECT
    row_id,
    count(*)::BIGINT AS results,
    count(*) FILTER (WHERE correct)::BIGINT AS correct,
    count(*) FILTER (WHERE NOT is_valid)::BIGINT AS errors
  FROM given
  GROUP BY row_id
),
mistakes AS (
  SELECT row_id, label, count(*)::BIGINT AS results
  FROM given
  WHERE is_valid AND NOT correct AND label IS NOT NULL
  GROUP BY row_id, label
),
frequent AS (
  SELECT row_id, label, results
  FROM mistakes
  QUALIFY row_number() OVER (PARTITION BY row_id ORDER BY results DESC, label ASC) = 1
)
SELECT
  c.row_id,
  coalesce(n.results, 0)::BIGINT AS results,
  coalesce(n.correct, 0)::BIGINT AS correct,
  coalesce(n.errors, 0)::BIGINT AS errors,
  n.correct / n.results AS share_correct,
  f.label AS wrong_label,
  coalesce(f.results, 0)::BIGINT AS wrong_label_results
FROM corpus_rows AS c
LEFT JOIN counted AS n ON n.row_id = c.row_id
LEFT JOIN frequent AS f ON f.row_id = c.row_id;

COMMENT ON VIEW row_results IS 'How the results of reference_results did on a row; key: row_id';
COMMENT ON COLUMN row_results.row_id IS 'The row of the corpus';
COMMENT ON COLUMN row_results.results IS 'Results with a record for the row';
COMMENT ON COLUMN row_results.correct IS 'Results that have it right';
COMMENT ON COLUMN row_results.errors IS 'Results without a valid answer (they count as wrong)';
COMMENT ON COLUMN row_results.share_correct IS 'correct / results; NULL without results';
COMMENT ON COLUMN row_results.wrong_label IS 'The wrong label that most results chose, of equally frequent ones the first; NULL when none chose a wrong one';
COMMENT ON COLUMN row_results.wrong_label_results IS 'Results that chose it';
