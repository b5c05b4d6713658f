// Once results are published with a version of the analysis, its SQL never changes: another formula is another version.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sqlDigests, sqlLock } from "../../scripts/lock.ts";
import { analysisVersions, sqlFiles } from "../../src/warehouse/views.ts";
import { packageRoot } from "../../src/workspace.ts";

const locked = analysisVersions().filter((version) => existsSync(join(packageRoot, sqlLock(version))));

test.each(locked)("sql/%s is the one that published results were computed with", (version) => {
  const lock = JSON.parse(readFileSync(join(packageRoot, sqlLock(version)), "utf8"));
  expect(sqlDigests(version)).toEqual(lock);
  expect(sqlFiles(version).length).toBeGreaterThan(0);
});

test("published results are there only with an analysis that is frozen", () => {
  expect(existsSync(join(packageRoot, "results"))).toBe(true);
  expect(locked).toContain("v1");
});
