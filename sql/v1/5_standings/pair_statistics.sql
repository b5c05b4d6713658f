-- Grain: a pair of runs with shared rows, as in pair_rows. Unit: shares of the shared rows. What pair_tests says, and the
-- task bootstrap: with K tasks, each repetition draws K tasks with replacement (slot s of repetition r draws task number
-- floor(u K) of the sorted ids, u from ledger.draws); its statistic is the sum of d over the sum of rows of the drawn tasks,
-- the interval the 2.5 % and 97.5 % quantiles over the repetitions (linear between order statistics).
-- A repetition is a list of how often each task was drawn, so that it costs one product of lists; all sums are whole
-- numbers, so that no order of summing can change them.
-- NULL when tasks are unknown, and when there are more of them than slots were drawn for (two thousand by default).
-- Source: Efron & Tibshirani, "An introduction to the bootstrap" (1993), whole clusters drawn.
CREATE MACRO pair_statistics(one, other) AS TABLE
WITH tests AS MATERIALIZED (
  FROM pair_tests(one, other)
),
task_counts AS (
  SELECT DISTINCT tasks
  FROM tests
  WHERE tasks_known AND tasks <= (SELECT count(*) FROM ledger.draws WHERE repetition = 0)
),
drawn AS (
  SELECT k.tasks, d.repetition, floor(d.u * k.tasks)::BIGINT AS number, 1 AS times
  FROM task_counts AS k
  JOIN ledger.draws AS d ON d.slot < k.tasks
  UNION ALL
  SELECT k.tasks, d.repetition, unnest(range(k.tasks)) AS number, 0 AS times
  FROM task_counts AS k
  JOIN ledger.draws AS d ON d.slot = 0
),
counted AS (
  SELECT tasks, repetition, number, sum(times)::DOUBLE AS times FROM drawn GROUP BY tasks, repetition, number
),
weights AS (
  SELECT tasks, list(times ORDER BY number ASC) AS times FROM counted GROUP BY tasks, repetition
),
-- The lists become doubles here, once a pair and not once a repetition.
paired AS (
  SELECT run_a, run_b, tasks, task_differences::DOUBLE[] AS differences, task_rows::DOUBLE[] AS sizes
  FROM tests
  WHERE tasks_known
),
repetitions AS (
  SELECT
    p.run_a,
    p.run_b,
    list_inner_product(w.times, p.differences) / list_inner_product(w.times, p.sizes) AS difference
  FROM paired AS p
  JOIN weights AS w ON w.tasks = p.tasks
),
intervals AS (
  SELECT run_a, run_b, quantile_cont(difference, [0.025, 0.975]) AS ends FROM repetitions GROUP BY run_a, run_b
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
  i.ends[1] AS bootstrap_low,
  i.ends[2] AS bootstrap_high,
  t.jackknife_se,
  t.jackknife_low,
  t.jackknife_high,
  t.p_jackknife,
  t.p_mcnemar,
  t.mde80,
  t.p_holm
FROM tests AS t
LEFT JOIN intervals AS i ON i.run_a = t.run_a AND i.run_b = t.run_b;
