-- What does a right answer cost?
-- Read it with cost_coverage: where costs are unknown the true figure is higher.
SELECT
  c.run_id,
  round(o.accuracy, 4) AS accuracy,
  round(c.cost_per_1000_rows_usd, 5) AS usd_per_1000_rows,
  round(c.cost_per_correct_usd * 1000, 5) AS usd_per_1000_correct,
  round(c.cost_coverage, 3) AS cost_coverage
FROM cost AS c
JOIN accuracy_overall AS o ON o.run_id = c.run_id
ORDER BY c.cost_per_correct_usd, c.run_id;
