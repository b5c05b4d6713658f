// The report made by an installed package: without what only developers have, from a folder that cannot be written, and
// from and to whatever places.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bench } from "../support/bench.ts";
import { installPackage, packPackage, readOnly, setFolderModes, smallDisk } from "../support/installed.ts";
import { addPublished, prediction } from "../support/published.ts";
import { makeWorkspace, type TestWorkspace, TINY } from "../support/workspace.ts";

// Each builds a site, with processes of its own beside the other tests.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const CONSOLE = "@duckdb/duckdb-wasm";
const CONSOLE_FILES = ["bench.duckdb", "duckdb-browser-eh.worker.js", "duckdb-eh.wasm", "duckdb.js"];
const PAGES = ["index", "compare", "calibration", "tasks", "cost", "rows", "sql", "protocol"];
/** Packages that a user does not have: none of them may be needed. */
const DEVELOPERS = ["@biomejs/biome", "@resvg/resvg-js", "playwright-core", "typescript", "vite", "vitest"];

let folder = "";
/** Where two packages are installed: a whole one, and one without the optional package. */
let whole = "";
let plain = "";

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "bench-test-")));
  [whole, plain] = [join(folder, "whole"), join(folder, "plain")];
  const archive = packPackage(folder);
  installPackage(archive, whole);
  installPackage(archive, plain, [CONSOLE]);
  // Another user may look into it.
  chmodSync(folder, 0o755);
});

afterAll(() => {
  setFolderModes(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

const commandIn = (place: string): string => join(place, "node_modules", ".bin", "bench");

/** A workspace with one published result, half of it right. */
function workspaceWithResult(): TestWorkspace {
  const workspace = makeWorkspace();
  addPublished(workspace, ["tiny", "one"], {
    predictions: TINY.map(({ id, task, category, gold, options }, i) => {
      const wrong = options.find((option) => option !== gold) ?? "";
      return prediction({ row: id, task, category, gold, label: i < 3 ? gold : wrong });
    }),
  });
  return workspace;
}

/** Name, size and time of everything below a folder. */
function stateOf(place: string): string[] {
  return readdirSync(place, { recursive: true, encoding: "utf8" })
    .map((name) => {
      const { size, mtimeMs, mode } = lstatSync(join(place, name));
      return `${name} ${size} ${mtimeMs} ${mode}`;
    })
    .sort();
}

/** What lies below `_file/` of a site as `<name>` or as `<name without ending>.<digest>.<ending>`. */
function fileOf(site: string, part: string, name: string): unknown {
  const [start = "", end = ""] = name.split(".");
  const found = readdirSync(join(site, "_file", part)).find(
    (one) => one.startsWith(`${start}.`) && one.endsWith(`.${end}`),
  );
  return JSON.parse(readFileSync(join(site, "_file", part, found ?? name), "utf8"));
}

/** A whole site with the numbers of {@link workspaceWithResult}. */
function expectSite(site: string): void {
  for (const page of PAGES) {
    expect(readFileSync(join(site, `${page}.html`), "utf8"), page).toMatch(/^<!DOCTYPE html>.+<\/html>\s*$/s);
  }
  expect(fileOf(site, "data", "board.json")).toMatchObject({
    board: [{ run_id: "tiny/one", accuracy: 0.5, rank: 1 }],
  });
  expect(existsSync(join(site, "_file", "downloads", "index.json"))).toBe(true);
  expect(existsSync(join(site, ".nojekyll"))).toBe(true);
  expect(readdirSync(join(site, "_file", "rows")).length).toBeGreaterThan(0);
}

test("a package that cannot be written, without developers' packages, makes the whole site; nothing in it changes", async (context) => {
  const before = readOnly(whole);
  if (before === null) context.skip("nothing here keeps a command from writing into a folder");
  for (const name of DEVELOPERS) expect(existsSync(join(whole, "node_modules", name)), name).toBe(false);
  const { root } = workspaceWithResult();
  chmodSync(root, 0o777);
  const was = stateOf(whole);
  expect(was.length).toBeGreaterThan(1000);
  const built = await bench(root, ["report", "build"], {}, [...(before ?? []), commandIn(whole)]);
  expect(built).toMatchObject({ code: 0, stdout: "" });
  const site = join(root, "public");
  expectSite(site);
  expect(fileOf(site, "data", "about.json")).toMatchObject({ console: true });
  expect(readdirSync(join(site, "_file", "console")).sort()).toEqual(CONSOLE_FILES);
  for (const name of CONSOLE_FILES) {
    expect(lstatSync(join(site, "_file", "console", name)).size, name).toBeGreaterThan(10_000);
  }
  expect(stateOf(whole)).toEqual(was);
});

test("without the optional package the site is made, and says that it has no console; places may be links and elsewhere", async () => {
  const { root } = workspaceWithResult();
  // Writable, as for whoever installed it: nothing is written all the same.
  const was = stateOf(plain);
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  symlinkSync(temporary, join(folder, "link"));
  symlinkSync(elsewhere, join(folder, "out"));
  const env = { DECISION_BENCH_ROOT: root, TMPDIR: join(folder, "link") };
  const built = await bench(elsewhere, ["report", "build", "--out", "../out/a/site"], env, [
    commandIn(plain),
  ]);
  expect(built).toMatchObject({ code: 0, stdout: "" });
  expect(built.stderr).toContain(`${CONSOLE} is not installed: the site has no SQL console`);
  const site = join(elsewhere, "a", "site");
  expectSite(site);
  expect(fileOf(site, "data", "about.json")).toMatchObject({ console: false });
  expect(readdirSync(join(site, "_file", "console"))).toEqual([]);
  expect(stateOf(plain)).toEqual(was);
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(root).sort()).toEqual(["data", "results"]);
});

test("a folder for temporary files that is not there, cannot be written or is full is named, and nothing is left", async () => {
  const { root } = workspaceWithResult();
  chmodSync(root, 0o777);
  const [locked, small] = [join(folder, "locked"), join(folder, "small")];
  mkdirSync(locked);
  mkdirSync(small);
  const cases: readonly (readonly [place: string, code: string, before: readonly string[] | null])[] = [
    [join(folder, "nowhere"), "ENOENT", []],
    [commandIn(whole), "ENOTDIR", []],
    [locked, "EROFS|EACCES", readOnly(locked)],
    // Room for the pages, and not for the console.
    [small, "ENOSPC", smallDisk(small)],
  ];
  for (const [place, code, before] of cases) {
    if (before === null) continue;
    const ended = await bench(root, ["report", "build"], { TMPDIR: place }, [...before, commandIn(whole)]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(
      new RegExp(`the folder for temporary files cannot be written \\((?:${code})\\): set TMPDIR`),
    );
    expect(readdirSync(root).sort()).toEqual(["data", "results"]);
  }
});

test("a package that cannot be written and is its own workspace says where the report cannot go", async (context) => {
  const before = readOnly(whole);
  if (before === null) context.skip("nothing here keeps a command from writing into a folder");
  const ended = await bench(folder, ["report", "build"], {}, [...(before ?? []), commandIn(whole)]);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toMatch(/^bench: public cannot be written \((?:EROFS|EACCES)\)$/m);
});
