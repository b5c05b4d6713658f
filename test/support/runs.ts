// The runs that several tests look at: one whole with every kind of row, one under way.
import { finished, result, started, type TestWorkspace } from "./workspace.ts";

/** `whole` and `under-way`. */
export function addTwoRuns(test: TestWorkspace): void {
  test.addRun("whole", {
    results: [
      result({
        row: "a-1",
        gold: "yes",
        label: "yes",
        probabilities: [
          ["yes", 0.75],
          ["no", 0.25],
        ],
        ms: 100,
      }),
      result({
        row: "a-2",
        gold: "no",
        label: "yes",
        probabilities: [
          ["yes", 1],
          ["no", 0],
        ],
        ms: 200,
      }),
      result({
        row: "a-3",
        gold: "no",
        label: null,
        status: "429",
        ms: 900,
        attempts: [finished({ id: "t1", row: "a-3", status: "429", cost: null, input: null, output: null })],
      }),
      result({
        row: "b-1",
        gold: "2",
        label: "2",
        probabilities: [
          ["10", 0.1],
          ["2", 0.6],
          ["__proto__", 0.2],
          ["constructor", 0.1],
        ],
        ms: 300,
        attempts: [
          finished({ id: "t2", row: "b-1", status: "500", cost: null, input: 7, output: 0 }),
          finished({ id: "t3", row: "b-1", number: 2, cost: 0.002, basis: "provider_reported", cached: 4 }),
        ],
      }),
      result({ row: "b-2", gold: "__proto__", label: null, probabilities: null, ms: 400 }),
      result({
        row: "b-3",
        gold: "10",
        label: "constructor",
        probabilities: [
          ["2", 0.3],
          ["constructor", 0.3],
          ["10", 0.4],
          ["__proto__", 0],
        ],
        ms: 500,
      }),
    ],
    attempts: [
      started({ id: "t1", row: "a-3" }),
      finished({ id: "t1", row: "a-3", status: "429", cost: null, input: null, output: null }),
    ],
  });
  test.addRun("under-way", {
    run: { status: "running" },
    results: [
      result({ row: "a-1", gold: "yes", label: "no", attempts: [finished({ id: "u1", row: "a-1" })] }),
    ],
    attempts: [
      started({ id: "u1", row: "a-1" }),
      finished({ id: "u1", row: "a-1" }),
      started({ id: "u2", row: "a-2" }),
    ],
  });
}
