import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type JsonObject, parseJson, stringifyJson, toPlain } from "../../src/answers/json.ts";
import { publicInput } from "../../src/corpus/input.ts";
import { loadCorpus } from "../../src/corpus/load.ts";
import { corpusRow, makeWorkspace, type RowChanges } from "../support/corpus.ts";

// What a loaded row reads from its line when it is asked must be what stands there, whatever it is.
test.each<[string, RowChanges]>([
  ["a text", { state: "Evidence.\u2028 More 😀" }],
  ["an object", { state: { "10": 1, b: [{ "2": null }], a: "x" } }],
  ["numbers as they were written", { state: parseJson('{"n":1.50,"m":1E5,"o":12345678901234567890}') }],
  ["keys of any name", { state: parseJson('{"state":{"state":1},"10":{"__proto__":2},"__proto__":3}') }],
  ["a source of any shape", { source: [1.5, { "2": ["é"], "10": null }, true] }],
  ["a source that is nothing", { source: null, provenance: "" }],
])("a loaded row gives back what stands in its line: %s", async (_, changes) => {
  const draft = parseJson(stringifyJson(corpusRow("b", changes))) as JsonObject;
  const made = makeWorkspace({
    rows: [corpusRow("a"), new Map(draft), corpusRow("c")].map((row) => stringifyJson(row)),
  });
  onTestFinished(() => made.cleanup());
  const row = (await loadCorpus(made.open())).rows[1];
  if (row === undefined) throw new Error("no row");
  for (const [name, value] of [
    ["state", row.state],
    ["source", row.source],
    ["provenance", row.provenance],
  ] as const) {
    expect(stringifyJson(value)).toBe(stringifyJson(draft.get(name) ?? null));
  }
  // Each time anew: nobody can change the evidence for the next one who asks.
  if (typeof row.state !== "string") {
    row.state.clear();
    expect(stringifyJson(row.state)).toBe(stringifyJson(draft.get("state") ?? null));
  }
  expect(toPlain(parseJson(stringifyJson(publicInput(row))))).toMatchObject({
    state: toPlain(draft.get("state") ?? null),
  });
});

test("the evidence is that of the moment of loading, whatever happens to the file", async () => {
  const made = makeWorkspace();
  onTestFinished(() => made.cleanup());
  const { rows } = await loadCorpus(made.open());
  const before = rows.map((row) => stringifyJson(row.state));
  writeFileSync(join(made.corpusDir, "cases.jsonl"), "x".repeat(10_000));
  expect(rows.map((row) => stringifyJson(row.state))).toEqual(before);
  expect(before[0]).toBe('{"report":"The tap of flat a drips.","days":2}');
});
