// `bench corpus pack` over tables and rows with something wrong in them: what is accepted says what the cells say, and loads.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { stringifyJson } from "../../src/answers/json.ts";
import { findingText, loadCorpus } from "../../src/corpus/load.ts";
import { type PackOptions, packCorpus } from "../../src/corpus/pack/index.ts";
import { Packer } from "../../src/corpus/pack/packer.ts";
import { aboutCorpus } from "../../src/corpus/shelf.ts";
import { corpusRow, makeWorkspace, png } from "../support/corpus.ts";
import { byteChange, spliced, spliceOf } from "../support/splices.ts";
import { FILES, KEYS, TABLES, VALUES } from "./documents.ts";
import { beginning, fuzz, product, refused, said, type Verdict } from "./fuzz.ts";
import { linesLike } from "./mutations.ts";
import { jsonOf, linesOf, own, type Plain, same, textOf } from "./opinions.ts";
import { recordsOf } from "./tables.ts";

interface Case {
  readonly format: "csv" | "jsonl";
  readonly bytes: Buffer;
}

/** What a row must say: as the person wrote it. */
interface Told {
  readonly instructions: unknown;
  readonly gold: unknown;
  readonly state: unknown;
}

const CELLS = [
  ...KEYS.filter((key) => key.length < 100),
  ...[
    "It drips.",
    'a "quoted" word',
    "a, b; c\td",
    "two\nlines",
    "two\r\nlines",
    "=1+1",
    "@x",
    "+1",
    "-1",
    "1.50",
    "001",
    "TRUE",
    " blank ",
    "é",
    "\u00a0",
  ],
];
const cell = fc.oneof(
  fc.constantFrom(...CELLS),
  fc.string({ unit: "binary", maxLength: 10 }).filter((text) => text.isWellFormed()),
);

