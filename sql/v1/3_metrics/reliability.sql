-- Grain: a run and bin of confidence, all ten of every run. Unit: shares. Bin i holds the confidences from i/10 up to, not
-- including, (i+1)/10, and 1 is in the last one. Only rows with a label and probabilities count.
-- Source: the bins of the expected calibration error, see calibration.
CREATE VIEW reliability AS
WITH filled AS (
  SELECT
    run_id,
    reliability_bin(confidence) AS bin,
    count(*)::BIGINT AS rows,
    count(*) FILTER (WHERE correct)::BIGINT AS correct,
    sum(confidence ORDER BY confidence ASC) AS total_confidence
  FROM answers
  WHERE confidence IS NOT NULL
  GROUP BY run_id, reliability_bin(confidence)
)
SELECT
  r.run_id,
  b.bin,
  reliability_edge(b.bin) AS low,
  reliability_edge(b.bin + 1) AS high,
  coalesce(f.rows, 0)::BIGINT AS rows,
  f.total_confidence / f.rows AS mean_confidence,
  f.correct / f.rows AS accuracy
FROM runs AS r
CROSS JOIN (SELECT unnest(range(10))::BIGINT AS bin) AS b
LEFT JOIN filled AS f ON f.run_id = r.run_id AND f.bin = b.bin;

COMMENT ON VIEW reliability IS 'How often a run is right at which confidence; key: run_id, bin';
COMMENT ON COLUMN reliability.run_id IS 'The run';
COMMENT ON COLUMN reliability.bin IS 'Number of the bin, 0 to 9';
COMMENT ON COLUMN reliability.low IS 'Lowest confidence of the bin';
COMMENT ON COLUMN reliability.high IS 'Where the next bin begins; 1 belongs to the last bin';
COMMENT ON COLUMN reliability.rows IS 'Rows with probabilities in this bin';
COMMENT ON COLUMN reliability.mean_confidence IS 'Mean confidence of these rows; NULL without rows';
COMMENT ON COLUMN reliability.accuracy IS 'Share of these rows that are right; NULL without rows';
