-- Grain: a run with finished rows and threshold: 0, 1 and every confidence that occurs. Unit: shares and rows.
-- Accepted are the rows with probabilities whose confidence is at least the threshold; coverage = accepted / all finished
-- rows; risk = the share of the accepted that are wrong, NULL when none is accepted.
-- Source: El-Yaniv & Wiener, "On the foundations of noise-free selective classification", JMLR 11 (2010).
CREATE VIEW risk_coverage AS
WITH sizes AS (
  SELECT run_id, count(*) AS rows FROM answers GROUP BY run_id
),
steps AS (
  SELECT
    run_id,
    confidence AS threshold,
    count(*) AS accepted,
    count(*) FILTER (WHERE NOT correct) AS errors
  FROM answers
  WHERE confidence IS NOT NULL
  GROUP BY run_id, confidence
  UNION ALL
  SELECT run_id, unnest([0.0::DOUBLE, 1.0::DOUBLE]) AS threshold, 0 AS accepted, 0 AS errors FROM sizes
),
thresholds AS (
  SELECT run_id, threshold, sum(accepted) AS accepted, sum(errors) AS errors FROM steps GROUP BY run_id, threshold
),
sums AS (
  SELECT
    run_id,
    threshold,
    sum(accepted) OVER at_least AS accepted,
    sum(errors) OVER at_least AS errors
  FROM thresholds
  WINDOW at_least AS (PARTITION BY run_id ORDER BY threshold DESC ROWS UNBOUNDED PRECEDING)
)
SELECT
  s.run_id,
  s.threshold,
  s.accepted / n.rows AS coverage,
  CASE WHEN s.accepted > 0 THEN s.errors / s.accepted END AS risk,
  s.accepted::BIGINT AS accepted,
  s.errors::BIGINT AS errors
FROM sums AS s
JOIN sizes AS n ON n.run_id = s.run_id;

COMMENT ON VIEW risk_coverage IS 'What is gained by leaving unsure answers to somebody else; key: run_id, threshold';
COMMENT ON COLUMN risk_coverage.run_id IS 'The run';
COMMENT ON COLUMN risk_coverage.threshold IS 'Answers with at least this confidence are accepted';
COMMENT ON COLUMN risk_coverage.coverage IS 'Accepted rows as a share of all finished rows';
COMMENT ON COLUMN risk_coverage.risk IS 'Share of the accepted rows that are wrong; NULL when none is accepted';
COMMENT ON COLUMN risk_coverage.accepted IS 'Rows with probabilities and at least this confidence';
COMMENT ON COLUMN risk_coverage.errors IS 'Accepted rows that are wrong';
