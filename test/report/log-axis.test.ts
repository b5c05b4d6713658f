// Labels of a logarithmic axis have room, show the scale and are round.
import fc from "fast-check";
import { expect, test } from "vitest";
import { logAxis } from "../../reports/components/log-axis.ts";

const text = (amount: number): string => `$${Number(amount.toPrecision(3))}`;

test.each([
  { amounts: [0.0764, 0.0772], width: 960 },
  { amounts: [0.0764, 0.0772], width: 240 },
  { amounts: [1], width: 240 },
  { amounts: [0.042, 0.42, 3, 17], width: 240 },
  { amounts: [1e-6, 1e4], width: 240 },
])("$amounts over $width pixels have at least three labels", ({ amounts, width }) => {
  expect(logAxis(amounts, width, text).ticks.length).toBeGreaterThanOrEqual(3);
});

test("labels that go by one, two, five stay so", () => {
  expect(logAxis([0.1, 10], 960, text).ticks).toEqual([0.1, 0.2, 0.5, 1, 2, 5, 10]);
  expect(logAxis([0.1, 10], 220, text).ticks).toEqual([0.1, 0.3, 1, 3, 10]);
});

test("no two labels touch or read alike, and all lie on the axis", () => {
  const amount = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(amount, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 200, max: 1200 }),
      (amounts, width) => {
        const { domain, ticks } = logAxis(amounts, width, text);
        const [low, high] = domain;
        const place = (tick: number): number => (Math.log(tick / low) / Math.log(high / low)) * width;
        expect(ticks.length).toBeGreaterThan(0);
        for (const [i, tick] of ticks.entries()) {
          expect(tick).toBeGreaterThanOrEqual(low);
          expect(tick).toBeLessThanOrEqual(high);
          const before = ticks[i - 1];
          if (before === undefined) continue;
          expect(text(tick)).not.toBe(text(before));
          expect(place(tick) - place(before)).toBeGreaterThan(
            ((text(tick).length + text(before).length) / 2) * 6.6,
          );
        }
      },
    ),
  );
});
