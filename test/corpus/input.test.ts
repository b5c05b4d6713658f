import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson, stringifyJson, type Writable } from "../../src/answers/json.ts";
import { inputDigest, publicInput } from "../../src/corpus/input.ts";
import { readRow } from "../../src/corpus/row.ts";
import type { CorpusRow } from "../../src/corpus/schema.ts";
import { assetOf, corpusRow, png, type RowChanges, type RowDraft } from "../support/corpus.ts";

function read(draft: RowDraft): CorpusRow {
  const row = readRow(parseJson(stringifyJson(draft)), (field, message) =>
    expect.unreachable(`${field}: ${message}`),
  );
  if (row === null) throw new Error("no row");
  return row;
}

const row = (changes: RowChanges = {}): CorpusRow => read(corpusRow("a", changes));
const shown = (changes: RowChanges): string => stringifyJson(publicInput(row(changes)));

describe("the public input", () => {
  test("is exactly the state and the question", () => {
    expect(shown({ state: { b: 1, a: [null, true] } })).toBe(
      '{"state":{"b":1,"a":[null,true]},"questions":[{"id":"decision","type":"choice",' +
        '"instructions":"Say whether someone has to come.","options":{"yes":"means yes","no":"means no"}}]}',
    );
    expect(shown({ state: "Evidence." })).toMatch(/^\{"state":"Evidence\.","questions":\[/);
  });

  test("shows the options in their order, whatever the labels look like", () => {
    const labels = ["10", "2", "__proto__", "constructor", "1"];
    const text = shown({ options: labels });
    expect(text).toContain(
      '"options":{"10":"means 10","2":"means 2","__proto__":"means __proto__","constructor":"means constructor","1":"means 1"}',
    );
    expect(shown({ options: labels, order: [...labels].reverse() })).toContain(
      '"options":{"1":"means 1","constructor":"means constructor","__proto__":"means __proto__","2":"means 2","10":"means 10"}',
    );
  });

  test("shows the state as it was written: order of keys, repeated names below, digits of numbers", () => {
    const state = '{"10":1.50,"2":1E5,"__proto__":{"gold":"part of the evidence"},"n":12345678901234567890}';
    expect(shown({ state: parseJson(state) })).toContain(`{"state":${state},`);
  });

  test("holds nothing that is for readers, whatever a row holds", () => {
    // A marker stands in every field but those that are shown, also as a name, also deep down in fields nobody knows.
    let markers = 0;
    const mark = (): string => {
      markers += 1;
      return `READER-ONLY-${markers}`;
    };
    const extra = (): fc.Arbitrary<Writable> =>
      fc.letrec<{ value: Writable }>((tie) => ({
        value: fc.oneof(
          { depthSize: "small", withCrossShrink: true },
          fc.constant(null).map(mark),
          fc.array(tie("value"), { maxLength: 3 }),
          fc
            .array(tie("value"), { maxLength: 3 })
            .map((values) => new Map(values.map((value) => [mark(), value]))),
        ),
      })).value;
    const known = ["state", "options", "instructions", "type", "id", "label", "description"];
    const fields = fc.dictionary(
      fc.oneof(
        fc.constantFrom(...known).map((name) => `${name}_`),
        fc.constant(null).map(mark),
      ),
      extra(),
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(fields, fields, fields, extra(), (inRow, inQuestion, inAsset, source) => {
        const bytes = png();
        const draft = corpusRow("a", {
          ...inRow,
          id: mark(),
          suite: mark(),
          category: mark(),
          category_name: mark(),
          task: mark(),
          task_name: mark(),
          title: mark(),
          summary: mark(),
          note: mark(),
          tags: [mark(), mark()],
          assets: [assetOf(`assets/${mark()}.png`, bytes, { ...inAsset, alt: mark() })],
          source,
          source_kind: mark(),
          provenance: mark(),
          // The name of a shown field in a place that is not shown.
          instructions: mark(),
          question: {
            ...inQuestion,
            rationale: mark(),
            ask: mark(),
            state: { [mark()]: mark() },
            label: mark(),
          },
        });
        const text = stringifyJson(publicInput(read({ ...draft, options: { [mark()]: mark() } })));
        expect(text).not.toContain("READER-ONLY");
        expect(text).not.toContain("gold");
        expect(text).not.toContain("option_order");
      }),
      { numRuns: 300 },
    );
    expect(markers).toBeGreaterThan(3000);
  });
});

describe("the digest of the input", () => {
  test("is that of the text as it is sent", () => {
    expect(inputDigest(row())).toBe(createHash("sha256").update(shown({}), "utf8").digest("hex"));
  });

  test("changes with everything shown and with nothing else", () => {
    const digest = inputDigest(row());
    expect(inputDigest(row({ order: ["no", "yes"] }))).not.toBe(digest);
    expect(inputDigest(row({ state: "Evidence" }))).not.toBe(digest);
    expect(inputDigest(row({ question: { instructions: "Else?" } }))).not.toBe(digest);
    expect(inputDigest(row({ options: [["yes", "x"], "no"] }))).not.toBe(digest);
    expect(inputDigest(row({ gold: "no", title: "Else", note: "Else" }))).toBe(digest);
  });
});
