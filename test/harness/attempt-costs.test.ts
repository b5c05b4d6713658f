// Every attempt counts once, whatever its id looks like and however many there are.
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { AttemptCosts } from "../../src/harness/attempt-costs.ts";

const id = fc.oneof(
  fc.uuid(),
  // Ids that differ in a few bits at one end or in the middle, and the one without any.
  fc.nat(5).map((n) => `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`),
  fc.nat(5).map((n) => `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`),
  fc.nat(5).map((n) => `00000000-000${n}-0000-${n}000-000000000000`),
  fc.constantFrom("", "a", "00000000-0000-0000-0000-00000000000G", "FFFFFFFF-0000-4000-8000-000000000000"),
);

it("sums what a map by id would", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.integer({ min: 0, max: 8 })), { maxLength: 200 }), (added) => {
      const costs = new AttemptCosts();
      const expected = new Map<string, number>();
      for (const [attempt, eighths] of added) {
        const usd = eighths / 8;
        costs.add(attempt, usd);
        if (usd !== 0 && !expected.has(attempt)) expected.set(attempt, usd);
      }
      expect(costs.sum).toBe([...expected.values()].reduce((sum, usd) => sum + usd, 0));
    }),
  );
});

it("keeps a hundred thousand apart, counted up or drawn", () => {
  const costs = new AttemptCosts();
  const ids = Array.from({ length: 50_000 }, (_, n) => [
    randomUUID(),
    `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`,
  ]).flat();
  for (const round of [1, 2]) {
    for (const one of ids) costs.add(one, 0.5);
    expect(costs.sum, `round ${round}`).toBe(50_000);
  }
});
