// The command itself: where the workspace option may stand, what a reader that leaves early sees, what DEBUG shows.
import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packageVersion } from "../../src/workspace.ts";
import { bench, cleanEnv, cli } from "../support/bench.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = makeScratch(3);
});
afterAll(() => scratch.remove());

it("says its version", async () => {
  const { stdout, code } = await bench(scratch.root, ["--version"]);
  expect([stdout, code]).toEqual([`${packageVersion()}\n`, 0]);
});

it("takes --root before and after the command", async () => {
  for (const args of [
    ["--root", scratch.root, "corpus", "info", "--json"],
    ["corpus", "info", "--json", "--root", scratch.root],
  ]) {
    const { stdout, stderr } = await bench("/", args);
    expect(JSON.parse(stdout), stderr).toMatchObject({ rows: 3 });
  }
});

it("ends quietly when its reader has seen enough", async () => {
  const query = "select i, repeat('x', 200) as t from range(2000000) as r(i)";
  const child = spawn(process.execPath, [cli, "sql", "--format", "csv", query], {
    cwd: scratch.root,
    env: cleanEnv(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, errors]).toEqual([0, ""]);
});

it("shows where an error came from only to those who ask", async () => {
  const plain = await bench(scratch.root, ["sql", "select nothing from nowhere"]);
  expect(plain.code).toBe(1);
  expect(plain.stderr.trimEnd().split("\n")).toHaveLength(1);
  const debug = await bench(scratch.root, ["sql", "select nothing from nowhere"], { DEBUG: "1" });
  expect(debug.stderr).toMatch(/\n\s+at /);
});