/** A table of cells of any kind, written as a spreadsheet would, and then perhaps broken. */
const tableLike: fc.Arbitrary<Case> = fc
  .record({
    header: fc.constantFrom(
      ["instructions", "options", "gold", "state.text"],
      ["id", "question", "options", "gold", "state", "tags"],
      ["Instructions", "option:yes", "option:no", "gold", "state.a", "state.__proto__", "source.x"],
      ["instructions", "options", "gold", "state", "category", "task", "title"],
    ),
    rows: fc.array(fc.array(cell, { minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
    delimiter: fc.constantFrom(",", ";", "\t"),
    ends: fc.constantFrom("\n", "\r\n"),
    mark: fc.constantFrom("", "\ufeff"),
    broken: fc.option(byteChange, { freq: 4, nil: null }),
    sound: fc.boolean(),
  })
  .map(({ header, rows, delimiter, ends, mark, broken, sound }) => {
    const cells = rows.map((row, at) =>
      header.map((name, column) => {
        if (!sound && column !== 1) return row[column] ?? "";
        if (/^option:/.test(name)) return `says ${at}`;
        if (name === "options") return "yes|no";
        if (name === "gold") return at % 2 === 0 ? "yes" : "no";
        if (["id", "category", "task", "category_name"].includes(name))
          return name === "id" ? `row-${at}` : "one";
        return row[column] || "x";
      }),
    );
    const text = mark + stringify([header, ...cells], { delimiter, record_delimiter: ends });
    const bytes = Buffer.from(text);
    return { format: "csv", bytes: broken === null ? bytes : spliced(bytes, spliceOf(bytes, broken)) };
  });

/** What a table says, row by row. */
function toldByTable(bytes: Buffer): Told[] | null {
  const text = textOf(bytes)?.replace(/^\ufeff/, "");
  if (text === undefined) return null;
  for (const separator of [",", ";", "\t"]) {
    const [header = [], ...records] = (recordsOf(text, separator) ?? []).filter((record) =>
      record.some((one) => one.trim() !== ""),
    );
    const names = header.map((name) => name.trim().toLowerCase());
    const at = (...wanted: string[]): number => names.findIndex((name) => wanted.includes(name));
    if (at("gold") < 0) continue;
    return records
      .filter((record) => record.some((one) => one !== ""))
      .map((record) => {
        const fields = header.flatMap((name, column): [string, string][] => {
          const key = /^\s*state\.(.*)$/is.exec(name)?.[1];
          return key === undefined || record[column] === "" ? [] : [[key, record[column] ?? ""]];
        });
        const state =
          at("state") >= 0
            ? record[at("state")]
            : Object.fromEntries(fields.map(([key, value]) => [key, value]));
        return {
          instructions: record[at("instructions", "question")],
          gold: record[at("gold")],
          state: ownProto(state, fields),
        };
      });
  }
  return null;
}

/** `Object.fromEntries` keeps `__proto__` as a member; said here, since it matters. */
function ownProto(state: unknown, fields: readonly (readonly [string, string])[]): unknown {
  if (
    typeof state === "object" &&
    fields.some(([key]) => key === "__proto__") &&
    own(state, "__proto__") === undefined
  ) {
    throw new Error("the second opinion lost a key");
  }
  return state;
}

const asText = (value: unknown, raw: string | undefined): unknown =>
  typeof value === "number" ? raw : typeof value === "boolean" ? String(value) : value;

/** What rows as JSON say, line by line. */
function toldByLines(bytes: Buffer): Told[] | null {
  const told: Told[] = [];
  for (const [at, line] of linesOf(bytes).entries()) {
    const text = (textOf(line.bytes) ?? "\0").replace(at === 0 ? /^\ufeff/ : /^$/, "");
    if (/^[ \t\r]*$/.test(text)) continue;
    const saidHere = jsonOf(text);
    if (saidHere === null) return null;
    const { value, numbers } = saidHere;
    const asked = own(value, "questions");
    if (asked !== undefined) {
      const [question] = asked as Plain[];
      told.push({
        instructions: own(question, "instructions"),
        gold: own(question, "gold"),
        state: own(value, "state"),
      });
      continue;
    }
    const member = (name: string): unknown => {
      const key = Object.keys(value as Plain).find(
        (one) =>
          (one.trim().toLowerCase() === "question" ? "instructions" : one.trim().toLowerCase()) === name,
      );
      return key === undefined ? undefined : asText(own(value, key), numbers.get(key));
    };
    const fields = Object.keys(value as Plain).flatMap((name): [string, unknown][] => {
      const key = /^\s*state\.(.*)$/is.exec(name)?.[1];
      return key === undefined || own(value, name) === null ? [] : [[key, own(value, name)]];
    });
    told.push({
      instructions: member("instructions"),
      gold: member("gold"),
      state: fields.length > 0 ? Object.fromEntries(fields) : member("state"),
    });
  }
  return told;
}

test("what is packed says what the cells say, and loads as a corpus", async () => {
  const made = makeWorkspace();
  onTestFinished(made.cleanup);
  const workspace = made.open();
  mkdirSync(join(made.root, "own"));
  made.write("own/a.png", png());
  const ownRow = { instructions: "Which?", state: "It drips.", options: ["yes", "no"], gold: "yes" };
  const lines = [
    stringifyJson(ownRow),
    stringifyJson({
      ...ownRow,
      options: { yes: "It is", no: "It is not" },
      state: { a: 1.5, b: [true, null] },
      tags: ["x"],
    }),
    stringifyJson({
      ...ownRow,
      id: "third",
      gold: "no",
      "state.x": "later",
      state: undefined,
      image: "a.png",
      alt: "grey",
    }),
    stringifyJson(corpusRow("full")),
    stringifyJson(
      corpusRow("other", { task: "SUP-2", options: ["10", "2", "__proto__", "constructor"], gold: "2" }),
    ),
    stringifyJson({
      ...ownRow,
      question: "Which?",
      instructions: undefined,
      source: { a: 1 },
      category: "c",
      task: "t",
    }),
  ];
  const line = lines[0] ?? "";
  const json = (text: string): Case => ({ format: "jsonl", bytes: Buffer.from(`${text}\n${lines[1]}\n`) });
  let number = 0;
  await fuzz<Case>({
    name: "corpus pack",
    documents: [
      ...TABLES.map(({ make }): Case => ({ format: "csv", bytes: make() })),
      ...FILES.flatMap(({ make }): Case[] => [
        { format: "csv", bytes: make() },
        { format: "jsonl", bytes: make() },
      ]),
      ...VALUES.map((value) => json(line.replace('"It drips."', () => value))),
      ...VALUES.map((value) => json(line.replace('["yes","no"]', () => value))),
      ...KEYS.map((key) => json(line.replace('"yes","no"', () => `"yes",${JSON.stringify(key)}`))),
      ...KEYS.map((key) => json(line.replace('"gold"', () => `${JSON.stringify(`state.${key}`)}:1,"gold"`))),
      ...KEYS.map((key) => json(line.replace('"gold"', () => `${JSON.stringify(key)}:1,"gold"`))),
    ],
    generated: fc.oneof(
      tableLike,
      linesLike(lines).map((bytes): Case => ({ format: "jsonl", bytes })),
    ),
    short: 120,
    long: 4000,
    describe: ({ format, bytes }) => `${format} ${beginning(bytes, 3000)}`,
    async run({ format, bytes }): Promise<Verdict> {
      const path = join(made.root, "own", `rows.${format}`);
      writeFileSync(path, bytes);
      const options: PackOptions = {
        ...{ path, said: `rows.${format}`, format, suite: "mine", version: "1.0.0", label: "Mine" },
        ...{ license: "CC0-1.0", seed: 1, check: true },
      };
      let report: Awaited<ReturnType<typeof packCorpus>>;
      try {
        report = await product(() => packCorpus(workspace, options));
      } catch (error) {
        return refused(error);
      }
      if (report.sha256 === null) return said(report.problems.map(findingText));
      said([...report.warnings, "-"]);
      const packer = new Packer(
        { ...options, dir: join(made.root, "own"), signal: undefined },
        (_, field, message) => {
          throw new Error(`${field} ${message}`);
        },
      );
      const rows: Plain[] = [];
      for await (const text of packer.lines()) rows.push(JSON.parse(text) as Plain);
      const told = format === "csv" ? toldByTable(bytes) : toldByLines(bytes);
      if (told === null) throw new Error("accepted what cannot be read");
      expect(rows.length, "rows").toBe(told.length);
      for (const [at, row] of rows.entries()) {
        const [question] = own(row, "questions") as Plain[];
        const there = {
          instructions: own(question, "instructions"),
          gold: own(question, "gold"),
          state: own(row, "state"),
        };
        if (!same(there, told[at]))
          throw new Error(`row ${at + 1}: ${JSON.stringify(there)}, not ${JSON.stringify(told[at])}`);
      }
      number += 1;
      // Writing waits for the disk: some are enough.
      if (number % 25 === 1) {
        const suite = `mine-${number}`;
        const packed = await packCorpus(workspace, { ...options, suite, check: false });
        const corpus = await loadCorpus(aboutCorpus(workspace, suite));
        expect(corpus.rows.map(({ id }) => id)).toEqual(rows.map((row) => own(row, "id")));
        expect(corpus.sha256).toBe(packed.sha256);
        rmSync(join(made.root, "data", "corpus", suite), { recursive: true });
      }
      return "accepted";
    },
  });
});
