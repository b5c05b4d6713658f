// The long texts of the rows, as they stand in the file of the corpus, and when they are read.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { needsOf, sqlFiles } from "../../src/warehouse/views.ts";
import { publishedOracle } from "../support/oracle.ts";
import { open } from "../support/query.ts";
import { makeWorkspace, type RowSpec, TINY } from "../support/workspace.ts";

const [first, second, third] = TINY as [RowSpec, RowSpec, RowSpec];

/** Puts another text in the place of one that must be there. */
const replaced =
  (...pairs: readonly (readonly [string, string])[]) =>
  (line: string): string =>
    pairs.reduce((text, [from, to]) => {
      expect(text).toContain(from);
      return text.replace(from, () => to);
    }, line);

// What a parser that makes plain objects and doubles of it would change.
const STATE =
  '{"z":1.0,"10":0.10,"2":1e5,"__proto__":{"b":[],"a":null},"n":12345678901234567890123,"t":"it\'s \u{1f600}"}';

const ROWS: readonly RowSpec[] = [
  {
    ...first,
    edit: replaced(
      [
        '"state":{"text":"State of a-1"}',
        `"tags":["x","y"],"summary":"In short.","note":"Mind.","state":${STATE}`,
      ],
      ['"instructions":"Choose."', '"instructions":"Choose.","ask":"Which?","rationale":"Because."'],
      ['"license":"CC0-1.0"', '"license":"MIT","v":1.50'],
    ),
  },
  {
    ...second,
    modality: "image",
    edit: replaced(
      ['{"text":"State of a-2"}', '"A text, \\"so\\".\\n"'],
      ['"license":"CC0-1.0"', '"license":["MIT"]'],
    ),
  },
  { ...third, edit: replaced(['{"dataset":"made up","license":"CC0-1.0"}', '"a place"']) },
];

test("texts are what stands in the file: numbers, order and keys too", async () => {
  const { rows } = await open(makeWorkspace(ROWS));
  const none = { ask: null, rationale: null, note: null, summary: null, tags: [], images: [] };
  expect(await rows("SELECT * FROM corpus_texts ORDER BY row_id")).toEqual([
    {
      row_id: "a-1",
      state: STATE,
      ask: "Which?",
      instructions: "Choose.",
      rationale: "Because.",
      note: "Mind.",
      summary: "In short.",
      source: '{"dataset":"made up","license":"MIT","v":1.50}',
      license: "MIT",
      provenance: "Made for a test.",
      tags: ["x", "y"],
      images: [],
    },
    {
      row_id: "a-2",
      state: 'A text, "so".\n',
      ...none,
      instructions: "Choose.",
      source: '{"dataset":"made up","license":["MIT"]}',
      license: null,
      provenance: "Made for a test.",
      images: [
        new Map([
          ["path", "a-2.png"],
          ["media_type", "image/png"],
          ["alt", "Picture of a-2"],
        ]),
      ],
    },
    {
      row_id: "a-3",
      state: '{"text":"State of a-3"}',
      ...none,
      instructions: "Choose.",
      source: '"a place"',
      license: null,
      provenance: "Made for a test.",
    },
  ]);
});

test("every row of the corpus has its texts, in any order of asking", async () => {
  const { rows } = await open(publishedOracle());
  expect(await rows("SELECT count(*) AS n FROM corpus_rows")).toEqual([{ n: 427 }]);
  expect(
    await rows(
      "SELECT count(*) AS n, count(DISTINCT row_id) AS ids, count(state) AS states FROM corpus_texts JOIN corpus_rows USING (row_id)",
    ),
  ).toEqual([{ n: 427, ids: 427, states: 427 }]);
  const texts = await open(publishedOracle());
  expect(await texts.rows("SELECT count(*) AS n FROM corpus_texts")).toEqual([{ n: 427 }]);
  expect(await texts.rows("SELECT count(*) AS n FROM corpus_rows")).toEqual([{ n: 427 }]);
});

test("only a query that names them waits for them, and they wait for no run", () => {
  const files = sqlFiles();
  const without = files.filter(({ name, kind }) => kind !== "macros" && name !== "corpus_texts");
  for (const { name } of without) expect(needsOf(`FROM ${name}`, files).texts, name).toBe(false);
  expect(needsOf("FROM corpus_texts", files)).toEqual({
    corpus: true,
    texts: true,
    runs: false,
    draws: false,
  });
  expect(needsOf("SELECT count(*) FROM ledger.runs", files).texts).toBe(true);
});

test("texts of another corpus than that of the rows are refused, and asking again reads both anew", async () => {
  const workspace = makeWorkspace(ROWS);
  const { rows } = await open(workspace);
  expect(await rows("SELECT count(*) AS n FROM corpus_rows")).toEqual([{ n: 3 }]);
  const other = makeWorkspace(ROWS.slice(0, 2));
  for (const file of ["cases.jsonl", "manifest.json"]) {
    const path = join("data", "corpus", "tiny-1", file);
    writeFileSync(join(workspace.root, path), readFileSync(join(other.root, path)));
  }
  const asked = rows("SELECT row_id FROM corpus_texts");
  await expect(asked).rejects.toThrow(UserError);
  await expect(asked).rejects.toThrow("ask again");
  expect(await rows("SELECT row_id FROM corpus_texts ORDER BY row_id")).toEqual([
    { row_id: "a-1" },
    { row_id: "a-2" },
  ]);
  expect(await rows("SELECT count(*) AS n FROM corpus_rows")).toEqual([{ n: 2 }]);
});
