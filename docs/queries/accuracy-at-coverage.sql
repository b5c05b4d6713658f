-- How accurate is a model on the nine tenths of the rows that it is surest of?
-- The highest threshold that still accepts at least 90 % of all rows. A run without probabilities, or with too many rows
-- without an answer, is not listed.
SELECT
  run_id,
  round(max(threshold), 4) AS threshold,
  round(arg_max(coverage, threshold), 4) AS coverage,
  round(1 - arg_max(risk, threshold), 4) AS accuracy
FROM risk_coverage
WHERE coverage >= 0.9
GROUP BY run_id
ORDER BY accuracy DESC, run_id;
