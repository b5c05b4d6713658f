-- Which rows do all models miss?
-- Rows that every full published result has wrong: too hard, or the right answer is in doubt. Read these first.
WITH complete AS (
  SELECT run_id FROM runs WHERE source = 'published' AND current_corpus AND full_coverage
)
SELECT
  a.row_id,
  a.task,
  a.gold,
  count(*) AS models,
  list(DISTINCT a.label ORDER BY a.label) FILTER (WHERE a.label IS NOT NULL) AS answered
FROM answers AS a
JOIN complete AS c ON c.run_id = a.run_id
GROUP BY a.row_id, a.task, a.gold
HAVING NOT bool_or(a.correct)
ORDER BY a.row_id;
