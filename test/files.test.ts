import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFile } from "../src/files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "decision-bench-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a file is replaced, never written into: whoever has the old one keeps all of it", async () => {
  const path = join(folder, "run.json");
  writeFileSync(path, "old text");
  linkSync(path, join(folder, "held"));
  await replaceFile(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readFileSync(join(folder, "held"), "utf8")).toBe("old text");
  expect(readdirSync(folder).sort()).toEqual(["held", "run.json"]);
});

test("a file that cannot be replaced leaves nothing beside it", async () => {
  mkdirSync(join(folder, "taken", "x"), { recursive: true });
  await expect(replaceFile(join(folder, "taken"), "new")).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(["taken"]);
});
