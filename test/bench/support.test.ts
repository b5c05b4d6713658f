// What the benchmarks measure with: the endpoint counts what it gets, memory is that of the whole tree, ways take turns.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fillLedgers } from "../../bench/resume.ts";
import { sqlitePlaces } from "../../bench/rivals/folder.ts";
import { power } from "../../bench/sizes.ts";
import { alternately, startFastEndpoint } from "../../bench/support.ts";
import { watchTree } from "../../bench/tree.ts";
import { metricViews } from "../../bench/view-list.ts";

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-support-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("the endpoint tells how many requests came, how many differ and how many were there at once, since it was last asked", async () => {
  const endpoint = await startFastEndpoint(200);
  onTestFinished(endpoint.stop);
  const post = async (body: string): Promise<void> => {
    const answer = await fetch(`${endpoint.baseUrl}/chat/completions`, { method: "POST", body });
    await answer.text();
  };
  await Promise.all(["a", "b", "a"].map(post));
  const seen = await endpoint.stats();
  expect(seen).toMatchObject({ requests: 3, distinct: 2, most_in_flight: 3 });
  expect(seen.last_ms - seen.first_ms).toBeGreaterThanOrEqual(195);
  await post("c");
  expect(await endpoint.stats()).toMatchObject({ requests: 1, distinct: 1, most_in_flight: 1 });
});

test("the memory of a tree is that of all its processes together, and the largest one is told alone", async () => {
  // The first one holds nothing itself; it starts two that hold 150 MB each.
  const hold = "const held = Buffer.alloc(150 * 2 ** 20, 1); setTimeout(() => held.length, 4000)";
  const both = `const { spawn } = require("node:child_process");
for (let i = 0; i < 2; i += 1) spawn(process.execPath, ["-e", ${JSON.stringify(hold)}], { stdio: "inherit" });`;
  const child = spawn(process.execPath, ["-e", both], { stdio: "ignore" });
  const watch = watchTree(child.pid ?? 0);
  await new Promise((resolve) => child.once("close", resolve));
  const peak = await watch.stop();
  expect(peak.processes).toBe(3);
  expect(peak.processMb).toBeGreaterThan(150);
  expect(peak.processMb).toBeLessThan(300);
  expect(peak.sumMb).toBeGreaterThan(300);
});

test("ways take turns", async () => {
  const order: string[] = [];
  const way = (name: string) => (round: number) => {
    order.push(name + round);
    return name + round;
  };
  expect(await alternately(2, way("a"), way("b"))).toEqual([
    ["a0", "a1"],
    ["b0", "b1"],
  ]);
  expect(order).toEqual(["a0", "b0", "a1", "b1"]);
});

test("every SQLite of the others is found, and no folder of that name within another package", () => {
  const folder = scratchFolder();
  for (const path of [
    "better-sqlite3",
    "promptfoo/node_modules/better-sqlite3",
    "@scope/package/node_modules/better-sqlite3",
    "drizzle-orm/better-sqlite3",
  ]) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  expect(sqlitePlaces(folder).sort()).toEqual(
    [
      "@scope/package/node_modules/better-sqlite3",
      "better-sqlite3",
      "promptfoo/node_modules/better-sqlite3",
    ].map((path) => join(folder, path)),
  );
});

test("ledgers of a long run have 2 KB a row", () => {
  const folder = scratchFolder();
  fillLedgers(folder, 5000);
  const bytes = ["results", "attempts"].map((name) => statSync(join(folder, `${name}.jsonl`)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0) / 5000).toBeCloseTo(2000, -3);
});

test("powers of ten are written as such", () => {
  expect([10_000, 1_000_000, 1071].map(power)).toEqual(["10⁴", "10⁶", "1,071"]);
});

test("the views to measure are those that compute metrics, each asked about runs that it is about", () => {
  const views = new Map(metricViews(["x/a", "x/b"]).map((view) => [view.name, view]));
  expect(views.get("accuracy_overall")).toMatchObject({ from: "accuracy_overall", ofPublished: false });
  expect(views.get("calibration")).toMatchObject({ ofPublished: false });
  expect(views.get("compare")).toMatchObject({ from: "compare('x/a', 'x/b')", ofPublished: true });
  for (const name of ["leaderboard", "comparisons", "versus", "tied_groups", "fronts"]) {
    expect(views.get(name), name).toMatchObject({ ofPublished: true });
  }
  expect(views.has("answers")).toBe(false);
  expect(views.has("wilson")).toBe(false);
});

test("a program that is ended by a signal takes with it what it has started", async () => {
  const support = new URL("../../bench/support.ts", import.meta.url).href;
  const script = `import { spawn } from "node:child_process";
import { endChildrenWithUs, mind } from ${JSON.stringify(support)};
endChildrenWithUs();
console.log(mind(spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"], { stdio: "ignore" })).pid);
setTimeout(() => {}, 60_000);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const started = await new Promise<number>((resolve) => {
    child.stdout.once("data", (data: Buffer) => resolve(Number(data.toString())));
  });
  const isThere = (): boolean => {
    try {
      return process.kill(started, 0);
    } catch {
      return false;
    }
  };
  expect(isThere()).toBe(true);
  child.kill("SIGTERM");
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(143);
  await expect.poll(isThere, { timeout: 20_000 }).toBe(false);
});
