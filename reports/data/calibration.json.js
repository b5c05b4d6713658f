// How far the probabilities of every result can be trusted.
import { printJson } from "decision-bench/report-loader";

await printJson({
  // Means and sources are of the rows that `calibration` counts; rows and the error rate are of all finished ones.
  calibration: `
    WITH scored AS (
      SELECT
        run_id,
        sum(confidence ORDER BY confidence) / count(*) AS mean_confidence,
        count(*) FILTER (WHERE correct) / count(*) AS accuracy,
        coalesce(list(DISTINCT probability_source ORDER BY probability_source), []) AS sources
      FROM answers
      WHERE confidence IS NOT NULL
      GROUP BY run_id
    )
    SELECT
      c.*, o.rows, c.valid_rows / o.rows AS coverage, (o.rows - o.correct) / o.rows AS error_rate,
      s.mean_confidence, s.accuracy, coalesce(s.sources, []) AS sources
    FROM calibration AS c
    JOIN runs AS r ON r.run_id = c.run_id AND r.current_corpus
    LEFT JOIN accuracy_overall AS o ON o.run_id = c.run_id
    LEFT JOIN scored AS s ON s.run_id = c.run_id
    ORDER BY c.run_id`,
  // The interval of a bin takes its rows as independent.
  reliability: `
    SELECT
      b.*,
      wilson_low(round(b.accuracy * b.rows)::BIGINT, b.rows) AS accuracy_low,
      wilson_high(round(b.accuracy * b.rows)::BIGINT, b.rows) AS accuracy_high
    FROM reliability AS b
    JOIN runs AS r ON r.run_id = b.run_id AND r.current_corpus
    ORDER BY b.run_id, b.bin`,
});
