// The Parquet files hold what the views say, read back by DuckDB.
import { join } from "node:path";
import { expect, test } from "vitest";
import { TABLES, writeTables } from "../../src/publish/tables.ts";
import { bench } from "../support/commands.ts";
import { bytesIn, exportsFolder } from "../support/exports.ts";
import { publishedOracle } from "../support/oracle.ts";
import { open } from "../support/query.ts";

/** They repeat others for every pair of results, or the file of the corpus. */
const REPEATING = ["corpus_texts", "paired_rows", "versus", "versus_by_task"];

test("every view is exported but those that repeat something", async () => {
  const { warehouse } = await open(publishedOracle());
  expect(TABLES.map(([view]) => view).sort()).toEqual(
    warehouse.views.filter((view) => !REPEATING.includes(view)).sort(),
  );
});

test("each file has the rows of its view; two exports are the same to the byte", async () => {
  const folder = join(exportsFolder(), "parquet");
  const args = ["export", "--format", "parquet", "--out", folder];
  const done = await bench(publishedOracle(), [...args, "--json"]);
  expect(done.error).toBeUndefined();
  const { rows: counts } = JSON.parse(done.stdout);
  const { json } = await open(publishedOracle());
  for (const [view, key] of TABLES) {
    const expected = await json(`SELECT * FROM ${view} ORDER BY ${key}`);
    // In the order of the file.
    const found = await json(`SELECT * FROM read_parquet('${join(folder, `${view}.parquet`)}')`);
    expect(found, view).toBe(expected);
    expect(counts[view], view).toBe(expected.split("\n").length);
  }
  const first = bytesIn(folder);
  expect((await bench(publishedOracle(), args)).error).toBeUndefined();
  expect(bytesIn(folder)).toEqual(first);
});

test("a file that cannot be written is no error of the SQL, and no place of it is told", async () => {
  const { warehouse } = await open(publishedOracle());
  await expect(writeTables(warehouse, join(exportsFolder(), "not-there"))).rejects.toMatchObject({
    exitCode: 2,
    message: "runs.parquet cannot be written (No such file or directory)",
  });
});
