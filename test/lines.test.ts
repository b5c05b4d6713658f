import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeUtf8, splitLines } from "../src/lines.ts";

const lines = (text: string | Uint8Array): [number, string | null][] =>
  [...splitLines(typeof text === "string" ? Buffer.from(text) : text)].map((line) => [
    line.number,
    decodeUtf8(line.bytes),
  ]);

describe("lines", () => {
  test.each<[string, string, string[]]>([
    ["of nothing", "", []],
    ["of a line feed", "\n", [""]],
    ["with a last line feed", "a\nb\n", ["a", "b"]],
    ["without a last line feed", "a\nb", ["a", "b"]],
    ["that are empty", "\n\na\n\n", ["", "", "a", ""]],
    ["keep their carriage returns", "a\r\nb\rc\r", ["a\r", "b\rc\r"]],
    [
      "end at no other separator",
      "a\u2028b\u2029c\u0085d\u000be\u000cf\u001eg\u0000h\n",
      ["a\u2028b\u2029c\u0085d\u000be\u000cf\u001eg\u0000h"],
    ],
    ["keep a byte order mark", "\ufeffa\n\ufeff\n", ["\ufeffa", "\ufeff"]],
  ])("%s", (_, text, expected) => {
    expect(lines(text)).toEqual(expected.map((line, index) => [index + 1, line]));
  });

  test("are the parts between line feeds, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant(10), fc.integer({ min: 0, max: 255 }))), (numbers) => {
        const bytes = Uint8Array.from(numbers);
        const parts = [...splitLines(bytes)].map((line) => [...line.bytes]);
        const joined = parts.flatMap((part, index) => (index === 0 ? part : [10, ...part]));
        expect(numbers.at(-1) === 10 ? [...joined, 10] : joined).toEqual(numbers);
        expect(parts.flat()).not.toContain(10);
      }),
      { numRuns: 500 },
    );
  });

  test("share the memory of the file", () => {
    const bytes = Buffer.from("a\nb\n");
    for (const line of splitLines(bytes)) expect(line.bytes.buffer).toBe(bytes.buffer);
  });
});

describe("UTF-8", () => {
  test.each<[string, number[]]>([
    ["a byte that begins nothing", [0x61, 0xff]],
    ["a continuation without a beginning", [0x80]],
    ["a character that is cut", [0xe2, 0x82]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["more than the last code point", [0xf4, 0x90, 0x80, 0x80]],
    ["UTF-16 with its mark", [0xff, 0xfe, 0x61, 0x00]],
    ["Latin-1", [0xe9, 0x74, 0xe9]],
  ])("%s is refused, and nothing of it stays behind", (_, bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeNull();
    expect(decodeUtf8(Buffer.from("é"))).toBe("é");
    expect(decodeUtf8(Buffer.from("\ufeffa"))).toBe("\ufeffa");
  });

  test("every well-formed text comes back as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(decodeUtf8(Buffer.from(text, "utf8"))).toBe(text.toWellFormed());
      }),
      { numRuns: 1000 },
    );
  });
});
