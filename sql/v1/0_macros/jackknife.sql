-- The jackknife over clusters (tasks): what the mean of a quantity over n rows would do if whole tasks were left out.
-- sums and sizes are lists with an entry a task, in the order of the task ids: the sum of the quantity (a whole number)
-- and the number of rows; total = the sum of sums, n = the sum of sizes, d = total / n.
-- Leaving out task g gives (total - sums[g]) / (n - sizes[g]); its distance to d is written over one denominator,
-- (sizes[g] * total - n * sums[g]) / (n * (n - sizes[g])), so that equal shares give exactly 0.
-- SE^2 = (G - 1)/G * the sum of the squared distances; NULL below two tasks. Unit: that of the quantity.
-- Source: MacKinnon, Nielsen & Webb, "Fast and reliable jackknife and bootstrap methods for cluster-robust inference",
-- Journal of Applied Econometrics 38 (2023).
CREATE MACRO jackknife_distance(task_sum, size, total, n) AS
  (size::DOUBLE * total::DOUBLE - n::DOUBLE * task_sum::DOUBLE) / (n::DOUBLE * (n::DOUBLE - size::DOUBLE));

CREATE MACRO jackknife_error(sums, sizes, total, n) AS
  CASE WHEN len(sums) >= 2 THEN
    sqrt(
      (len(sums) - 1)::DOUBLE / len(sums)::DOUBLE
      * list_sum(
        list_transform(
          range(1, len(sums) + 1),
          lambda g: jackknife_distance(sums[g], sizes[g], total, n) * jackknife_distance(sums[g], sizes[g], total, n)
        )
      )
    )
  END;

-- Two-sided p of d / se against 0 with tasks - 1 degrees of freedom; NULL below two tasks. 1 for no difference at all, 0
-- for one that every task shows alike.
CREATE MACRO jackknife_p(d, se, tasks) AS
  CASE
    WHEN se IS NULL THEN NULL
    WHEN d = 0 THEN 1.0::DOUBLE
    WHEN se = 0 THEN 0.0::DOUBLE
    ELSE greatest(0.0::DOUBLE, t_two_sided(abs(d) / se, tasks - 1))
  END;
