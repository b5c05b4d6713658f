// The fast reader of rows may only ever say what the strict one says, or nothing.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson, stringifyJson } from "../../src/answers/json.ts";
import { publicInput } from "../../src/corpus/input.ts";
import { readRow, readUsualRow } from "../../src/corpus/row.ts";
import type { CorpusRow } from "../../src/corpus/schema.ts";

const linesOf = (path: string) =>
  readFileSync(new URL(path, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
const CORPORA = [
  ...linesOf("../../data/corpus/bench-v4/cases.jsonl"),
  ...linesOf("../fixtures/oracle/data/corpus/oracle-1/cases.jsonl"),
];

/** All that a row says, its getters too. */
const everything = (row: CorpusRow | null) =>
  row === null
    ? null
    : [{ ...row }, stringifyJson(row.source), row.provenance, stringifyJson(publicInput(row))];

function strict(text: string): { row: CorpusRow | null; problems: string[] } {
  const problems: string[] = [];
  const row = readRow(parseJson(text), (field, message) => problems.push(`${field}: ${message}`), text);
  return { row, problems };
}

test("says the same of every row of both corpora, and reads most of them", () => {
  let usual = 0;
  for (const line of CORPORA) {
    const row = readUsualRow(line, new Map());
    if (row === null) continue;
    usual += 1;
    expect(everything(row)).toEqual(everything(strict(line).row));
  }
  expect(usual).toBeGreaterThan(CORPORA.length * 0.8);
});

test("says nothing of a row with a problem, whatever was done to it", () => {
  const [first = ""] = CORPORA;
  const places = ["id", "state", "questions", "modality", "source", "tags", "assets", "task"];
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom("", [], {}, null, [{}], { "2": 1, "10": 2 }));
  fc.assert(
    fc.property(fc.constantFrom(...places), values, (place, value) => {
      const text = stringifyJson(
        new Map([...(parseJson(first) as Map<string, never>), [place, value as never]]),
      );
      const { row, problems } = strict(text);
      const usual = readUsualRow(text, new Map());
      if (problems.length > 0 || row === null) expect(usual).toBeNull();
      else if (usual !== null) expect(everything(usual)).toEqual(everything(row));
    }),
    { numRuns: 400 },
  );
});

describe("leaves to the strict reader", () => {
  const row = (options: string, extra = "") =>
    (CORPORA[0] ?? "")
      .replace(
        /"options":\{[^}]*\},"option_order":\[[^\]]*\],"gold":"[^"]*"/,
        `"options":{${options}},"gold":"a"`,
      )
      .replace(/^\{/, `{${extra}`);

  test.each([
    ["labels that an object would sort", '"b":"x","10":"y","2":"z","a":"w"'],
    ["a label that an object takes for its prototype", '"__proto__":"x","a":"y"'],
    ["labels written with escapes", '"\\u0031":"x","a":"y"'],
  ])("%s", (_, options) => {
    const text = row(options);
    expect(strict(text).problems).toEqual([]);
    expect(readUsualRow(text, new Map())).toBeNull();
  });

  test("what is not JSON, not an object, or lacks its answer", () => {
    expect(readUsualRow("{", new Map())).toBeNull();
    expect(readUsualRow("[1]", new Map())).toBeNull();
    expect(readUsualRow("null", new Map())).toBeNull();
    expect(readUsualRow(row('"b":"x","c":"y"'), new Map())).toBeNull();
    expect(readUsualRow(row('"a":"x","c":"y"'), new Map())).not.toBeNull();
  });
});
