-- Which is the cheapest of the models that no other is surely better than?
-- rank_low = 1: no model with the same prompt is better at p_holm < 0.05.
SELECT
  b.model_id,
  round(b.accuracy, 4) AS accuracy,
  b.rank,
  b.rank_low,
  b.rank_high,
  round(b.cost_per_1000_rows_usd, 5) AS usd_per_1000_rows,
  round(b.p50_ms) AS p50_ms
FROM leaderboard AS b
WHERE b.rank_low = 1
ORDER BY b.cost_per_1000_rows_usd NULLS LAST, b.model_id
LIMIT 1;
