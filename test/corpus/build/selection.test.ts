import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawingOrder, selectCandidates } from "../../../src/corpus/build/selection.ts";
import type { Candidate } from "../../../src/corpus/build/task.ts";

function candidate(key: string, stratum: string, extra: Partial<Candidate> = {}): Candidate {
  return {
    key,
    recordId: key,
    stratum,
    title: "t",
    state: { key },
    gold: stratum,
    rationale: "r",
    difficulty: "easy",
    originalLabel: stratum,
    ...extra,
  };
}

const many = Array.from({ length: 60 }, (_, i) => candidate(`k${i}`, ["a", "b", "c"][i % 3] ?? ""));
const rules = { name: "suite/T-1", rows: 12 };
const keys = (chosen: readonly Candidate[]): string[] => chosen.map((c) => c.key);
const count = (chosen: readonly Candidate[], stratum: string): number =>
  chosen.filter((c) => c.stratum === stratum).length;

describe("selectCandidates", () => {
  test("does not depend on the order in which candidates arrive", () => {
    const expected = keys(selectCandidates(many, rules));
    fc.assert(
      fc.property(fc.shuffledSubarray(many, { minLength: many.length }), (shuffled) => {
        expect(keys(selectCandidates(shuffled, rules))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test("takes candidates in SHA-256 order of suite, task and key", () => {
    const chosen = keys(selectCandidates(many, { ...rules, rows: 60 }));
    expect(chosen).toEqual(keys(drawingOrder(many, (c) => `suite/T-1/${c.key}`)));
    expect(chosen).not.toEqual(keys(many));
    expect(keys(selectCandidates(many, { ...rules, name: "suite/T-2", rows: 60 }))).not.toEqual(chosen);
  });

  test("orders by the digest itself", () => {
    // sha256("b") = 3e23…, sha256("a") = ca97…, sha256("c") = 2e7d…
    expect(drawingOrder(["a", "b", "c"], (item) => item)).toEqual(["c", "b", "a"]);
  });

  test("gives every stratum an equal share, and the rest to the first of the strata", () => {
    const even = selectCandidates(many, rules);
    expect(["a", "b", "c"].map((s) => count(even, s))).toEqual([4, 4, 4]);
    const uneven = selectCandidates(many, { ...rules, rows: 13 });
    expect(["a", "b", "c"].map((s) => count(uneven, s)).sort()).toEqual([4, 4, 5]);
  });

  test("keeps to the limit of a group over all strata", () => {
    const grouped = many.map((c, i) => ({ ...c, group: `g${i % 20}` }));
    const chosen = selectCandidates(grouped, { ...rules, perGroup: 1 });
    expect(new Set(chosen.map((c) => c.group)).size).toBe(12);
  });

  test("takes no state twice, whatever the order of its keys", () => {
    const twins = [
      candidate("one", "a", { state: { x: 1, y: 2 } }),
      candidate("two", "a", { state: { y: 2, x: 1 } }),
      candidate("three", "a", { state: { x: 1, y: 3 } }),
    ];
    expect(selectCandidates(twins, { name: "n", rows: 2 })).toHaveLength(2);
    expect(() => selectCandidates(twins, { name: "n", rows: 3 })).toThrow("1 candidates short for a");
  });

  test("refuses a key that stands twice, and a stratum that cannot fill its share", () => {
    expect(() =>
      selectCandidates([candidate("k", "a"), candidate("k", "b")], { name: "n", rows: 2 }),
    ).toThrow("the key k stands twice");
    expect(() => selectCandidates([candidate("k", "a")], { name: "n", rows: 3 })).toThrow(
      "n: 2 candidates short for a",
    );
  });
});
