import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gitState } from "../../src/harness/git.ts";

test("the commit of a checkout, whether files differ from it, and nothing of somebody else's", async () => {
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-git-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await gitState(folder)).toEqual({ commit: null, dirty: null });
  const git = (...args: string[]): string =>
    spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    }).stdout.trim();
  git("init", "-q");
  expect(await gitState(folder)).toEqual({ commit: null, dirty: null });
  writeFileSync(join(folder, "a"), "1");
  git("add", "a");
  git("commit", "-q", "-m", "one");
  const commit = git("rev-parse", "HEAD");
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(await gitState(folder)).toEqual({ commit, dirty: false });
  writeFileSync(join(folder, "a"), "2");
  expect(await gitState(folder)).toEqual({ commit, dirty: true });
  // An installed package lies below the checkout that uses it.
  mkdirSync(join(folder, "node_modules"));
  expect(await gitState(join(folder, "node_modules"))).toEqual({ commit: null, dirty: null });
});
