// The jackknife over tasks against a loop that leaves one task after the other out.
import fc from "fast-check";
import { expect, test } from "vitest";
import { open } from "../support/query.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** The rows of every task, each with its difference: 1, 0 or -1. */
type Tasks = readonly (readonly number[])[];

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

function leaveOneOut(tasks: Tasks): number {
  const whole = mean(tasks.flat());
  const squares = tasks.map((_, g) => (mean(tasks.filter((_, i) => i !== g).flat()) - whole) ** 2);
  return Math.sqrt(((tasks.length - 1) / tasks.length) * squares.reduce((sum, x) => sum + x, 0));
}

function errorSql(tasks: Tasks): string {
  const sums = tasks.map((rows) => rows.reduce((sum, x) => sum + x, 0));
  const sizes = tasks.map((rows) => rows.length);
  const total = (values: number[]): number => values.reduce((sum, x) => sum + x, 0);
  return `jackknife_error([${sums}]::BIGINT[], [${sizes}]::BIGINT[], ${total(sums)}::BIGINT, ${total(sizes)}::BIGINT)`;
}

test("the standard error is that of leaving out whole tasks", async () => {
  const { rows } = await open(makeWorkspace());
  const task = fc.oneof(
    fc.array(fc.constantFrom(-1, 0, 1), { minLength: 1, maxLength: 6 }),
    fc.array(fc.constantFrom(-1, 0, 1), { minLength: 20, maxLength: 60 }),
    fc
      .integer({ min: 1, max: 40 })
      .chain((n) => fc.constantFrom(-1, 0, 1).map((d) => Array<number>(n).fill(d))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(task, { minLength: 2, maxLength: 36 }), async (tasks) => {
      const [found] = await rows<{ se: number }>(`SELECT ${errorSql(tasks)} AS se`);
      const exact = leaveOneOut(tasks);
      expect(Math.abs((found?.se ?? Number.NaN) - exact)).toBeLessThanOrEqual(1e-12 * exact + 1e-15);
    }),
    { numRuns: 100 },
  );
});

test("tasks of one share have no error at all, and one task has none that is known", async () => {
  const { rows } = await open(makeWorkspace());
  const thirds = [
    [1, 0, 0],
    [1, 0, 0, 1, 0, 0],
    [0, 0, 1, 0, 1, 0, 0, 1, 0],
  ];
  expect(
    await rows(
      `SELECT ${errorSql(thirds)} AS alike, ${errorSql([[1, 1], [1]])} AS whole, ${errorSql([[0], [0, 0]])} AS none, ${errorSql([[1, 0]])} AS one`,
    ),
  ).toEqual([{ alike: 0, whole: 0, none: 0, one: null }]);
  expect(
    await rows(
      "SELECT jackknife_p(0.0, 0.0, 2) AS zero, jackknife_p(0.1, 0.0, 2) AS alike, jackknife_p(0.1, NULL, 1) AS one, jackknife_p(0.0, NULL, 1) AS none",
    ),
  ).toEqual([{ zero: 1, alike: 0, one: null, none: null }]);
});
