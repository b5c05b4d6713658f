import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stringifyJson, type Writable } from "../../src/answers/json.ts";
import { loadCorpus } from "../../src/corpus/load.ts";
import { escaped, partsOf } from "../../src/corpus/pack/cell.ts";
import { type PackOptions, type PackReport, packCorpus } from "../../src/corpus/pack/index.ts";
import { aboutCorpus } from "../../src/corpus/shelf.ts";
import { imageRow, makeWorkspace, png, type TestWorkspace } from "../support/corpus.ts";

let made: TestWorkspace;
beforeEach(() => {
  made = makeWorkspace();
});
afterEach(() => made.cleanup());

async function pack(
  name: string,
  content: string | Uint8Array,
  changes: Partial<PackOptions> = {},
): Promise<PackReport> {
  const path = join(made.root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return packCorpus(made.open(), {
    path,
    said: name,
    format: name.endsWith("csv") ? "csv" : "jsonl",
    suite: "mine",
    version: "1.0.0",
    label: "Mine",
    license: "CC0-1.0",
    seed: 1,
    check: false,
    ...changes,
  });
}

async function packed(name: string, content: string | Uint8Array, changes: Partial<PackOptions> = {}) {
  const report = await pack(name, content, changes);
  expect(report.problems).toEqual([]);
  return (await loadCorpus(aboutCorpus(made.open(), report.name ?? ""))).rows;
}

async function problemsOf(name: string, content: string | Uint8Array): Promise<string[]> {
  const { problems, written, sha256 } = await pack(name, content);
  expect({ written, sha256 }).toEqual({ written: false, sha256: null });
  expect(readdirSync(join(made.root, "data", "corpus")).sort()).toEqual(["current.json", "test-1"]);
  return problems.map(({ line, field, message }) => `${line}|${field}|${message}`);
}

const json = (...rows: { [key: string]: Writable }[]): string =>
  rows.map((row) => `${stringifyJson(row)}\n`).join("");
const row = (changes: { [key: string]: Writable } = {}): { [key: string]: Writable } => ({
  instructions: "Which?",
  state: "It drips.",
  options: ["yes", "no"],
  gold: "yes",
  ...changes,
});

describe("a table", () => {
  test("with a byte order mark, CRLF, quoted line ends, empty rows and semicolons", async () => {
    const text =
      "\ufeffTask;Question;state.b;state.a;options;GOLD;\r\n" +
      't;Which?;"two\nlines; and ""quotes""";;yes = it is | no;no;\r\n;;;;;;\r\n\r\n' +
      "t;Which?;7;x;a\\|b | c\\=d = e=f;a|b;";
    const [first, second] = await packed("rows.csv", text);
    expect(first).toMatchObject({
      id: "t-001",
      task: "t",
      category: "own",
      sourceKind: "own",
      title: "t-001",
    });
    expect(first?.state).toEqual(new Map([["b", 'two\nlines; and "quotes"']]));
    expect(first?.question.gold).toBe("no");
    expect(second?.state).toEqual(
      new Map([
        ["b", "7"],
        ["a", "x"],
      ]),
    );
    expect(new Map(second?.question.options.map((one) => [one.label, one.description]))).toEqual(
      new Map([
        ["a|b", "a|b"],
        ["c=d", "e=f"],
      ]),
    );
  });

  test("with a column for each option: an empty cell is none", async () => {
    const text =
      "instructions,state,option:10,option:2,option:__proto__,gold\nW?,s,ten,two,,2\nW?,s,,zwei,proto,__proto__\n";
    const rows = await packed("rows.csv", text);
    expect(rows.map((one) => one.question.options.map(({ label }) => label).sort())).toEqual([
      ["10", "2"],
      ["2", "__proto__"],
    ]);
  });

  test("all problems are told, with the line where their record begins", async () => {
    const text =
      "id,instructions,state,options,gold\n" +
      'a,W?,"two\nlines",yes|no,Yes\n' +
      "a,W?,s,yes|no,yes\n" +
      "b,,s,yes|yes,yes\n" +
      "c,W?,,yes,yes\n" +
      "d,W?,s,yes|no\n" +
      "e,W?,s,yes|no,yes,\n" +
      'f,W?,5" pipe",yes|no,yes\n' +
      "g,W?,s,yes|no,\n" +
      "a,W?,s,yes|no,yes\n";
    expect(await problemsOf("rows.csv", text)).toEqual([
      '2|gold|"Yes" is not one of the options "yes", "no"',
      '5|options|the option "yes" stands twice',
      '5|options|expected two or more options, found "yes"',
      "5|instructions|is missing: expected a text",
      '6|options|expected two or more options, found "yes"',
      "6|state|expected what the model sees: a text, an object, or state.<field>, not empty",
      "7||has 4 cells, the header has 5",
      "8||has 6 cells, the header has 5; a cell that holds the separator needs quotes",
      "9||a quote stands where none may: put the whole cell in quotes, and double each quote inside it",
      '10|gold|is missing: expected one of the options "yes", "no"',
      '11|id|"a" stands on line 4 already',
    ]);
  });

  test.each([
    ["", "1||is empty: expected a line with the names of the columns"],
    ["instructions,state,options,gold\n", "1||holds no row"],
    ["instructions,state,options,answer\n", '1||"answer" is no column that is known: did you mean gold?'],
    ["instructions,state,option,gold\n", '1||"option" is no column that is known: did you mean options?'],
    ["instructions,state,options,gold,Gold\n", '1|Gold|is the same column as "gold"'],
    ["instructions,state,state,options,gold\n", "1|state|stands twice among the columns"],
    ["instructions,state,options,option:a,gold\n", "1|options|stands beside columns option:<label>"],
    ["instructions,options,gold\n", "1||there is no column state (or state.<field>)"],
    ['instructions,state,options,gold\na,"b,c|d,c\n', "2||a cell that begins with a quote never ends"],
    [
      Buffer.from("instructions,state,options,gold\na,\xe9,c|d,c\n", "latin1"),
      "2||is not UTF-8: save the table as",
    ],
    [Buffer.from("\ufeffinstructions,state\n", "utf16le"), "1||is UTF-16: save the table as “CSV UTF-8”"],
    [Buffer.from("instructions,state,gold\n", "utf16le"), "1||holds NUL bytes, as UTF-16 does"],
    ["instructions,state,options,gold\ra,b,c|d,c\r", "1||lines end with CR alone"],
  ])("%j is refused", async (text, message) => {
    expect((await problemsOf("rows.csv", text))[0]).toContain(message);
  });
});

test.each([
  ["sep=;\r\n", ";"],
  ["\ufeffsep=,\n", ","],
  ['"sep=;"\n', ";"],
  ["SEP=\t\n", "\t"],
])("a first line %j says what stands between the cells", async (first, delimiter) => {
  const cells = [
    ["instructions", "state", "options", "gold"],
    ["W?", "s", "yes|no", "no"],
  ];
  const lines = cells.map((line) => `${line.join(delimiter)}\n`);
  const [problem] = await problemsOf(
    "rows.csv",
    `${first}${lines[0]}${["W?", "s", "yes|no", "x"].join(delimiter)}\n`,
  );
  expect(problem).toBe('3|gold|"x" is not one of the options "yes", "no"');
  const [one] = await packed("rows.csv", `${first}${lines.join("")}`);
  expect(one?.question.gold).toBe("no");
});

test("a first line may not name another separator", async () => {
  expect(await problemsOf("rows.csv", "sep=|\ninstructions|state|options|gold\n")).toEqual([
    '1||sep= names "|": expected a comma, a semicolon or a tab between the cells',
  ]);
});

test.each([
  ["yes\u00a0", "yes", '"yes\\u00a0"', '"yes"'],
  ["yes", "y\u200bes", '"yes"', '"y\\u200bes"'],
  ["e\u0301t\u00e9", "\u00e9t\u00e9", '"e\\u0301t\u00e9"', '"\u00e9t\u00e9"'],
  ["yes ", "yes", '"yes "', '"yes"'],
])(
  "a right label %j that only looks like the option %j is shown as it is",
  async (gold, label, found, option) => {
    const message = `${found} looks like the option ${option} and is another text: write both alike`;
    const own = row({ options: [label, "no"], gold });
    expect(await problemsOf("rows.jsonl", json(own))).toEqual([`1|gold|${message}`]);
    const csv = stringify([
      ["instructions", "state", `option:${label}`, "option:no", "gold"],
      ["W?", "s", "a", "b", gold],
    ]);
    expect(await problemsOf("rows.csv", csv)).toEqual([`2|gold|${message}`]);
    const [line = "{}"] = readFileSync(join(made.corpusDir, "cases.jsonl"), "utf8").split("\n");
    const whole = JSON.parse(line) as { questions: Record<string, unknown>[] };
    Object.assign(whole.questions[0] ?? {}, {
      options: { [label]: "a", no: "b" },
      gold,
      option_order: undefined,
    });
    expect(await problemsOf("whole.jsonl", `${JSON.stringify(whole)}\n`)).toEqual([
      `1|questions[0].gold|${message}`,
    ]);
  },
);

const control = (code: string): string =>
  `holds the control character U+${code}: expected text; only tab and line end may stand in it`;

test("a control character is refused with its line and column, tab and line ends are not", async () => {
  const table = (...cells: string[]): string =>
    stringify([
      ["instructions", "state.text", "options", "gold"],
      cells,
      ["W?", "a\tb\r\nc", "yes|no", "no"],
    ]);
  expect(await problemsOf("rows.csv", table("W?", "a\0b", "yes|no", "no"))).toEqual([
    `2|state.text|${control("0000")}`,
  ]);
  expect(await problemsOf("rows.csv", table("W\u001b?", "s", "yes|no\u0007", "yes"))).toEqual([
    `2|instructions|${control("001B")}`,
    `2|options|${control("0007")}`,
  ]);
  expect(await problemsOf("rows.csv", "instructions,state.a\u0085,options,gold\n")).toEqual([
    `1||the name "state.a\\u0085" of column 2 ${control("0085")}`,
  ]);
  const nested = row({ state: { list: ["", { deep: "\u007f" }], "k\u0001": 1 } });
  expect(await problemsOf("rows.jsonl", json(nested))).toEqual([
    `1|state.list[1].deep|${control("007F")}`,
    `1|state["k\\u0001"]|${control("0001")}`,
  ]);
  expect(await packed("rows.csv", table("W?", "s", "yes|no", "yes"))).toHaveLength(2);
});

test("a label of several lines is refused, also with a description of one", async () => {
  expect(
    await problemsOf("rows.jsonl", json(row({ options: { "y\nes": "a", no: "b" }, gold: "no" }))),
  ).toContain('1|options|the option "y\\nes" has a label of several lines: expected one line');
});

describe("JSONL", () => {
  test("keeps objects, numbers and the order of fields; numbers are labels as they are written", async () => {
    const state = new Map<string, Writable>([
      ["10", 1],
      ["2", [true, null]],
    ]);
    const [first, second] = await packed(
      "rows.jsonl",
      `\ufeff${json(row({ state }), row({ options: [1, 2], gold: 2, id: "x" }))}`.replace("\n", "\r\n\n"),
    );
    expect(stringifyJson(first?.state ?? null)).toBe('{"10":1,"2":[true,null]}');
    expect(second?.question.gold).toBe("2");
    expect(second?.id).toBe("x");
  });

  test("a row of the corpus passes through, with this suite and an order", async () => {
    const lines = readFileSync(join(made.corpusDir, "cases.jsonl"), "utf8");
    const [first, second, , ordered] = await packed("rows.jsonl", lines);
    expect(first).toMatchObject({
      id: "a",
      suite: "mine",
      category: "support",
      provenance: "Written for the tests.",
    });
    expect(second?.question.gold).toBe("no");
    expect(ordered?.question.options.map(({ label }) => label)).toEqual(["high", "low"]);
  });

  test("problems", async () => {
    const text =
      '[1]\n{"a"\n' +
      json(
        row({ foo: 1 }),
        row({ foo: 2 }),
        row({ gold: 7 }),
        row({ options: { yes: "a\nb", no: "" } }),
        row({ title: [1] }),
      ) +
      '{"instructions":"W?","state":"\\ud800","options":["a","b"],"gold":"a"}\n';
    const problems = await problemsOf("rows.jsonl", text);
    expect(problems.map((one) => one.split("|").slice(0, 2).join())).toEqual([
      "1,",
      "2,",
      "3,",
      "5,gold",
      "6,options",
      "6,options",
      "6,gold",
      "7,title",
      "8,",
    ]);
    expect(problems[3]).toContain('"7" is not one of the options "yes", "no"');
    expect(problems[8]).toContain("surrogate");
  });
});

test("500 options, and the answer at every place equally often", async () => {
  const many = Array.from({ length: 500 }, (_, at) => `label ${at}`);
  const [one] = await packed("rows.jsonl", json(row({ options: many, gold: "label 7" })));
  expect(one?.question.options).toHaveLength(500);
  const four = Array.from({ length: 40 }, (_, at) =>
    row({ state: `s${at}`, options: ["a", "b", "c", "d"], gold: "a" }),
  );
  const rows = await packed("more.jsonl", json(...four), { suite: "four" });
  const places = rows.map(({ question }) => question.options.findIndex(({ label }) => label === "a"));
  expect([0, 1, 2, 3].map((place) => places.filter((one) => one === place).length)).toEqual([10, 10, 10, 10]);
});

test("the seed decides the order, and nothing else does", async () => {
  const rows = Array.from({ length: 30 }, (_, at) =>
    row({ state: `s${at}`, options: ["a", "b", "c"], gold: "a" }),
  );
  const text = json(...rows);
  const digest = async (changes: Partial<PackOptions>): Promise<string | null> =>
    (await pack("rows.jsonl", text, { check: true, ...changes })).sha256;
  const first = await digest({});
  expect(await digest({ label: "Other", license: "MIT", version: "7" })).toBe(first);
  expect(await digest({ seed: 2 })).not.toBe(first);
  const turned = json(...rows.map((one) => ({ ...one, options: ["c", "b", "a"] })));
  expect((await pack("turned.jsonl", turned, { check: true })).sha256).toBe(first);
});

test("a picture is copied under its digest; a link that leads out, a text and a path trick are none", async () => {
  made.write("in/photos/tap.png", png(9));
  made.write("in/photos/text.png", "no picture");
  made.write("secret.png", png(8));
  symlinkSync(join(made.root, "secret.png"), join(made.root, "in", "photos", "link.png"));
  const wrong = ["photos/text.png", "photos/link.png", "../secret.png", "photos/none.png"];
  const refused = await pack("in/wrong.jsonl", json(...wrong.map((image) => row({ image }))));
  expect(refused.problems.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    expect.stringContaining("is no picture"),
    expect.stringContaining("link out of the folder of the file"),
    expect.stringContaining("no plain path"),
    expect.stringContaining("is not there"),
  ]);
  const [first] = await packed("in/rows.jsonl", json(row({ image: "photos/tap.png", alt: "a tap" })));
  expect(first?.modality).toBe("image");
  expect(first?.assets[0]).toMatchObject({ media_type: "image/png", alt: "a tap" });
  const copied = readFileSync(join(made.root, "data/corpus/mine", first?.assets[0]?.path ?? ""));
  expect(copied).toEqual(png(9));
});

