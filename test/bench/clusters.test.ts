// The data that intervals are measured on have the true values that they claim.
import { expect, test } from "vitest";
import { type Population, simulate, type TaskCounts } from "../../bench/clusters.ts";

const POPULATION: Population = {
  name: "made for this test",
  a: [0.92, 1.4050715603096327],
  b: [0.75, 0.6744897501960817],
  taskSpread: 0.8,
  taskCorrelation: 0.75,
  rowCorrelation: 0.5,
};
/** The mean over tasks, and its standard error. */
function meanOf(counts: readonly TaskCounts[], share: (task: TaskCounts) => number): [number, number] {
  const values = counts.map(share);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return [mean, Math.sqrt(squares) / values.length];
}

test("the accuracies over many tasks are the stated ones, and models share what is hard", () => {
  const counts = [...simulate(POPULATION, 20, 1000, "seed")];
  expect(counts).toHaveLength(20_000);
  const [a, errorA] = meanOf(counts, ({ both, aOnly, rows }) => (both + aOnly) / rows);
  const [b, errorB] = meanOf(counts, ({ both, bOnly, rows }) => (both + bOnly) / rows);
  expect(Math.abs(a - POPULATION.a[0])).toBeLessThan(4 * errorA);
  expect(Math.abs(b - POPULATION.b[0])).toBeLessThan(4 * errorB);
  expect(errorA).toBeLessThan(0.002);
  const [both] = meanOf(counts, (task) => task.both / task.rows);
  expect(both).toBeGreaterThan(a * b + 0.02);
  const sizes = counts.map(({ rows }) => rows);
  expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([10, 60]);
  for (const task of counts) {
    expect(task.both + task.aOnly + task.bOnly).toBeLessThanOrEqual(task.rows);
  }
});

test("the same seed gives the same data, another one others", () => {
  const make = (seed: string): TaskCounts[] => [...simulate(POPULATION, 7, 3, seed)];
  expect(make("x")).toEqual(make("x"));
  expect(make("x")).not.toEqual(make("y"));
});
