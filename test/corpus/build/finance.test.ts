// The rules of the finance tasks, checked by hand and, where the answer is computed, by other code than the builder's.
import { expect, test } from "vitest";
import { indexed, sectorOf } from "../../../src/corpus/build/finance/employment-sector.ts";

test("an index begins at 100 and has one decimal place", () => {
  expect(indexed([7601, 7664, 5584])).toEqual([100, 100.8, 73.5]);
  expect(() => indexed([])).toThrow(/first value/);
});

test("the rule of thumb knows the deepest fall and the steadiest rise", () => {
  expect(sectorOf([100, 98, 71, 75])).toBe("construction");
  expect(sectorOf([100, 104, 109, 116])).toBe("education-and-health");
});
