import { expect, test } from "vitest";
import { byCategory, byTask, overall } from "../support/published-figures.ts";
import { open } from "../support/query.ts";
import { makeWorkspace } from "../support/workspace.ts";

test("all 1,672 published Wilson bounds are reproduced to the last bit", async () => {
  const lines = [...overall(), ...byCategory(), ...byTask()];
  const { rows } = await open(makeWorkspace());
  const values = lines.map((line) => `(${line.correct}, ${line.rows})`).join(", ");
  const found = await rows<{ low: number; high: number }>(
    `SELECT wilson_low(k, n) AS low, wilson_high(k, n) AS high FROM (VALUES ${values}) AS t(k, n)`,
  );
  expect(2 * lines.length).toBe(1672);
  expect(found).toEqual(lines.map((line) => ({ low: Number(line.wilson_lo), high: Number(line.wilson_hi) })));
});

test("the ends of the range: clamped, and NULL without rows", async () => {
  const { rows } = await open(makeWorkspace());
  const [all] = await rows("SELECT wilson_high(31, 31) AS high, wilson_low(0, 31) AS low");
  expect(all).toEqual({ high: 0.9999999999999999, low: 0 });
  const [none] = await rows("SELECT wilson_low(0, 0) AS low, wilson_high(0, 0) AS high");
  expect(none).toEqual({ low: null, high: null });
  const [outside] = await rows(
    "SELECT count(*) AS n FROM range(1, 400) AS n(n), range(0, 400) AS k(k) WHERE k <= n AND " +
      "NOT (wilson_low(k, n) >= 0 AND wilson_high(k, n) <= 1 AND wilson_low(k, n) <= k / n + 1e-15 AND wilson_high(k, n) >= k / n - 1e-15)",
  );
  expect(outside).toEqual({ n: 0 });
});
