-- How many rows did a retry save?
-- Rows with a valid answer whose earlier calls failed, by what they failed with.
WITH failed AS (
  SELECT DISTINCT f.run_id, f.row_id, f.status
  FROM attempts AS f
  JOIN answers AS a ON a.run_id = f.run_id AND a.row_id = f.row_id
  WHERE a.is_valid AND f.status <> 'ok'
)
PIVOT failed ON status USING count(*) GROUP BY run_id
ORDER BY run_id;
