// Views that are put in place of themselves as tables, and databases that are written to a file.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, onTestFinished, test } from "vitest";
import { CheckError, InterruptedError } from "../../src/errors.ts";
import { plainRows } from "../../src/warehouse/formats.ts";
import { openSnapshotFile } from "../../src/warehouse/snapshot-file.ts";
import type { WarehouseOptions } from "../../src/warehouse/warehouse.ts";
import { localOracle } from "../support/oracle.ts";
import { addPublished, call, prediction } from "../support/published.ts";
import { everything, open } from "../support/query.ts";
import { addTwoRuns } from "../support/runs.ts";
import { finished, makeWorkspace, result, type TestWorkspace } from "../support/workspace.ts";

/** Local runs, one with rows that were finished twice, and published results. */
function busy(): TestWorkspace {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  const again = (number: number, label: string): string =>
    result({
      row: "a-1",
      gold: "yes",
      label,
      attempts: [finished({ id: `again-${number}`, row: "a-1", number })],
    });
  workspace.addRun("again", { results: [again(1, "yes"), again(2, "no"), again(3, "no")] });
  for (const model of ["m", "n"]) {
    const attempts = [call({ status: "429", cost: null }), call()];
    addPublished(workspace, ["tiny", model], {
      predictions: [
        prediction({ row: "a-1", gold: "yes", label: "yes", attempts }),
        prediction({
          row: "b-1",
          gold: "2",
          label: "__proto__",
          probabilities: [
            ["__proto__", 0.5],
            ["2", 0.5],
          ],
        }),
      ],
    });
  }
  return workspace;
}

test("a view that is held as a table gives the same rows, and so do the views on it", async () => {
  const workspace = busy();
  const want = await everything(await open(workspace));
  const held = await open(workspace);
  await held.warehouse.materialise({ attempts: null, answers: null });
  expect(await everything(held)).toEqual(want);
  expect(
    await held.rows("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' ORDER BY ALL"),
  ).toEqual([{ table_name: "answers" }, { table_name: "attempts" }]);
});

test("memory that is too little is not insisted on: the figures are the same, and everything is counted once", async () => {
  const workspace = localOracle();
  const ask = async (options: WarehouseOptions): Promise<string[]> => {
    const { warehouse, json } = await open(workspace, { runs: ["bravo"], ...options });
    await warehouse.materialise({ answers: null });
    return [
      await json("SELECT * FROM accuracy_overall"),
      await json("SELECT * FROM cost"),
      await json("SELECT * FROM calibration"),
      await json("SELECT run_id, rows_completed, damaged_lines FROM runs"),
    ];
  };
  const usual = await ask({});
  // With one MB nothing can be read; a few are enough to read, and not for what comes then.
  for (const frugalMegabytes of [1, 8, 12, 20]) {
    expect(await ask({ figuresOnly: true, frugalMegabytes })).toEqual(usual);
  }
  expect(await ask({ figuresOnly: true })).toEqual(usual);
});

test("columns that are left out are gone", async () => {
  const { warehouse, rows } = await open(busy());
  await warehouse.materialise({ answers: ["run_id", "row_id", "correct", "is_valid", "task"] });
  expect(await rows("SELECT count(*) AS n FROM answers")).not.toEqual([{ n: 0 }]);
  await expect(rows("SELECT output_text FROM answers")).rejects.toThrow(CheckError);
});

