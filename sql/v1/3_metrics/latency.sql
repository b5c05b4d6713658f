-- Grain: a run with at least one finished row. Unit: ms of wall clock a row, retries included, waiting for the pace not.
-- Quantiles interpolate linearly between order statistics (Source: Hyndman & Fan 1996, type 7, as NumPy's default).
CREATE VIEW latency AS
SELECT
  run_id,
  quantile_cont(latency_ms, 0.5) AS p50_ms,
  quantile_cont(latency_ms, 0.95) AS p95_ms,
  quantile_cont(latency_ms, 0.99) AS p99_ms,
  sum(latency_ms ORDER BY row_id ASC) / count(latency_ms) AS mean_ms,
  sum(latency_ms ORDER BY row_id ASC) AS sum_ms
FROM answers
GROUP BY run_id;

COMMENT ON VIEW latency IS 'How long the rows of a run took; key: run_id';
COMMENT ON COLUMN latency.run_id IS 'The run';
COMMENT ON COLUMN latency.p50_ms IS 'Median in ms';
COMMENT ON COLUMN latency.p95_ms IS '95 % quantile in ms';
COMMENT ON COLUMN latency.p99_ms IS '99 % quantile in ms';
COMMENT ON COLUMN latency.mean_ms IS 'Mean in ms';
COMMENT ON COLUMN latency.sum_ms IS 'Sum in ms';
