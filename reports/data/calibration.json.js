// How far the probabilities of every result can be trusted.
import { printJson } from "decision-bench/report-loader";

await printJson({
  calibration: `
    SELECT c.* FROM calibration AS c JOIN runs AS r ON r.run_id = c.run_id AND r.current_corpus ORDER BY c.run_id`,
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
