// The documents promise only what is there: links lead somewhere, figures are the ones that the program gives.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import type { Context } from "../src/commands/context.ts";
import { commands } from "../src/commands/index.ts";
import { packageRoot } from "../src/workspace.ts";
import { bench } from "./support/bench.ts";

const documents = [
  ...readdirSync(packageRoot).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(packageRoot, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];
const read = (name: string): string => readFileSync(join(packageRoot, name), "utf8");

test.each(documents)("%s: every link and every file of the project that it names is there", (name) => {
  const text = read(name);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((found) =>
    resolve(packageRoot, dirname(name), found[1] ?? ""),
  );
  const files = [...text.matchAll(/`((?:src|docs|sql|test|scripts|config)\/[\w./-]*\w\.\w+)`/g)].map(
    (found) => join(packageRoot, found[1] ?? ""),
  );
  for (const path of [...links, ...files]) expect(existsSync(path), path).toBe(true);
  const scripts = (JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts;
  for (const found of text.matchAll(/`npm run ([\w:]+)`/g)) expect(scripts).toHaveProperty(found[1] ?? "");
});

test("every file that a header of the SQL points to is there", () => {
  const folder = join(packageRoot, "sql");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".sql")) continue;
    for (const found of readFileSync(join(folder, name), "utf8").matchAll(/\b(docs\/[\w./-]*\w\.\w+)/g)) {
      expect(existsSync(join(packageRoot, found[1] ?? "")), `${name}: ${found[1]}`).toBe(true);
    }
  }
});

test("messages name only commands that are there, and the help of each shows an example", async () => {
  const program = new Command("bench");
  for (const add of commands) add(program, {} as Context);
  const names = program.commands.map((command) => command.name());
  const folder = join(packageRoot, "src");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    for (const found of readFileSync(join(folder, name), "utf8").matchAll(/`bench ([a-z]+)/g)) {
      expect(names, `src/${name}`).toContain(found[1]);
    }
  }
  const all = program.commands.flatMap((command) => [command, ...command.commands]);
  for (const command of all) {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(help.match(/\nExample:\n {2}bench /g), command.name()).toHaveLength(1);
  }
});

test("README describes the corpus that is there, and shows the table that the first command prints", async () => {
  const readme = read("README.md");
  const manifest = JSON.parse(read("data/corpus/bench-v4/manifest.json")) as {
    categories: object;
    tasks: object;
    counts: { cases: number };
  };
  const count = (of: object): number => Object.keys(of).length;
  expect(readme).toContain(
    `${manifest.counts.cases} real decisions over ${count(manifest.tasks)} tasks in ${count(manifest.categories)} categories`,
  );
  const root = mkdtempSync(join(tmpdir(), "decision-bench-readme-"));
  try {
    for (const folder of ["config", "data/corpus"]) {
      cpSync(join(packageRoot, folder), join(root, folder), { recursive: true });
    }
    const done = await bench(root, ["run", "--model", "baseline-uniform,baseline-lexical", "--jobs", "8"]);
    expect(done.code, done.stderr).toBe(0);
    const shown = readme.split("\n").filter((line) => /^(?:run {3}|baseline-)/.test(line));
    expect(shown).toHaveLength(3);
    const withoutTime = (line: string): string => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "…");
    expect(shown.map(withoutTime)).toEqual(done.stdout.trimEnd().split("\n").map(withoutTime));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
