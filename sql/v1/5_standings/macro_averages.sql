-- Grain: a run with finished rows in a known category. Unit: shares. Every category, and every task, counts alike however
-- many rows it has. Source: the means of accuracy_by_category and of task_f1.
CREATE VIEW macro_averages AS
WITH categories AS (
  SELECT run_id, sum(accuracy ORDER BY category ASC) / count(*) AS macro_category_accuracy
  FROM accuracy_by_category
  GROUP BY run_id
),
tasks AS (
  SELECT run_id, sum(macro_f1 ORDER BY task ASC) / count(*) AS macro_task_f1
  FROM task_f1
  GROUP BY run_id
)
SELECT c.run_id, c.macro_category_accuracy, t.macro_task_f1
FROM categories AS c
LEFT JOIN tasks AS t ON t.run_id = c.run_id;

COMMENT ON VIEW macro_averages IS 'Means over categories and tasks; key: run_id';
COMMENT ON COLUMN macro_averages.run_id IS 'The run';
COMMENT ON COLUMN macro_averages.macro_category_accuracy IS 'Mean accuracy of the categories';
COMMENT ON COLUMN macro_averages.macro_task_f1 IS 'Mean macro F1 of the tasks';
