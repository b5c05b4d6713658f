import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CheckError, InterruptedError, UserError } from "../../src/errors.ts";
import { bench } from "../support/commands.ts";
import { addTwoRuns } from "../support/runs.ts";
import { makeWorkspace, result } from "../support/workspace.ts";

const KINDS = `SELECT 1 AS int, 2::BIGINT AS big, 170141183460469231731687303715884105727 AS huge,
  9007199254740991 AS safe, 9007199254740993 AS unsafe, 12.50::DECIMAL(9, 2) AS dec, 0.1::DOUBLE AS dbl,
  'nan'::DOUBLE AS nan, '-inf'::DOUBLE AS inf, NULL AS nothing, TRUE AS yes, 'a"b,\nc' AS text,
  map(['10', '2', '__proto__', 'constructor'], [1, 2, 3, 4]) AS map, {'b': 1, '10': {'x': NULL}} AS struct,
  [1, NULL, 3] AS list, TIMESTAMPTZ '2026-11-01 12:00:00.123456+02' AS at, TIMESTAMP '2026-11-01 12:00:00' AS local,
  DATE '2026-11-01' AS day, 'infinity'::TIMESTAMP AS never, 1 AS int`;

test("json: numbers are numbers, what JSON has not is null, orders and labels stay", async () => {
  const { stdout, stderr, error } = await bench(makeWorkspace(), ["sql", "--format", "json", KINDS]);
  expect(error).toBeUndefined();
  expect(stderr).toBe("");
  await expect(stdout).toMatchFileSnapshot("../fixtures/golden/sql-kinds.json");
  const [row] = JSON.parse(stdout) as Record<string, unknown>[];
  expect(row).toMatchObject({
    int: 1,
    big: 2,
    safe: Number.MAX_SAFE_INTEGER,
    unsafe: "9007199254740993",
    dec: 12.5,
  });
  expect(row).toMatchObject({ nan: null, inf: null, at: "2026-11-01T10:00:00.123456Z", never: null });
});

test("csv, jsonl and table of the same row", async () => {
  const workspace = makeWorkspace();
  for (const format of ["csv", "jsonl", "table"]) {
    const { stdout, error } = await bench(workspace, ["sql", "--format", format, KINDS]);
    expect(error).toBeUndefined();
    await expect(stdout).toMatchFileSnapshot(
      `../fixtures/golden/sql-kinds.${format === "table" ? "txt" : format}`,
    );
  }
});

test("every view as CSV", async () => {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  const { stdout } = await bench(workspace, ["sql", "--format", "json", "SHOW TABLES"]);
  let all = "";
  for (const { name } of JSON.parse(stdout) as { name: string }[]) {
    const columns = name === "runs" ? "* REPLACE (corpus_sha256 IS NOT NULL AS corpus_sha256)" : "*";
    const view = await bench(workspace, [
      "sql",
      "--format",
      "csv",
      `SELECT ${columns} FROM ${name} ORDER BY ALL`,
    ]);
    expect(view.error).toBeUndefined();
    all += `-- ${name}\n${view.stdout}\n`;
  }
  await expect(all).toMatchFileSnapshot("../fixtures/golden/views.txt");
});

test("no rows: an empty array, nothing, and the names alone", async () => {
  const workspace = makeWorkspace();
  const out = async (format: string, sql = "SELECT run_id, rows FROM accuracy_overall") =>
    (await bench(workspace, ["sql", "--format", format, sql])).stdout;
  expect(await out("json")).toBe("[]\n");
  expect(await out("jsonl")).toBe("");
  expect(await out("csv")).toBe("run_id,rows\n");
  expect(await out("table")).toBe("run_id  rows\n");
  expect(await out("json", "CREATE TABLE t (x INT)")).toBe("[]\n");
  expect(await out("table", "CREATE TABLE t (x INT)")).toBe("");
});