test("the same rows are there already; others are refused; --check writes nothing", async () => {
  const text = json(row(), row({ state: "other" }));
  const checked = await pack("rows.jsonl", text, { check: true });
  expect(checked).toMatchObject({ written: false, name: null, rows: 2 });
  expect(readdirSync(join(made.root, "data/corpus"))).not.toContain("mine");
  const first = await pack("rows.jsonl", text);
  expect(first).toMatchObject({ written: true, name: "mine", sha256: checked.sha256 });
  expect(await pack("rows.jsonl", text, { version: "2.0.0" })).toMatchObject({
    written: false,
    name: "mine",
    version: "1.0.0",
  });
  await expect(pack("rows.jsonl", json(row()))).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringMatching(new RegExp(`${first.sha256}.*--suite mine-2 --version`)),
  });
  made.write("data/corpus/mine-2/readme", "no corpus");
  await expect(pack("rows.jsonl", json(row()))).rejects.toThrow("--suite mine-3 --version");
  await expect(pack("rows.jsonl", json(row()), { suite: "mine-2" })).rejects.toThrow(
    "--suite mine-3 --version",
  );
  for (const suite of ["../x", "con"])
    await expect(pack("rows.jsonl", text, { suite })).rejects.toMatchObject({ exitCode: 2 });
});

