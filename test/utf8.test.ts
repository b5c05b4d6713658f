import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeUtf8 } from "../src/utf8.ts";

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
