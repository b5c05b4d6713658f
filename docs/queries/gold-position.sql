-- Does a model prefer the first option?
-- Accuracy by the place at which the right option was shown. A model with a habit of place is better where it looks first.
-- Hold it against the intervals, and against another model: later places occur only in rows with many options, which are
-- harder for everybody.
WITH places AS (
  SELECT * FROM accuracy_by_gold_position WHERE run_id = 'oracle-1/delta'
),
others AS (
  SELECT * FROM accuracy_by_gold_position WHERE run_id = 'oracle-1/echo-label-only'
)
SELECT
  p.gold_position,
  p.rows,
  round(p.accuracy, 3) AS accuracy,
  round(p.wilson_low, 3) AS wilson_low,
  round(p.wilson_high, 3) AS wilson_high,
  round(o.accuracy, 3) AS other_accuracy
FROM places AS p
LEFT JOIN others AS o ON o.gold_position = p.gold_position
ORDER BY p.gold_position;