test("what makes a benchmark weak is told", async () => {
  const rows = Array.from({ length: 12 }, () => row({ state: "It is clearly yes." }));
  const { warnings } = await pack("rows.jsonl", json(...rows, row({ task: "few", state: "Yesterday." })));
  expect(warnings).toEqual([
    expect.stringContaining('"yes" is the answer of 12 of 12 rows'),
    expect.stringContaining("11 rows repeat"),
    expect.stringContaining("names the right label in 12 of 12 rows"),
    expect.stringContaining('task "few": it has few rows (1)'),
  ]);
});

// Any text that UTF-8 can hold, but for control characters; no CR alone in a header, which is how very old systems end lines.
const text = fc
  .oneof(
    fc.constantFrom(
      "__proto__",
      "10",
      "2",
      "constructor",
      "a|b",
      "\\",
      " x ",
      "=",
      "\u2028",
      "\ufeff",
      "é\u0301",
    ),
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.string({ unit: "binary", minLength: 1 }),
  )
  .map((value) => value.replace(/[^\P{Cc}\t\n\r]/gu, "0").toWellFormed());
const line = text.map((value) => value.replace(/[\r\n]/g, " "));
const table = fc.record({
  labels: fc.uniqueArray(line, { minLength: 2, maxLength: 5 }),
  fields: fc.uniqueArray(line, { minLength: 1, maxLength: 3 }),
  rows: fc.array(
    fc.record({ gold: fc.nat(), values: fc.array(text, { minLength: 3, maxLength: 3 }), ask: text }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
});

test("any table packs and loads again, and as JSONL it has the same digest", async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(table, async ({ labels, fields, rows }) => {
      number += 1;
      const given = rows.map(({ gold, values, ask }) => ({
        gold: labels[gold % labels.length] ?? "",
        ask,
        state: new Map(fields.map((field, at) => [field, values[at] ?? ""])),
      }));
      const csv = stringify(
        [
          ["instructions", "gold", "options", ...fields.map((field) => `state.${field}`)],
          ...given.map(({ gold, ask, state }) => [
            ask,
            gold,
            labels.map(escaped).join(" | "),
            ...state.values(),
          ]),
        ],
        { quoted: true },
      );
      const wide = stringify(
        [
          [
            "instructions",
            "gold",
            ...labels.map((label) => `option:${label}`),
            ...fields.map((field) => `state.${field}`),
          ],
          ...given.map(({ gold, ask, state }) => [ask, gold, ...labels, ...state.values()]),
        ],
        { quoted: true },
      );
      const lines = json(
        ...given.map(({ gold, ask, state }) => ({ state, instructions: ask, gold, options: labels })),
      );
      const suite = `any-${number}`;
      const loaded = await packed("any.csv", csv, { suite });
      expect(loaded.map(({ state, question }) => [state, question.gold, question.instructions])).toEqual(
        given.map(({ state, gold, ask }) => [state, gold, ask]),
      );
      for (const { question } of loaded) {
        expect(question.options.map(({ label }) => label).sort()).toEqual([...labels].sort());
      }
      expect(await pack("any.jsonl", lines, { suite })).toMatchObject({
        problems: [],
        written: false,
        name: suite,
      });
      expect(await pack("wide.csv", wide, { suite })).toMatchObject({
        problems: [],
        written: false,
        name: suite,
      });
    }),
    { numRuns: 40 },
  );
});

