// The files of the rows and their pictures: what the views say, byte for byte, whatever a row holds.
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { STORED } from "../../src/report/build.ts";
import { writePictures } from "../../src/report/pictures.ts";
import { MAX_RAW_CHARACTERS, SHARD_ROWS, writeRows } from "../../src/report/rows.ts";
import type { FileSource } from "../../src/report/site-files.ts";
import { openSnapshotFile, type SnapshotFile } from "../../src/warehouse/snapshot-file.ts";
import { Warehouse } from "../../src/warehouse/warehouse.ts";
import { addPublished, prediction } from "../support/published.ts";
import { makeWorkspace, type RowSpec, result, type TestWorkspace, TINY } from "../support/workspace.ts";

interface Shard {
  readonly first: number;
  readonly rows: readonly (Record<string, unknown> & {
    readonly row_id: string;
    readonly options: readonly { readonly label: string }[];
    readonly images: readonly { readonly path: string; readonly alt: string; readonly file: string | null }[];
    readonly answers: Record<string, readonly unknown[]> | null;
  })[];
}

interface Made {
  readonly shards: readonly Shard[];
  readonly rows: string;
  readonly pictures: string;
  readonly snapshot: SnapshotFile;
  readonly said: readonly string[];
}

/** Makes both folders as the report does, after `sql`; `before` may spoil something between the database and the files. */
async function make(
  { workspace }: TestWorkspace,
  before: () => void = () => {},
  sql: readonly string[] = [],
): Promise<Made> {
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-rows-"));
  const database = join(folder, "report.duckdb");
  const warehouse = await Warehouse.open(workspace);
  for (const statement of sql) await warehouse.rows(statement);
  await warehouse.snapshot(database, STORED);
  warehouse.close();
  const snapshot = await openSnapshotFile(database);
  onTestFinished(() => {
    snapshot.close();
    rmSync(folder, { recursive: true, force: true });
  });
  before();
  const said: string[] = [];
  const source = {
    workspace,
    snapshot,
    signal: new AbortController().signal,
    notify: (message: string) => void said.push(message),
  } as unknown as FileSource;
  const [rows, pictures] = [join(folder, "rows"), join(folder, "pictures")];
  for (const one of [rows, pictures]) mkdirSync(one);
  await writePictures(source, pictures);
  await writeRows(source, rows);
  const shards = readdirSync(rows)
    .filter((name) => /^\d{4}\.json$/.test(name))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(rows, name), "utf8")) as Shard);
  return { shards, rows, pictures, snapshot, said };
}

function publish(workspace: TestWorkspace, model: string, lines: readonly string[]): void {
  addPublished(workspace, ["tiny", model], { predictions: lines });
}

/** All values of a column of a view, in the order of the rows. */
async function column(snapshot: SnapshotFile, name: string): Promise<unknown[]> {
  const values: unknown[] = [];
  const { batches } = await snapshot.query(
    `SELECT ${name} FROM corpus_rows JOIN corpus_texts USING (row_id) ORDER BY row_id`,
  );
  for await (const batch of batches()) for (const [value] of batch) values.push(value);
  return values;
}

test("a file holds 32 rows by id, with all answers; options and probabilities stand in the order shown", async () => {
  const rows: RowSpec[] = Array.from({ length: 150 }, (_, i) => ({
    id: `r-${149 - i}`,
    task: "A-1",
    category: "alpha",
    gold: "10",
    options: ["2", "__proto__", "10"],
  }));
  const workspace = makeWorkspace(rows);
  for (const model of ["one", "two"]) {
    publish(
      workspace,
      model,
      rows.map(({ id, gold }) =>
        prediction({
          row: id,
          gold,
          label: "2",
          probabilities: [
            ["10", 0.3],
            ["__proto__", 0.1],
            ["2", 0.6],
          ],
        }),
      ),
    );
  }
  const { shards, snapshot } = await make(workspace);
  expect(SHARD_ROWS).toBe(32);
  expect(shards.map(({ first, rows: { length } }) => [first, length])).toEqual([
    [0, 32],
    [32, 32],
    [64, 32],
    [96, 32],
    [128, 22],
  ]);
  const all = shards.flatMap((shard) => shard.rows);
  for (const name of [
    "row_id",
    "title",
    "state",
    "instructions",
    "source",
    "provenance",
    "license",
    "gold",
    "dataset",
  ]) {
    expect(
      all.map((row) => row[name]),
      name,
    ).toEqual(await column(snapshot, name));
  }
  for (const { options, answers } of all) {
    expect(options.map(({ label }) => label)).toEqual(["2", "__proto__", "10"]);
    expect(answers).toMatchObject({
      run_id: ["tiny/one", "tiny/two"],
      label: ["2", "2"],
      status: ["ok", "ok"],
      correct: [false, false],
      confidence: [0.6, 0.6],
      probabilities: [
        [0.6, 0.1, 0.3],
        [0.6, 0.1, 0.3],
      ],
      other_probabilities: [null, null],
      output_text: ["{}", "{}"],
    });
  }
});

const HOSTILE = `<b>&amp;</b> </script><script>alert(1)</script> **x** \u202eb\u202c \u200b\u0000\u2028 \u{1f600} ${"x".repeat(20_000)}`;

