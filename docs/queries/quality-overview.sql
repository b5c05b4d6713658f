-- Accuracy, macro averages and calibration of all runs
-- A run without probabilities has no calibration.
SELECT
  o.run_id,
  round(o.accuracy, 4) AS accuracy,
  round(m.macro_category_accuracy, 4) AS macro_category,
  round(m.macro_task_f1, 4) AS macro_f1,
  round(c.brier, 4) AS brier,
  round(c.log_loss, 4) AS log_loss,
  round(c.ece, 4) AS ece,
  round(c.aurc, 4) AS aurc
FROM accuracy_overall AS o
JOIN calibration AS c ON c.run_id = o.run_id
LEFT JOIN macro_averages AS m ON m.run_id = o.run_id
ORDER BY o.accuracy DESC, o.run_id;
