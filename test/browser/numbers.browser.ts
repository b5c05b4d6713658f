// The numbers on the pages are those of `bench sql`, cell by cell, read from the page as it is shown.
import { expect, test } from "vitest";
import { ask, openTables, siteOf, tableOf } from "./site.ts";

type Line = Record<string, number | string | null>;

const share = (value: unknown): string => (Number(value) * 100).toFixed(1);
const percent = (value: unknown): string => (value === null ? "–" : `${share(value)} %`);
const interval = (low: unknown, high: unknown): string =>
  low === null ? "–" : `[${share(low)}, ${share(high)}]`;
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
  const cells = compared(await tableOf(page, "#leaderboard"), lines, (line) => String(line.run_id), {
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
  const cells = compared(await tableOf(page, "#leaderboard"), lines, (line) => String(line.run_id), {
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
  const cells = compared(await tableOf(page, "#tasks"), lines, (line) => `${line.run_id} ${line.task}`, {
    Accuracy: (line) => percent(line.accuracy),
    "Wilson 95 %": (line) => interval(line.wilson_low, line.wilson_high),
    Right: (line) => `${whole(line.correct)} of ${whole(line.rows)}`,
    "No answer": (line) => whole(line.errors),
  });
  expect(cells).toBe(20 * 36 * 4);
  await close();
});
