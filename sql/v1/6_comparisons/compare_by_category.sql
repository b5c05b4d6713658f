-- Grain: a category with rows that both runs have finished. Unit: rows, and shares of them. For any two runs on one corpus, local
-- ones too; difference = (correct_a - correct_b) / rows. Rows whose category is unknown are left out.
-- Source: counted over pair_rows.
CREATE MACRO compare_by_category(run_a, run_b) AS TABLE
SELECT
  p.category,
  count(*)::BIGINT AS rows,
  count(*) FILTER (WHERE p.correct_a)::BIGINT AS correct_a,
  count(*) FILTER (WHERE p.correct_b)::BIGINT AS correct_b,
  (count(*) FILTER (WHERE p.correct_a) - count(*) FILTER (WHERE p.correct_b)) / count(*) AS difference,
  count(*) FILTER (WHERE p.correct_a AND NOT p.correct_b)::BIGINT AS a_only,
  count(*) FILTER (WHERE p.correct_b AND NOT p.correct_a)::BIGINT AS b_only
FROM pair_rows(run_a, run_b) AS p
-- NULL is no run; pair_rows would take it for all of them.
WHERE p.category IS NOT NULL AND run_a IS NOT NULL AND run_b IS NOT NULL
GROUP BY p.category;

COMMENT ON MACRO TABLE compare_by_category IS 'Any two runs on one corpus and suite, category by category; key: category. difference = (correct_a - correct_b) / rows';
