// What has to hold for any legal workspace, however unkind.
import fc from "fast-check";
import { expect, test } from "vitest";
import { literal } from "../../src/warehouse/sources.ts";
import type { Row, WarehouseOptions } from "../../src/warehouse/warehouse.ts";
import { hostile, idOf, layoutOf, workspaceOf } from "../support/hostile.ts";
import { mirrored } from "../support/mirror.ts";
import { everything, type Opened, open } from "../support/query.ts";
import type { TestWorkspace } from "../support/workspace.ts";

// A run takes seconds. Looking for a smaller example would take longer than the test may: the seed says how to.
const RUNS = { numRuns: 8, endOnFailure: true };
const TIMEOUT = 180_000;
// As much of the bootstrap as is needed to see it change.
const bootstrap = { seed: 20260923, repetitions: 100 };

/** With the rows that all views stand on held in tables, which is faster. */
async function openFast(workspace: TestWorkspace, options: WarehouseOptions = {}): Promise<Opened> {
  const opened = await open(workspace, { bootstrap, ...options });
  await opened.warehouse.materialise({ attempts: null, answers: null });
  return opened;
}

test(
  "the order of lines, files and folders, the threads and the interleaving of invocations change no bit",
  async () => {
    const seeds = fc.integer({ min: 1, max: 2 ** 30 });
    await fc.assert(
      fc.asyncProperty(hostile, seeds, fc.constantFrom(1, 2, 4), async (data, seed, threads) => {
        const plain = await openFast(workspaceOf(data), { threads: 1 });
        const other = await openFast(workspaceOf(data, layoutOf(seed)), { threads });
        expect(await everything(other)).toEqual(await everything(plain));
        // All of it is legal: nothing was left out.
        expect([...plain.notices, ...other.notices]).toEqual([]);
      }),
      RUNS,
    );
  },
  TIMEOUT,
);

const compare = async ({ rows }: Opened, a: string, b: string): Promise<Row | undefined> =>
  (await rows(`FROM compare(${literal(a)}, ${literal(b)})`))[0];

test(
  "A against B mirrors B against A, A against A is nothing, and other runs do not matter",
  async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (data) => {
        const workspace = workspaceOf(data);
        const all = await openFast(workspace);
        const ids = data.runs.map(idOf).slice(0, 3);
        for (const a of ids) {
          const same = await compare(all, a, a);
          if (same !== undefined) {
            const jackknife = same.tasks === 1 ? null : 0;
            expect(same).toStrictEqual({
              ...same,
              run_a: a,
              run_b: a,
              a_only: 0,
              b_only: 0,
              accuracy_difference: 0,
              bootstrap_low: 0,
              bootstrap_high: 0,
              jackknife_se: jackknife,
              jackknife_low: jackknife,
              jackknife_high: jackknife,
              p_jackknife: same.tasks === 1 ? null : 1,
              p_mcnemar: 1,
              mde80: jackknife,
              p_holm: null,
            });
          }
          for (const b of ids) {
            const [there, back] = [await compare(all, a, b), await compare(all, b, a)];
            if (there === undefined) expect(back).toBeUndefined();
            else expect(back).toStrictEqual(mirrored(there));
          }
        }
        const [a, b] = ids as [string, string];
        const alone = await openFast(workspace, { runs: [a, b] });
        expect(await compare(alone, a, b)).toStrictEqual(await compare(all, a, b));
        for (const pair of await all.rows("SELECT * FROM comparisons")) {
          const found = await compare(all, pair.run_a as string, pair.run_b as string);
          expect(found).toStrictEqual({ ...pair, p_holm: null });
        }
      }),
      RUNS,
    );
  },
  TIMEOUT,
);

