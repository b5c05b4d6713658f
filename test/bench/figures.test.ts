// What the table says of the rounds, and when a limit counts as met.
import { expect, test } from "vitest";
import { isMet, type Line, median, ratios, spread } from "../../bench/figures.ts";

test("the median is the middle in order of size, and between the two middle ones of an even number", () => {
  expect(median([10, 9, 100])).toBe(10);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(median([])).toBeNaN();
  const values = [3, 1, 2];
  median(values);
  expect(values).toEqual([3, 1, 2]);
});

test("a spread has median, least and most; of nothing it has none", () => {
  expect(spread([2, 10, 9, 1, 3])).toEqual({ median: 3, least: 1, most: 10 });
  expect(spread([])).toEqual({ median: Number.NaN, least: Number.NaN, most: Number.NaN });
});

test("ratios are of the same round, and rounds that are missing are an error", () => {
  expect(ratios([6, 8], [2, 4])).toEqual([3, 2]);
  expect(() => ratios([1, 2], [1])).toThrow("2 rounds against 1");
});

const line = (changes: Partial<Line>): Line => ({ what: "it", unit: "×", values: [1, 2, 9], ...changes });

test("a limit is held against the median, or against every round where it says so", () => {
  expect(isMet(line({ limit: { least: 2 } }))).toBe(true);
  expect(isMet(line({ limit: { least: 2.1 } }))).toBe(false);
  expect(isMet(line({ limit: { most: 2 } }))).toBe(true);
  expect(isMet(line({ limit: { below: 2 } }))).toBe(false);
  expect(isMet(line({ limit: { least: 1, most: 9, every: true } }))).toBe(true);
  expect(isMet(line({ limit: { least: 2, every: true } }))).toBe(false);
  expect(isMet(line({ limit: { most: 8, every: true } }))).toBe(false);
});

test("memory is held at its largest, and everything must hold at once", () => {
  const limit = { most: 5 };
  expect(isMet(line({ limit, memory: { mb: [100, 400, 200], below: 401 } }))).toBe(true);
  expect(isMet(line({ limit, memory: { mb: [100, 400, 200], below: 400 } }))).toBe(false);
  expect(isMet(line({ limit, memory: { mb: [100, 400, 200], most: 399 } }))).toBe(false);
  expect(isMet(line({ limit, besides: [{ text: "2 left", ok: false }] }))).toBe(false);
  expect(isMet(line({ memory: { mb: [100] } }))).toBeNull();
});

test("what was not measured is neither met nor missed; a limit without figures is missed", () => {
  expect(isMet(line({ limit: { least: 4 }, values: [], skipped: "no compiler" }))).toBeNull();
  expect(isMet(line({ limit: { least: 4 }, values: [] }))).toBe(false);
  expect(isMet(line({ limit: { most: 4 }, values: [Number.NaN] }))).toBe(false);
  expect(isMet(line({ limit: { most: 4, every: true }, values: [] }))).toBe(false);
  expect(isMet(line({}))).toBeNull();
});
