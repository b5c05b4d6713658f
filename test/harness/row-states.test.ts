// The counts agree with a plain map, in whatever order results come and are asked for.
import fc from "fast-check";
import { expect, it } from "vitest";
import { RowStates } from "../../src/harness/row-states.ts";

const IDS = ["a", "b", "c", "d", "__proto__"];

it("counts what a map of the latest results holds", () => {
  const result = fc.record({
    id: fc.constantFrom(...IDS, "unknown"),
    status: fc.constantFrom("ok", "ok", "500", "invalid_output", "__proto__"),
    right: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(result), (results) => {
      const states = new RowStates(IDS);
      const latest = new Map<string, { status: string; right: boolean }>();
      for (const { id, status, right } of results) {
        expect(states.set(id, status, right)).toBe(IDS.includes(id));
        if (IDS.includes(id)) latest.set(id, { status, right });
        for (const asked of [...IDS, "unknown"]) {
          expect(states.status(asked)).toBe(latest.get(asked)?.status);
        }
      }
      const all = [...latest.values()];
      expect({ ...counts(states) }).toEqual({
        selected: IDS.length,
        finished: all.length,
        correct: all.filter(({ right }) => right).length,
        errors: all.filter(({ status }) => status !== "ok").length,
      });
    }),
  );
});

function counts({ selected, finished, correct, errors }: RowStates) {
  return { selected, finished, correct, errors };
}