/** Queries that must find nothing. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  "an accuracy outside its intervals": `SELECT * FROM accuracy_overall WHERE NOT (
     accuracy BETWEEN wilson_low - 1e-15 AND wilson_high + 1e-15 AND wilson_low >= 0 AND wilson_high <= 1
     AND coalesce(accuracy BETWEEN jackknife_low - 1e-15 AND jackknife_high + 1e-15 AND jackknife_low >= 0 AND jackknife_high <= 1, TRUE)
     AND (jackknife_se IS NULL) = (jackknife_low IS NULL) AND (jackknife_se IS NULL) = (jackknife_high IS NULL))`,
  "a curve that rises with the threshold": `SELECT * FROM (
     SELECT *, lag(coverage) OVER w AS coverage_before, lag(accepted) OVER w AS accepted_before, lag(errors) OVER w AS errors_before
     FROM risk_coverage WINDOW w AS (PARTITION BY run_id ORDER BY threshold))
     WHERE coverage > coverage_before OR accepted > accepted_before OR errors > errors_before OR errors > accepted
       OR NOT coverage BETWEEN 0 AND 1 OR NOT coalesce(risk, 0) BETWEEN 0 AND 1 OR (risk IS NULL) <> (accepted = 0)`,
  "a curve without its ends": `SELECT run_id FROM risk_coverage GROUP BY run_id
     HAVING min(threshold) <> 0 OR max(threshold) <> 1 OR count(*) <> count(DISTINCT threshold)`,
  "a score out of range": `SELECT * FROM calibration WHERE NOT (
     coalesce(brier, 0) BETWEEN 0 AND 2 AND coalesce(log_loss, 0) BETWEEN 0 AND 27.64 AND coalesce(ece, 0) BETWEEN 0 AND 1 + 1e-12
     AND coalesce(adaptive_ece, 0) BETWEEN 0 AND 1 + 1e-12 AND coalesce(murphy_reliability, 0) BETWEEN 0 AND 1 + 1e-12
     AND coalesce(murphy_resolution, 0) BETWEEN 0 AND 0.25 + 1e-12 AND coalesce(murphy_uncertainty, 0) BETWEEN 0 AND 0.25
     AND coalesce(aurc, 0) BETWEEN 0 AND 1 + 1e-12 AND (valid_rows = 0) = (brier IS NULL) AND (valid_rows = 0) = (aurc IS NULL)
     AND high_confidence_errors <= valid_rows AND argmax_disagreements <= valid_rows)`,
  "rows of a bin outside it": `SELECT * FROM reliability WHERE NOT (
     rows >= 0 AND (rows = 0) = (mean_confidence IS NULL) AND coalesce(mean_confidence BETWEEN low - 1e-15 AND high + 1e-15, TRUE))`,
  "bins that do not add up": `SELECT c.run_id FROM calibration AS c JOIN reliability AS r ON r.run_id = c.run_id
     GROUP BY c.run_id, c.valid_rows HAVING sum(r.rows) <> c.valid_rows OR count(*) <> 10`,
  "an answer's score out of range": `SELECT * FROM answers WHERE NOT (
     coalesce(brier, 0) BETWEEN 0 AND 2 AND coalesce(log_loss, 0) BETWEEN 0 AND 27.64 AND coalesce(confidence, 0) BETWEEN 0 AND 1
     AND (confidence IS NULL) = (brier IS NULL) AND (correct = FALSE OR is_valid))`,
  "a pair that does not add up": `SELECT * FROM comparisons WHERE NOT (
     both_correct + a_only + b_only + both_wrong = rows AND rows > 0 AND tasks > 0 AND run_a < run_b
     AND bootstrap_low BETWEEN -1 AND bootstrap_high AND bootstrap_high <= 1 AND p_mcnemar BETWEEN 0 AND 1
     AND (tasks = 1) = (jackknife_se IS NULL) AND coalesce(p_jackknife BETWEEN 0 AND 1, TRUE)
     AND coalesce(accuracy_difference BETWEEN jackknife_low - 1e-15 AND jackknife_high + 1e-15, TRUE)
     AND coalesce(p_holm BETWEEN p_jackknife AND 1, TRUE))`,
  "a slice that is not within its whole": `SELECT s.* FROM accuracy_by_slice AS s
     LEFT JOIN accuracy_by_slice AS w ON w.run_id = s.run_id AND w.category IS NULL AND w.modality IS NULL AND w.pictures = 'all'
     WHERE NOT coalesce(s.rows <= w.rows AND s.correct <= w.correct AND s.errors <= w.errors AND s.tasks <= w.tasks, FALSE)
       OR s.rows < 1 OR s.correct + s.errors > s.rows OR (s.tasks < 2) <> (s.jackknife_low IS NULL)
       OR NOT coalesce(s.accuracy BETWEEN s.jackknife_low - 1e-15 AND s.jackknife_high + 1e-15, TRUE)`,
  "a row's results that do not add up": `SELECT * FROM row_results WHERE NOT (
     correct + errors + wrong_label_results <= results AND results <= (SELECT count(*) FROM reference_results)
     AND (results = 0) = (share_correct IS NULL) AND coalesce(share_correct BETWEEN 0 AND 1, TRUE)
     AND (wrong_label IS NULL) = (wrong_label_results = 0))`,
  "confident mistakes that were not counted": `SELECT c.run_id FROM calibration AS c LEFT JOIN confident_mistakes AS m ON m.run_id = c.run_id
     GROUP BY c.run_id, c.high_confidence_errors HAVING count(m.row_id) <> c.high_confidence_errors`,
  "a rank outside its range": `SELECT * FROM leaderboard WHERE NOT (
     (rank IS NULL) = NOT full_coverage AND coalesce(rank BETWEEN rank_low AND rank_high, rank_low IS NULL AND rank_high IS NULL))`,
  "a mean outside its range": `SELECT * FROM macro_averages WHERE NOT (
     macro_category_accuracy BETWEEN 0 AND 1 + 1e-12 AND macro_task_f1 BETWEEN 0 AND 1 + 1e-12)`,
  "calls that do not add up": `SELECT t.run_id FROM attempt_totals AS t JOIN cost AS c ON c.run_id = t.run_id
     WHERE NOT (t.retries < t.attempts AND t.attempt_errors + t.incomplete_attempts <= t.attempts AND c.cost_coverage BETWEEN 0 AND 1)`,
};

test(
  "shares, scores, intervals and curves stay where they must",
  async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (data) => {
        const { warehouse, rows } = await openFast(workspaceOf(data));
        for (const [what, sql] of Object.entries(IMPOSSIBLE)) expect(await rows(sql), what).toEqual([]);
        for (const view of warehouse.views) {
          for (const row of await rows(`SELECT * FROM ${view}`)) {
            // A zero with a sign would be printed as one, and told from the other by some programs.
            const signed = Object.keys(row).filter((column) => Object.is(row[column], -0));
            expect(signed, view).toEqual([]);
          }
        }
      }),
      RUNS,
    );
  },
  TIMEOUT,
);
