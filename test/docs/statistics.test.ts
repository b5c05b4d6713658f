// The worked numbers of docs/statistics.md are those that the views give.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/workspace.ts";
import { open } from "../support/query.ts";
import { openAt } from "../support/workspace.ts";

const page = readFileSync(join(packageRoot, "docs", "statistics.md"), "utf8");
/** Without line breaks, spaces that line up tables, and thousands separators. */
const text = page.replace(/\s+/g, " ").replace(/(\d),(\d{3})/g, "$1$2");
const oracle = () => open(openAt(fileURLToPath(new URL("../fixtures/oracle", import.meta.url)), ""));

type Figures = Record<string, number>;
const fixed = (value: number | undefined, digits: number): string => (value ?? Number.NaN).toFixed(digits);
/** Per cent or points with one digit; a minus sign is one. */
const points = (share: number | undefined): string => fixed((share ?? Number.NaN) * 100, 1).replace("-", "−");

function says(...parts: string[]): void {
  for (const part of parts)
    expect(text.includes(part), `docs/statistics.md does not say: ${part}`).toBe(true);
}

test("one run", async () => {
  const { rows } = await oracle();
  const of = async (model: string): Promise<Figures> =>
    (await rows(`SELECT * FROM accuracy_overall WHERE run_id = 'oracle-1/${model}'`))[0] as Figures;
  const [alpha, delta] = [await of("alpha"), await of("delta")];
  says(
    `\`alpha\` has ${alpha.correct} of ${alpha.rows} rows right: ${points(alpha.accuracy)} %, interval ${points(alpha.wilson_low)} to ${points(alpha.wilson_high)} %`,
    `\`delta\` has ${points(delta.accuracy)} % right. Wilson says ${points(delta.wilson_low)} to ${points(delta.wilson_high)} %, the jackknife ${points(delta.jackknife_low)} to ${points(delta.jackknife_high)} %`,
    `has ${points(alpha.jackknife_low)} to ${points(alpha.jackknife_high)} %`,
  );
});

test("two runs and many", async () => {
  const { rows } = await oracle();
  const of = async (a: string, b: string): Promise<Figures> =>
    (
      await rows(`SELECT * FROM comparisons WHERE run_a = 'oracle-1/${a}' AND run_b = 'oracle-1/${b}'`)
    )[0] as Figures;
  const pair = await of("alpha", "bravo");
  const equal = await of("bravo", "charlie");
  const split = await of("charlie", "foxtrot-partial");
  const [t] = await rows<{ t975: number; t80: number }>(
    "SELECT t_quantile_975(11) AS t975, t_quantile_80(11) AS t80",
  );
  says(
    `${pair.a_only} rows only A, ${pair.b_only} only B, D = ${(pair.a_only ?? 0) - (pair.b_only ?? 0)}/${pair.rows} = ${points(pair.accuracy_difference)} points, SE ${points(pair.jackknife_se)} points, t = ${fixed(t?.t975, 3)} with 11 degrees of freedom, so ${points(pair.jackknife_low)} to ${points(pair.jackknife_high)} points and p = ${fixed(pair.p_jackknife, 5)}`,
    `\`bravo\` against \`charlie\`: ${points(equal.accuracy_difference)} points, p = ${fixed(equal.p_jackknife, 2)}, interval ${points(equal.jackknife_low)} to ${points(equal.jackknife_high)} points`,
    `\`alpha\` against \`bravo\`: ${points(pair.bootstrap_low)} to ${points(pair.bootstrap_high)} points, where the jackknife has ${points(pair.jackknife_low)} to ${points(pair.jackknife_high)}`,
    `bootstrap's ${points(split.bootstrap_low)} to ${points(split.bootstrap_high)} points leave 0 out, the jackknife's ${points(split.jackknife_low)} to ${points(split.jackknife_high)} do not`,
    `${split.a_only} to ${split.b_only}, p = ${fixed(split.p_mcnemar, 3)}. The jackknife, which knows that these ${(split.a_only ?? 0) + (split.b_only ?? 0)} rows come in 12 tasks, says ${fixed(split.p_jackknife, 3)}`,
    `(${fixed(t?.t975, 3)} + ${fixed(t?.t80, 3)}) · ${points(pair.jackknife_se)} = ${points(pair.mde80)} points. \`bravo\` against \`charlie\`: ${points(equal.mde80)} points`,
    `4 · ${fixed(pair.p_jackknife, 5)} = ${fixed(pair.p_holm, 4)}`,
    `(${points(equal.jackknife_low)} to ${points(equal.jackknife_high)} points): \`--fail-if-worse 0\` passes, \`--fail-unless-within 5\` fails, \`--fail-unless-within 7\` passes`,
  );
  // Those gates, by their own rules.
  expect(equal.jackknife_high).toBeGreaterThan(0);
  expect(equal.jackknife_low).toBeLessThan(-0.05);
  expect(equal.jackknife_low).toBeGreaterThan(-0.07);
  const smaller = await rows(
    `SELECT count(*) AS n FROM comparisons WHERE p_holm IS NOT NULL AND p_jackknife < ${pair.p_jackknife}`,
  );
  expect(smaller).toEqual([{ n: 6 }]);
  expect(
    await rows("SELECT model_id, rank_low, rank_high FROM leaderboard WHERE full_coverage ORDER BY 1"),
  ).toEqual([
    { model_id: "alpha", rank_low: 1, rank_high: 1 },
    { model_id: "bravo", rank_low: 2, rank_high: 4 },
    { model_id: "charlie", rank_low: 2, rank_high: 4 },
    { model_id: "delta", rank_low: 5, rank_high: 5 },
    { model_id: "echo-label-only", rank_low: 2, rank_high: 4 },
  ]);
  says("`alpha` has rank 1 to 1, `delta` 5 to 5, and `bravo`, `charlie` and `echo-label-only` each 2 to 4");
  const [best, least] = await rows<{ accuracy: number }>(
    "SELECT accuracy FROM leaderboard WHERE rank_low = 2 AND rank <> 3 ORDER BY rank",
  );
  says(`${points(best?.accuracy)} % looks like more than ${points(least?.accuracy)} %`);
});

