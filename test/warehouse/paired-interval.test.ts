// The interval of a difference within one task, against the formula of its source.
import seedrandom from "seedrandom";
import { expect, test } from "vitest";
import { type Opened, open } from "../support/query.ts";
import { makeWorkspace } from "../support/workspace.ts";

interface Interval {
  readonly [column: string]: number | null;
  readonly a: number;
  readonly b: number;
  readonly n: number;
  readonly low: number;
  readonly high: number;
}

/** The intervals of all splits of n rows, for every n from one to another. */
const all = ({ rows }: Opened, from: number, to: number): Promise<Interval[]> =>
  rows<Interval>(
    `SELECT a, b, n, paired_low(a, b, n) AS low, paired_high(a, b, n) AS high
     FROM range(${from}, ${to + 1}) AS n(n), range(${to + 1}) AS a(a), range(${to + 1}) AS b(b) WHERE a + b <= n`,
  );

/** From the shares of the four cells, a half added to each. */
function expected(a: number, b: number, n: number): [low: number, high: number] {
  const cells = [a, b, 0, n - a - b].map((count) => count + 0.5);
  const whole = cells.reduce((sum, count) => sum + count, 0);
  const [p = 0, q = 0] = cells.map((count) => count / whole);
  const radius = 1.96 * Math.sqrt((p + q - (p - q) ** 2) / whole);
  return [Math.max(-1, p - q - radius), Math.min(1, p - q + radius)];
}

test("the ends are those of the formula, ordered, in range, mirrored to the last bit and without a sign of zero", async () => {
  const found = await all(await open(makeWorkspace()), 1, 24);
  expect(found).toHaveLength(2924);
  const byCounts = new Map(found.map((one) => [`${one.a} ${one.b} ${one.n}`, one]));
  let clamped = 0;
  for (const { a, b, n, low, high } of found) {
    const [wantLow, wantHigh] = expected(a, b, n);
    expect(low).toBeCloseTo(wantLow, 12);
    expect(high).toBeCloseTo(wantHigh, 12);
    expect(low).toBeLessThan(high);
    const back = byCounts.get(`${b} ${a} ${n}`);
    expect([low, high]).toStrictEqual([0 - (back?.high ?? 0), 0 - (back?.low ?? 0)]);
    expect(Object.is(low, -0) || Object.is(high, -0)).toBe(false);
    if (high === 1) clamped += 1;
  }
  expect(clamped).toBeGreaterThan(0);
});

test("worked by hand, and NULL without rows", async () => {
  const { rows } = await open(makeWorkspace());
  // n' = 32, b = 6.5, c = 2.5: 4/32 and 1.96 sqrt(9 - 16/32) / 32.
  expect(await rows("SELECT paired_low(6, 2, 30) AS low, paired_high(6, 2, 30) AS high")).toEqual([
    {
      low: expect.closeTo(0.125 - (1.96 * Math.sqrt(8.5)) / 32, 14),
      high: expect.closeTo(0.125 + (1.96 * Math.sqrt(8.5)) / 32, 14),
    },
  ]);
  expect(await rows("SELECT paired_low(0, 0, 0) AS low, paired_high(0, 0, 0) AS high")).toEqual([
    { low: null, high: null },
  ]);
});

test("of 30 rows about 95 in 100 intervals hold the true difference", async () => {
  const found = await all(await open(makeWorkspace()), 30, 30);
  const byCounts = new Map(found.map(({ a, b, low, high }) => [`${a} ${b}`, [low, high] as const]));
  const random = seedrandom("20260923");
  for (const [p, q] of [
    [0.1, 0.1],
    [0.2, 0.1],
    [0.25, 0.05],
    [0.3, 0.3],
    [0.4, 0.2],
  ] as const) {
    const draws = 4000;
    let held = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      let a = 0;
      let b = 0;
      for (let row = 0; row < 30; row += 1) {
        const u = random();
        if (u < p) a += 1;
        else if (u < p + q) b += 1;
      }
      const [low, high] = byCounts.get(`${a} ${b}`) ?? [1, -1];
      if (low <= p - q && p - q <= high) held += 1;
    }
    expect(held / draws, `${p} ${q}`).toBeGreaterThan(0.93);
    expect(held / draws, `${p} ${q}`).toBeLessThan(0.99);
  }
});
