// One line a result, for the leaderboard and for cost and speed.
import { printJson } from "decision-bench/report-loader";

// leaderboard.rank counts all results, whatever their prompt; a page ranks those of one prompt among themselves.
await printJson({
  board: `
    SELECT
      r.run_id, a.accuracy, a.wilson_low, a.wilson_high, a.jackknife_low, a.jackknife_high, a.correct, a.rows, a.errors,
      a.accuracy_answered, if(l.rank IS NULL, NULL, rank() OVER (PARTITION BY r.prompt_version, r.prompt_sha256 ORDER BY l.rank NULLS LAST)) AS rank,
      l.rank_low, l.rank_high, g.first_group, g.last_group,
      c.cost_usd, c.cost_coverage, c.cost_basis, c.cost_per_1000_rows_usd, c.cost_per_correct_usd,
      t.p50_ms, t.p95_ms, k.input_tokens, k.output_tokens, k.token_coverage,
      m.macro_category_accuracy, m.macro_task_f1, f.on_cost_front, f.on_latency_front
    FROM runs AS r
    LEFT JOIN accuracy_overall AS a ON a.run_id = r.run_id
    LEFT JOIN leaderboard AS l ON l.run_id = r.run_id
    LEFT JOIN tied_groups AS g ON g.run_id = r.run_id
    LEFT JOIN cost AS c ON c.run_id = r.run_id
    LEFT JOIN latency AS t ON t.run_id = r.run_id
    LEFT JOIN tokens AS k ON k.run_id = r.run_id
    LEFT JOIN macro_averages AS m ON m.run_id = r.run_id
    LEFT JOIN fronts AS f ON f.run_id = r.run_id
    WHERE r.current_corpus
    ORDER BY r.run_id`,
});
