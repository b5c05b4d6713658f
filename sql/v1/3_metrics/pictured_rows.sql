-- Grain: a row of the active corpus. Unit: none. A row of text has no picture that could be missing. Of any other row the
-- picture counts as sent only if every reference result was shown one: what is left out is left out for all models alike,
-- so that they are still compared on the same rows. Without a reference result nothing is known to be missing.
-- Source: images_sent of `answers`, over `reference_results`.
CREATE VIEW pictured_rows AS
WITH shown AS (
  SELECT a.row_id, count(*) AS results
  FROM answers AS a
  JOIN reference_results AS r ON r.run_id = a.run_id
  WHERE a.images_sent > 0
  GROUP BY a.row_id
)
SELECT
  c.row_id,
  c.modality = 'text' OR coalesce(s.results, 0) = (SELECT count(*) FROM reference_results) AS picture_sent
FROM corpus_rows AS c
LEFT JOIN shown AS s ON s.row_id = c.row_id;

COMMENT ON VIEW pictured_rows IS 'Whether the pictures of a row were sent to all models; key: row_id';
COMMENT ON COLUMN pictured_rows.row_id IS 'The row of the corpus';
COMMENT ON COLUMN pictured_rows.picture_sent IS 'True for a row of text; else whether every result of reference_results was sent a picture of the row';