test("a file has the same rows, views, macros and comments, opened read-only and under another name", async () => {
  const workspace = busy();
  const opened = await open(workspace);
  const path = join(workspace.root, "it's a [file].duckdb");
  expect(await opened.warehouse.snapshot(path)).toEqual({
    local_runs: 3,
    published_results: 2,
    corpus_rows: 6,
    answers: 12,
    attempts: 18,
  });
  expect(existsSync(`${path}.wal`)).toBe(false);
  const want = await everything(opened);
  const names = opened.warehouse.views;
  const columns =
    "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal AND schema_name = 'main' ORDER BY ALL";
  const macros = "SELECT function_name, parameters FROM duckdb_functions() WHERE NOT internal ORDER BY ALL";
  const comments =
    "SELECT view_name AS name, comment FROM duckdb_views() WHERE NOT internal UNION ALL SELECT table_name, comment FROM duckdb_tables() WHERE schema_name = 'main' ORDER BY ALL";
  const schema = async (json: (sql: string) => Promise<string>) => [
    await json(columns),
    await json(macros),
    await json(comments),
  ];
  const direct = await DuckDBInstance.create(path, { access_mode: "READ_ONLY" });
  const plain = await direct.connect();
  const rows = async (sql: string): Promise<unknown> => (await plain.runAndReadAll(sql)).getRowObjectsJson();
  const before = await schema(async (sql) => JSON.stringify(await opened.rows(sql)));
  expect(await schema(async (sql) => JSON.stringify(await rows(sql)))).toEqual(before);
  expect(before[2]).not.toContain('"comment":null');
  plain.closeSync();
  direct.closeSync();
  // The same rows, told by the same program: the file is attached to an empty database under a name of its own.
  const other = await open(makeWorkspace());
  await other.rows(`ATTACH '${path.replaceAll("'", "''")}' AS another (READ_ONLY)`);
  for (const view of names) {
    expect(await other.json(`SELECT * FROM another.${view} ORDER BY ALL`), view).toBe(want[view]);
  }
  expect(await other.rows("SELECT another.wilson_low(1, 2) = wilson_low(1, 2) AS same")).toEqual([
    { same: true },
  ]);
  // Macros look for what they stand on in the database that is in use.
  const pair = "compare('whole', 'under-way')";
  await other.rows("USE another");
  expect(await other.json(`SELECT * FROM ${pair}`)).toBe(await opened.json(`SELECT * FROM ${pair}`));
});

test("queries go on in memory after a file was written, and after one could not be", async () => {
  const workspace = busy();
  const { warehouse, rows } = await open(workspace);
  await expect(warehouse.snapshot(join(workspace.root, "none", "x.duckdb"))).rejects.toThrow(CheckError);
  const first = join(workspace.root, "one.duckdb");
  await warehouse.snapshot(first);
  expect(await rows("SELECT current_database() AS name")).toEqual([{ name: "memory" }]);
  await warehouse.snapshot(join(workspace.root, "two.duckdb"));
  const taken = warehouse.snapshot(first);
  await expect(taken).rejects.toThrow(CheckError);
  expect(await rows("SELECT count(*) AS n FROM runs")).toEqual([{ n: 5 }]);
});

test("a file is not begun when the person has stopped the command", async () => {
  const workspace = busy();
  const controller = new AbortController();
  const { warehouse } = await open(workspace, { signal: controller.signal });
  controller.abort();
  await expect(warehouse.snapshot(join(workspace.root, "x.duckdb"))).rejects.toThrow(InterruptedError);
});

test("rows that a file holds stand in the order of their keys, however they were computed", async () => {
  const workspace = makeWorkspace();
  const rows = ["b-3", "a-2", "b-1", "a-1", "a-3", "b-2"];
  for (const model of ["z", "m", "b", "y", "a"]) {
    addPublished(workspace, ["tiny", model], {
      predictions: rows.map((row) => prediction({ row, gold: "no", label: "no" })),
    });
  }
  const { warehouse } = await open(workspace);
  const path = join(workspace.root, "ordered.duckdb");
  await warehouse.snapshot(path, ["answers", "leaderboard", "comparisons"]);
  const file = await openSnapshotFile(path);
  onTestFinished(() => file.close());
  const keys = { answers: "run_id, row_id", leaderboard: "run_id", comparisons: "run_a, run_b" };
  for (const [view, key] of Object.entries(keys)) {
    const texts: string[][] = [];
    for (const order of ["rowid", key]) {
      const text: string[] = [];
      const result = await file.query(`SELECT [${key}]::VARCHAR AS key FROM ${view} ORDER BY ${order}`);
      for await (const rows of plainRows(result)) for (const row of rows) text.push(String(row.get("key")));
      texts.push(text);
    }
    expect(texts[0]?.length).toBeGreaterThan(4);
    expect(texts[0], view).toEqual(texts[1]);
  }
});
