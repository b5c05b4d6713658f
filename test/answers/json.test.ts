import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isJsonObject,
  type Json,
  JsonError,
  JsonNumber,
  lineAndColumn,
  MAX_DEPTH,
  parseJson,
  stringifyJson,
  toPlain,
  type Writable,
} from "../../src/answers/json.ts";

/** JSON.parse as oracle: the value, or that there is none. */
function oracle(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function ours(text: string): { value: unknown } | null {
  try {
    return { value: toPlain(parseJson(text)) };
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

function refusal(text: string): JsonError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text.slice(0, 100)}`);
}

describe("parsing agrees with JSON.parse", () => {
  test("on every document that JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(toPlain(parseJson(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test("on documents with one character changed, left out or put in", () => {
    const letters = '{}[],:"\\/-+.0123456789eEtrufalsn \t\r\n\u0000\u001f\u007f\u00a0\u2028\ufeffé\ud800x';
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.nat(),
        fc.nat(letters.length - 1),
        fc.constantFrom("change", "remove", "insert"),
        (value, place, letter, edit) => {
          const text = JSON.stringify(value, null, place % 2);
          const at = place % (text.length + 1);
          const added = edit === "remove" ? "" : (letters[letter] ?? "");
          const changed = text.slice(0, at) + added + text.slice(edit === "insert" ? at : at + 1);
          const theirs = oracle(changed);
          const mine = ours(changed);
          // A key that stands twice is the one thing that we refuse and JSON.parse does not.
          if (theirs !== null && mine === null) expect(refusal(changed).message).toMatch(/stands twice/);
          else expect(mine).toEqual(theirs);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("on soups of JSON's own tokens", () => {
    const token = fc.constantFrom(
      ...'{ } [ ] , : " \\ \\u0041 \\ud83d \\x - 0 1 01 1. .5 1e5 1E-5 e + true false null tru NaN Infinity a'.split(
        " ",
      ),
      " ",
      "\n",
      '"a"',
      '"b"',
      "\u0001",
      "'",
      "//",
      "/**/",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
        const text = tokens.join("");
        const theirs = oracle(text);
        if (theirs !== null && ours(text) === null) expect(refusal(text).message).toMatch(/stands twice/);
        else expect(ours(text)).toEqual(theirs);
      }),
      { numRuns: 5000 },
    );
  });

  test("on numbers of every form", () => {
    const digits = fc.stringMatching(/^[0-9]{0,3}$/);
    fc.assert(
      fc.property(
        fc.constantFrom("", "-", "+", "--"),
        digits,
        fc.constantFrom("", ".", ".."),
        digits,
        fc.constantFrom("", "e", "E+", "e-", "E"),
        digits,
        (...parts) => {
          const text = parts.join("");
          expect(ours(text)).toEqual(oracle(text));
          expect(ours(`[${text}]`)).toEqual(oracle(`[${text}]`));
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe("what JavaScript objects lose is kept", () => {
  test("the order of keys, whatever they look like", () => {
    const keys = ["10", "2", "__proto__", "constructor", "1", "", "é", "toString", "-0", "2.5"];
    const text = `{${keys.map((key, index) => `${JSON.stringify(key)}:${index}`).join(",")}}`;
    const value = parseJson(text);
    if (!isJsonObject(value)) throw new Error("not an object");
    expect([...value.keys()]).toEqual(keys);
    expect(stringifyJson(value)).toBe(text);
    const plain = toPlain(value) as object;
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
    expect(Object.entries(plain).sort()).toEqual(keys.map((key, index) => [key, index]).sort());
  });

  test("the order of any keys, in a round trip", () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string({ unit: "binary" }), fc.integer()), {
      selector: ([key]) => key,
    });
    fc.assert(
      fc.property(entries, (pairs) => {
        const value = parseJson(stringifyJson(new Map(pairs)));
        expect([...(value as Map<string, Json>).keys()]).toEqual(pairs.map(([key]) => key));
      }),
    );
  });

  test.each([
    "0",
    "-0",
    "-0.0",
    "1.0",
    "1.10",
    "1E5",
    "1e+05",
    "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "1e400",
    "1e-400",
  ])("the text of the number %s", (text) => {
    const value = parseJson(` ${text} `);
    expect(value).toBeInstanceOf(JsonNumber);
    expect((value as JsonNumber).text).toBe(text);
    expect((value as JsonNumber).value).toBe(Number(text));
    expect(stringifyJson({ n: [value] })).toBe(`{"n":[${text}]}`);
  });

  test("lone surrogates, written raw or as escapes; written again as escapes", () => {
    expect(parseJson('"\\ud800"')).toBe("\ud800");
    expect(parseJson('"a\udc00b"')).toBe("a\udc00b");
    expect(parseJson('"\\ude00\\ud83d"')).toBe("\ude00\ud83d");
    expect(parseJson('"\\ud83d\\ude00\\uD83D"')).toBe("😀\ud83d");
    expect(stringifyJson("\ud800")).toBe('"\\ud800"');
  });
});

describe("refused, with what was found and where", () => {
  test.each([
    ['{"a":1,"a":2}', 'the key "a" stands twice in one object at character 8'],
    ['{"a":1,"\\u0061":2}', 'the key "a" stands twice in one object at character 8'],
    [
      '[{"__proto__":1,"b":{},"__proto__":2}]',
      'the key "__proto__" stands twice in one object at character 24',
    ],
    [
      '{"constructor":1, "constructor":2}',
      'the key "constructor" stands twice in one object at character 19',
    ],
    ["\ufeff{}", "expected a JSON value, found a byte order mark at character 1"],
    [" \ufeff{}", 'expected a JSON value, found "\\ufeff" at character 2'],
    ["NaN", 'expected a JSON value, found "N" at character 1'],
    ["[Infinity]", 'expected a JSON value, found "I" at character 2'],
    ["-Infinity", 'expected a JSON value, found "-" at character 1'],
    ["", "expected a JSON value, found the end at character 1"],
    ["  ", "expected a JSON value, found the end at character 3"],
    ["{} {}", '"{" after the end of the JSON value at character 4'],
    ["[1,]", 'expected a JSON value, found "]" at character 4'],
    ['{"a":1,}', 'expected a key in double quotes, found "}" at character 8'],
    ["{a:1}", 'expected a key in double quotes, found "a" at character 2'],
    ["{'a':1}", 'expected a key in double quotes, found "\'" at character 2'],
    ['{"a" 1}', 'expected ":" after a key, found "1" at character 6'],
    ["[1 2]", 'expected "," or "]", found "2" at character 4'],
    ['{"a":1;}', 'expected "," or "}", found ";" at character 7'],
    ["01", "malformed number 01 at character 1"],
    ["[1.]", "malformed number 1. at character 2"],
    ["1e", "malformed number 1e at character 1"],
    ["tru", 'expected true, found "t" at character 1'],
    ['"\u0000"', 'control character "\\u0000" in a text at character 2'],
    ['"a\nb"', 'control character "\\n" in a text at character 3'],
    ['"abc', "text that does not end at character 5"],
    ['"\\x"', "malformed escape in a text at character 2"],
    ['"\\u12g4"', "malformed escape in a text at character 2"],
    ['"\\', "malformed escape in a text at character 2"],
    ["\u009b31m", 'expected a JSON value, found "\\u009b" at character 1'],
    ["[😀]", 'expected a JSON value, found "😀" at character 2'],
  ])("%j", (text, message) => {
    const error = refusal(text);
    expect(error.message).toBe(message);
    expect(error.message).toBe(`${error.problem} at character ${error.offset + 1}`);
  });

  test("in one short line, however long the text is", () => {
    const key = JSON.stringify(`a\n${"😀".repeat(100_000)}`);
    const { message } = refusal(`{${key}:1,${key}:2}`);
    expect(message).toMatch(/^[^\n]{1,200}$/);
    expect(message.isWellFormed()).toBe(true);
  });

  test("where, as line and column", () => {
    expect(lineAndColumn("abc", 2)).toEqual({ line: 1, column: 3 });
    expect(lineAndColumn("a\n\nbc", 4)).toEqual({ line: 3, column: 2 });
    expect(lineAndColumn("", 0)).toEqual({ line: 1, column: 1 });
  });
});

describe("nesting", () => {
  test.each([
    ["lists", "[", "]", "1"],
    ["objects", '{"a":', "}", "1"],
    ["lists that end empty", "[", "]", ""],
  ])("%s go as deep as the bound, and no level deeper", (_, open, close, leaf) => {
    const nested = (levels: number): string => open.repeat(levels) + leaf + close.repeat(levels);
    const deepest = nested(MAX_DEPTH);
    expect(stringifyJson(parseJson(deepest))).toBe(deepest);
    expect(toPlain(parseJson(deepest))).toEqual(JSON.parse(deepest));
    expect(refusal(nested(MAX_DEPTH + 1)).message).toBe(
      `nested more than ${MAX_DEPTH} levels deep at character ${MAX_DEPTH * open.length + 1}`,
    );
  });

  test("a million open brackets are refused, not a stack overflow", () => {
    expect(refusal("[".repeat(1_000_000)).message).toMatch(/^nested more than 256 levels deep/);
    expect(refusal('{"a":'.repeat(1_000_000)).message).toMatch(/^nested more than 256 levels deep/);
  });
});

describe("time is linear in the size", () => {
  /** The fastest of a few runs, in ms. */
  function fastest(work: () => unknown): number {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 5; run += 1) {
      const start = performance.now();
      work();
      best = Math.min(best, performance.now() - start);
    }
    return best;
  }

  test.each<[string, (size: number) => string, number]>([
    ["a text of escapes", (size) => `"${"\\u00e9\\n\\\\".repeat(size / 10)}"`, 1_000_000],
    ["a text that never ends", (size) => `"${"\\n".repeat(size / 2)}`, 1_000_000],
    ["a plain text", (size) => `"${"x".repeat(size)}"`, 4_000_000],
    ["a list of numbers", (size) => `[${"1.5,".repeat(size)}0]`, 200_000],
    ["an object", (size) => `{${Array.from({ length: size }, (_, i) => `"${i}":0`).join(",")}}`, 200_000],
    ["one long number", (size) => "7".repeat(size), 1_000_000],
    ["white space", (size) => `[${" ".repeat(size)}]`, 1_000_000],
    // What else the machine does can disturb one measurement, quadratic work disturbs every one.
  ])("for %s", { retry: 4 }, (_, make, size) => {
    const parse = (text: string) => () => {
      try {
        parseJson(text);
      } catch (error) {
        if (!(error instanceof JsonError)) throw error;
      }
    };
    const small = parse(make(size / 8));
    const large = parse(make(size));
    small();
    // Eight times the size; quadratic work would take 64 times as long. Below a quarter of a ms only noise is measured.
    const ratio = fastest(large) / Math.max(fastest(small), 0.25);
    expect(ratio).toBeLessThan(30);
  });
});

