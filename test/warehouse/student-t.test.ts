// Student's t against a table, against its own inverse and against a numerical integral of its density.
import fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv } from "../support/published-figures.ts";
import { open } from "../support/query.ts";
import { makeWorkspace } from "../support/workspace.ts";

const TABLE = readCsv(new URL("../fixtures/t_quantiles.csv", import.meta.url));

/**
 * P(|T| <= t) with `df` degrees of freedom: with x = sqrt(df) tan(phi) the density is a constant times cos(phi)^(df - 1),
 * whose integral Simpson's rule gives. The constant is gamma((df + 1) / 2) / gamma(df / 2) * 2 / sqrt(pi), by recursion.
 */
function inside(t: number, df: number): number {
  let ratio = 1 / Math.sqrt(Math.PI);
  for (let n = 1; n < df; n += 1) ratio = n / 2 / ratio;
  const end = Math.atan(t / Math.sqrt(df));
  const panels = 4000;
  const at = (i: number): number => Math.cos((end * i) / panels) ** (df - 1);
  let sum = at(0) + at(panels);
  for (let i = 1; i < panels; i += 1) sum += (i % 2 === 1 ? 4 : 2) * at(i);
  return ((2 / Math.sqrt(Math.PI)) * ratio * sum * end) / panels / 3;
}

/** The t that {@link inside} gives this share, by bisection. */
function quantile(share: number, df: number): number {
  let [low, high] = [0, 20];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (inside(middle, df) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

test("the quantiles for 1 to 200 degrees of freedom are those of the table, to the last bit", async () => {
  const { rows } = await open(makeWorkspace());
  const found = await rows(
    "SELECT df, t_quantile_975(df) AS t975, t_quantile_80(df) AS t80 FROM range(1, 201) AS r(df) ORDER BY df",
  );
  expect(TABLE).toHaveLength(200);
  expect(found).toEqual(
    TABLE.map((line) => ({
      df: Number(line.df),
      t975: Number(line["t_0.975"]),
      t80: Number(line["t_0.80"]),
    })),
  );
  expect(
    await rows("SELECT t_quantile_975(0) AS a, t_quantile_80(0) AS b, t_two_sided(1.0, 0) AS c"),
  ).toEqual([{ a: null, b: null, c: null }]);
});

test("the expansion beyond joins the table and agrees with the integral", async () => {
  const { rows } = await open(makeWorkspace());
  const [edge] = await rows<{ t975: number; t80: number }>(
    "SELECT t_expansion(1.959963984540054::DOUBLE, 200.0::DOUBLE) AS t975, t_expansion(0.8416212335729143::DOUBLE, 200.0::DOUBLE) AS t80",
  );
  expect(Math.abs((edge?.t975 ?? 0) - Number(TABLE.at(-1)?.["t_0.975"]))).toBeLessThan(1e-11);
  expect(Math.abs((edge?.t80 ?? 0) - Number(TABLE.at(-1)?.["t_0.80"]))).toBeLessThan(1e-11);
  const degrees = [201, 202, 250, 399, 1000, 5001, 20_000];
  const found = await rows<{ df: number; t975: number; t80: number }>(
    `SELECT df, t_quantile_975(df) AS t975, t_quantile_80(df) AS t80 FROM (SELECT unnest([${degrees}]) AS df)`,
  );
  expect(found).toHaveLength(degrees.length);
  for (const { df, t975, t80 } of found) {
    expect(Math.abs(t975 - quantile(0.95, df)), `${df}`).toBeLessThan(1e-11);
    expect(Math.abs(t80 - quantile(0.6, df)), `${df}`).toBeLessThan(1e-11);
  }
  // It falls with every degree of freedom, over the joint too.
  const rising = await rows(
    "SELECT df FROM range(1, 1000) AS r(df) WHERE t_quantile_975(df + 1) >= t_quantile_975(df) OR t_quantile_80(df + 1) >= t_quantile_80(df)",
  );
  expect(rising).toEqual([]);
});

test("the two-sided p of a quantile is what the quantile leaves", async () => {
  const { rows } = await open(makeWorkspace());
  // The table itself is up to 1e-8 off the exact quantiles, which is 1e-9 and 2e-9 in the share; the series is not.
  const wrong = await rows(
    `SELECT df FROM range(1, 501) AS r(df)
     WHERE NOT abs(t_two_sided(t_quantile_975(df), df) - 0.05) <= CASE WHEN df <= 200 THEN 1e-9 ELSE 1e-12 END
        OR NOT abs(t_two_sided(t_quantile_80(df), df) - 0.4) <= CASE WHEN df <= 200 THEN 2e-9 ELSE 1e-12 END`,
  );
  expect(wrong).toEqual([]);
  const values = [1, 2, 5, 6, 26, 39, 200].flatMap((df) => [
    [quantile(0.95, df), 0.05, df],
    [quantile(0.6, df), 0.4, df],
  ]);
  const exact = await rows<{ off: number }>(
    `SELECT abs(t_two_sided(t, df) - p) AS off FROM (VALUES ${values.map(([t, p, df]) => `(${t}::DOUBLE, ${p}::DOUBLE, ${df})`)}) AS v(t, p, df)`,
  );
  for (const { off } of exact) expect(off).toBeLessThan(1e-12);
});

test("the two-sided p agrees with the integral for any t and degrees of freedom", async () => {
  const { rows } = await open(makeWorkspace());
  const t = fc.oneof(
    fc.double({ min: 0, max: 8, noNaN: true }),
    fc.double({ min: 0, max: 1e13, noNaN: true }),
    fc.constantFrom(0, 1e-300, 1e-9, 1, 1e13),
  );
  const df = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 400 }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(t, df), { minLength: 1, maxLength: 20 }), async (cases) => {
      const values = cases.map(([t, df], i) => `(${i}, '${t}'::DOUBLE, ${df})`).join(", ");
      const found = await rows<{ p: number; clamped: number }>(
        `SELECT t_two_sided(t, df) AS p, jackknife_p(t, 1.0::DOUBLE, df + 1) AS clamped FROM (VALUES ${values}) AS c(i, t, df) ORDER BY i`,
      );
      found.forEach(({ p, clamped }, i) => {
        const [t, df] = cases[i] as [number, number];
        expect(Math.abs(p - (1 - inside(t, df))), `t ${t}, df ${df}`).toBeLessThanOrEqual(1e-10);
        expect(clamped >= 0 && clamped <= 1, `t ${t}, df ${df}`).toBe(true);
      });
    }),
    { numRuns: 40 },
  );
});
