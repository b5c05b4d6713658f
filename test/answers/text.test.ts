import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cutBetweenWords,
  cutExactly,
  cutText,
  makeWellFormed,
  quoteBriefly,
  wholeWords,
} from "../../src/answers/text.ts";

test("a lone surrogate becomes U+FFFD, everything else stays", () => {
  expect(makeWellFormed("a\ud800b\udc00")).toBe("a\ufffdb\ufffd");
  expect(makeWellFormed("😀\u2028\u0085")).toBe("😀\u2028\u0085");
});

test("a cut never splits a character", () => {
  expect(cutText("ab😀", 3)).toBe("ab…");
  expect(cutText("ab😀", 4)).toBe("ab😀");
  expect(cutExactly("ab😀c", 4)).toBe("ab😀");
  expect(cutExactly("😀", 0)).toBe("");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, units) => {
      const cut = cutExactly(text, units);
      expect(cut.length).toBeLessThanOrEqual(units);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test("a quoted text is one short line", () => {
  expect(quoteBriefly('a"\n\ud800')).toBe('"a\\"\\n\ufffd"');
  expect(quoteBriefly("x".repeat(60))).toBe(`"${"x".repeat(60)}"`);
  // Half of a long word could be half of a key.
  expect(quoteBriefly("x".repeat(1000))).toBe('"…"');
  expect(quoteBriefly(`the key ${"sk-0123456789".repeat(8)}`)).toBe('"the key …"');
});

test("a cut between words leaves no part of a word", () => {
  expect([wholeWords("one tw"), wholeWords("one "), wholeWords("one"), wholeWords("")]).toEqual([
    "one ",
    "one ",
    "",
    "",
  ]);
  expect(cutBetweenWords("one two three", 20)).toBe("one two three");
  expect(cutBetweenWords("one two three", 7)).toBe("one two…");
  expect(cutBetweenWords("one two three", 9)).toBe("one two …");
  expect(cutBetweenWords("onetwothree", 5)).toBe("…");
});
