-- Grain: a full published result on the active corpus that is no baseline. Unit: none; compared are accuracy, USD per 1000
-- rows and the median latency in ms. Among such results of one suite and prompt, one is on the front if no other is at
-- least as accurate and at most as dear (slow) and better in one of the two; equal ones are on it together. Compared by
-- cost are only results whose whole cost is known, zero included; by latency those with a median.
-- Source: the Pareto front of two criteria; `cost`, `latency`.
CREATE VIEW fronts AS
WITH entries AS (
  SELECT
    r.run_id,
    r.suite,
    r.prompt_version,
    r.prompt_sha256,
    a.accuracy,
    CASE WHEN c.cost_coverage = 1 THEN c.cost_per_1000_rows_usd END AS usd,
    l.p50_ms AS ms
  FROM runs AS r
  JOIN accuracy_overall AS a ON a.run_id = r.run_id
  LEFT JOIN cost AS c ON c.run_id = r.run_id
  LEFT JOIN latency AS l ON l.run_id = r.run_id
  WHERE r.source = 'published' AND r.current_corpus AND r.full_coverage AND r.provider IS DISTINCT FROM 'baseline'
),
-- The best accuracy at the same cost, and at any lower one. A NULL is a group of its own here, and comes first.
compared AS (
  SELECT
    *,
    max(accuracy) OVER (PARTITION BY suite, prompt_version, prompt_sha256, usd) AS as_dear,
    max(accuracy) FILTER (WHERE usd IS NOT NULL) OVER (
      PARTITION BY suite, prompt_version, prompt_sha256 ORDER BY usd ASC NULLS FIRST RANGE UNBOUNDED PRECEDING EXCLUDE GROUP
    ) AS cheaper,
    max(accuracy) OVER (PARTITION BY suite, prompt_version, prompt_sha256, ms) AS as_slow,
    max(accuracy) FILTER (WHERE ms IS NOT NULL) OVER (
      PARTITION BY suite, prompt_version, prompt_sha256 ORDER BY ms ASC NULLS FIRST RANGE UNBOUNDED PRECEDING EXCLUDE GROUP
    ) AS faster
  FROM entries
)
SELECT
  run_id,
  CASE WHEN usd IS NOT NULL THEN accuracy = as_dear AND coalesce(accuracy > cheaper, TRUE) END AS on_cost_front,
  CASE WHEN ms IS NOT NULL THEN accuracy = as_slow AND coalesce(accuracy > faster, TRUE) END AS on_latency_front
FROM compared;

COMMENT ON VIEW fronts IS 'Whether no other model is as accurate for less money, or in less time, among the full published results on the active corpus with one prompt, without baselines; key: run_id';
COMMENT ON COLUMN fronts.run_id IS 'The result';
COMMENT ON COLUMN fronts.on_cost_front IS 'Whether none is at least as accurate and at most as dear, and better in one; NULL when some of the cost is unknown';
COMMENT ON COLUMN fronts.on_latency_front IS 'The same with the median latency; NULL when it is unknown';
