-- What is taken for what most often?
-- Right label, given label and how often, over all runs; the label – is a row without an answer.
SELECT task, gold, label, sum(n)::BIGINT AS rows, count(*) AS runs
FROM confusion
WHERE label IS DISTINCT FROM gold
GROUP BY task, gold, label
ORDER BY rows DESC, task, gold, label
LIMIT 6;
