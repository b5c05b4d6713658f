-- Grain: a pair of runs and a row that both have finished. Unit: none. With two run ids it gives that pair as (one, other);
-- with NULL for both, all pairs of published results (run_a < run_b). Only runs on one corpus and suite make a pair.
-- Source: both runs' `answers`. The task of a row of another corpus than the active one is known when a published result says it.
CREATE MACRO pair_rows(one, other) AS TABLE
WITH chosen AS (
  SELECT n.run_id, r.corpus_sha256, r.suite, n.row_id, n.task, n.category, n.correct
  FROM answers AS n
  JOIN runs AS r ON r.run_id = n.run_id
  WHERE CASE WHEN one IS NULL THEN r.source = 'published' ELSE n.run_id IN (one, other) END
)
SELECT
  a.run_id AS run_a,
  b.run_id AS run_b,
  a.row_id,
  coalesce(a.task, b.task) AS task,
  coalesce(a.category, b.category) AS category,
  a.correct AS correct_a,
  b.correct AS correct_b
FROM chosen AS a
JOIN chosen AS b ON b.corpus_sha256 = a.corpus_sha256 AND b.suite = a.suite AND b.row_id = a.row_id
WHERE CASE WHEN one IS NULL THEN a.run_id < b.run_id ELSE a.run_id = one AND b.run_id = other END;
