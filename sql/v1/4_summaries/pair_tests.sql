-- Grain: a pair of runs with shared rows, as in pair_rows. Units: shares of the shared rows, probabilities.
-- d = correct_a - correct_b on a shared row; the difference is its mean. Jackknife over tasks as in 0_macros/jackknife.sql,
-- its interval not clamped; mid-p as in 0_macros/mcnemar.sql. mde80 = (t 0.975 + t 0.80) SE, the smallest true difference
-- that a test like this finds in 80 of 100 tries. All of the jackknife is NULL below two tasks, and when tasks are unknown.
-- p_holm: Holm's step-down adjustment of p_jackknife over the pairs of full published results of one suite, corpus digest
-- and prompt: the largest of min(1, (pairs - i) p) over this p and all smaller ones, i of them before it.
-- Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
-- task_differences and task_rows are the sums of d and the rows of every task, in the order of the task ids.
CREATE MACRO pair_tests(one, other) AS TABLE
WITH by_task AS (
  SELECT
    run_a,
    run_b,
    task,
    count(*) AS rows,
    count(*) FILTER (WHERE correct_a AND correct_b) AS both_correct,
    count(*) FILTER (WHERE correct_a AND NOT correct_b) AS a_only,
    count(*) FILTER (WHERE correct_b AND NOT correct_a) AS b_only
  FROM pair_rows(one, other)
  GROUP BY run_a, run_b, task
),
by_pair AS (
  SELECT
    run_a,
    run_b,
    sum(rows)::BIGINT AS rows,
    count(task)::BIGINT AS tasks,
    bool_and(task IS NOT NULL) AS tasks_known,
    sum(both_correct)::BIGINT AS both_correct,
    sum(a_only)::BIGINT AS a_only,
    sum(b_only)::BIGINT AS b_only,
    list(a_only - b_only ORDER BY task ASC) AS task_differences,
    list(rows ORDER BY task ASC) AS task_rows
  FROM by_task
  GROUP BY run_a, run_b
),
measured AS (
  SELECT
    *,
    rows - both_correct - a_only - b_only AS both_wrong,
    (a_only - b_only) / rows AS accuracy_difference,
    CASE WHEN tasks_known THEN jackknife_error(task_differences, task_rows, a_only - b_only, rows) END AS jackknife_se
  FROM by_pair
),
tested AS (
  SELECT
    *,
    accuracy_difference - t_quantile_975(tasks - 1) * jackknife_se AS jackknife_low,
    accuracy_difference + t_quantile_975(tasks - 1) * jackknife_se AS jackknife_high,
    jackknife_p(accuracy_difference, jackknife_se, tasks) AS p_jackknife,
    mcnemar_mid_p(a_only, b_only) AS p_mcnemar,
    (t_quantile_975(tasks - 1) + t_quantile_80(tasks - 1)) * jackknife_se AS mde80
  FROM measured
),
families AS (
  SELECT
    t.run_a,
    t.run_b,
    t.p_jackknife,
    row_number() OVER steps AS step,
    count(*) OVER (PARTITION BY a.suite, a.corpus_sha256, a.prompt_version, a.prompt_sha256) AS pairs,
    a.suite,
    a.corpus_sha256,
    a.prompt_version,
    a.prompt_sha256
  FROM tested AS t
  JOIN runs AS a ON a.run_id = t.run_a
  JOIN runs AS b ON b.run_id = t.run_b
  WHERE one IS NULL
    AND a.full_coverage
    AND b.full_coverage
    AND a.prompt_version IS NOT DISTINCT FROM b.prompt_version
    AND a.prompt_sha256 IS NOT DISTINCT FROM b.prompt_sha256
    AND t.p_jackknife IS NOT NULL
  WINDOW steps AS (
    PARTITION BY a.suite, a.corpus_sha256, a.prompt_version, a.prompt_sha256 ORDER BY t.p_jackknife ASC, t.run_a ASC, t.run_b ASC
  )
),
adjusted AS (
  SELECT
    run_a,
    run_b,
    max(least(1.0::DOUBLE, (pairs - step + 1) * p_jackknife)) OVER (
      PARTITION BY suite, corpus_sha256, prompt_version, prompt_sha256 ORDER BY step ASC ROWS UNBOUNDED PRECEDING
    ) AS p_holm
  FROM families
)
SELECT
  t.run_a,
  t.run_b,
  t.rows,
  t.tasks,
  t.both_correct,
  t.a_only,
  t.b_only,
  t.both_wrong,
  t.accuracy_difference,
  t.jackknife_se,
  t.jackknife_low,
  t.jackknife_high,
  t.p_jackknife,
  t.p_mcnemar,
  t.mde80,
  h.p_holm,
  t.tasks_known,
  t.task_differences,
  t.task_rows
FROM tested AS t
LEFT JOIN adjusted AS h ON h.run_a = t.run_a AND h.run_b = t.run_b;
