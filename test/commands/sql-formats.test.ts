import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { expect, test } from "vitest";
import { CheckError, InterruptedError, UserError } from "../../src/errors.ts";
import { bench } from "../support/commands.ts";
import { makeWorkspace } from "../support/workspace.ts";

const KINDS = `CREATE TYPE mood AS ENUM ('low', 'high');
SELECT 9007199254740993::BIGINT AS big, -5::HUGEINT AS huge, 18446744073709551615::UHUGEINT AS uhuge, 7::TINYINT AS tiny,
  TRUE AS yes, 'é|' AS text, NULL AS nothing, 1.5::FLOAT AS flt, 'nan'::DOUBLE AS nan, -12.34::DECIMAL(38, 2) AS dec,
  DATE '1969-12-31' AS day, 'infinity'::DATE AS never, TIMESTAMP '2026-11-01 12:00:00.123456' AS local,
  TIMESTAMPTZ '2026-11-01 12:00:00.5+02' AS at, TIME '01:02:03.000004' AS clock, 'ab'::BLOB AS blob,
  [[1], NULL, []] AS lists, {'b': 1, 'a': [NULL, 'x']} AS struct, 'high'::mood AS enm,
  map(['10', '2', '__proto__', 'size'], [1, 2, NULL, 4]) AS map, [1, 2]::INT[2] AS arr,
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID AS id, INTERVAL '1 month 2.000003 s' AS span,
  union_value(num := 2) AS uni, [5::HUGEINT] AS huges, 1 AS tiny`;

test("arrow: each kind of value, read back", async () => {
  const run = () => bench(makeWorkspace(), ["sql", "--format", "arrow", KINDS]);
  const { bytes, error } = await run();
  expect(error).toBeUndefined();
  expect((await run()).bytes.equals(bytes), "the same bytes again").toBe(true);
  expect(bytes.subarray(0, 6).toString()).toBe("ARROW1");
  const table = tableFromIPC(bytes);
  expect(Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]))).toMatchObject(
    {
      big: "Int64",
      huge: "Int64",
      uhuge: "Uint64",
      tiny: "Int8",
      "tiny:1": "Int32",
      dec: "Decimal[38e+2]",
      day: "Date32<DAY>",
      local: "Timestamp<MICROSECOND>",
      at: "Timestamp<MICROSECOND, UTC>",
      clock: "Time64<MICROSECOND>",
      blob: "Binary",
      enm: "Utf8",
      id: "Utf8",
      map: "Map<{key:Utf8, value:Int32}>",
    },
  );
  const at = (name: string) => table.getChild(name)?.get(0);
  const raw = (name: string) => table.getChild(name)?.data[0]?.values;
  expect([at("big"), at("huge"), at("uhuge"), at("tiny")]).toEqual([
    9007199254740993n,
    -5n,
    2n ** 64n - 1n,
    7,
  ]);
  expect([at("yes"), at("text"), at("nothing"), at("flt"), at("nan")]).toEqual([
    true,
    "é|",
    null,
    1.5,
    Number.NaN,
  ]);
  expect([...(raw("dec") as Uint32Array)]).toEqual([2 ** 32 - 1234, 2 ** 32 - 1, 2 ** 32 - 1, 2 ** 32 - 1]);
  expect([raw("day")?.[0], at("never")]).toEqual([-1, null]);
  expect(raw("local")?.[0]).toBe(BigInt(Date.UTC(2026, 10, 1, 12)) * 1000n + 123456n);
  expect(raw("at")?.[0]).toBe(BigInt(Date.UTC(2026, 10, 1, 10)) * 1000n + 500000n);
  expect([raw("clock")?.[0], Buffer.from(at("blob")).toString()]).toEqual([3723000004n, "ab"]);
  expect(JSON.stringify(at("lists"))).toBe("[[1],null,[]]");
  expect(JSON.stringify(at("struct"))).toBe('{"b":1,"a":[null,"x"]}');
  expect([...at("map")]).toEqual([
    ["10", 1],
    ["2", 2],
    ["__proto__", null],
    ["size", 4],
  ]);
  expect([...at("arr")]).toEqual([1, 2]);
  expect([at("enm"), at("id"), at("uni"), [...at("huges")]]).toEqual([
    "high",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    "2",
    [5n],
  ]);
  expect(at("span")).toBe("1 month 00:00:02.000003");
});

