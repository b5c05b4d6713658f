// The numbers on the pages are those of `bench sql`, cell by cell, read from the page as it is shown.
import { expect, test } from "vitest";
import { ask, openTables, siteOf, tableOf } from "./site.ts";

type Line = Record<string, number | string | null>;

const share = (value: unknown): string => (Number(value) * 100).toFixed(1);
const percent = (value: unknown): string => (value === null ? "–" : `${share(value)} %`);
const interval = (low: unknown, high: unknown): string =>
  low === null ? "–" : `[${share(low)}, ${share(high)}]`;
const points = (value: unknown): string => {
  const text = share(value);
  if (Number(text) === 0) return "0.0";
  return `${Number(value) > 0 ? "+" : ""}${text}`.replace("-", "−");
};
const whole = (value: unknown): string => Number(value).toLocaleString("en-US");

/** Holds a table of a page against lines of the analysis; gives the number of cells that were equal. */
function compared(
  table: ReadonlyMap<string, Readonly<Record<string, string>>>,
  lines: readonly Line[],
  key: (line: Line) => string,
  wanted: Readonly<Record<string, (line: Line) => string>>,
): number {
  let cells = 0;
  for (const line of lines) {
    for (const [label, text] of Object.entries(wanted)) {
      expect(table.get(key(line))?.[label], `${key(line)}, ${label}`).toBe(text(line));
      cells += 1;
    }
  }
  return cells;
}

test("leaderboard: ranks, accuracies, both intervals, errors, cost, latency, tokens", async () => {
  const lines = (await ask(
    "twenty",
    `SELECT l.*, a.jackknife_low, a.jackknife_high, k.input_tokens, k.output_tokens, g.first_group, g.last_group
     FROM leaderboard l JOIN accuracy_overall a USING (run_id) JOIN tokens k USING (run_id) JOIN tied_groups g USING (run_id)`,
  )) as Line[];
  expect(lines).toHaveLength(20);
  const { page, problems, close } = await (await siteOf("twenty")).show("");
  const cells = compared(await tableOf(page, "#ranking"), lines, (line) => String(line.run_id), {
    Rank: (line) => String(line.rank),
    "": (line) => String(line.label),
    Accuracy: (line) => percent(line.accuracy),
    "Jackknife 95 %": (line) => interval(line.jackknife_low, line.jackknife_high),
    "Wilson 95 %": (line) => interval(line.wilson_low, line.wilson_high),
    "Ranks possible": (line) => `${line.rank_low} to ${line.rank_high}`,
    Tied: ({ first_group, last_group }) =>
      "abcdefghijklmnopqrstuvwxyz".slice(Number(first_group) - 1, Number(last_group)),
    Right: (line) => `${whole(line.correct)} of ${whole(line.rows)}`,
    Errors: (line) => whole(line.errors),
    "Cost per 1,000 rows": (line) => `$${Number(line.cost_per_1000_rows_usd).toFixed(2)}`,
    "Median latency": (line) =>
      Number(line.p50_ms) < 1000
        ? `${Number(line.p50_ms).toFixed(0)} ms`
        : `${(Number(line.p50_ms) / 1000).toFixed(2)} s`,
    "Tokens in": (line) => whole(line.input_tokens),
    "Tokens out": (line) => whole(line.output_tokens),
  });
  expect(cells).toBe(260);
  expect(problems).toEqual([]);
  await close();
});

test("leaderboard of a category: the accuracies of its rows, by a query of its own", async () => {
  const lines = (await ask(
    "twenty",
    `SELECT run_id, sum(correct::INT) AS correct, count(*) AS rows, wilson_low(sum(correct::INT), count(*)) AS low,
       wilson_high(sum(correct::INT), count(*)) AS high
     FROM answers WHERE category = 'c-3' GROUP BY run_id`,
  )) as Line[];
  expect(lines).toHaveLength(20);
  const { page, close } = await (await siteOf("twenty")).show("?category=c-3");
  const cells = compared(await tableOf(page, "#ranking"), lines, (line) => String(line.run_id), {
    Accuracy: (line) => percent(Number(line.correct) / Number(line.rows)),
    "Wilson 95 %": (line) => interval(line.low, line.high),
    Right: (line) => `${whole(line.correct)} of ${whole(line.rows)}`,
  });
  expect(cells).toBe(60);
  await close();
});

test("tasks: every cell of the map", async () => {
  const lines = (await ask("twenty", "SELECT * FROM accuracy_by_task")) as Line[];
  const { page, close } = await (await siteOf("twenty")).show("tasks.html");
  await openTables(page);
  const cells = compared(await tableOf(page, "#map"), lines, (line) => `${line.run_id} ${line.task}`, {
    Accuracy: (line) => percent(line.accuracy),
    "Wilson 95 %": (line) => interval(line.wilson_low, line.wilson_high),
    Right: (line) => `${whole(line.correct)} of ${whole(line.rows)}`,
    "No answer": (line) => whole(line.errors),
  });
  expect(cells).toBe(20 * 36 * 4);
  await close();
});

