-- How good is each model in each category?
-- One column a category; PIVOT makes them from what is there.
PIVOT (SELECT run_id, category, round(accuracy, 3) AS accuracy FROM accuracy_by_category)
ON category USING first(accuracy)
ORDER BY run_id;
