import { expect, test } from "vitest";
import { textOf } from "../../reports/components/arrow-text.ts";

const kind = (name: string) => ({ toString: () => name });

test("a time keeps its microseconds", () => {
  const type = kind("Timestamp<MICROSECOND>");
  const whole = Date.UTC(2024, 0, 1);
  expect(textOf(whole, type)).toBe("2024-01-01T00:00:00.000Z");
  expect(textOf(whole + 123.456, type)).toBe("2024-01-01T00:00:00.123456Z");
  expect(textOf(whole + 0.001, type)).toBe("2024-01-01T00:00:00.000001Z");
  expect(textOf(-0.5, type)).toBe("1969-12-31T23:59:59.999500Z");
});

test("a value of an ENUM, of which the word did not come along, is not shown as NULL", () => {
  expect(() => textOf(null, kind("Dictionary<Uint8, Utf8>"))).toThrow(TypeError);
  expect(textOf(null, kind("Utf8"))).toBeNull();
});
