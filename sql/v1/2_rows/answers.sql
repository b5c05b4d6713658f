-- Grain: a row of the corpus that a run has finished; a later result of the row supersedes an earlier one by its place
-- in the ledger, whatever their times say. Units: probabilities and Brier score (0 to 2) without unit, log loss in nats,
-- ms, USD, tokens. Cost and tokens cover all attempts of the row. Source kind, modality and gold position are known only
-- for runs on the active corpus (same digest), else NULL; task and category then too, unless a published result says them.
-- Brier: the sum over the options of (p - [option = gold])^2, written as sum(p^2) - 2 p_gold + 1. Log loss:
-- -ln(max(p_gold, 1e-12)). Source: the definitions of docs/protocol.md.
CREATE VIEW answers AS
WITH latest AS (
  SELECT * FROM ledger.results
  WHERE rowid IN (SELECT max(rowid) FROM ledger.results GROUP BY run_id, row_id)
),
placed AS (
  SELECT
    l.* EXCLUDE (task, category, gold),
    r.model_id,
    CASE WHEN c.sha256 IS NULL THEN l.task ELSE p.task END AS task,
    CASE WHEN c.sha256 IS NULL THEN l.category ELSE p.category END AS category,
    p.source_kind,
    p.modality,
    p.gold_position,
    -- A published file is not believed about the right option where the corpus can be asked.
    CASE WHEN r.source = 'published' THEN coalesce(p.gold, l.gold) ELSE l.gold END AS gold
  FROM latest AS l
  JOIN ledger.runs AS r ON r.run_id = l.run_id
  LEFT JOIN ledger.corpus AS c ON c.sha256 = r.corpus_sha256
  -- One equality, so that it is a hash join: with a condition on c beside it every row would meet every other.
  LEFT JOIN corpus_rows AS p ON p.row_id = CASE WHEN c.sha256 IS NOT NULL THEN l.row_id END
),
weighed AS (
  SELECT
    *,
    -- Only an answer with a share of its own is scored. + 0 takes the sign from a share of -0, which is equal to 0 and
    -- prints otherwise. An option that the file leaves out has no share of its probabilities.
    map_extract(scored, label)[1] + 0.0::DOUBLE AS confidence,
    CASE WHEN scored IS NOT NULL THEN coalesce(map_extract(scored, gold)[1], 0.0::DOUBLE) + 0.0::DOUBLE END AS p_gold,
    map_values(scored) AS shares
  FROM (
    SELECT *, CASE WHEN status = 'ok' AND len(map_extract(probabilities, label)) > 0 THEN probabilities END AS scored
    FROM placed
  )
),
calls AS (
  SELECT
    run_id,
    row_id,
    sum(cost_usd ORDER BY number ASC, attempt_id ASC) AS cost_usd,
    list_sort(list(DISTINCT cost_basis), 'ASC') AS cost_basis,
    try_cast(sum(input_tokens) AS BIGINT) AS input_tokens,
    try_cast(sum(output_tokens) AS BIGINT) AS output_tokens,
    try_cast(sum(cached_input_tokens) AS BIGINT) AS cached_input_tokens,
    try_cast(sum(reasoning_output_tokens) AS BIGINT) AS reasoning_output_tokens,
    count(*)::BIGINT AS attempts
  FROM attempts
  GROUP BY run_id, row_id
)
SELECT
  w.run_id,
  w.row_id,
  w.model_id,
  w.task,
  w.category,
  w.source_kind,
  w.modality,
  w.status,
  w.status = 'ok' AS is_valid,
  w.error,
  w.label,
  w.gold,
  coalesce(w.status = 'ok' AND w.label = w.gold, FALSE) AS correct,
  w.confidence,
  w.p_gold,
  w.probabilities,
  w.probability_source,
  w.confidence >= list_max(w.shares) - 1e-9 AS label_is_argmax,
  -- greatest() would pass over a NULL, and an unknown score become a number. The sum may fall a last digit below 0.
  CASE WHEN w.p_gold IS NOT NULL
    THEN greatest(0.0::DOUBLE, list_inner_product(w.shares, w.shares) - 2 * w.p_gold + 1)
  END AS brier,
  CASE WHEN w.p_gold IS NOT NULL THEN 0.0::DOUBLE - ln(greatest(w.p_gold, 1e-12)) END AS log_loss,
  w.gold_position,
  w.images_sent,
  w.output_text,
  w.latency_ms,
  c.cost_usd,
  coalesce(c.cost_basis, []) AS cost_basis,
  c.input_tokens,
  c.output_tokens,
  c.cached_input_tokens,
  c.reasoning_output_tokens,
  coalesce(c.attempts, 0)::BIGINT AS attempts