test("a large result streams, whole and in order", async () => {
  const { stdout } = await bench(makeWorkspace(), [
    "sql",
    "--format",
    "jsonl",
    "SELECT range AS i FROM range(300000)",
  ]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(300_000);
  expect(lines.at(-1)).toBe('{"i":299999}');
});

test("a table shows the first rows and says that there are more", async () => {
  const workspace = makeWorkspace();
  const { stdout, stderr } = await bench(workspace, ["sql", "SELECT range AS i FROM range(10000000000)"]);
  expect(stdout.trimEnd().split("\n")).toHaveLength(201);
  expect(stderr).toBe("The first 200 rows are shown; --format csv, json or jsonl gives all of them.\n");
  const exact = await bench(workspace, ["sql", "SELECT range AS i FROM range(200)"]);
  expect(exact.stderr).toBe("");
});

test("statements from a file; the last one's result is shown", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", { results: [result({ row: "a-1", gold: "yes", label: "yes" })] });
  writeFileSync(
    join(workspace.root, "q.sql"),
    "-- two statements\nCREATE TEMP TABLE t AS SELECT * FROM answers;\nSELECT count(*) AS n FROM t;\n",
  );
  const { stdout, error } = await bench(workspace, ["sql", "-f", "q.sql", "--format", "json"]);
  expect(error).toBeUndefined();
  expect(JSON.parse(stdout)).toEqual([{ n: 1 }]);
});

test("what cannot be run is said in one line", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", {});
  const cases: [string[], new (...args: never[]) => Error, RegExp][] = [
    [["sql"], UserError, /^no query/],
    [["sql", " "], UserError, /empty/],
    [["sql", "SELECT 1", "-f", "x"], UserError, /use one/],
    [["sql", "-f", "none.sql"], UserError, /none\.sql cannot be read \(ENOENT\)/],
    [
      ["sql", "SELECT *\nFORM x"],
      CheckError,
      /^SQL: Parser error: syntax error at or near "x" \(line 2, column 6\)$/,
    ],
    [["sql", "SELECT 'é', nope FROM runs"], CheckError, /Referenced column "nope" .* \(line 1, column 13\)$/],
    [
      ["sql", "SELECT 'x'::INT"],
      CheckError,
      /Conversion error: Could not convert string 'x' to INT32 \(line 1, column 11\)/,
    ],
    [["sql", "SELECT 1; SELECT * FROM nowhere"], CheckError, /Table with name nowhere does not exist/],
    [
      ["sql", "SELECT 1", "-o", "no/such/folder.csv"],
      UserError,
      /no\/such\/folder\.csv cannot be written \(ENOENT\)/,
    ],
  ];
  for (const [args, kind, message] of cases) {
    const { error, stdout } = await bench(workspace, args);
    expect(error, args.join(" ")).toBeInstanceOf(kind);
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain("\n");
    expect(stdout).toBe("");
  }
  const format = await bench(workspace, ["sql", "SELECT 1", "--format", "xml"]);
  expect(format.stderr).toContain("Allowed choices are table, json, jsonl, csv");
});

