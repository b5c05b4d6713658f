// What a publish says and leaves when the disk resists at one of its steps.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { UserError } from "../../src/errors.ts";
import { type Draft, replaceSuite } from "../../src/publish/swap.ts";
import { publishedIds } from "../../src/warehouse/published.ts";
import { addPublished } from "../support/published.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** Which call fails, with which code: the name of the function, and a part of the path that it is called with. */
const failing = vi.hoisted(() => ({ calls: [] as { name: string; path: RegExp; code: string }[] }));

function fail(name: string, path: unknown): void {
  const found = failing.calls.find((call) => call.name === name && call.path.test(String(path)));
  if (found !== undefined) throw Object.assign(new Error(found.code), { code: found.code });
}

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const rm: typeof real.rm = async (path, options) => {
    fail("rm", path);
    await real.rm(path, options);
  };
  const rename: typeof real.rename = async (from, to) => {
    fail("rename", from);
    await real.rename(from, to);
  };
  return { ...real, rm, rename };
});

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const renameSync: typeof real.renameSync = (from, to) => {
    fail("renameSync", from);
    real.renameSync(from, to);
  };
  return { ...real, renameSync };
});

beforeEach(() => {
  failing.calls = [];
});

function published() {
  const made = makeWorkspace();
  addPublished(made, ["tiny", "old"], { predictions: [] });
  const results = join(made.root, "results");
  const told: string[] = [];
  const write = (text: string) =>
    replaceSuite(
      { workspace: made.workspace, notify: (message) => told.push(message) },
      "tiny",
      new Set(["old"]),
      async ({ suiteDir }: Draft) => {
        await mkdir(join(suiteDir, "old"));
        await writeFile(join(suiteDir, "old", "metadata.json"), text);
      },
    );
  const current = (): string => readFileSync(join(results, "tiny", "old", "metadata.json"), "utf8");
  const left = (): string[] => readdirSync(results).filter((name) => name !== "tiny");
  return { ...made, results, told, write, current, left };
}

test.each(["EACCES", "EBUSY"])(
  "an old state that cannot be removed (%s) is told, and stays out of the way",
  async (code) => {
    const { workspace, results, told, write, current, left } = published();
    failing.calls = [{ name: "rm", path: /\.left-/, code }];
    await write("1");
    expect(current()).toBe("1");
    const [name = ""] = left();
    expect(left()).toEqual([expect.stringMatching(/^\.left-[0-9a-f]{12}$/)]);
    expect(told).toEqual([
      `results/${name} holds what nobody needs any more and cannot be removed (${code}): delete it; nothing reads it`,
    ]);
    await write("2");
    expect(current()).toBe("2");
    expect(left()).toHaveLength(2);
    expect(publishedIds(workspace)).toEqual(["tiny/old"]);
    // Whoever takes the suite away does not get a state back that was replaced.
    rmSync(join(results, "tiny"), { recursive: true });
    expect(publishedIds(workspace)).toEqual([]);
    failing.calls = [];
    told.length = 0;
    await write("3");
    expect(current()).toBe("3");
    expect(left()).toEqual([]);
    expect(told).toEqual([]);
  },
);

test("an old state that cannot even be renamed is told, and the new one counts", async () => {
  const { workspace, told, write, current, left } = published();
  failing.calls = [{ name: "rename", path: /\.old/, code: "EBUSY" }];
  await write("1");
  expect(told).toEqual([expect.stringMatching(/^results\/\.old\/tiny holds .* \(EBUSY\): delete it/)]);
  expect(left()).toEqual([".old"]);
  expect(publishedIds(workspace)).toEqual(["tiny/old"]);
  expect(current()).toBe("1");
  await expect(write("2")).rejects.toThrow(
    "results/tiny cannot be written: something else stands in its place",
  );
  failing.calls = [];
  await write("3");
  expect(current()).toBe("3");
  expect(left()).toEqual([]);
});

test("a new state that cannot take its place gives the old one its name back", async () => {
  const { told, write, current, left } = published();
  const before = current();
  failing.calls = [{ name: "renameSync", path: /\.new/, code: "EACCES" }];
  const refused = await write("1").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UserError);
  expect((refused as Error).message).toBe(
    "results/tiny cannot be written: it is write-protected (EACCES). What was published before is as it was; mend it and repeat the command.",
  );
  expect(current()).toBe(before);
  expect(told).toEqual([]);
  failing.calls = [];
  await write("2");
  expect(current()).toBe("2");
  expect(left()).toEqual([]);
});

test("a draft that a killed publish left and that resists is put aside", async () => {
  const { results, told, write, current, left } = published();
  mkdirSync(join(results, ".new", "tiny"), { recursive: true });
  failing.calls = [{ name: "rm", path: /\.left-/, code: "EACCES" }];
  await write("1");
  expect(current()).toBe("1");
  expect(existsSync(join(results, ".new"))).toBe(false);
  expect(left()).toHaveLength(2);
  expect(told).toHaveLength(2);
});
