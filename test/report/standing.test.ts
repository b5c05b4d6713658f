// Which results may stand in one order.
import { expect, test } from "vitest";
import { pValue, usdSum } from "../../reports/components/format.ts";
import { marked, withStanding } from "../../reports/components/standing.ts";

const result = (id: string, more: object = {}) => ({
  id,
  source: "published" as "published" | "local",
  full_coverage: true,
  baseline: false,
  prompt_version: "v1",
  prompt_sha256: "aa",
  ...more,
});

const standings = (results: readonly ReturnType<typeof result>[]): string[] =>
  withStanding(results).map(({ id, standing }) => `${id}: ${standing}`);

test("full results of the usual prompt come first, in their order", () => {
  expect(
    standings([
      result("local", { source: "local" }),
      result("half", { full_coverage: false }),
      result("best, of another prompt", { prompt_sha256: "bb" }),
      result("second"),
      result("third"),
      result("floor", { baseline: true }),
    ]),
  ).toEqual([
    "second: ranked",
    "third: ranked",
    "floor: ranked",
    "best, of another prompt: other prompt",
    "half: partial",
    "local: local",
  ]);
});

test("the usual prompt is that of most models, not of most floors; of equally frequent ones that of the best", () => {
  const floors = [result("f", { baseline: true }), result("g", { baseline: true })];
  expect(standings([result("model", { prompt_version: "v0" }), ...floors])).toEqual([
    "model: ranked",
    "f: other prompt",
    "g: other prompt",
  ]);
  expect(standings([result("a", { prompt_version: "v0" }), result("b")])).toEqual([
    "a: ranked",
    "b: other prompt",
  ]);
  expect(standings(floors)).toEqual(["f: ranked", "g: ranked"]);
  expect(standings([result("half", { full_coverage: false })])).toEqual(["half: partial"]);
  expect(standings([])).toEqual([]);
});

test("names tell what keeps a result out of the ranking", () => {
  expect(marked("x", { standing: "ranked" })).toBe("x");
  expect(marked("x", { standing: "partial" })).toBe("partial: x");
  expect(marked("x (local)", { standing: "local" })).toBe("x (local)");
});

test("a p-value is never shown as zero", () => {
  expect([0.5, 0.0000012, 2e-16, 0, null].map(pValue)).toEqual([
    "0.500",
    "1.2e-6",
    "< 1e-12",
    "< 1e-12",
    "–",
  ]);
});

test("a sum of which something is unknown is a least one, and unknown is not zero", () => {
  expect(usdSum(1.5, 1)).toBe("$1.50");
  expect(usdSum(1.5, 0.99)).toBe("at least $1.50");
  expect(usdSum(0, 1)).toBe("$0.00");
  expect(usdSum(null, 0)).toBe("unknown");
});