test("compare: difference, both intervals, p-values, and the four counts, of several pairs", async () => {
  const pairs = (await ask(
    "twenty",
    "SELECT * FROM versus WHERE run_id IN ('pairs/model-19', 'pairs/model-07') AND other_run_id IN ('pairs/model-18', 'pairs/model-00', 'pairs/model-08') ORDER BY ALL",
  )) as Line[];
  expect(pairs).toHaveLength(6);
  const p = (value: unknown): string =>
    Number(value) < 1e-12
      ? "< 1e-12"
      : Number(value) < 0.001
        ? Number(value).toExponential(1)
        : Number(value).toFixed(3);
  let cells = 0;
  for (const pair of pairs) {
    const query = new URLSearchParams({ a: String(pair.run_id), b: String(pair.other_run_id) });
    const { page, problems, close } = await (await siteOf("twenty")).show(`compare.html?${query}`);
    await openTables(page);
    const figures = await tableOf(page, "#difference");
    const expected: [string, string, string | null][] = [
      [
        "Difference, jackknife",
        points(pair.accuracy_difference),
        `[${points(pair.jackknife_low)}, ${points(pair.jackknife_high)}]`,
      ],
      [
        "Difference, task bootstrap",
        points(pair.accuracy_difference),
        `[${points(pair.bootstrap_low)}, ${points(pair.bootstrap_high)}]`,
      ],
      ["Standard error", share(pair.jackknife_se), null],
      ["p", p(pair.p_jackknife), null],
      ["p (Holm)", p(pair.p_holm), null],
      ["p (McNemar)", p(pair.p_mcnemar), null],
      ["Detectable difference", share(pair.mde80), null],
      ["Rows", whole(pair.rows), null],
      ["Tasks", whole(pair.tasks), null],
    ];
    for (const [name, value, interval] of expected) {
      expect(figures.get(name)?.Value, `${query}, ${name}`).toBe(value);
      cells += 1;
      if (interval === null) continue;
      expect(figures.get(name)?.["95 % interval"], `${query}, ${name}`).toBe(interval);
      cells += 1;
    }
    // The share stands below the count.
    const counts = await page
      .locator("#agreement tbody td")
      .evaluateAll((all) => all.map((cell) => cell.firstChild?.textContent));
    const [both, onlyRun, , onlyOther, neither] = counts;
    expect([both, onlyRun, onlyOther, neither]).toEqual(
      [pair.both_correct, pair.only_run, pair.only_other, pair.both_wrong].map(whole),
    );
    cells += 4;
    expect(problems).toEqual([]);
    await close();
  }
  expect(cells).toBe(6 * 15);
});

test("compare: every task of the forest, and the rows on which two differ", async () => {
  const [a, b] = ["pairs/model-12", "pairs/model-10"];
  const lines = (await ask(
    "twenty",
    `SELECT * FROM versus_by_task WHERE run_id = '${a}' AND other_run_id = '${b}'`,
  )) as Line[];
  expect(lines).toHaveLength(36);
  const { page, close } = await (await siteOf("twenty")).show(`compare.html?a=${a}&b=${b}`);
  await openTables(page);
  const cells = compared(await tableOf(page, "#tasks"), lines, ({ task }) => String(task), {
    Rows: (line) => whole(line.rows),
    Difference: (line) => points(line.difference),
    "95 % interval": (line) => `[${points(line.difference_low)}, ${points(line.difference_high)}]`,
    "Only a": (line) => whole(line.only_run),
    "Only b": (line) => whole(line.only_other),
  });
  expect(cells).toBe(36 * 5);
  const differing = await ask(
    "twenty",
    `SELECT x.row_id, x.label AS a, y.label AS b FROM answers x JOIN answers y ON y.row_id = x.row_id
     WHERE x.run_id = '${a}' AND y.run_id = '${b}' AND x.correct AND NOT y.correct ORDER BY x.row_id`,
  );
  await page.selectOption("select[name=show]", {
    label:
      (await page.locator("select[name=show] option").allTextContents()).find((text) =>
        text.includes("only a"),
      ) ?? "",
  });
  await openTables(page);
  const shown = await tableOf(page, "#rows");
  expect([...shown.keys()].sort()).toEqual(differing.map(({ row_id }) => row_id));
  await close();
});