test("arrow: rows in batches that do not depend on DuckDB's, an empty result with its schema", async () => {
  const workspace = makeWorkspace();
  const file = join(workspace.root, "x.arrow");
  await bench(workspace, ["sql", "--format", "arrow", "-o", file, "SELECT range AS i FROM range(20000)"]);
  const table = tableFromIPC(readFileSync(file));
  expect(table.batches.map((batch) => batch.numRows)).toEqual([8192, 8192, 3616]);
  expect([table.numRows, table.getChild("i")?.get(19999)]).toEqual([20000, 19999n]);
  await bench(workspace, [
    "sql",
    "--format",
    "arrow",
    "-o",
    file,
    "SELECT run_id, rows FROM accuracy_overall",
  ]);
  const empty = tableFromIPC(readFileSync(file));
  expect([empty.numRows, empty.schema.fields.map(String)]).toEqual([0, ["run_id: Utf8", "rows: Int64"]]);
});

test("arrow: what 64 bits cannot hold is refused, and no file is left", async () => {
  const workspace = makeWorkspace();
  for (const format of ["arrow", "parquet"]) {
    const { error } = await bench(
      workspace,
      ["sql", "--format", format, "-o", "x", "SELECT 2::HUGEINT ** 63 AS n"].map((arg) =>
        arg.replace("2::HUGEINT ** 63", "9223372036854775808::HUGEINT"),
      ),
    );
    expect(error, format).toBeInstanceOf(CheckError);
    expect(error?.message).toMatch(/9223372036854775808/);
    expect(readdirSync(workspace.root).filter((name) => name.includes("x"))).toEqual([]);
  }
});

test("parquet: read back by DuckDB, exact where DuckDB alone would write a double", async () => {
  const workspace = makeWorkspace();
  const { error } = await bench(workspace, ["sql", "--format", "parquet", "-o", "x.parquet", KINDS]);
  expect(error).toBeUndefined();
  const file = `'${join(workspace.root, "x.parquet")}'`;
  const { stdout } = await bench(workspace, ["sql", "--format", "json", `DESCRIBE FROM ${file}`]);
  const types = (JSON.parse(stdout) as { column_name: string; column_type: string }[]).map((column) => [
    column.column_name,
    column.column_type,
  ]);
  expect(Object.fromEntries(types)).toMatchObject({
    big: "BIGINT",
    huge: "BIGINT",
    uhuge: "UBIGINT",
    huges: "BIGINT[]",
    dec: "DECIMAL(38,2)",
    at: "TIMESTAMP WITH TIME ZONE",
    map: "MAP(VARCHAR, INTEGER)",
    span: "VARCHAR",
    id: "VARCHAR",
    "tiny:1": "INTEGER",
  });
  const back = await bench(workspace, [
    "sql",
    "--format",
    "json",
    `SELECT big, uhuge, map, huges, span FROM ${file}`,
  ]);
  expect(back.stdout).toContain(
    '{"big":"9007199254740993","uhuge":"18446744073709551615","map":{"10":1,"2":2,"__proto__":null,"size":4},"huges":[5]',
  );
});

