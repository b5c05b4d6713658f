-- Grain: a run, every one. Units: Brier 0 to 2, log loss in nats, the others shares. Only rows with a label and
-- probabilities count (valid_rows, m); without any the counts are 0 and the means NULL.
-- ECE: sum over the ten bins of `reliability` of rows/m |mean confidence - accuracy|. Adaptive ECE: the same over ten bins
-- of equal size, cut by rank of (confidence, row_id). Murphy's terms over the bins of `reliability` with the outcome
-- "correct": reliability sum rows/m (mean confidence - accuracy)^2, resolution sum rows/m (accuracy of the bin - accuracy)^2,
-- uncertainty accuracy (1 - accuracy). AURC: sum over the distinct confidences c of (rows at c)/m times the error rate of
-- the rows with confidence >= c.
-- Sources: Brier 1950; Guo et al. 2017 (ECE); Nguyen & O'Connor 2015 (bins of equal size); Murphy, "A new vector partition
-- of the probability score", 1973; Geifman & El-Yaniv 2018 (AURC).
CREATE VIEW calibration AS
WITH scored AS (
  SELECT run_id, row_id, correct, confidence, brier, log_loss, label_is_argmax FROM answers WHERE confidence IS NOT NULL
),
sums AS (
  SELECT
    run_id,
    count(*)::BIGINT AS valid_rows,
    count(*) FILTER (WHERE correct) / count(*) AS accuracy,
    sum(brier ORDER BY brier ASC) / count(*) AS brier,
    sum(log_loss ORDER BY log_loss ASC) / count(*) AS log_loss,
    count(*) FILTER (WHERE NOT correct AND confidence >= reliability_edge(9)) AS high_confidence_errors,
    count(*) FILTER (WHERE NOT label_is_argmax) AS argmax_disagreements
  FROM scored
  GROUP BY run_id
),
bins AS (
  SELECT
    b.run_id,
    sum(b.rows / s.valid_rows * abs(b.mean_confidence - b.accuracy) ORDER BY b.bin ASC) AS ece,
    sum(b.rows / s.valid_rows * (b.mean_confidence - b.accuracy) ** 2 ORDER BY b.bin ASC) AS murphy_reliability,
    sum(b.rows / s.valid_rows * (b.accuracy - s.accuracy) ** 2 ORDER BY b.bin ASC) AS murphy_resolution
  FROM reliability AS b
  JOIN sums AS s ON s.run_id = b.run_id
  WHERE b.rows > 0
  GROUP BY b.run_id
),
ranked AS (
  SELECT
    run_id,
    correct,
    confidence,
    ntile(10) OVER (PARTITION BY run_id ORDER BY confidence ASC, row_id ASC) AS bin
  FROM scored
),
equal_bins AS (
  SELECT
    run_id,
    bin,
    count(*) AS rows,
    sum(confidence ORDER BY confidence ASC) / count(*) AS mean_confidence,
    count(*) FILTER (WHERE correct) / count(*) AS accuracy
  FROM ranked
  GROUP BY run_id, bin
),
adaptive AS (
  SELECT e.run_id, sum(e.rows / s.valid_rows * abs(e.mean_confidence - e.accuracy) ORDER BY e.bin ASC) AS adaptive_ece
  FROM equal_bins AS e
  JOIN sums AS s ON s.run_id = e.run_id
  GROUP BY e.run_id
),
steps AS (
  SELECT run_id, confidence, count(*) AS rows, count(*) FILTER (WHERE NOT correct) AS errors
  FROM scored
  GROUP BY run_id, confidence
),
above AS (
  SELECT
    run_id,
    confidence,
    rows,
    sum(errors) OVER at_least / sum(rows) OVER at_least AS risk
  FROM steps
  WINDOW at_least AS (PARTITION BY run_id ORDER BY confidence DESC ROWS UNBOUNDED PRECEDING)
),
areas AS (
  SELECT a.run_id, sum(a.rows / s.valid_rows * a.risk ORDER BY a.confidence ASC) AS aurc
  FROM above AS a
  JOIN sums AS s ON s.run_id = a.run_id
  GROUP BY a.run_id
)
SELECT
  r.run_id,
  coalesce(s.valid_rows, 0)::BIGINT AS valid_rows,
  s.brier,
  s.log_loss,
  b.ece,
  e.adaptive_ece,
  b.murphy_reliability,
  b.murphy_resolution,
  s.accuracy * (1.0::DOUBLE - s.accuracy) AS murphy_uncertainty,
  a.aurc,
  coalesce(s.high_confidence_errors, 0)::BIGINT AS high_confidence_errors,
  coalesce(s.argmax_disagreements, 0)::BIGINT AS argmax_disagreements
FROM runs AS r
LEFT JOIN sums AS s ON s.run_id = r.run_id
LEFT JOIN bins AS b ON b.run_id = r.run_id
LEFT JOIN adaptive AS e ON e.run_id = r.run_id
LEFT JOIN areas AS a ON a.run_id = r.run_id;

COMMENT ON VIEW calibration IS 'How far the probabilities of a run can be trusted; key: run_id';
COMMENT ON COLUMN calibration.run_id IS 'The run';
COMMENT ON COLUMN calibration.valid_rows IS 'Rows with a label and probabilities';
COMMENT ON COLUMN calibration.brier IS 'Mean Brier score, 0 (best) to 2';
COMMENT ON COLUMN calibration.log_loss IS 'Mean log loss in nats';
COMMENT ON COLUMN calibration.ece IS 'Expected calibration error over ten bins of equal width';
COMMENT ON COLUMN calibration.adaptive_ece IS 'Expected calibration error over ten bins with equally many rows';
COMMENT ON COLUMN calibration.murphy_reliability IS 'Murphy''s reliability: mean squared distance of confidence and accuracy (0 is best)';
COMMENT ON COLUMN calibration.murphy_resolution IS 'Murphy''s resolution: how far the accuracies of the bins differ from the overall one (more is better)';
COMMENT ON COLUMN calibration.murphy_uncertainty IS 'Murphy''s uncertainty: accuracy (1 - accuracy) of these rows';
COMMENT ON COLUMN calibration.aurc IS 'Area under the risk/coverage curve (less is better)';
COMMENT ON COLUMN calibration.high_confidence_errors IS 'Wrong rows with confidence of at least 0.9';
COMMENT ON COLUMN calibration.argmax_disagreements IS 'Rows whose label is not a most probable option (within 1e-9)';