describe("writing", () => {
  test("agrees with JSON.stringify on plain data", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(stringifyJson(value as Writable)).toBe(JSON.stringify(value));
      }),
      { numRuns: 500 },
    );
    const odd = { a: undefined, b: [undefined, null], c: -0, d: "\u2028\u007f\ud800", e: {}, f: [] };
    expect(stringifyJson(odd)).toBe(JSON.stringify(odd));
  });

  test("keeps the order of a Map and leaves out what is undefined", () => {
    const value = new Map<string, Writable>([
      ["10", "a"],
      ["2", undefined],
      ["__proto__", new Map([["1", null]])],
      ["", [true]],
    ]);
    expect(stringifyJson(value)).toBe('{"10":"a","__proto__":{"1":null},"":[true]}');
  });

  test("refuses numbers that JSON does not have", () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(() => stringifyJson({ n: number })).toThrow(TypeError);
    }
  });

  test("is the inverse of parsing", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const parsed = parseJson(JSON.stringify(value));
        expect(parseJson(stringifyJson(parsed))).toEqual(parsed);
      }),
    );
  });
});

test("a number of a million digits is not repeated in the message", () => {
  expect(() => parseJson(`[${"1".repeat(1_000_000)}e]`)).toThrow(/^malformed number 1{40}… at character 2$/);
});
