-- On which rows do two runs disagree, and who is right?
-- Rows of one task where exactly one of them is right; such rows alone decide between the two.
SELECT
  a.row_id,
  a.gold,
  a.label AS a,
  b.label AS b,
  CASE WHEN a.correct THEN 'A' ELSE 'B' END AS who_is_right
FROM answers AS a
JOIN answers AS b ON b.row_id = a.row_id
WHERE a.run_id = 'oracle-1/alpha'
  AND b.run_id = 'oracle-1/bravo'
  AND a.task = 'LEG-1'
  AND a.correct <> b.correct
ORDER BY a.row_id;
