// McNemar's mid-p against exact rational arithmetic.
import { expect, test } from "vitest";
import { open } from "../support/query.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** A ratio of whole numbers as the nearest double, or nearly: 80 bits of it are kept. */
function ratio(over: bigint, under: bigint): number {
  if (over === 0n) return 0;
  const shift = BigInt(Math.max(0, under.toString(2).length - over.toString(2).length + 80));
  const half = Math.floor(Number(shift) / 2);
  // In two steps, since 2 ** 1100 is no double.
  return Number((over << shift) / under) / 2 ** half / 2 ** (Number(shift) - half);
}

/** 2 P(X <= m) - P(X = m), at most 1, with X binomial of b + c and 1/2, m the smaller of b and c. */
function midP(b: number, c: number): number {
  if (b === c) return 1;
  const [n, m] = [BigInt(b + c), BigInt(Math.min(b, c))];
  let ways = 1n;
  let sum = 1n;
  for (let k = 1n; k <= m; k += 1n) {
    ways = (ways * (n - k + 1n)) / k;
    sum += ways;
  }
  return Math.min(1, ratio(2n * sum - ways, 1n << n));
}

async function found(cases: readonly (readonly [number, number])[]) {
  const { rows } = await open(makeWorkspace());
  const values = cases.map(([b, c], i) => `(${i}, ${b}, ${c})`).join(", ");
  return rows<{ p: number; mirrored: number }>(
    `SELECT mcnemar_mid_p(b::BIGINT, c::BIGINT) AS p, mcnemar_mid_p(c::BIGINT, b::BIGINT) AS mirrored FROM (VALUES ${values}) AS v(i, b, c) ORDER BY i`,
  );
}

test("the mid-p of every b and c up to 40", async () => {
  const cases = Array.from({ length: 41 * 41 }, (_, i) => [Math.floor(i / 41), i % 41] as const);
  (await found(cases)).forEach(({ p, mirrored }, i) => {
    const [b, c] = cases[i] as readonly [number, number];
    const exact = midP(b, c);
    expect(Math.abs(p - exact), `${b} ${c}`).toBeLessThanOrEqual(1e-13 * exact);
    expect(mirrored, `${b} ${c}`).toBe(p);
    expect(p >= 0 && p <= 1, `${b} ${c}`).toBe(true);
  });
});

test("the mid-p of large counts", async () => {
  const cases = [
    [0, 1000],
    [1, 2000],
    [0, 2000],
    [50, 51],
    [99, 140],
    [300, 301],
    [431, 512],
    [700, 900],
    [999, 1000],
    [1000, 1100],
    [1500, 1621],
    [1999, 2000],
    [2000, 2000],
    [2000, 1800],
    [17, 1900],
  ] as const;
  (await found(cases)).forEach(({ p, mirrored }, i) => {
    const [b, c] = cases[i] as readonly [number, number];
    const exact = midP(b, c);
    expect(Math.abs(p - exact), `${b} ${c}`).toBeLessThanOrEqual(1e-10 * exact);
    expect(mirrored, `${b} ${c}`).toBe(p);
  });
});
