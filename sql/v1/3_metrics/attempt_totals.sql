-- Grain: a run with at least one attempt. Unit: calls. Attempts of rows that have no result yet count too.
-- Source: counted over `attempts`. Retries are the calls of a row beyond its first one. An error that a retry cured still counts as an error.
CREATE VIEW attempt_totals AS
WITH per_row AS (
  SELECT
    run_id,
    row_id,
    count(*) AS calls,
    count(*) FILTER (WHERE status NOT IN ('ok', 'incomplete')) AS errors,
    count(*) FILTER (WHERE status = 'incomplete') AS incomplete
  FROM attempts
  GROUP BY run_id, row_id
)
SELECT
  run_id,
  sum(calls)::BIGINT AS attempts,
  sum(calls - 1)::BIGINT AS retries,
  sum(errors)::BIGINT AS attempt_errors,
  sum(incomplete)::BIGINT AS incomplete_attempts
FROM per_row
GROUP BY run_id;

COMMENT ON VIEW attempt_totals IS 'How many calls a run made; key: run_id';
COMMENT ON COLUMN attempt_totals.run_id IS 'The run';
COMMENT ON COLUMN attempt_totals.attempts IS 'All calls';
COMMENT ON COLUMN attempt_totals.retries IS 'Calls of a row beyond its first one';
COMMENT ON COLUMN attempt_totals.attempt_errors IS 'Calls that did not end ok';
COMMENT ON COLUMN attempt_totals.incomplete_attempts IS 'Calls that began and never finished';
