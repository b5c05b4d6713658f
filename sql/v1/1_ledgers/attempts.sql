-- Grain: a call to a model. Units: ms, USD, tokens. Source: the union of both ledgers by attempt id.
-- The last finished event of an attempt wins over every other event of it, wherever it stands; an attempt that never
-- finished is `incomplete`, its cost unknown. rowid is the order in which the ledgers were read.
CREATE VIEW attempts AS
SELECT
  attempt_id,
  run_id,
  row_id,
  number,
  CASE WHEN finished THEN status ELSE 'incomplete' END AS status,
  error,
  started_at,
  duration_ms,
  queued_ms,
  http_status,
  cost_usd,
  CASE WHEN finished THEN cost_basis ELSE 'unavailable' END AS cost_basis,
  input_tokens,
  output_tokens,
  cached_input_tokens,
  reasoning_output_tokens,
  resolved_model
FROM ledger.attempts
WHERE rowid IN (
  SELECT coalesce(max(rowid) FILTER (WHERE finished), max(rowid)) FROM ledger.attempts GROUP BY run_id, attempt_id
);

COMMENT ON VIEW attempts IS 'Every call to a model, retries and failures included; key: attempt_id (within its run)';
COMMENT ON COLUMN attempts.attempt_id IS 'Id of the call';
COMMENT ON COLUMN attempts.run_id IS 'The run';
COMMENT ON COLUMN attempts.row_id IS 'The row of the corpus';
COMMENT ON COLUMN attempts.number IS 'Counts the calls for the row, from 1, across resumes';
COMMENT ON COLUMN attempts.status IS 'ok, or why there is no valid answer; incomplete: begun and never finished';
COMMENT ON COLUMN attempts.error IS 'What went wrong, in words';
COMMENT ON COLUMN attempts.started_at IS 'When the call began';
COMMENT ON COLUMN attempts.duration_ms IS 'How long it took, in ms, without waiting for the pace';
COMMENT ON COLUMN attempts.queued_ms IS 'How long it waited for the pace, in ms';
COMMENT ON COLUMN attempts.http_status IS 'HTTP status of the answer';
COMMENT ON COLUMN attempts.cost_usd IS 'Cost in USD; NULL: unknown';
COMMENT ON COLUMN attempts.cost_basis IS 'provider_reported, price_table_estimate or unavailable';
COMMENT ON COLUMN attempts.input_tokens IS 'Tokens read, cached ones included';
COMMENT ON COLUMN attempts.output_tokens IS 'Tokens written, reasoning included';
COMMENT ON COLUMN attempts.cached_input_tokens IS 'Tokens read from the provider''s cache';
COMMENT ON COLUMN attempts.reasoning_output_tokens IS 'Tokens written as reasoning';
COMMENT ON COLUMN attempts.resolved_model IS 'The model that answered, as the provider names it';
