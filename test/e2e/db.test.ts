// `bench db build` as a user runs it: a file that other programs open, whole or not there.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bench, cleanEnv, cli, until } from "../support/bench.ts";

let root: string;
let out: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "decision-bench-db-"));
  cpSync(fileURLToPath(new URL("../fixtures/oracle", import.meta.url)), root, { recursive: true });
  out = join(root, "out");
  mkdirSync(out);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function ask(file: string, sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(file, { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

it("a fresh DuckDB opens the file; a second build replaces it; nothing else is left", async () => {
  const done = await bench(root, ["db", "build", "out/bench.duckdb"]);
  expect(done).toMatchObject({ code: 0, stderr: "" });
  expect(done.stdout).toMatch(
    /^out\/bench\.duckdb: 0 local runs, 6 published results, 2,385 answers, 2,497 attempts, 427 corpus rows; \d\.\d MB\n$/,
  );
  const file = join(out, "bench.duckdb");
  expect(await ask(file, "SELECT run_id, correct FROM accuracy_overall ORDER BY run_id LIMIT 2")).toEqual([
    ["oracle-1/alpha", "406"],
    ["oracle-1/bravo", "364"],
  ]);
  expect(await ask(file, "SELECT comment FROM duckdb_columns() WHERE column_name = 'brier' LIMIT 1")).toEqual(
    [["Brier score of the row, 0 to 2"]],
  );
  expect(
    await ask(file, "SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = 'bench'"),
  ).toEqual([[expect.stringMatching(/^v1\.0\.0/)]]);
  const bytes = readFileSync(file).toString("latin1");
  for (const place of [root, homedir(), tmpdir()]) expect(bytes).not.toContain(place);
  const again = await bench(root, [
    "db",
    "build",
    "out/bench.duckdb",
    "--runs",
    "alpha,oracle-1/bravo",
    "--json",
  ]);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    file: "out/bench.duckdb",
    local_runs: 0,
    published_results: 2,
    answers: 854,
    corpus_rows: 427,
  });
  expect(await ask(file, "SELECT count(*) FROM runs")).toEqual([["2"]]);
  expect(readdirSync(out)).toEqual(["bench.duckdb"]);
});

it("nothing that is no DuckDB file is overwritten", async () => {
  const refused = async (file: string): Promise<string> => {
    const { code, stderr, stdout } = await bench(root, ["db", "build", file]);
    expect([code, stdout]).toEqual([2, ""]);
    return stderr;
  };
  writeFileSync(join(root, "notes.txt"), "what I know");
  expect(await refused("notes.txt")).toContain("notes.txt is there and is not a DuckDB file");
  expect(readFileSync(join(root, "notes.txt"), "utf8")).toBe("what I know");
  expect(await refused("data")).toContain("data is there and is not a file");
  expect(await refused("none/x.duckdb")).toContain(
    "none/x.duckdb cannot be written (its folder is not there)",
  );
  expect(await refused("notes.txt/x.duckdb")).toContain("cannot be written (ENOTDIR)");
  symlinkSync("loop.duckdb", join(root, "loop.duckdb"));
  expect(await refused("loop.duckdb")).toContain("cannot be written (ELOOP)");
  writeFileSync(join(root, "busy.duckdb"), "");
  writeFileSync(join(root, "busy.duckdb.wal"), "x");
  expect(await refused("busy.duckdb")).toContain("busy.duckdb.wal lies beside busy.duckdb");
  symlinkSync("nowhere.duckdb", join(root, "dangling.duckdb"));
  expect(await refused("dangling.duckdb")).toContain("dangling.duckdb is a link to a file that is not there");
  expect(await refused("")).toContain("the name of the file is empty");
  const unknown = await bench(root, ["db", "build", "x.duckdb", "--runs", "alfa"]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('there is no run "alfa"');
  expect(existsSync(join(root, "x.duckdb"))).toBe(false);
});

it("what a killed build left an hour ago is removed, and nothing else", async () => {
  const folder = join(root, "leftovers");
  mkdirSync(folder);
  // No process has the largest id that a pid may be.
  const dead = ".a.duckdb.4194304-0123456789ab.tmp";
  const kept = [
    `.a.duckdb.${process.pid}-0123456789ab.tmp`,
    ".a.duckdb.4194304-ba9876543210.tmp",
    ".b.duckdb.4194304-0123456789ab.tmp",
    ".a.duckdb.notes.tmp",
  ];
  for (const name of [dead, `${dead}.wal`, ...kept]) writeFileSync(join(folder, name), "x");
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const name of [dead, `${dead}.wal`, ...kept.filter((name) => !name.includes("ba98"))]) {
    utimesSync(join(folder, name), old, old);
  }
  expect((await bench(root, ["db", "build", "leftovers/a.duckdb", "--runs", "alpha"])).code).toBe(0);
  expect(readdirSync(folder).sort()).toEqual([...kept, "a.duckdb"].sort());
});

it("one thing of a kind is called one", async () => {
  const one = await bench(root, ["db", "build", "out/one.duckdb", "--runs", "alpha"]);
  expect(one.stdout).toMatch(
    /: 0 local runs, 1 published result, 427 answers, 446 attempts, 427 corpus rows; /,
  );
  rmSync(join(out, "one.duckdb"));
});

it("an empty file and a link to a database are replaced by what was asked for", async () => {
  writeFileSync(join(out, "empty.duckdb"), "");
  symlinkSync("empty.duckdb", join(out, "link.duckdb"));
  expect((await bench(root, ["db", "build", "out/link.duckdb", "--runs", "alpha"])).code).toBe(0);
  expect(await ask(join(out, "empty.duckdb"), "SELECT run_id FROM runs")).toEqual([["oracle-1/alpha"]]);
});

it("a process that is killed leaves the old file or the new one", async () => {
  const file = join(out, "kept.duckdb");
  expect((await bench(root, ["db", "build", "out/kept.duckdb", "--runs", "alpha"])).code).toBe(0);
  const child = spawn(process.execPath, [cli, "db", "build", "out/kept.duckdb"], {
    cwd: root,
    env: cleanEnv(),
    stdio: "ignore",
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  // The draft stands beside it as soon as rows are written.
  await until(() => readdirSync(out).some((name) => name.startsWith(".kept.duckdb.")), "the draft");
  child.kill("SIGKILL");
  await closed;
  expect([[["1"]], [["6"]]]).toContainEqual(await ask(file, "SELECT count(*) FROM runs"));
});
