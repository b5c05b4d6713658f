-- Grain: a published result on the active corpus. Units: shares, USD, ms. rank is by accuracy, then model id, over the full
-- results, whatever their prompt; NULL for a partial one. Source: pair_tests for p_holm. rank_low = 1 + the number of models that are better at p_holm < 0.05, rank_high = the
-- number of models - the number that are worse, among the full results with the same prompt (see pair_tests for p_holm):
-- two models are called different only then.
CREATE VIEW leaderboard AS
WITH entries AS (
  SELECT * FROM runs WHERE source = 'published' AND current_corpus
),
-- Read twice below, computed once.
accuracies AS MATERIALIZED (
  FROM accuracy_overall
),
decided AS (
  SELECT run_a, run_b, accuracy_difference > 0 AS a_better FROM pair_tests(NULL, NULL) WHERE p_holm < 0.05
),
verdicts AS (
  SELECT run_a AS run_id, a_better::BIGINT AS worse, (NOT a_better)::BIGINT AS better FROM decided
  UNION ALL
  SELECT run_b, (NOT a_better)::BIGINT, a_better::BIGINT FROM decided
),
beaten AS (
  SELECT run_id, sum(better)::BIGINT AS better, sum(worse)::BIGINT AS worse FROM verdicts GROUP BY run_id
),
ranked AS (
  SELECT
    e.run_id,
    row_number() OVER (PARTITION BY e.suite ORDER BY a.accuracy DESC, e.model_id ASC, e.run_id ASC)::BIGINT AS rank,
    count(*) OVER (PARTITION BY e.suite, e.prompt_version, e.prompt_sha256)::BIGINT AS models
  FROM entries AS e
  JOIN accuracies AS a ON a.run_id = e.run_id
  WHERE e.full_coverage
)
SELECT
  e.run_id,
  k.rank,
  e.model_id,
  e.label,
  a.accuracy,
  a.wilson_low,
  a.wilson_high,
  coalesce(a.correct, 0)::BIGINT AS correct,
  coalesce(a.rows, 0)::BIGINT AS rows,
  coalesce(a.errors, 0)::BIGINT AS errors,
  c.cost_usd,
  c.cost_coverage,
  c.cost_per_1000_rows_usd,
  l.p50_ms,
  e.full_coverage,
  e.prompt_version,
  e.prompt_sha256,
  CASE WHEN k.rank IS NOT NULL THEN 1 + coalesce(b.better, 0) END::BIGINT AS rank_low,
  (k.models - coalesce(b.worse, 0))::BIGINT AS rank_high
FROM entries AS e
LEFT JOIN accuracies AS a ON a.run_id = e.run_id
LEFT JOIN cost AS c ON c.run_id = e.run_id
LEFT JOIN latency AS l ON l.run_id = e.run_id
LEFT JOIN ranked AS k ON k.run_id = e.run_id
LEFT JOIN beaten AS b ON b.run_id = e.run_id;

COMMENT ON VIEW leaderboard IS 'Published results on the active corpus, with their ranks; key: run_id';
COMMENT ON COLUMN leaderboard.run_id IS 'The result';
COMMENT ON COLUMN leaderboard.rank IS 'Place by accuracy, then model id, among all full results, whatever their prompt; NULL for a partial result';
COMMENT ON COLUMN leaderboard.model_id IS 'Id of the model';
COMMENT ON COLUMN leaderboard.label IS 'Name of the model for readers';
COMMENT ON COLUMN leaderboard.accuracy IS 'correct / rows';
COMMENT ON COLUMN leaderboard.wilson_low IS 'Lower end of the 95 % Wilson interval';
COMMENT ON COLUMN leaderboard.wilson_high IS 'Upper end of the 95 % Wilson interval';
COMMENT ON COLUMN leaderboard.correct IS 'Rows with the right label';
COMMENT ON COLUMN leaderboard.rows IS 'Finished rows, errors included';
COMMENT ON COLUMN leaderboard.errors IS 'Rows without a valid answer (they count as wrong)';
COMMENT ON COLUMN leaderboard.cost_usd IS 'Sum of the known costs in USD; NULL when none is known';
COMMENT ON COLUMN leaderboard.cost_coverage IS 'Share of the attempts whose cost is known';
COMMENT ON COLUMN leaderboard.cost_per_1000_rows_usd IS 'USD per 1000 finished rows';
COMMENT ON COLUMN leaderboard.p50_ms IS 'Median of the rows'' latency in ms';
COMMENT ON COLUMN leaderboard.full_coverage IS 'Whether every row of the corpus is there';
COMMENT ON COLUMN leaderboard.prompt_version IS 'Version of the prompt';
COMMENT ON COLUMN leaderboard.prompt_sha256 IS 'Digest of the prompt''s fixed wording';
COMMENT ON COLUMN leaderboard.rank_low IS 'Best place that the data allow among the full results with the same prompt: 1 + the models that are surely better; NULL for a partial result';
COMMENT ON COLUMN leaderboard.rank_high IS 'Worst place that the data allow among the full results with the same prompt: models - those that are surely worse; NULL for a partial result';
