// Accuracies of parts of the corpus, for the filters of the leaderboard.
import { printJson } from "decision-bench/report-loader";

await printJson({
  slices: `
    SELECT
      s.run_id, s.category, s.modality, s.pictures, s.accuracy, s.wilson_low, s.wilson_high, s.jackknife_low,
      s.jackknife_high, s.correct, s.rows, s.errors, s.tasks
    FROM accuracy_by_slice AS s
    ORDER BY ALL`,
});
