import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CanonicalError,
  canonicalJson,
  canonicalNumber,
  compareCodePoints,
} from "../../src/answers/canonical.ts";
import { parseJson } from "../../src/answers/json.ts";

const fixtures = fileURLToPath(new URL("../fixtures/canonical/", import.meta.url));
const read = (name: string): string => readFileSync(join(fixtures, name), "utf8");
const documents = JSON.parse(read("documents.json")) as {
  name: string;
  text: string;
  canonical: string;
  sha256: string;
}[];

const python = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 8))"]).status === 0;
/** Tests against a living Python are skipped where there is none; the committed outputs are tested everywhere. */
const testWithPython = python ? test : test.skip;

describe("the canonical text and digest are Python's", () => {
  test.each(documents.map((document) => [document.name, document] as const))("%s", (_, document) => {
    const text = canonicalJson(parseJson(document.text));
    expect(text).toBe(document.canonical);
    expect(createHash("sha256").update(text, "utf8").digest("hex")).toBe(document.sha256);
  });

  test("for thousands of doubles of every size", () => {
    const lines = read("doubles.tsv").trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(2500);
    const wrong = lines.filter((line) => {
      const [text = "", expected = ""] = line.split("\t");
      return canonicalNumber(text) !== expected;
    });
    expect(wrong).toEqual([]);
  });

  testWithPython("and the committed outputs are what make.py writes (skipped without python3)", () => {
    const folder = mkdtempSync(join(tmpdir(), "bench-canonical-"));
    try {
      execFileSync("python3", [join(fixtures, "make.py"), folder]);
      for (const name of ["documents.json", "doubles.tsv"]) {
        expect(readFileSync(join(folder, name), "utf8") === read(name), name).toBe(true);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  testWithPython("for random documents and doubles of this side (skipped without python3)", () => {
    const texts = [
      ...fc.sample(fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }), { seed: 20260923, numRuns: 1000 }),
      ...fc.sample(fc.dictionary(fc.string({ unit: "binary", maxLength: 3 }), fc.nat()), {
        seed: 20260923,
        numRuns: 500,
      }),
      ...fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { seed: 20260923, numRuns: 2000 }),
    ].map((value) => JSON.stringify(value));
    // One canonical text a line: no line feed stands raw inside JSON.
    const script =
      "import json,sys\nfor line in sys.stdin.buffer.read().decode().split('\\n'):\n" +
      " sys.stdout.buffer.write((json.dumps(json.loads(line),ensure_ascii=False,sort_keys=True,separators=(',',':'))+'\\n').encode())";
    const output = execFileSync("python3", ["-c", script], { input: texts.join("\n") }).toString("utf8");
    const expected = output.split("\n");
    texts.forEach((text, index) => {
      expect(canonicalJson(parseJson(text))).toBe(expected[index]);
    });
  });
});

describe("canonical numbers", () => {
  test("are read back as the same double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = canonicalNumber(Object.is(value, -0) ? "-0.0" : value.toExponential());
        expect(Number(text)).toBe(value);
        expect(text).toMatch(/^-?\d+\.\d+$|^-?\d(?:\.\d+)?e[+-]\d{2,3}$/);
      }),
      { numRuns: 3000 },
    );
  });

  test("that are integers keep every digit", () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(canonicalNumber(String(value))).toBe(String(value));
      }),
    );
  });
});

describe("the order of keys is by code point", () => {
  test("like that of the code points one by one", () => {
    const text = fc.string({ unit: "binary", maxLength: 6 });
    const points = (value: string): number[] => [...value].map((letter) => letter.codePointAt(0) ?? 0);
    fc.assert(
      fc.property(text, text, text, (start, a, b) => {
        const [x, y] = [points(start + a), points(start + b)];
        const at = x.findIndex((point, index) => point !== y[index]);
        const expected = at === -1 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? -1);
        expect(Math.sign(compareCodePoints(start + a, start + b))).toBe(Math.sign(expected));
      }),
      { numRuns: 2000 },
    );
  });

  test("also between the end of the basic plane and what lies beyond", () => {
    const keys = ["\u{10000}", "\uffff", "\ue000", "\ud7ff", "\u{10ffff}", "z", ""];
    expect(keys.sort(compareCodePoints)).toEqual([
      "",
      "z",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "\u{10ffff}",
    ]);
  });
});

describe("without a canonical form", () => {
  test.each([
    ["1e400", "the number 1e400 is too large for a double"],
    ["-1e309", "the number -1e309 is too large for a double"],
    ["1.7976931348623159e308", "the number 1.7976931348623159e308 is too large for a double"],
    ['["\\ud800"]', 'a lone surrogate (half a character) in the text "\\ud800"'],
    ['{"a\\udc00":1}', 'a lone surrogate (half a character) in the text "a\\udc00"'],
    ['"\\ude00\\ud83d"', 'a lone surrogate (half a character) in the text "\\ude00\\ud83d"'],
  ])("%s", (text, message) => {
    expect(() => canonicalJson(parseJson(text))).toThrow(new CanonicalError(message));
  });

  test("a message is short, however long the number", () => {
    expect(() => canonicalNumber(`${"9".repeat(100_000)}.5`)).toThrow(/^.{1,120}$/);
  });
});