test("parquet: the last of several statements, and those that stand in no other one", async () => {
  const workspace = makeWorkspace();
  const back = `FROM '${join(workspace.root, "x.parquet")}'`;
  for (const [sql, rows] of [
    [
      "CREATE TABLE t AS SELECT 1 AS a; -- x;\nSELECT a, ';' AS b FROM t ORDER BY a; -- end",
      '{"a":1,"b":";"}\n',
    ],
    ["SHOW TABLES", '{"name":"accuracy_by_category"}\n'],
    ["PRAGMA user_agent", "{"],
    ["EXPLAIN SELECT 1", '{"explain_key":"physical_plan"'],
    ["CREATE TABLE u (a INT); INSERT INTO u VALUES (3) RETURNING a, a", '{"a":3,"a:1":3}\n'],
    ["PIVOT (SELECT 1 AS a, 2 AS b) ON a USING sum(b)", '{"1":2}\n'],
    ["SELECT 1 AS a, 2 AS a WHERE false", ""],
  ] as const) {
    const { error } = await bench(workspace, ["sql", "--format", "parquet", "-o", "x.parquet", sql]);
    expect(error, sql).toBeUndefined();
    const { stdout } = await bench(workspace, ["sql", "--format", "jsonl", back]);
    expect(stdout.startsWith(rows), `${sql}: ${stdout.slice(0, 200)}`).toBe(true);
  }
});

test("binary forms: errors are placed in what was written, a terminal is refused, a broken folder is named", async () => {
  const workspace = makeWorkspace();
  for (const format of ["arrow", "parquet"]) {
    for (const [sql, message] of [
      ["SELECT 1;\nSELECT é, 2", /\(line 2, column 8\)$/],
      ["SELECT 'é';\nSELECT ('x' || range)::INT FROM range(3)", /Could not convert.* \(line 2, column 22\)$/],
      [" ; -- nothing", /there is no statement in this/],
      ["CREATE TABLE t (a INT)", /^the last statement has no result$/],
    ] as const) {
      const { error, bytes } = await bench(workspace, ["sql", "--format", format, sql]);
      expect(error, sql).toBeInstanceOf(CheckError);
      expect(error?.message, format).toMatch(message);
      expect(bytes.length).toBe(0);
    }
    const terminal = await bench(workspace, ["sql", "--format", format, "SELECT 1"], { isTTY: true });
    expect(terminal.error).toBeInstanceOf(UserError);
    expect(terminal.error?.message).toContain("--output");
    const folder = await bench(workspace, ["sql", "--format", format, "SELECT 1", "-o", "no/such/x"]);
    expect(folder.error?.message).toBe("no/such/x cannot be written (ENOENT)");
  }
});

test("parquet: an interrupt leaves the old file and nothing beside it", async () => {
  const workspace = makeWorkspace();
  mkdirSync(join(workspace.root, "out"));
  const file = join(workspace.root, "out", "x.parquet");
  writeFileSync(file, "old");
  for (const format of ["parquet", "arrow"]) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    const { error } = await bench(
      workspace,
      ["sql", "--format", format, "-o", file, "SELECT range AS a FROM range(1000000000000)"],
      { interrupt: controller.signal },
    );
    expect(error, format).toBeInstanceOf(InterruptedError);
    expect(readdirSync(join(workspace.root, "out"))).toEqual(["x.parquet"]);
    expect(readFileSync(file, "utf8")).toBe("old");
  }
  expect(existsSync(file)).toBe(true);
});

test("markdown: a table that stays one, whatever the values hold", async () => {
  const value = 'a|b\\|c`d`\r\ne <b> & _f_ g_h "i"*';
  const sql = `SELECT 1.5 AS "n|m", '${value}' AS t, NULL AS nothing, '' AS empty, chr(27) || chr(8238) AS hidden FROM range(3000)`;
  const { stdout } = await bench(makeWorkspace(), ["sql", "--format", "markdown", sql]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(3002);
  expect(lines[0]).toBe("| n\\|m | t | nothing | empty | hidden |");
  expect(lines[1]).toBe("| ---: | --- | ---: | --- | --- |");
  // As GitHub cuts a row: at each pipe that no backslash hides.
  const cells = (lines[2] as string).slice(2, -2).match(/(?:\\.|[^\\|])+/g) as string[];
  expect(cells).toHaveLength(5);
  const shown = (cells[1] as string)
    .trim()
    .replaceAll("<br>", "\n")
    .replace(/\\(.)/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
  expect(shown).toBe(value.replace("\r\n", "\n"));
  expect(lines[2]).toContain("| – |  |");
  expect(lines[2]).toContain("x1b");
});
