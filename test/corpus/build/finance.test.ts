// The rules of the finance tasks, checked by hand and, where the answer is computed, by other code than the builder's.
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainState } from "../../../src/corpus/build/decidability.ts";
import { indexed, sectorOf } from "../../../src/corpus/build/finance/employment-sector.ts";
import { compareAmounts, ledgerMatch } from "../../../src/corpus/build/finance/ledger-match.ts";
import { receiptsLine } from "../../../src/corpus/build/finance/receipts-line.ts";
import { openSources } from "../../../src/corpus/build/sources.ts";
import { packageRoot } from "../../../src/workspace.ts";
import { ledgerMatch as decidedAgain } from "./ledger-rule.ts";

const facts = openSources(join(packageRoot, "data"));

test("an index begins at 100 and has one decimal place", () => {
  expect(indexed([7601, 7664, 5584])).toEqual([100, 100.8, 73.5]);
  expect(() => indexed([])).toThrow(/first value/);
});

test("the rule of thumb knows the deepest fall and the steadiest rise", () => {
  expect(sectorOf([100, 98, 71, 75])).toBe("construction");
  expect(sectorOf([100, 104, 109, 116])).toBe("education-and-health");
});

test("no account of a receipts line names its line, or never moved money", () => {
  const candidates = receiptsLine.candidates(facts);
  expect(candidates.length).toBeGreaterThan(80);
  for (const candidate of candidates) {
    const shown = JSON.stringify(plainState(candidate));
    expect(shown, candidate.key).not.toMatch(/excise|miscellaneous|other retirement/i);
    expect(shown, candidate.key).toMatch(/":-?[1-9]/);
  }
});

test.each([
  [12_345n, 2, 1_234_500n, "match"],
  [12_345n, 0, 1_234_500n, "hundredfold"],
  [12_345n, 3, 1_234_500n, "tenfold"],
  [12_345n, 2, 1_243_500n, "other-amount"],
  [12_345n, 0, 123_450_000n, "match"],
])("%d minor units of %d places against %d: %s", (minor, places, ledger, finding) => {
  expect(compareAmounts(minor, places, ledger)).toBe(finding);
});

test("every candidate of the ledger is decided alike by other code", () => {
  const candidates = ledgerMatch.candidates(facts);
  expect(candidates).toHaveLength(5 * 43);
  for (const candidate of candidates) {
    expect(decidedAgain(plainState(candidate) as never), candidate.key).toBe(candidate.gold);
  }
});

test("no account of the receipts is a levy on a trade that is filed as miscellaneous", () => {
  const accounts = receiptsLine.candidates(facts).filter(({ gold }) => gold === "miscellaneous");
  expect(accounts.length).toBeGreaterThan(5);
  expect(accounts.filter(({ title }) => /Housing Program/.test(title))).toEqual([]);
});
