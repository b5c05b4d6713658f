import { describe, expect, test } from "vitest";
import { isJsonObject, parseJson, stringifyJson, type Writable } from "../../src/answers/json.ts";
import { readRow } from "../../src/corpus/row.ts";
import { unwrap } from "../../src/corpus/schema.ts";
import { assetOf, corpusRow, png, type RowDraft } from "../support/corpus.ts";

/** What is said about a row, as `field: message`. */
function problems(row: Writable): string[] {
  const found: string[] = [];
  readRow(parseJson(stringifyJson(row)), (field, message) => found.push(`${field}: ${message}`));
  return found;
}

describe("ordered places", () => {
  const text = `{"state":{"10":1.50,"2":{"state":3,"source":4}},"source":{"9":1,"8":2},"tags":["a"],
    "questions":[{"options":{"10":"a","2":"b"},"state":{"options":{"5":1,"4":2}},"gold":"2"}],
    "assets":[{"path":"p","source":{"z":1},"state":[1]}],"options":{"7":1,"6":2},"__proto__":{"x":1}}`;
  const row = unwrap(parseJson(text)) as Record<string, unknown>;

  test("stay ordered JSON, with everything in them as it was written", () => {
    const ordered = [row.state, row.source, (row.questions as { options: unknown }[])[0]?.options];
    expect(ordered.map((value) => isJsonObject(value) && stringifyJson(value))).toEqual([
      '{"10":1.50,"2":{"state":3,"source":4}}',
      '{"9":1,"8":2}',
      '{"10":"a","2":"b"}',
    ]);
  });

  test("are places, not names: the same names elsewhere are plain data", () => {
    expect(row.assets).toEqual([{ path: "p", source: { z: 1 }, state: [1] }]);
    expect(row.options).toEqual({ 7: 1, 6: 2 });
    expect((row.questions as { state: unknown }[])[0]?.state).toEqual({ options: { 5: 1, 4: 2 } });
    expect(Object.hasOwn(row, "__proto__")).toBe(true);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test("may hold anything, not only objects", () => {
    const odd = unwrap(parseJson('{"source":[1.0,"a"],"state":[{"2":1}]}'));
    expect(stringifyJson((odd as { source: Writable }).source)).toBe('[1.0,"a"]');
  });

  test("of a manifest are its two maps", () => {
    const manifest = unwrap(parseJson('{"tasks":{"2":1},"datasets":[{"tasks":{"a":[1,null]}}]}')) as Record<
      string,
      unknown
    >;
    expect(isJsonObject(manifest.tasks)).toBe(true);
    expect(manifest.datasets).toEqual([{ tasks: { a: [1, null] } }]);
  });

  test("below which there is none are plain all through", () => {
    const text = '{"a":[1,{"state":{"b":null}}],"path":{"tasks":{"c":true}}}';
    expect(unwrap(parseJson(text))).toEqual(JSON.parse(text));
  });
});

describe("a row", () => {
  test("is sound with its optional parts, and without them", () => {
    expect(problems(corpusRow("a"))).toEqual([]);
    const bare = {
      category_name: undefined,
      task_name: undefined,
      question: { rationale: undefined, ask: undefined },
    };
    expect(problems(corpusRow("a", bare))).toEqual([]);
    const empty = {
      category_name: null,
      task_name: null,
      assets: null,
      tags: null,
      summary: null,
      note: null,
      question: { rationale: null, ask: null, option_order: null },
    };
    expect(problems(corpusRow("a", empty))).toEqual([]);
    expect(problems(corpusRow("a", { state: "A text is evidence too.", title: "" }))).toEqual([]);
    expect(problems(corpusRow("a", { tags: ["x"], summary: "s", note: "n", source: "text" }))).toEqual([]);
  });

  test("may hold unknown fields anywhere", () => {
    const asset = assetOf("p.png", png(), { width: 2, source: { page: 1 } });
    const row = corpusRow("a", {
      added: { deep: [1] },
      assets: [asset],
      question: { added: true, state: "x" },
    });
    expect(problems(row)).toEqual([]);
  });

  test("keeps options in shown order, whatever the labels look like", () => {
    const labels = ["10", "2", "__proto__", "constructor"];
    const read = (row: RowDraft) => readRow(parseJson(stringifyJson(row)), () => expect.unreachable());
    const shown = (row: RowDraft) => read(row)?.question.options.map((option) => option.label);
    expect(shown(corpusRow("a", { options: labels }))).toEqual(labels);
    const order = ["constructor", "2", "__proto__", "10"];
    expect(shown(corpusRow("a", { options: labels, order }))).toEqual(order);
    expect(read(corpusRow("a", { options: labels, order }))?.question.options[2]?.description).toBe(
      "means __proto__",
    );
  });

  const two = "expected two or more, found";
  const oneLine = "expected a description, a text of one line";
  const permutation = "questions[0].option_order: expected every option's label exactly once";
  test.each<[string, Writable, string[]]>([
    ["that is a list", [1], [": expected a JSON object"]],
    ["that is a text", "row", [": expected a JSON object"]],
    ["that is null", null, [": expected a JSON object"]],
    ["without an id", corpusRow("a", { id: undefined }), ["id: is missing: expected string"]],
    ["with an empty id", corpusRow(""), ['id: expected a text, not empty, found ""']],
    ["with a number as id", corpusRow("a", { id: 7 }), ["id: expected string, found 7"]],
    ["without a suite", corpusRow("a", { suite: undefined }), ["suite: is missing: expected string"]],
    ["with an empty task", corpusRow("a", { task: "" }), ['task: expected a text, not empty, found ""']],
    ["with a null title", corpusRow("a", { title: null }), ["title: expected string, found null"]],
    [
      "of another modality",
      corpusRow("a", { modality: "audio" }),
      ['modality: expected one of "text", "image", found "audio"'],
    ],
    ["with tags that are text", corpusRow("a", { tags: "x" }), ['tags: expected array, found "x"']],
    [
      "without a state",
      corpusRow("a", { state: undefined }),
      ["state: is missing: expected a text or an object, not empty"],
    ],
    [
      "with an empty text",
      corpusRow("a", { state: "" }),
      ['state: expected a text or an object, not empty, found ""'],
    ],
    [
      "with an empty object",
      corpusRow("a", { state: {} }),
      ["state: expected a text or an object, not empty, found an object"],
    ],
    [
      "with a list as state",
      corpusRow("a", { state: [1] }),
      ["state: expected a text or an object, not empty, found a list of 1"],
    ],
    [
      "with a number as state",
      corpusRow("a", { state: 5 }),
      ["state: expected a text or an object, not empty, found 5"],
    ],
    [
      "with a null state",
      corpusRow("a", { state: null }),
      ["state: expected a text or an object, not empty, found null"],
    ],
    [
      "without a source",
      corpusRow("a", { source: undefined }),
      ["source: is missing: expected the source of the row"],
    ],
    [
      "without a kind of source",
      corpusRow("a", { source_kind: undefined }),
      ["source_kind: is missing: expected string"],
    ],
    [
      "with a provenance that is no text",
      corpusRow("a", { provenance: {} }),
      ["provenance: expected string, found an object"],
    ],
    [
      "without a question",
      corpusRow("a", { questions: [] }),
      ["questions: expected exactly one question, found a list of 0"],
    ],
    [
      "with questions that are no list",
      corpusRow("a", { questions: {} }),
      ["questions: expected array, found an object"],
    ],
    [
      "with two questions",
      corpusRow("a", {
        questions: [corpusRow("a").questions, corpusRow("b").questions].flatMap((list) => list as Writable[]),
      }),
      ["questions: expected exactly one question, found a list of 2"],
    ],
    [
      "with another type of question",
      corpusRow("a", { question: { type: "score" } }),
      ['questions[0].type: expected "choice", found "score"'],
    ],
    [
      "with a question without an id",
      corpusRow("a", { question: { id: undefined } }),
      ["questions[0].id: is missing: expected string"],
    ],
    [
      "with empty instructions",
      corpusRow("a", { question: { instructions: "" } }),
      ['questions[0].instructions: expected a text, not empty, found ""'],
    ],
    [
      "with options in a list",
      corpusRow("a", { question: { options: ["yes", "no"] } }),
      ["questions[0].options: expected an object, found a list of 2"],
    ],
    [
      "without options",
      corpusRow("a", { options: [], gold: "x" }),
      ['questions[0].gold: "x" is not one of the options', `questions[0].options: ${two} 0`],
    ],
    ["with one option", corpusRow("a", { options: ["yes"] }), [`questions[0].options: ${two} 1`]],
    [
      "with a description of two lines",
      corpusRow("a", { options: [["yes", "a\nb"], "no"] }),
      [`questions[0].options.yes: ${oneLine}`],
    ],
    [
      "with a carriage return in it",
      corpusRow("a", { options: ["no", ["is so", "a\rb"]] }),
      [`questions[0].options["is so"]: ${oneLine}`],
    ],
    [
      "with descriptions that are no text",
      corpusRow("a", {
        options: [
          ["10", 1],
          ["__proto__", null],
          ["a\nb", ["x"]],
        ],
      }),
      [
        `questions[0].options.10: ${oneLine}`,
        `questions[0].options.__proto__: ${oneLine}`,
        `questions[0].options["a\\nb"]: ${oneLine}`,
      ],
    ],
    ["with too short an order", corpusRow("a", { order: ["yes"] }), [permutation]],
    ["with an empty order", corpusRow("a", { order: [] }), [permutation]],
    ["with a label twice in the order", corpusRow("a", { order: ["yes", "yes"] }), [permutation]],
    ["with an unknown label in the order", corpusRow("a", { order: ["yes", "toString"] }), [permutation]],
    ["with too long an order", corpusRow("a", { order: ["yes", "no", "yes"] }), [permutation]],
    [
      "with a number in the order",
      corpusRow("a", { order: ["yes", 2] }),
      ["questions[0].option_order[1]: expected string, found 2"],
    ],
    [
      "with an order that is text",
      corpusRow("a", { order: "yes,no" }),
      ['questions[0].option_order: expected array, found "yes,no"'],
    ],
    [
      "with another answer",
      corpusRow("a", { gold: "maybe" }),
      ['questions[0].gold: "maybe" is not one of the options'],
    ],
    [
      "with an inherited name as answer",
      corpusRow("a", { gold: "constructor" }),
      ['questions[0].gold: "constructor" is not one of the options'],
    ],
    [
      "with a null answer",
      corpusRow("a", { gold: null }),
      ["questions[0].gold: expected string, found null"],
    ],
    [
      "of pictures without one",
      corpusRow("a", { modality: "image", assets: [] }),
      ["assets: expected a picture, since the modality is image"],
    ],
    [
      "with an asset that lacks everything",
      corpusRow("a", { assets: [{}] }),
      [
        "assets[0].path: is missing: expected string",
        'assets[0].media_type: is missing: expected one of "image/png", "image/jpeg", "image/webp", "image/gif"',
        "assets[0].sha256: is missing: expected string",
        "assets[0].alt: is missing: expected string",
      ],
    ],
    [
      "with an asset of another kind",
      corpusRow("a", { assets: [assetOf("a.svg", png(), { media_type: "image/svg+xml", sha256: "ABC" })] }),
      [
        'assets[0].media_type: expected one of "image/png", "image/jpeg", "image/webp", "image/gif", found "image/svg+xml"',
        'assets[0].sha256: expected 64 lower-case hex digits, found "ABC"',
      ],
    ],
    [
      "with many things wrong says all of them",
      corpusRow("a", { options: [["yes", 1]], gold: "no", order: ["no"], modality: "image" }),
      [
        'questions[0].gold: "no" is not one of the options',
        "assets: expected a picture, since the modality is image",
        `questions[0].options: ${two} 1`,
        `questions[0].options.yes: ${oneLine}`,
        permutation,
      ],
    ],
  ])("%s is refused", (_, row, messages) => {
    expect(problems(row)).toEqual(messages);
  });

  test("is told on one short line, whatever stands in it", () => {
    const long = `a\n\u2028\u009b31m\u202e${"😀".repeat(500)}`;
    const found = problems(
      corpusRow("a", { modality: long, gold: long, options: [[long, 1], "no"], task: 5, order: [long] }),
    );
    expect(found.length).toBeGreaterThan(1);
    const other = problems(corpusRow("a", { gold: `${long}?`, options: [[long, 1], "no"] }));
    for (const line of [...found, ...other]) {
      expect(line).toMatch(/^[^\p{Cc}\u2028\u202e]{1,300}$/u);
      expect(line.isWellFormed()).toBe(true);
    }
  });
});
