-- Where is a model sure and wrong?
-- The wrong answers to which a run gave a probability of at least 0.9, the surest first.
SELECT
  n.row_id,
  n.task,
  n.gold,
  n.label,
  round(n.confidence, 3) AS confidence,
  round(n.p_gold, 3) AS p_gold
FROM answers AS n
WHERE n.run_id = 'oracle-1/delta' AND NOT n.correct AND n.confidence >= 0.9
ORDER BY n.confidence DESC, n.row_id;
