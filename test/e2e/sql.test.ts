// `bench sql` as a process: queries that never end are stopped from the keyboard, and a terminal gets a prompt.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { cleanEnv, cli, startBench, until } from "../support/bench.ts";
import { makeScratch } from "../support/scratch.ts";

const scratch = makeScratch(3);
afterAll(() => scratch.remove());

const COUNT = "select count(*) as n from range(1000000000000) a, range(1000000000000) b";
const ROWS = "select range as i from range(1000000000000)";

it.each([
  ["table", COUNT, []],
  ["csv", ROWS, []],
  ["csv", ROWS, ["-o", "out.csv"]],
  ["parquet", ROWS, ["-o", "out.parquet"]],
  ["parquet", COUNT, []],
  ["arrow", ROWS, ["-o", "out.arrow"]],
])("Ctrl-C stops an endless query: %s", async (format, query, more) => {
  const running = startBench(scratch.root, ["sql", "--format", format, ...more, query]);
  // The moment in which the query runs cannot be seen from outside, except by what it writes.
  const file = more[1];
  if (file !== undefined) {
    await until(() => readdirSync(scratch.root).some((name) => name.startsWith(`.${file}`)), "the draft");
  } else await new Promise((resolve) => setTimeout(resolve, 1500));
  const start = performance.now();
  running.child.kill("SIGINT");
  const ended = await running.ended;
  expect([ended.code, ended.stderr]).toEqual([130, "bench: interrupted\n"]);
  expect(performance.now() - start).toBeLessThan(5000);
  expect(readdirSync(scratch.root).filter((name) => name.includes("out."))).toEqual([]);
});

const python = spawnSync("python3", ["-c", "import pty"]).status === 0;

// Runs a program at a terminal of its own, passes on what comes and goes, and ends with its exit code.
const PTY = `import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))`;

it.skipIf(!python)("a prompt at a terminal (skipped without python3)", async () => {
  const child = spawn("python3", ["-c", PTY, process.execPath, cli, "sql"], {
    cwd: scratch.root,
    env: cleanEnv({ TERM: "xterm", NO_COLOR: "1" }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let seen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    seen += text;
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const after = async (text: string, what: string): Promise<void> => {
    const from = seen.length;
    child.stdin.write(text);
    await until(() => seen.slice(from).includes(what), `${JSON.stringify(what)} in ${JSON.stringify(seen)}`);
  };
  try {
    await until(() => seen.includes("bench> "), "the prompt");
    await after("select 40 +\r", "... ");
    await after("2 as answer;\r", "42");
    await after("select nope;\r", "Referenced column");
    await after("select half", "half");
    await after("\u0003", "^C");
    await after(`${COUNT};\r`, "b;");
    await new Promise((resolve) => setTimeout(resolve, 500));
    await after("\u0003", "interrupted");
    await after("select 43 as again;\r", "again\r\n   43");
    await after("\u0003", "again, or .quit, leaves");
    await after(".tables\r", "corpus_rows");
    child.stdin.write("\u0004");
    expect(await closed).toBe(0);
  } finally {
    child.kill();
  }
});
