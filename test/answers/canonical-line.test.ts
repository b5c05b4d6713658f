import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/answers/canonical.ts";
import { canonicalLine } from "../../src/answers/canonical-line.ts";
import { parseJson } from "../../src/answers/json.ts";

const slow = (text: string): string => canonicalJson(parseJson(text));
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

/** What the strict parser says of a text: its canonical form, or that it has none. */
function outcome(text: string): string | null {
  try {
    return slow(text);
  } catch {
    return null;
  }
}

/** The quick way may pass a text on, but never say anything else than the strict one. */
function agrees(text: string): boolean {
  const quick = canonicalLine(text);
  return quick === null || quick === outcome(text);
}

test("rows of real corpora take the quick way, and come out the same", () => {
  for (const path of [
    "../fixtures/oracle/data/corpus/oracle-1/cases.jsonl",
    "../../data/corpus/bench-v4/cases.jsonl",
  ]) {
    const lines = read(path).trimEnd().split("\n");
    const quick = lines.filter((line) => canonicalLine(line) !== null);
    expect(quick.length, path).toBeGreaterThan(lines.length / 3);
    expect(lines.filter((line) => !agrees(line))).toEqual([]);
  }
});

test("the documents whose canonical form Python wrote", () => {
  const documents = JSON.parse(read("../fixtures/canonical/documents.json")) as { text: string }[];
  expect(documents.filter(({ text }) => !agrees(text))).toEqual([]);
});

test("numbers in every form", () => {
  for (const text of [
    ...["0", "-0", "1", "-1", "1.0", "-0.0", "1.50", "0.00001", "0.0001", "12345678901234567890.0"],
    ...["1e5", "1E400", "-1e-7", "00", "01", "1.", ".5", "-", "+1", "1 2", "0x10", "NaN", "Infinity"],
    ...[
      "9007199254740993",
      "123456789012345678901234567890",
      "0.1234567890123456789",
      `${"9".repeat(400)}.5`,
    ],
  ]) {
    expect(agrees(text), text).toBe(true);
    expect(agrees(`{"a":[${text}]}`), text).toBe(true);
  }
  expect(canonicalLine("[1.0,-0,0.00001,1.50]")).toBe("[1.0,0,1e-05,1.5]");
});

test("keys are sorted by code point without their quotes; repeated ones are not decided here", () => {
  expect(canonicalLine('{"a!":1,"a":2,"a b":3,"B":4,"":5}')).toBe('{"":5,"B":4,"a":2,"a b":3,"a!":1}');
  expect(canonicalLine('{"ä":1,"z":2,"__proto__":3,"10":4,"9":5}')).toBe(
    '{"10":4,"9":5,"__proto__":3,"z":2,"ä":1}',
  );
  expect(canonicalLine('{"a":1,"b":2,"a":3}')).toBeNull();
  expect(canonicalLine('{ "b" : [ 1 , 2 ] , "a" : { } , "c" : [ ] }')).toBe('{"a":{},"b":[1,2],"c":[]}');
});

test("what is no JSON is passed on", () => {
  for (const text of [
    ...[
      "",
      " ",
      "{",
      "}",
      "[1,]",
      "[,1]",
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      "{a:1}",
      '"a',
      "tru",
      "nul",
      "truefalse",
    ],
    ...[
      "[1]]",
      '{"a":1}}',
      '"a" "b"',
      "[1 2]",
      '{"a" 1}',
      "'a'",
      "\ufeff1",
      "[1]\t",
      '"\\ud800"',
      '"\ud800"',
    ],
    `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  ]) {
    expect(canonicalLine(text), text.slice(0, 20)).toBeNull();
  }
});

test("documents of any kind, written compactly or with spaces, and texts that were cut or changed", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), fc.string({ maxLength: 2 }), (json, place, put) => {
      const spaced = JSON.stringify(JSON.parse(json), null, 1).replaceAll("\n", "");
      const i = place % (json.length + 1);
      return (
        agrees(json) &&
        agrees(spaced) &&
        agrees(json.slice(0, i)) &&
        agrees(json.slice(0, i) + put + json.slice(i + 1))
      );
    }),
    { numRuns: 3000 },
  );
});
