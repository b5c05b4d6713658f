// The rules of the legal tasks, checked by hand and, where the answer is computed, by other code than the builder's.
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainState } from "../../../src/corpus/build/decidability.ts";
import { observedDays } from "../../../src/corpus/build/holidays.ts";
import { lastDay, termEnd } from "../../../src/corpus/build/legal/term-end.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";
import { packageRoot } from "../../../src/workspace.ts";
import { termEnd as decidedAgain } from "./term-rule.ts";

const facts = openSources(join(packageRoot, "data"));

test("the statute gives the holidays that are published", () => {
  // Days on which federal offices were closed for a legal holiday in 2021, with 31 December for New Year's Day 2022.
  expect(
    [2021, 2022]
      .flatMap(observedDays)
      .filter((day) => day.startsWith("2021"))
      .sort(),
  ).toEqual(
    [
      "01-01",
      "01-18",
      "02-15",
      "05-31",
      "06-18",
      "07-05",
      "09-06",
      "10-11",
      "11-11",
      "11-25",
      "12-24",
      "12-31",
    ].map((day) => `2021-${day}`),
  );
  expect(observedDays(2020)).not.toContain("2020-06-19");
});

test.each([
  ["2024-11-22", 5, "2024-12-02"], // a Friday; Thanksgiving is left out
  ["2024-11-29", 1, "2024-12-02"],
  ["2021-12-29", 2, "2022-01-03"], // 31 December is New Year's Day, observed
  ["2026-07-01", 2, "2026-07-06"], // Friday 3 July is Independence Day, observed
])("served %s, %d business days: %s", (served, days, end) => {
  expect(lastDay(served, days, new Set([2021, 2022, 2024, 2026].flatMap(observedDays)))).toBe(end);
});

test("every term is decided alike by other code, and ends on one of five different days", () => {
  const candidates = termEnd.candidates(facts);
  expect(candidates.length).toBeGreaterThan(100);
  const places = [0, 0, 0, 0, 0];
  for (const candidate of candidates) {
    expect(decidedAgain(plainState(candidate) as never), candidate.key).toBe(candidate.gold);
    const dates = (candidate.options ?? []).map(([label]) => label).sort();
    expect(new Set(dates).size, candidate.key).toBe(5);
    places[dates.indexOf(candidate.gold)] = (places[dates.indexOf(candidate.gold)] ?? 0) + 1;
  }
  // The end stands at every place among the five dates about equally often.
  expect(Math.min(...places)).toBeGreaterThan(candidates.length / 10);
  expect(Math.max(...places)).toBeLessThan(candidates.length / 3);
});
