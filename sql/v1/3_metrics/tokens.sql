-- Grain: a run with at least one attempt. Unit: tokens, summed over all attempts that say; NULL when none does, or when the
-- sum is beyond every integer (a published file may say anything).
-- Source: what the providers reported for `attempts`.
CREATE VIEW tokens AS
SELECT
  run_id,
  try_cast(sum(input_tokens) AS BIGINT) AS input_tokens,
  try_cast(sum(output_tokens) AS BIGINT) AS output_tokens,
  try_cast(sum(cached_input_tokens) AS BIGINT) AS cached_input_tokens,
  try_cast(sum(reasoning_output_tokens) AS BIGINT) AS reasoning_output_tokens,
  count(input_tokens) / count(*) AS token_coverage
FROM attempts
GROUP BY run_id;

COMMENT ON VIEW tokens IS 'Tokens of a run; key: run_id';
COMMENT ON COLUMN tokens.run_id IS 'The run';
COMMENT ON COLUMN tokens.input_tokens IS 'Tokens read, cached ones included';
COMMENT ON COLUMN tokens.output_tokens IS 'Tokens written, reasoning included';
COMMENT ON COLUMN tokens.cached_input_tokens IS 'Tokens read from the provider''s cache';
COMMENT ON COLUMN tokens.reasoning_output_tokens IS 'Tokens written as reasoning';
COMMENT ON COLUMN tokens.token_coverage IS 'Share of the attempts whose input tokens are known';
