import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CanonicalError } from "../../src/answers/canonical.ts";
import { parseJson } from "../../src/answers/json.ts";
import { corpusDigest, DigestWriter } from "../../src/corpus/digest.ts";

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
const rows = (...texts: string[]) => texts.map((text) => parseJson(text));

describe("the digest of rows", () => {
  test("is that of their canonical list", () => {
    expect(corpusDigest([])).toBe(sha256("[]"));
    expect(corpusDigest(rows('{"b":1.50,"a":"é"}'))).toBe(sha256('[{"a":"é","b":1.5}]'));
    expect(corpusDigest(rows('{"2":-0,"10":1E5}', "[]"))).toBe(sha256('[{"10":100000.0,"2":0},[]]'));
  });

  test("is the one that Python gives", () => {
    const url = new URL("../fixtures/canonical/documents.json", import.meta.url);
    const documents = JSON.parse(readFileSync(url, "utf8")) as { text: string; sha256: string }[];
    const lists = documents.filter((document) => document.text.startsWith("["));
    expect(lists.length).toBeGreaterThan(2);
    for (const { text, sha256: expected } of lists) {
      const list = parseJson(text);
      expect(Array.isArray(list) && corpusDigest(list)).toBe(expected);
    }
  });

  test("depends on their order, not on white space or the order of keys", () => {
    const digest = corpusDigest(rows('{"a":1,"b":2}', '{"c":3}'));
    expect(corpusDigest(rows(' { "b" : 2,\t"a":1 } ', '{"c":3}'))).toBe(digest);
    expect(corpusDigest(rows('{"c":3}', '{"a":1,"b":2}'))).not.toBe(digest);
    expect(corpusDigest(rows('{"a":1,"b":2}'))).not.toBe(digest);
    expect(corpusDigest(rows('{"a":1,"b":2}', '{"c":3.0}'))).not.toBe(digest);
  });

  test("names every row that has no canonical form", () => {
    const some = rows('{"a":1e999}', '{"a":1}', '"\\ud800"', "2");
    expect(() => corpusDigest(some)).toThrow(CanonicalError);
    const digest = new DigestWriter();
    const refused = some.flatMap((row) => {
      try {
        digest.add(row);
        return [];
      } catch (error) {
        return [String(error)];
      }
    });
    expect(refused).toEqual([
      "CanonicalError: the number 1e999 is too large for a double",
      'CanonicalError: a lone surrogate (half a character) in the text "\\ud800"',
    ]);
    expect(digest.hex()).toBe(sha256('[{"a":1},2]'));
  });
});