test("calibration: the scores of all results, and the bins of one", async () => {
  const lines = (await ask("twenty", "SELECT * FROM calibration")) as Line[];
  expect(lines).toHaveLength(20);
  const { page, close } = await (await siteOf("twenty")).show("calibration.html?model=pairs/model-05");
  await openTables(page);
  const score = (value: unknown): string => Number(value).toFixed(3);
  const cells = compared(await tableOf(page, "#overview"), lines, (line) => String(line.run_id), {
    Brier: (line) => score(line.brier),
    "Log loss": (line) => score(line.log_loss),
    ECE: (line) => percent(line.ece),
  });
  expect(cells).toBe(60);
  const bins = (await ask(
    "twenty",
    "SELECT * FROM reliability WHERE run_id = 'pairs/model-05' AND rows > 0",
  )) as Line[];
  expect(bins.length).toBeGreaterThan(2);
  const binned = compared(await tableOf(page, "#reliability"), bins, ({ bin }) => String(bin), {
    Rows: (line) => whole(line.rows),
    "Mean confidence": (line) => percent(line.mean_confidence),
    Accuracy: (line) => percent(line.accuracy),
  });
  expect(binned).toBe(3 * bins.length);
  await close();
});

test("cost and speed: amounts and fronts", async () => {
  const lines = (await ask(
    "twenty",
    "SELECT a.run_id, a.accuracy, c.cost_usd, c.cost_coverage, c.cost_per_1000_rows_usd, l.p50_ms, l.p95_ms, f.on_cost_front, f.on_latency_front FROM accuracy_overall a JOIN cost c USING (run_id) JOIN latency l USING (run_id) JOIN fronts f USING (run_id)",
  )) as Line[];
  expect(lines).toHaveLength(20);
  const { page, close } = await (await siteOf("twenty")).show("cost.html");
  await openTables(page);
  const key = (line: Line): string => String(line.run_id);
  const money = (value: unknown): string =>
    Number(value) < 0.01 ? `$${Number(value).toPrecision(2)}` : `$${Number(value).toFixed(2)}`;
  const time = (value: unknown): string =>
    Number(value) < 1000 ? `${Number(value).toFixed(0)} ms` : `${(Number(value) / 1000).toFixed(2)} s`;
  const yes = (value: unknown): string => (value === true ? "yes" : "no");
  const cost = compared(await tableOf(page, "#cost"), lines, key, {
    Accuracy: (line) => percent(line.accuracy),
    "Cost per 1,000 rows": (line) => money(line.cost_per_1000_rows_usd),
    "Cost in all": (line) => money(line.cost_usd),
    Coverage: (line) => percent(line.cost_coverage),
    "On the front": (line) => yes(line.on_cost_front),
  });
  const speed = compared(await tableOf(page, "#speed"), lines, key, {
    Median: (line) => time(line.p50_ms),
    "95 % quantile": (line) => time(line.p95_ms),
    "On the front": (line) => yes(line.on_latency_front),
  });
  expect(cost + speed).toBe(160);
  await close();
});

test("what is unknown, nothing, partial or of another prompt is shown as such, and not as a number", async () => {
  const lines = (await ask(
    "mixed",
    `SELECT r.run_id, r.label, a.accuracy, a.correct, a.rows, a.errors, c.cost_per_1000_rows_usd AS usd, c.cost_coverage
     FROM runs r JOIN accuracy_overall a USING (run_id) JOIN cost c USING (run_id) WHERE r.source = 'published'`,
  )) as Line[];
  expect(lines).toHaveLength(7);
  const site = await siteOf("mixed");
  const { page, problems, close } = await site.show("");
  const shown = new Map<string, Readonly<Record<string, string>>>();
  for (const figure of ["#ranking", "#ranking-2", "#partial"])
    for (const [key, cells] of await tableOf(page, figure)) shown.set(key, cells);
  const cells = compared(shown, lines, (line) => String(line.run_id), {
    Accuracy: (line) => percent(line.accuracy),
    Right: (line) => `${whole(line.correct)} of ${whole(line.rows)}`,
    Errors: (line) => whole(line.errors),
    "Cost per 1,000 rows": (line) => (line.usd === null ? "unknown" : `$${Number(line.usd).toFixed(2)}`),
  });
  expect(cells).toBe(28);
  expect(shown.get("tiny/second")?.["Cost per 1,000 rows"]).toBe("unknown");
  expect(shown.get("tiny/half")?.Rank).toBeUndefined();
  expect(shown.get("tiny/other-prompt")?.Rank).toBe("1");
  expect(problems).toEqual([]);
  await close();

  const cost = await site.show("cost.html");
  const caption = await cost.page.locator("#cost figcaption").textContent();
  expect(caption).toContain("Unknown cost: Model second");
  expect(caption).toMatch(/exactly zero[^.]*Model free/);
  await cost.close();

  const calibration = await site.show("calibration.html");
  expect((await tableOf(calibration.page, "#overview")).get("tiny/free")?.["Rows (coverage)"]).toBe(
    "none of 49",
  );
  await calibration.close();
});
