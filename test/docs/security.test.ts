// SECURITY.md promises no more than is done, and its limits are real ones: whoever lifts one takes its sentence out.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRedactor } from "../../src/providers/redact.ts";
import { type Environment, packageRoot } from "../../src/workspace.ts";
import { bench as benchProcess } from "../support/bench.ts";
import { bench } from "../support/commands.ts";
import { startEndpoint } from "../support/endpoint.ts";
import { makeScratch } from "../support/scratch.ts";
import { makeWorkspace } from "../support/workspace.ts";

const page = readFileSync(join(packageRoot, "SECURITY.md"), "utf8");
const KEY = "a1B2-c3D4-e5F6-g7H8-i9J0";
const NOWHERE = { home: ["/home/amy"], temp: ["/tmp/x-1"], install: ["/opt/tools/bench"] };

/** What stands between two lines of the page. */
function section(from: string, to: string): string {
  const text = page.slice(page.indexOf(from), page.indexOf(to));
  expect(text.length).toBeGreaterThan(from.length);
  return text;
}

function masked(env: Environment, text: string): string {
  return createRedactor(env, NOWHERE).text(text);
}

test("the value of every variable in the list is masked", () => {
  const list = section("## What is masked", "Not masked:");
  const names = [...list.matchAll(/`([A-Z_<>]+_KEY)`/g)].map((found) => found[1] ?? "");
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) {
    expect(masked({ [name.replace("<NAME>", "TEAM")]: KEY }, `<${KEY}>`), name).toBe("<[redacted]>");
  }
});

test("every mask in the table is one that is made", () => {
  const env = {
    DECISION_BENCH_BASE_URL: "https://llm.example/v1",
    HTTPS_PROXY: "http://bob:hunter22@proxy.example:3128",
  };
  const text =
    "https://llm.example/v1, llm.example; proxy.example hunter22 /home/amy /tmp/x-1 /opt/tools/bench";
  const made = masked(env, text);
  expect(made).toBe("[url], [host]; [host] [redacted] [home] [temp] [install]");
  for (const mask of made.match(/\[\w+\]/g) ?? [])
    expect(section("## What is masked", "Not masked:")).toContain(`\`${mask}\``);
});

test("what is said not to be masked is not", () => {
  const limits = section("Not masked:", "## What is installed");
  const env = {
    DECISION_BENCH_API_KEY: KEY,
    OPENROUTER_API_KEY: "zq-other-12345678",
    ALL_PROXY: "http://amy:unknown-pw@all.example",
  };
  const middle = KEY.slice(4, 18);
  const reversed = [...KEY].reverse().join("");
  for (const text of [middle, reversed, env.OPENROUTER_API_KEY, "unknown-pw", "all.example"]) {
    expect(masked(env, `<${text}>`)).toBe(`<${text}>`);
  }
  expect(masked(env, `it was ${KEY.slice(0, 12)}`)).toBe("it was [redacted]");
  for (const word of ["middle", "reversed", "OPENROUTER_API_KEY", "ALL_PROXY"])
    expect(limits).toContain(word);
});

test("a base URL in .env of the workspace gets the key that is really set", async () => {
  const endpoint = await startEndpoint();
  const scratch = makeScratch(1, 2);
  try {
    writeFileSync(
      join(scratch.root, ".env"),
      `DECISION_BENCH_BASE_URL=${endpoint.baseUrl}\nDECISION_BENCH_API_KEY=of-the-file\n`,
    );
    const ended = await benchProcess(scratch.root, ["run", "--model", "bench"], {
      DECISION_BENCH_API_KEY: KEY,
    });
    expect(ended.code, ended.stderr).toBe(0);
    expect(endpoint.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
  } finally {
    scratch.remove();
    await endpoint.close();
  }
});

test("bench sql is no sandbox for files, and reaches no network by accident", async () => {
  const workspace = makeWorkspace();
  const file = join(workspace.root, "note.txt");
  writeFileSync(file, "a note");
  const sql = (text: string, format = "csv") => bench(workspace, ["sql", "--format", format, text]);
  expect((await sql(`SELECT content FROM read_text('${file}')`)).stdout).toBe("content\na note\n");
  for (const statement of [
    "SELECT * FROM read_csv('http://127.0.0.1:9/a.csv')",
    "INSTALL httpfs",
    "LOAD httpfs",
  ]) {
    expect(String((await sql(statement)).error)).toMatch(/httpfs/);
  }
  // Two limits of formats: what a terminal obeys, and what a spreadsheet runs.
  const text = "SELECT chr(27) || '[31m' AS a, '=1+1' AS b";
  expect((await sql(text)).stdout).toBe("a,b\n\u001b[31m,=1+1\n");
  expect((await sql(text, "table")).stdout).not.toContain("\u001b");
});

test("the page names the versions that the lock has", () => {
  const { packages } = JSON.parse(readFileSync(join(packageRoot, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  const of = Object.entries(packages).filter(([path]) => path.endsWith("node_modules/esbuild"));
  expect(of.map(([, { version }]) => version)).toEqual(["0.28.2"]);
  expect(page).toContain("gives Framework esbuild 0.28.2");
});
