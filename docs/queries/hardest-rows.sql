-- Which rows do most models miss?
-- Full published results only; at how many of them a row went wrong, and what they said instead.
WITH complete AS (
  SELECT run_id FROM runs WHERE source = 'published' AND current_corpus AND full_coverage
)
SELECT
  a.row_id,
  a.task,
  a.gold,
  count(*) FILTER (WHERE NOT a.correct) AS wrong,
  count(*) AS models,
  list(DISTINCT a.label ORDER BY a.label) FILTER (WHERE NOT a.correct AND a.label IS NOT NULL) AS said_instead
FROM answers AS a
JOIN complete AS c ON c.run_id = a.run_id
GROUP BY a.row_id, a.task, a.gold
HAVING count(*) FILTER (WHERE NOT a.correct) >= 4
ORDER BY wrong DESC, a.row_id;
