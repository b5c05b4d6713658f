-- Is A better than B?
-- Any two runs on one corpus: 'my-run' for a local run (the folder's name), 'suite/model' for a published result.
SELECT
  rows,
  tasks,
  a_only,
  b_only,
  round(accuracy_difference, 4) AS difference,
  round(jackknife_low, 4) AS jackknife_low,
  round(jackknife_high, 4) AS jackknife_high,
  round(p_jackknife, 5) AS p_jackknife,
  round(mde80, 4) AS mde80
FROM compare('oracle-1/alpha', 'oracle-1/bravo');
