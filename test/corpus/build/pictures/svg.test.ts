// Drawings: the same facts give the same text, and nothing gets in that the renderer would draw wrongly.
import { expect, test } from "vitest";
import {
  circle,
  drawing,
  line,
  polyline,
  rect,
  table,
  text,
} from "../../../../src/corpus/build/pictures/svg.ts";

test("places are rounded to hundredths, and there is no negative zero", () => {
  expect(rect(1 / 3, -0.001, 10.005, 2, "#ffffff")).toBe(
    '<rect x="0.33" y="0" width="10.01" height="2" fill="#ffffff"/>',
  );
});

test("texts are escaped", () => {
  expect(text(0, 0, `<a href="x">&'`)).toContain("&lt;a href=&quot;x&quot;&gt;&amp;'</text>");
});

test.each(["red", "rgb(1,2,3)", "#FFFFFF", '#ffffff"/><script>'])("the colour %s is refused", (color) => {
  expect(() => circle(0, 0, 1, color)).toThrow("is not a colour");
  expect(() => line(0, 0, 1, 1, { color })).toThrow("is not a colour");
  expect(() => text(0, 0, "x", { color })).toThrow("is not a colour");
});

test("a place that is no number is refused", () => {
  expect(() => polyline([[0, Number.NaN]])).toThrow("a drawing has no place NaN");
});

test("a table has a cell and a text for each entry, and its columns stand beside each other", () => {
  const parts = table(
    10,
    20,
    [50, 60],
    [
      ["A", "B"],
      ["1", "2"],
    ],
  );
  expect(parts).toHaveLength(8);
  expect(parts[2]).toContain('x="60" y="20" width="60"');
  expect(drawing(200, 100, parts).match(/<text /g)).toHaveLength(4);
});
