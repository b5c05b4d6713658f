-- Grain: a run with at least one attempt. Unit: USD. The sum of the known costs of all attempts, those of rows without a
-- result included (the money is spent); NULL when none is known. Per 1000 rows and per correct answer divide by all
-- finished rows and by the right ones, also when some costs are unknown: read them with cost_coverage.
-- Source: the costs of `attempts`, reported or estimated.
CREATE VIEW cost AS
WITH spent AS (
  SELECT
    run_id,
    sum(cost_usd ORDER BY row_id ASC, number ASC, attempt_id ASC) AS cost_usd,
    count(cost_usd) / count(*) AS cost_coverage,
    list_sort(list(DISTINCT cost_basis), 'ASC') AS cost_basis
  FROM attempts
  GROUP BY run_id
),
done AS (
  SELECT run_id, count(*) AS rows, count(*) FILTER (WHERE correct) AS correct FROM answers GROUP BY run_id
)
SELECT
  s.run_id,
  s.cost_usd,
  s.cost_coverage,
  s.cost_basis,
  CASE WHEN d.rows > 0 THEN s.cost_usd / d.rows * 1000 END AS cost_per_1000_rows_usd,
  CASE WHEN d.correct > 0 THEN s.cost_usd / d.correct END AS cost_per_correct_usd
FROM spent AS s
LEFT JOIN done AS d ON d.run_id = s.run_id;

COMMENT ON VIEW cost IS 'What a run cost; key: run_id';
COMMENT ON COLUMN cost.run_id IS 'The run';
COMMENT ON COLUMN cost.cost_usd IS 'Sum of the known costs in USD; NULL when none is known';
COMMENT ON COLUMN cost.cost_coverage IS 'Share of the attempts whose cost is known';
COMMENT ON COLUMN cost.cost_basis IS 'How the costs are known, sorted';
COMMENT ON COLUMN cost.cost_per_1000_rows_usd IS 'USD per 1000 finished rows';
COMMENT ON COLUMN cost.cost_per_correct_usd IS 'USD per right answer; NULL when there is none';