test("averages and probabilities", async () => {
  const { rows } = await oracle();
  const one = async (sql: string): Promise<Figures> => (await rows(sql))[0] as Figures;
  const macro = await one("SELECT * FROM macro_averages WHERE run_id = 'oracle-1/alpha'");
  const task = await one("SELECT macro_f1 FROM task_f1 WHERE run_id = 'oracle-1/alpha' AND task = 'LEG-2'");
  const leg = await one("SELECT * FROM accuracy_by_task WHERE run_id = 'oracle-1/alpha' AND task = 'LEG-2'");
  const c = await one("SELECT * FROM calibration WHERE run_id = 'oracle-1/alpha'");
  const delta = await one("SELECT aurc FROM calibration WHERE run_id = 'oracle-1/delta'");
  const row = await one("SELECT * FROM answers WHERE run_id = 'oracle-1/alpha' AND row_id = 'eng-1-000'");
  const bin = await one("SELECT accuracy FROM reliability WHERE run_id = 'oracle-1/alpha' AND bin = 8");
  const risk = await one(
    "SELECT * FROM risk_coverage WHERE run_id = 'oracle-1/bravo' AND risk <= 0.05 ORDER BY coverage DESC",
  );
  says(
    `\`alpha\`: ${points(macro.macro_category_accuracy)} %, against`,
    `(0.909 + 1 + 1 + 0)/4 = ${fixed(task.macro_f1, 3)}, where the accuracy is ${leg.correct}/${leg.rows} = ${points(leg.accuracy)} %`,
    `0, worst 2 | ${fixed(c.brier, 4)} |`,
    `at least 10⁻¹² | 0 | ${fixed(c.log_loss, 4)} |`,
    `abs(mean confidence − accuracy) | 0 | ${fixed(c.ece, 4)} |`,
    `equally many rows | 0 | ${fixed(c.adaptive_ece, 4)} |`,
    `bins of the ECE | 0 | ${fixed(c.murphy_reliability, 4)} |`,
    `uncertainty | ${fixed(c.murphy_resolution, 4)} |`,
    `to sort | | ${fixed(c.murphy_uncertainty, 4)} |`,
    `| 0 | ${fixed(c.aurc, 4)} |`,
    `at least 0.9 | 0 | ${c.high_confidence_errors} |`,
    `${fixed(row.p_gold, 3)} for the right one of two options gives a Brier score of 2 · ${fixed(1 - (row.p_gold ?? 0), 3)}² = ${fixed(row.brier, 4)} and a log loss of ${fixed(row.log_loss, 4)}`,
    `${fixed((bin.accuracy ?? 0) * 100, 0)} % accuracy in the bin from 0.8 to 0.9`,
    `\`bravo\` at ${fixed(risk.threshold, 1)}: ${points(risk.coverage)} % of the rows with ${points(risk.risk)} % wrong`,
    `\`alpha\` ${fixed(c.aurc, 4)}, \`delta\` ${fixed(delta.aurc, 4)}`,
  );
});

test("cost and latency", async () => {
  const { rows } = await oracle();
  const [cost] = await rows<Figures>("SELECT * FROM cost WHERE run_id = 'oracle-1/charlie'");
  const [latency] = await rows<Figures>("SELECT * FROM latency WHERE run_id = 'oracle-1/alpha'");
  says(
    `$${fixed(cost?.cost_per_1000_rows_usd, 4)} for 1000 rows), but only ${points(cost?.cost_coverage)} %`,
    `median ${fixed(latency?.p50_ms, 0)} ms, p95 ${fixed(latency?.p95_ms, 0)} ms, p99 ${fixed(latency?.p99_ms, 0)} ms`,
  );
});

test("the measured coverage of the jackknife for differences is as promised, and the text repeats the table", () => {
  const measured = [...page.matchAll(/^\| [^|]+ \| +(\d+) \| A - B +\|[^|]+\| +([\d.]+) ± /gm)].map(
    (found) => ({
      tasks: Number(found[1]),
      share: Number(found[2]),
    }),
  );
  expect(new Set(measured.map(({ tasks }) => tasks))).toEqual(new Set([7, 14, 35]));
  const shares = measured.map(({ share }) => share);
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(93);
  expect(Math.max(...shares)).toBeLessThanOrEqual(97);
  says(`${Math.min(...shares).toFixed(1)} to ${Math.max(...shares).toFixed(1)} % in all settings`);
});

test("groups of results that are not told apart", async () => {
  const { rows } = await oracle();
  const found = await rows<{ run_id: string; first_group: number; last_group: number }>(
    "SELECT * FROM tied_groups ORDER BY run_id",
  );
  const alone = found.filter(({ first_group, last_group }) => first_group === last_group);
  expect(alone).toHaveLength(5);
  const of = (group: number): string[] =>
    alone.flatMap(({ run_id, first_group }) =>
      first_group === group ? [`\`${run_id.replace("oracle-1/", "")}\``] : [],
    );
  const [one, two, three] = [of(1), of(2), of(3)];
  says(
    `${one} is group 1, ${two.slice(0, -1).join(", ")} and ${two.at(-1)} are group 2, ${three} is group 3`,
  );
});
