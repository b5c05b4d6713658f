import { expect, test } from "vitest";
import { parseLocal, parseStrictly } from "../../src/ledgers/strict.ts";

test.each([
  '{"a":1,"b":[true,null,"x"]}',
  ' {"a": 1.50, "10": 1, "2": 2, "__proto__": {"x": 1}} \r',
  '{"pair":"\\ud83d\\ude00","written":"\\\\ud800","nul":"\\u0000"}',
  `{"a":${"[".repeat(255)}${"]".repeat(255)}}`,
  `{"text":"${"[{".repeat(500)}"}`,
])("what every reader takes for the same thing is read as JSON.parse does: %#", (line) => {
  expect(parseStrictly(line)).toEqual(JSON.parse(line));
  expect(parseLocal(line)).toEqual(JSON.parse(line));
});

test.each([
  ["a key twice", '{"a":1,"a":1}', 'the key "a" stands twice'],
  ["a key twice, written in two ways", '{"a":1,"\\u0061":1}', 'the key "a" stands twice'],
  ["a key twice further in", '{"x":[{"__proto__":1,"__proto__":2}]}', "stands twice"],
  ["half a pair", '{"a":"\\ud800"}', "half a surrogate pair"],
  ["the other half, in a key", '{"\\uDFFF":1}', "half a surrogate pair"],
  ["half a pair behind a backslash", '{"a":"\\\\\\ud800"}', "half a surrogate pair"],
  ["deep nesting", `{"a":${"[".repeat(256)}${"]".repeat(256)}}`, "nested more than 256 levels deep"],
  ["very deep nesting", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "nested more than 256 levels deep"],
  ["no JSON", "{a:1}", "JSON"],
])("refused: %s", (_, line, words) => {
  expect(() => parseStrictly(line)).toThrow(words);
  expect(() => parseLocal(line)).toThrow(words);
});

test.each(["1.0", "1e0", "-0", "-1"])(
  "a count of a local record is written in plain digits, not as %s",
  (count) => {
    const line = `{"number": ${count}}`;
    expect(() => parseLocal(line)).toThrow("expected plain digits");
    expect(parseStrictly(line)).toEqual({ number: Number(count) });
    expect(parseLocal(`{"usage": {"number": ${count}}}`)).toEqual({ usage: { number: Number(count) } });
  },
);
