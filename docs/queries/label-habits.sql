-- Does a model choose some labels too often?
-- How often each label of a task was chosen, against how often it was right.
WITH chosen AS (
  SELECT label, sum(n)::BIGINT AS rows, sum(n) FILTER (WHERE label = gold)::BIGINT AS hits
  FROM confusion
  WHERE run_id = 'oracle-1/delta' AND task = 'LEG-1' AND label IS NOT NULL
  GROUP BY label
),
right_one AS (
  SELECT gold AS label, sum(n)::BIGINT AS rows
  FROM confusion
  WHERE run_id = 'oracle-1/delta' AND task = 'LEG-1'
  GROUP BY gold
)
SELECT
  coalesce(c.label, r.label) AS label,
  coalesce(c.rows, 0) AS times_chosen,
  coalesce(r.rows, 0) AS times_right_one,
  coalesce(c.hits, 0) AS hits
FROM chosen AS c
FULL JOIN right_one AS r ON r.label = c.label
ORDER BY label;
