import { expect, test } from "vitest";
import { renderTable, shorten } from "../../src/commands/table.ts";
import { interval, milliseconds, minute, percent, usd, whole } from "../../src/figures.ts";
import { nearest } from "../../src/nearest.ts";
import { visible } from "../../src/output.ts";

test("tables line up, wide characters too, and end without spaces", () => {
  const table = renderTable(
    [{ head: "name" }, { head: "n", align: "right" }, { head: "" }],
    [
      ["日本", "1", "x"],
      ["ab", "12345", ""],
    ],
  );
  expect(table).toBe("name      n\n日本      1  x\nab    12345\n");
  expect(renderTable([{ head: "a" }], [])).toBe("a\n");
});

test("what is not known is a dash", () => {
  for (const show of [percent, usd, whole, milliseconds, minute]) expect(show(null)).toBe("–");
  expect(interval(null, null)).toBe("–");
});

test("figures", () => {
  expect([1 / 3, 1, 0].map(percent)).toEqual(["33.3 %", "100.0 %", "0.0 %"]);
  expect(interval(0.8867, 0.92177)).toBe("[88.7, 92.2]");
  expect([0, 12.3, 1234.567, 0.5, 0.012345, 0.0000123456, 0.1].map(usd)).toEqual([
    "$0.00",
    "$12.30",
    "$1234.57",
    "$0.50",
    "$0.0123",
    "$0.0000123",
    "$0.10",
  ]);
  expect([0, 1071, 1234567].map(whole)).toEqual(["0", "1,071", "1,234,567"]);
  expect([12.4, 999, 2127.8].map(milliseconds)).toEqual(["12 ms", "999 ms", "2.13 s"]);
  expect(minute("2026-11-01T10:20:30.5Z")).toBe("2026-11-01 10:20");
});

test("texts are made harmless and short without cutting a character", () => {
  expect(visible("a\tb\r\n\u001b[0m\u009b\u2028\u202e\u2066\ufeff é😀")).toBe(
    "a\\tb\\r\\n\\x1b[0m\\x9b\\u2028\\u202e\\u2066\\ufeff é😀",
  );
  expect(shorten("😀😀😀", 3)).toBe("😀😀😀");
  expect(shorten("😀😀😀😀", 3)).toBe("😀😀…");
});

test("the nearest names come first", () => {
  expect(nearest(["alpha", "beta", "gamma", "alpine"], "alpa", 2)).toEqual(["alpha", "alpine"]);
  expect(nearest(["x-beta-1", "alpha"], "beta", 1)).toEqual(["x-beta-1"]);
});
