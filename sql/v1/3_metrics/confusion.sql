-- Grain: a run, task, right label and given label that occur together; a row without an answer has the label NULL.
-- Unit: rows. Source: counted. Rows whose task is unknown (a run on another corpus) are left out.
CREATE VIEW confusion AS
SELECT
  run_id,
  task,
  gold,
  CASE WHEN is_valid THEN label END AS label,
  count(*)::BIGINT AS n
FROM answers
WHERE task IS NOT NULL
GROUP BY ALL;

COMMENT ON VIEW confusion IS 'What was answered where what was right; key: run_id, task, gold, label';
COMMENT ON COLUMN confusion.run_id IS 'The run';
COMMENT ON COLUMN confusion.task IS 'Id of the task';
COMMENT ON COLUMN confusion.gold IS 'The right label';
COMMENT ON COLUMN confusion.label IS 'The given label; NULL for no answer';
COMMENT ON COLUMN confusion.n IS 'How many rows';