test("a cell of options reads back what was escaped", () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (labels) => {
      expect(partsOf(labels.map(escaped).join("|")).map(({ before }) => before)).toEqual(labels);
    }),
  );
});

test("an option without a label ends the packing of a full row as well", async () => {
  const full = (id: string, options: readonly string[]): string => {
    const { row } = imageRow(id, { options, state: "word" });
    return stringifyJson({ ...row, modality: "text", assets: [] });
  };
  // The empty label was looked for behind the end of the state, for ever.
  await packed("full.jsonl", `${full("a", ["yes", ""])}\n`);
});

test("thousands of labels in a long state are no hang", async () => {
  const options = Array.from({ length: 20_000 }, (_, index) => `label ${index}`);
  const before = process.cpuUsage();
  await packed("many.jsonl", json(row({ options, gold: "label 7", state: "label ".repeat(100_000) })));
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
});

test("a hundred thousand unknown columns are not all explained", async () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `column ${index}`);
  const more = "1||and 99900 more names that are no column";
  const told = await problemsOf("wide.csv", `gold,${names.join()}\n`);
  expect(told).toHaveLength(101);
  expect(told.at(-1)).toBe(more);
  const wide = `{${names.map((name) => `"${name}":1`).join()}}\n`;
  const inRows = await problemsOf("wide.jsonl", wide);
  expect(inRows.filter((line) => line.includes("no column"))).toHaveLength(101);
  expect(inRows).toContain("1||and more names that are no column");
});

test("the names of a wide table are cut in a message", async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `state.${index}`);
  const [first = "", ...others] = await problemsOf("wide.csv", `${names.join()}\n`);
  expect(others).toHaveLength(2);
  expect(first).toMatch(/^1\|\|there is no column options .*"state\.29", … \(10000 in all\)$/);
});