FROM weighed AS w
LEFT JOIN calls AS c ON c.run_id = w.run_id AND c.row_id = w.row_id;

COMMENT ON VIEW answers IS 'The latest result of every finished row of every run; key: run_id, row_id';
COMMENT ON COLUMN answers.run_id IS 'The run';
COMMENT ON COLUMN answers.row_id IS 'The row of the corpus';
COMMENT ON COLUMN answers.model_id IS 'The model that was asked';
COMMENT ON COLUMN answers.task IS 'Task of the row; NULL for a local run on another corpus';
COMMENT ON COLUMN answers.category IS 'Category of the row; NULL for a local run on another corpus';
COMMENT ON COLUMN answers.source_kind IS 'How the row came to be; NULL for a run on another corpus';
COMMENT ON COLUMN answers.modality IS 'text or image; NULL for a run on another corpus';
COMMENT ON COLUMN answers.status IS 'ok, or why there is no valid answer';
COMMENT ON COLUMN answers.is_valid IS 'Whether the status is ok';
COMMENT ON COLUMN answers.error IS 'What went wrong, in words';
COMMENT ON COLUMN answers.label IS 'The chosen option; NULL without an answer';
COMMENT ON COLUMN answers.gold IS 'The right option; for a published result that of the corpus where the row is in the active one';
COMMENT ON COLUMN answers.correct IS 'Whether the label is the right one; false without a valid answer';
COMMENT ON COLUMN answers.confidence IS 'Probability that the model gave its own label';
COMMENT ON COLUMN answers.p_gold IS 'Probability that the model gave the right option';
COMMENT ON COLUMN answers.probabilities IS 'Probability of every option, adding up to 1';
COMMENT ON COLUMN answers.probability_source IS 'verbalized, native, baseline or label-only';
COMMENT ON COLUMN answers.label_is_argmax IS 'Whether the label is a most probable option (within 1e-9)';
COMMENT ON COLUMN answers.brier IS 'Brier score of the row, 0 to 2';
COMMENT ON COLUMN answers.log_loss IS 'Negative natural logarithm of p_gold, which counts as at least 1e-12';
COMMENT ON COLUMN answers.gold_position IS 'Place of the right option as shown, from 1; NULL for a run on another corpus';
COMMENT ON COLUMN answers.images_sent IS 'Pictures that the model was shown';
COMMENT ON COLUMN answers.output_text IS 'What the model wrote';
COMMENT ON COLUMN answers.latency_ms IS 'Wall clock of the row in ms, retries included, without waiting for the pace';
COMMENT ON COLUMN answers.cost_usd IS 'Known cost of all attempts in USD; NULL when none is known';
COMMENT ON COLUMN answers.cost_basis IS 'How the costs of the attempts are known, sorted';
COMMENT ON COLUMN answers.input_tokens IS 'Tokens read in all attempts; NULL when no attempt says';
COMMENT ON COLUMN answers.output_tokens IS 'Tokens written in all attempts; NULL when no attempt says';
COMMENT ON COLUMN answers.cached_input_tokens IS 'Tokens read from the provider''s cache';
COMMENT ON COLUMN answers.reasoning_output_tokens IS 'Tokens written as reasoning';
COMMENT ON COLUMN answers.attempts IS 'Calls made for the row';
