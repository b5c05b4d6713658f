// The folder of a call goes, whatever the command has forbidden in it; what cannot be removed is told, once.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  makeCallFolder,
  removeCallFolder,
  removeFolderNow,
  removeLeftovers,
} from "../../../src/providers/cli/call-folder.ts";
import { processSpace } from "../../../src/providers/cli/process-space.ts";
import { createProvider } from "../../../src/providers/registry.ts";
import { GOOD, makeFakeCli } from "../../support/fake-cli.ts";
import { makeRow } from "../../support/rows.ts";

// Nothing is forbidden to root, which some containers run tests as: there this file, which has a process of its own, goes on
// as nobody, with what it still needs from the checkout already loaded.
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
/** A folder of a process that is dead. */
const DEAD = `dbcall-4194303-${processSpace()}-0-AbC123`;
let temp: string;
beforeAll(async () => {
  await Promise.all([import("execa"), import("../../../src/providers/cli/claude.ts")]);
  if (isRoot) process.setuid?.(NOBODY);
});
const { TMPDIR } = process.env;
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), "bench-call-folder-"));
  process.env.TMPDIR = temp;
});
afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  vi.restoreAllMocks();
  chmodSync(temp, 0o700);
  removeFolderNow(temp);
});

/** Puts folders into it that nobody may enter, list or change. */
function forbid(folder: string): void {
  const deep = join(folder, "closed", "deeper");
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, "file"), "");
  chmodSync(deep, 0);
  chmodSync(dirname(deep), 0o400);
}

test("a folder with closed folders in it is removed, and so is one that is closed itself", async () => {
  const { path, work } = await makeCallFolder();
  forbid(work);
  chmodSync(path, 0);
  expect(await removeCallFolder(path)).toBe(null);
  expect(existsSync(path)).toBe(false);
});

test("the same at the end of the program, and of a program that was killed", async () => {
  const { path } = await makeCallFolder();
  forbid(path);
  removeFolderNow(path);
  const dead = join(temp, DEAD);
  mkdirSync(dead);
  forbid(dead);
  await removeLeftovers();
  for (const folder of [path, dead]) expect(existsSync(folder)).toBe(false);
});

test("what a link points to keeps its permissions", async () => {
  const { path, work } = await makeCallFolder();
  const elsewhere = join(temp, "elsewhere");
  mkdirSync(elsewhere);
  forbid(elsewhere);
  symlinkSync(join(elsewhere, "closed"), join(work, "link"));
  forbid(work);
  expect(await removeCallFolder(path)).toBe(null);
  expect(() => writeFileSync(join(elsewhere, "closed", "new"), "")).toThrow(/EACCES/);
});

test("a link that bears the name of a dead call's folder stays, and so does what it points to", async () => {
  const elsewhere = join(temp, "elsewhere");
  const planted = join(temp, "planted");
  mkdirSync(elsewhere);
  mkdirSync(planted);
  writeFileSync(join(elsewhere, "file"), "");
  chmodSync(elsewhere, 0o500);
  symlinkSync(elsewhere, join(planted, DEAD));
  process.env.TMPDIR = planted;
  // A link of somebody else in a sticky folder cannot be removed either.
  chmodSync(planted, 0o500);
  await removeLeftovers();
  expect(existsSync(join(elsewhere, "file"))).toBe(true);
  expect(lstatSync(elsewhere).mode & 0o777).toBe(0o500);
  chmodSync(planted, 0o700);
  await removeLeftovers();
  expect(lstatSync(join(planted, DEAD)).isSymbolicLink()).toBe(true);
});

test("another person's folder of a dead call stays", async () => {
  mkdirSync(join(temp, DEAD));
  const asOther = vi.spyOn(process, "getuid").mockReturnValue(4_000_000);
  await removeLeftovers();
  expect(existsSync(join(temp, DEAD))).toBe(true);
  asOther.mockRestore();
  await removeLeftovers();
  expect(existsSync(join(temp, DEAD))).toBe(false);
});

test("a folder of another container's call stays for a day", async () => {
  const foreign = join(temp, DEAD.replace(processSpace(), "000000"));
  mkdirSync(foreign);
  await removeLeftovers();
  expect(existsSync(foreign)).toBe(true);
  const before = Date.now() / 1000 - 26 * 60 * 60;
  utimesSync(foreign, before, before);
  await removeLeftovers();
  expect(existsSync(foreign)).toBe(false);
});

test("a folder whose process has died goes, though its number was given to another that lives", async () => {
  const { path } = await makeCallFolder();
  const [, start] = /-([0-9a-z]+)-[A-Za-z0-9]{6}$/.exec(path) ?? [];
  const named = (began: string): string =>
    join(temp, `dbcall-${process.pid}-${processSpace()}-${began}-AbC123`);
  const stranger = named((Number.parseInt(start ?? "", 36) - 1).toString(36));
  const unknown = named("0");
  for (const folder of [stranger, unknown]) mkdirSync(folder);
  await removeLeftovers();
  expect([path, stranger, unknown].map((folder) => existsSync(folder))).toEqual([true, false, true]);
});

test("one that cannot be removed is told, without its path", async () => {
  const fake = makeFakeCli("claude", GOOD.claude);
  const env = { PATH: fake.path, ANTHROPIC_API_KEY: "anthropic-key-0001" };
  const model = { id: "m", label: "M", provider: "claude-cli", model: "x" } as const;
  const provider = await createProvider(model, { env, corpusDir: "/nowhere", jobs: 1 });
  // Whoever removes a folder needs the right to write into the one above.
  fake.does(`fs.chmodSync(${JSON.stringify(temp)}, 0o500); ${GOOD.claude}`);
  const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
  expect(await provider.call(makeRow(), limits)).toMatchObject({ status: "ok" });
  await provider.close();
  expect(provider.leftBehind?.()).toMatch(
    new RegExp(
      `^1 folder of a call could not be removed \\((EACCES|EPERM)\\): remove dbcall-${process.pid}-\\* in the folder`,
    ),
  );
  expect(provider.leftBehind?.()).not.toContain(temp);
});
