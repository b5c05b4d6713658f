import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameNumber } from "../../src/publish/same-number.ts";

test.each([
  [1, 1, true],
  [0, -0, true],
  [1, 2, false],
  [2 ** 53, 2 ** 53 + 2, false],
  [1e15, 1e15 + 1, false],
  [0.5, 0.5 + 4e-10, true],
  [0.5, 0.5 + 6e-10, false],
  [1, 1 + 9e-10, true],
  [1, 1 + 1.1e-9, false],
  [0, 1e-15, true],
  [0, 1.1e-15, false],
  [-0.3, 0.3, false],
  [1e-5, 1.000001e-5, false],
  [Number.POSITIVE_INFINITY, 1.5, false],
  [Number.NaN, Number.NaN, false],
])("%d and %d are the same: %s", (a, b, same) => {
  expect(isSameNumber(a, b)).toBe(same);
  expect(isSameNumber(b, a)).toBe(same);
});

test("a millionth is always a difference, the last digits never", () => {
  const value = fc.double({ min: 1e-6, max: 1e6, noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(value, (a) => {
      expect(isSameNumber(a, a * (1 + 1e-6))).toBe(false);
      if (!Number.isInteger(a)) expect(isSameNumber(a, a * (1 + 4 * Number.EPSILON))).toBe(true);
    }),
  );
});