test("texts survive byte for byte, and can be searched; an id may be anything", async () => {
  const id = `a/"b" 'c' <d>\\`;
  const workspace = makeWorkspace([
    ...TINY,
    {
      ...(TINY[0] as RowSpec),
      id,
      title: "\u00c9t\u00e9 </script>",
      edit: (line) => line.replace(/"state":\{[^}]*\}/, () => `"state":${JSON.stringify(HOSTILE)}`),
    },
  ]);
  publish(workspace, "one", [
    prediction({ row: id, gold: "yes", label: "yes", changes: { output_text: HOSTILE } }),
  ]);
  const { shards, rows } = await make(workspace);
  expect(shards).toHaveLength(1);
  const row = shards[0]?.rows.find(({ row_id }) => row_id === id);
  expect(row).toMatchObject({
    state: HOSTILE,
    title: "\u00c9t\u00e9 </script>",
    answers: { output_text: [HOSTILE] },
  });
  const { files } = JSON.parse(readFileSync(join(rows, "texts.json"), "utf8")) as {
    files: { file: string; first: number }[];
  };
  expect(files).toEqual([{ file: "texts-0000.json", first: 0 }]);
  const texts = JSON.parse(readFileSync(join(rows, "texts-0000.json"), "utf8")) as string[];
  expect(texts).toHaveLength(7);
  expect(texts[shards[0]?.rows.findIndex(({ row_id }) => row_id === id) ?? -1]).toContain(HOSTILE);
});

test("a row that nobody has answered, one with an error, a partial result and a local run", async () => {
  const workspace = makeWorkspace();
  publish(workspace, "one", [
    prediction({
      row: "a-1",
      gold: "yes",
      label: null,
      status: "invalid_output",
      changes: { output_text: null },
    }),
  ]);
  workspace.addRun("mine", { results: [result({ row: "a-1", gold: "yes", label: "yes" })] });
  const { shards } = await make(workspace);
  const [first, ...others] = shards[0]?.rows ?? [];
  expect(first?.answers).toMatchObject({
    run_id: ["mine", "tiny/one"],
    status: ["ok", "invalid_output"],
    label: ["yes", null],
    correct: [true, false],
    probabilities: [null, null],
    output_text: ["{}", null],
  });
  expect(others.map(({ answers }) => answers)).toEqual(others.map(() => null));
});

test("a model's text is cut at so many characters, never within one", async () => {
  const workspace = makeWorkspace();
  const whole = "\u{1f600}".repeat(MAX_RAW_CHARACTERS);
  publish(workspace, "one", [
    prediction({ row: "a-1", gold: "yes", label: "yes", changes: { output_text: whole } }),
    prediction({ row: "a-2", gold: "no", label: "yes", changes: { output_text: `${whole}!` } }),
  ]);
  const { shards } = await make(workspace);
  for (const [i, characters] of [MAX_RAW_CHARACTERS, MAX_RAW_CHARACTERS + 1].entries()) {
    const answers = shards[0]?.rows[i]?.answers;
    expect(answers?.output_text?.[0] === whole).toBe(true);
    expect(answers?.output_characters).toEqual([characters]);
  }
});

test("pictures are copied under their digests; what leads out of the corpus is left out, and said", async () => {
  const row = (id: string): RowSpec => ({ ...(TINY[0] as RowSpec), id, modality: "image" });
  const workspace = makeWorkspace([row("a"), row("b"), row("c"), TINY[1] as RowSpec]);
  const corpus = join(workspace.root, "data", "corpus", "tiny-1");
  const { shards, pictures, said } = await make(workspace, () => {
    writeFileSync(join(workspace.root, "secret"), "secret");
    rmSync(join(corpus, "b.png"));
    symlinkSync(join(workspace.root, "secret"), join(corpus, "b.png"));
    rmSync(join(corpus, "c.png"));
  });
  const name = `${createHash("sha256").update("a").digest("hex")}.png`;
  expect(readdirSync(pictures).sort()).toEqual([name, "index.json"].sort());
  expect(readFileSync(join(pictures, name), "utf8")).toBe("a");
  const all = shards[0]?.rows ?? [];
  expect(Object.fromEntries(all.map(({ row_id, images }) => [row_id, images]))).toEqual({
    a: [{ path: "a.png", alt: "Picture of a", file: name }],
    "a-2": [],
    b: [{ path: "b.png", alt: "Picture of b", file: null }],
    c: [{ path: "c.png", alt: "Picture of c", file: null }],
  });
  expect(said.join("\n")).toContain("is a link out of the corpus folder");
  expect(said.join("\n")).toContain("is not there");
});

test("a corpus without rows has no files of rows", async () => {
  const { shards, rows, pictures } = await make(makeWorkspace(), () => {}, [
    "DELETE FROM ledger.corpus_texts",
    "DELETE FROM ledger.corpus_rows",
  ]);
  expect(shards).toEqual([]);
  expect(readdirSync(rows)).toEqual(["texts.json"]);
  expect(readdirSync(pictures)).toEqual(["index.json"]);
});
