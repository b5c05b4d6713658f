import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { open } from "../support/query.ts";
import { makeWorkspace } from "../support/workspace.ts";

const FIXTURE = new URL("../fixtures/wilson-published.csv", import.meta.url);

test("all 1,672 published Wilson bounds are reproduced to the last bit", async () => {
  const [, ...lines] = readFileSync(FIXTURE, "utf8").trim().split("\n");
  const cases = lines.map((line) => line.split(","));
  const { rows } = await open(makeWorkspace());
  const values = cases.map((fields) => `(${fields[3]}, ${fields[4]})`).join(", ");
  const found = await rows<{ low: number; high: number }>(
    `SELECT wilson_low(k, n) AS low, wilson_high(k, n) AS high FROM (VALUES ${values}) AS t(k, n)`,
  );
  expect(2 * cases.length).toBe(1672);
  found.forEach(({ low, high }, i) => {
    const fields = cases[i] as string[];
    expect([low, high], fields.join(",")).toEqual([Number(fields[5]), Number(fields[6])]);
  });
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