test("-o writes the whole file or leaves the old one", async () => {
  const workspace = makeWorkspace();
  const file = join(workspace.root, "out.csv");
  const run = (sql: string, format = "csv") =>
    bench(workspace, ["sql", sql, "--format", format, "-o", "out.csv"]);
  expect((await run("SELECT 1 AS a")).stdout).toBe("");
  expect(readFileSync(file, "utf8")).toBe("a\n1\n");
  const { error } = await run(
    "SELECT CASE WHEN range < 9999 THEN 1 ELSE error('stop') END AS a FROM range(10000)",
  );
  expect(error).toBeInstanceOf(CheckError);
  expect(readFileSync(file, "utf8")).toBe("a\n1\n");
  await run("SELECT 2 AS a", "json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual([{ a: 2 }]);
  expect(readdirSync(workspace.root).filter((name) => name.includes("out"))).toEqual(["out.csv"]);
  mkdirSync(join(workspace.root, "folder"));
  const folder = await bench(workspace, ["sql", "SELECT 1", "-o", "folder"]);
  expect(folder.error).toBeInstanceOf(UserError);
});

test("an interrupted query ends at once", async () => {
  const controller = new AbortController();
  const start = performance.now();
  setTimeout(() => controller.abort(), 300);
  const { error } = await bench(
    makeWorkspace(),
    ["sql", "SELECT sum(a.range * b.range) AS n FROM range(100000000) AS a, range(100000000) AS b"],
    { interrupt: controller.signal },
  );
  expect(error).toBeInstanceOf(InterruptedError);
  expect(performance.now() - start).toBeLessThan(10_000);
  const early = await bench(makeWorkspace(), ["sql", "SELECT * FROM runs"], {
    interrupt: AbortSignal.abort(),
  });
  expect(early.error).toBeInstanceOf(InterruptedError);
});

test("control characters are written out in tables, colours only on a terminal", async () => {
  const workspace = makeWorkspace();
  const sql = "SELECT 'a' || chr(27) || '[31m' || chr(10) || chr(8238) || 'b' AS x";
  const plain = await bench(workspace, ["sql", sql]);
  expect(plain.stdout).toBe("x\na\\x1b[31m\\n\\u202eb\n");
  const colour = await bench(workspace, ["sql", sql], { isTTY: true });
  expect(colour.stdout).toContain("\u001b[1mx");
  expect(colour.stdout).toContain("a\\x1b[31m\\n\\u202eb");
  const none = await bench(workspace, ["sql", sql], { isTTY: true, env: { NO_COLOR: "1" } });
  expect(none.stdout).toBe(plain.stdout);
});

test("damage is said on standard error and the good lines are there", async () => {
  const workspace = makeWorkspace();
  const line = result({ row: "a-1", gold: "yes", label: "yes" });
  for (let i = 0; i < 25; i += 1) workspace.addRun(`r${i}`, { results: `${line}\noops\n` });
  const { stdout, stderr } = await bench(workspace, [
    "sql",
    "--format",
    "json",
    "SELECT count(*) AS n FROM answers",
  ]);
  expect(JSON.parse(stdout)).toEqual([{ n: 25 }]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(21);
  expect(stderr).toContain("runs/r0/results.jsonl: 1 damaged line was left out\n");
  expect(stderr).toContain("… and 5 more of these.\n");
});

test("a table in a file has no colours", async () => {
  const workspace = makeWorkspace();
  await bench(workspace, ["sql", "SELECT 1 AS a", "-o", "t.txt"], { isTTY: true });
  expect(readFileSync(join(workspace.root, "t.txt"), "utf8")).toBe("a\n1\n");
});

test("columns of one name stay apart, whatever the others are called", async () => {
  const query = `SELECT 'x' AS a, 'y' AS a, 'z' AS "a:1", 'w' AS a`;
  const { stdout } = await bench(makeWorkspace(), ["sql", "--format", "json", query]);
  expect(JSON.parse(stdout)).toEqual([{ a: "x", "a:2": "y", "a:1": "z", "a:3": "w" }]);
});

test("a STRUCT whose fields cannot be told apart is refused, not shown in part", async () => {
  for (const query of ["SELECT row(1, 2)", "SELECT {'__proto__': 1}", "SELECT [row(1, 2)]"]) {
    const { error } = await bench(makeWorkspace(), ["sql", "--format", "json", query]);
    expect(error, query).toBeInstanceOf(CheckError);
    expect(error?.message).toContain("cast it to VARCHAR");
  }
});

test("no statement, and a syntax error outside ASCII, are said in plain words", async () => {
  for (const query of [";", ";;", "é"]) {
    const { error } = await bench(makeWorkspace(), ["sql", query]);
    expect(error, query).toBeInstanceOf(CheckError);
    expect(error?.message).toContain("there is no statement in this");
  }
});
