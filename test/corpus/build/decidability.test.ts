// The check that a label can be had from the state, on cases whose outcome is known by hand.
import { describe, expect, test } from "vitest";
import { decidability } from "../../../src/corpus/build/decidability.ts";
import type { FactStore } from "../../../src/corpus/build/sources.ts";
import type { Candidate, Decision, Task } from "../../../src/corpus/build/task.ts";

const FACTS: FactStore = {
  sources: new Map(),
  read: () => {
    throw new Error("no facts here");
  },
};
const OPTIONS = [
  ["a", "first"],
  ["b", "second"],
] as const;

function task(decision: Decision | undefined): Task {
  return {
    id: "T-1",
    name: "t",
    shape: "classify",
    ask: "?",
    instruction: "i",
    modality: "text",
    options: OPTIONS,
    listed: false,
    labelOrigin: "recorded",
    contamination: "low",
    sources: ["s"],
    rows: 20,
    chosen: "c",
    changed: "c",
    candidates: () => [],
    ...(decision === undefined ? {} : { decision }),
  };
}

function candidate(index: number, gold: string, state: Candidate["state"], group?: string): Candidate {
  return {
    key: `k${index}`,
    recordId: `k${index}`,
    stratum: gold,
    title: "t",
    state,
    gold,
    rationale: "r",
    difficulty: "easy",
    originalLabel: gold,
    ...(group === undefined ? {} : { group }),
  };
}

const many = (
  state: (index: number, gold: string) => Candidate["state"],
  group?: (index: number) => string,
) =>
  Array.from({ length: 40 }, (_, i) => {
    const gold = i % 2 === 0 ? "a" : "b";
    return candidate(i, gold, state(i, gold), group?.(i));
  });

const byEverything: Decision = {
  by: "neighbours",
  features: (state) => state as Record<string, never>,
  says: "Everything.",
};

describe("neighbours", () => {
  test.each([
    ["numbers", (i: number, gold: string) => ({ x: (gold === "a" ? 0 : 1e6) + (i % 3) })],
    ["words", (_: number, gold: string) => ({ word: `w${gold}` })],
    ["lists", (i: number, gold: string) => ({ list: [`n${i}`, `x${gold}`, `y${gold}`] })],
    ["what is missing", (i: number, gold: string) => ({ x: gold === "a" ? null : i })],
  ])("find what %s tell apart", (_, state) => {
    const cases = many(state);
    expect(decidability(task(byEverything), cases, [], FACTS)).toMatchObject({
      by: "neighbours",
      right: 40,
      cases: 40,
      chance: 0.5,
    });
  });

  test("a state that says nothing is no better than chance", () => {
    const found = decidability(
      task(byEverything),
      many(() => ({ same: 1 })),
      [],
      FACTS,
    );
    expect(found?.p).toBeGreaterThan(0.05);
  });

  test("one long tail does not hide the other feature", () => {
    const cases = many((i, gold) => ({ tail: i === 39 ? 1e12 : i % 7, x: gold === "a" ? 0 : 1 }));
    expect(decidability(task(byEverything), cases, [], FACTS)?.right).toBe(40);
  });

  test("a case's own group does not vote", () => {
    // Every group holds both twins of one answer, which are alike; between groups nothing is alike.
    const cases = many(
      (i) => ({ word: `g${Math.floor(i / 4) * 2 + (i % 2)}` }),
      (i) => `g${Math.floor(i / 4) * 2 + (i % 2)}`,
    );
    expect(decidability(task(byEverything), cases, [], FACTS)?.p).toBeGreaterThan(0.01);
  });

  test("as many of every answer are compared, so that a common one gains nothing", () => {
    const cases = [
      ...Array.from({ length: 60 }, (_, i) => candidate(i, "a", { same: 1, n: i })),
      ...Array.from({ length: 12 }, (_, i) => candidate(100 + i, "b", { same: 1, n: i })),
    ];
    expect(decidability(task(byEverything), cases, [], FACTS)?.cases).toBe(24);
  });
});

describe("a rule", () => {
  const decision: Decision = {
    by: "rule",
    decide: (state, options, { drawing }) => {
      const { x } = state as { x: string };
      return options.has(x) && drawing === null ? x : null;
    },
    says: "x.",
  };
  test("is run over the chosen rows alone, and sees the state as JSON, the options and the drawing", () => {
    const chosen = [
      candidate(1, "a", { x: "a" }),
      candidate(2, "b", { x: "a" }),
      candidate(3, "b", { x: "c" }),
    ];
    const found = decidability(
      task(decision),
      many(() => ({ x: "z" })),
      chosen,
      FACTS,
    );
    expect(found).toMatchObject({ by: "rule", right: 1, cases: 3, chance: 0.5 });
    expect(found?.p).toBeCloseTo(7 / 8, 12);
  });
});

test("a task without a check has no figure", () => {
  expect(decidability(task(undefined), [], [], FACTS)).toBeNull();
});
