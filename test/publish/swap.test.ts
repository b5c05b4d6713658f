import { spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { CheckError } from "../../src/errors.ts";
import { acquireLock } from "../../src/lock.ts";
import { type Draft, replaceSuite } from "../../src/publish/swap.ts";
import { publishedIds } from "../../src/warehouse/published.ts";
import { packageRoot } from "../../src/workspace.ts";
import { addPublished } from "../support/published.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** A workspace with the results `tiny/old` and `tiny/kept`. */
function published() {
  const test = makeWorkspace();
  addPublished(test, ["tiny", "old"], { predictions: [] });
  addPublished(test, ["tiny", "kept"], { predictions: [] });
  return { ...test, results: join(test.root, "results") };
}

const notify = (message: string): never => {
  throw new Error(`nobody should have been told: ${message}`);
};

const writeNew = async ({ suiteDir }: Draft): Promise<string> => {
  await mkdir(join(suiteDir, "old"));
  await writeFile(join(suiteDir, "old", "metadata.json"), "new");
  return "done";
};

test("what is named is replaced, the rest is there in the draft and afterwards", async () => {
  const { workspace, results } = published();
  const seen: string[][] = [];
  const value = await replaceSuite({ workspace, notify }, "tiny", new Set(["old"]), (draft) => {
    seen.push(readdirSync(draft.suiteDir), readdirSync(join(draft.resultsDir, "tiny", "kept")).sort());
    return writeNew(draft);
  });
  expect(value).toBe("done");
  expect(seen).toEqual([["kept"], ["metadata.json", "predictions.jsonl"]]);
  expect(readFileSync(join(results, "tiny", "old", "metadata.json"), "utf8")).toBe("new");
  expect(readdirSync(join(results, "tiny", "old"))).toEqual(["metadata.json"]);
  expect(readdirSync(results)).toEqual(["tiny"]);
});

test("when the work fails nothing has changed and nothing is left", async () => {
  const { workspace, results } = published();
  const failing = replaceSuite({ workspace, notify }, "tiny", new Set(["old"]), async (draft) => {
    await writeNew(draft);
    throw new CheckError("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(readdirSync(results)).toEqual(["tiny"]);
  expect(readdirSync(join(results, "tiny", "old")).sort()).toEqual(["metadata.json", "predictions.jsonl"]);
});

test("a first suite needs no folder before", async () => {
  const { workspace, root } = makeWorkspace();
  await replaceSuite({ workspace, notify }, "tiny", new Set(), writeNew);
  expect(readdirSync(join(root, "results", "tiny"))).toEqual(["old"]);
});

test("the old state that a killed process left aside is put back by the next reader", () => {
  const { workspace, results } = published();
  mkdirSync(join(results, ".old"));
  renameSync(join(results, "tiny"), join(results, ".old", "tiny"));
  expect(publishedIds(workspace)).toEqual(["tiny/kept", "tiny/old"]);
  expect(readdirSync(join(results, "tiny"))).toEqual(["kept", "old"]);
});

test("a killed process that was done but for its own rubbish has published", async () => {
  const { workspace, results } = published();
  mkdirSync(join(results, ".old", "tiny", "older"), { recursive: true });
  mkdirSync(join(results, ".new", "tiny", "half"), { recursive: true });
  expect(publishedIds(workspace)).toEqual(["tiny/kept", "tiny/old"]);
  await replaceSuite({ workspace, notify }, "tiny", new Set(["old"]), writeNew);
  expect(readdirSync(results)).toEqual(["tiny"]);
  expect(readdirSync(join(results, "tiny")).sort()).toEqual(["kept", "old"]);
});

test("a reader that looks between the two steps cannot make the new state get lost", async () => {
  const { workspace, results } = published();
  const aside = pathToFileURL(join(packageRoot, "dist", "warehouse", "aside.js")).href;
  const script = `import { restoreResults } from ${JSON.stringify(aside)}; for (;;) restoreResults(${JSON.stringify(results)});`;
  const reader = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  try {
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let round = 0; round < 60; round += 1) {
      await replaceSuite({ workspace, notify }, "tiny", new Set(["old"]), async ({ suiteDir }) => {
        await mkdir(join(suiteDir, "old"));
        await writeFile(join(suiteDir, "old", "metadata.json"), String(round));
      });
      expect(readFileSync(join(results, "tiny", "old", "metadata.json"), "utf8")).toBe(String(round));
    }
    expect(reader.exitCode).toBe(null);
  } finally {
    reader.kill("SIGKILL");
  }
});

test("a process that is ended while it builds takes its draft along", async () => {
  const { root, results } = published();
  const swap = pathToFileURL(join(packageRoot, "dist", "publish", "swap.js")).href;
  const place = { workspace: { resultsDir: results, runsDir: join(root, "runs") } };
  const script =
    `import { existsSync } from "node:fs"; import { replaceSuite } from ${JSON.stringify(swap)};` +
    `await replaceSuite(${JSON.stringify(place)}, "tiny", new Set(), ({ suiteDir }) => process.exit(existsSync(suiteDir) ? 130 : 1));`;
  const ended = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  expect(await new Promise((resolve) => ended.once("exit", resolve))).toBe(130);
  expect(readdirSync(results)).toEqual(["tiny"]);
});

test("one publishes at a time: a second one waits for the first", async () => {
  const { workspace, root, results } = published();
  const lock = await acquireLock(join(root, "runs", ".results-lock"), { what: "x", place: "y" });
  let begun = false;
  const second = replaceSuite({ workspace, notify }, "tiny", new Set(["old"]), (draft) => {
    begun = true;
    return writeNew(draft);
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(begun).toBe(false);
  expect(existsSync(join(results, ".new"))).toBe(false);
  await lock.release();
  expect(await second).toBe("done");
});

test("many at once end with all of their results", async () => {
  const { workspace, results } = published();
  const names = ["a", "b", "c", "d", "e"];
  await Promise.all(
    names.map((name) =>
      replaceSuite({ workspace, notify }, "tiny", new Set([name]), ({ suiteDir }) =>
        mkdir(join(suiteDir, name)),
      ),
    ),
  );
  expect(readdirSync(join(results, "tiny")).sort()).toEqual([...names, "kept", "old"]);
});

test("a link in the place of results itself leads to where the results are kept", async () => {
  const { workspace, root } = makeWorkspace();
  const elsewhere = join(root, "larger-disk");
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(root, "results"));
  await replaceSuite({ workspace, notify }, "tiny", new Set(), writeNew);
  await replaceSuite({ workspace, notify }, "tiny", new Set(["old"]), writeNew);
  expect(readdirSync(elsewhere)).toEqual(["tiny"]);
  expect(lstatSync(join(root, "results")).isSymbolicLink()).toBe(true);
  expect(publishedIds(workspace)).toEqual(["tiny/old"]);
});

test.each(["nothing", "a file"])("a link to %s in the place of results itself is refused", async (target) => {
  const { workspace, root } = makeWorkspace();
  if (target === "a file") writeFileSync(join(root, "target"), "");
  symlinkSync(join(root, "target"), join(root, "results"));
  await expect(replaceSuite({ workspace, notify }, "tiny", new Set(), writeNew)).rejects.toThrow(
    "results is a link that leads to no folder",
  );
  expect(existsSync(join(root, "target"))).toBe(target === "a file");
});

test("a file in the place of a suite is refused", async () => {
  const { workspace, root } = makeWorkspace();
  mkdirSync(join(root, "results"));
  writeFileSync(join(root, "results", "tiny"), "");
  await expect(replaceSuite({ workspace, notify }, "tiny", new Set(), writeNew)).rejects.toThrow(
    "results/tiny is no folder",
  );
});

test.each([".old", ".new", "tiny"])(
  "a link in the place of results/%s is refused, and nothing behind it is touched",
  async (name) => {
    const { workspace, root } = makeWorkspace();
    const outside = join(root, "outside");
    mkdirSync(join(outside, "tiny"), { recursive: true });
    mkdirSync(join(outside, "other"));
    writeFileSync(join(outside, "tiny", "file"), "theirs");
    mkdirSync(join(root, "results", "other"), { recursive: true });
    symlinkSync(outside, join(root, "results", name));
    publishedIds(workspace);
    await expect(replaceSuite({ workspace, notify }, "tiny", new Set(), writeNew)).rejects.toThrow(
      `results/${name} is a link`,
    );
    expect(lstatSync(join(root, "results", name)).isSymbolicLink()).toBe(true);
    expect(readdirSync(outside).sort()).toEqual(["other", "tiny"]);
    expect(readFileSync(join(outside, "tiny", "file"), "utf8")).toBe("theirs");
  },
);
