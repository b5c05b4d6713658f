-- Which rows took longest?
-- Wall clock with retries and the waits between them; attempts says whether retries had a part in it.
SELECT n.run_id, n.row_id, round(n.latency_ms) AS latency_ms, n.attempts, n.output_tokens, n.status
FROM answers AS n
ORDER BY n.latency_ms DESC, n.run_id, n.row_id
LIMIT 5;
