-- Grain: a run and a row that it has wrong with a confidence of at least 0.9. Unit: confidences are probabilities. Only
-- answers with probabilities can be among them; calibration.high_confidence_errors is their number. Source: `answers`.
CREATE VIEW confident_mistakes AS
SELECT run_id, row_id, task, category, label, gold, confidence, p_gold
FROM answers
WHERE NOT correct AND confidence >= reliability_edge(9);

COMMENT ON VIEW confident_mistakes IS 'Wrong answers of which a run was at least 90 % sure; key: run_id, row_id';
COMMENT ON COLUMN confident_mistakes.run_id IS 'The run';
COMMENT ON COLUMN confident_mistakes.row_id IS 'The row of the corpus';
COMMENT ON COLUMN confident_mistakes.task IS 'Task of the row; NULL for a local run on another corpus';
COMMENT ON COLUMN confident_mistakes.category IS 'Category of the row; NULL for a local run on another corpus';
COMMENT ON COLUMN confident_mistakes.label IS 'The label that was given';
COMMENT ON COLUMN confident_mistakes.gold IS 'The right one';
COMMENT ON COLUMN confident_mistakes.confidence IS 'Probability that the model gave its own label, at least 0.9';
COMMENT ON COLUMN confident_mistakes.p_gold IS 'Probability that the model gave the right option';
