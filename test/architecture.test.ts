// The layout that CONTRIBUTING.md describes: imports point one way, and a file stays small enough to be read at once.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/workspace.ts";

const source = join(packageRoot, "src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((name) => name.split(sep).join("/"))
  .filter((name) => name.endsWith(".ts"));

/** Rooms from the top down; a file may import from its own level and from those below. */
const LEVELS = [
  ["cli.ts"],
  ["commands"],
  ["report"],
  ["harness", "publish"],
  ["warehouse"],
  ["providers", "answers", "models", "corpus", "ledgers"],
  ["."],
];
/** Rooms of one level that must not know each other. */
const STRANGERS = [
  ["harness", "publish"],
  ["publish", "harness"],
  ["harness", "warehouse"],
  ["warehouse", "providers"],
];
/** Helpers of the lowest level that read the project's own JSON. */
const EXCEPTIONS = new Set(["fields.ts → answers/json.ts", "documents.ts → answers/json.ts"]);

function roomOf(file: string): string {
  if (file === "cli.ts") return file;
  return file.includes("/") ? (file.split("/")[0] ?? "") : ".";
}

function levelOf(file: string): number {
  const level = LEVELS.findIndex((rooms) => rooms.includes(roomOf(file)));
  expect(level, `${file} is in no known room`).toBeGreaterThanOrEqual(0);
  return level;
}

test("imports point down", () => {
  const wrong: string[] = [];
  for (const file of files) {
    const text = readFileSync(join(source, file), "utf8");
    for (const found of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const target = relative(source, resolve(source, dirname(file), found[1] ?? ""))
        .split(sep)
        .join("/");
      const arrow = `${file} → ${target}`;
      const strangers = STRANGERS.some(([from, to]) => roomOf(file) === from && roomOf(target) === to);
      if ((levelOf(target) < levelOf(file) || strangers) && !EXCEPTIONS.has(arrow)) wrong.push(arrow);
    }
    if (/from "@duckdb/.test(text) && !["commands", "warehouse"].includes(roomOf(file))) {
      wrong.push(`${file} → DuckDB`);
    }
  }
  expect(wrong).toEqual([]);
});

test("every file of the program opens with why it is there, and has at most 350 lines", () => {
  for (const file of files) {
    const lines = readFileSync(join(source, file), "utf8").trimEnd().split("\n");
    expect(lines.length, file).toBeLessThanOrEqual(350);
    expect(lines[0]?.startsWith("#!") ? lines[1] : lines[0], file).toMatch(/^\/\/ \S/);
  }
});
