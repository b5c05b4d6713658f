-- On which tasks does A beat B most?
-- A task has few rows: a large difference on one of them is a reason to look, not a result.
SELECT t.task, t.rows, t.correct_a, t.correct_b, round(t.difference, 3) AS difference, t.a_only, t.b_only
FROM compare_by_task('oracle-1/alpha', 'oracle-1/bravo') AS t
ORDER BY t.difference DESC, t.task
LIMIT 5;
