import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { UserError } from "../src/errors.ts";
import { acquireLock as acquire, type Lock } from "../src/lock.ts";

let runDir: string;
beforeEach(() => {
  runDir = mkdtempSync(join(tmpdir(), "decision-bench-lock-"));
});
afterEach(() => rmSync(runDir, { recursive: true, force: true }));

const acquireLock = (dir: string, id: string): Promise<Lock> =>
  acquire(join(dir, "lock"), { what: `run ${id}`, place: `runs/${id}/lock` });

const lockFiles = () => readdirSync(join(runDir, "lock"));

it("lets one holder in at a time, also within one process", async () => {
  const lock = await acquireLock(runDir, "r");
  const second = await acquireLock(runDir, "r").catch((error: unknown) => error);
  expect(second).toBeInstanceOf(UserError);
  expect(String(second)).toContain(`process ${process.pid}`);
  await lock.release();
  const third = await acquireLock(runDir, "r");
  await third.release();
  expect(lockFiles()).toHaveLength(1);
});

it("takes over the lock of a process that died, whatever else has its number now", async () => {
  await (await acquireLock(runDir, "r")).release();
  const name = lockFiles()[0] ?? "";
  const file = join(runDir, "lock", name);
  const record = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.on("close", resolve));
  writeFileSync(file, JSON.stringify({ ...record, pid: child.pid, released: false }));
  await (await acquireLock(runDir, "r")).release();
  // Alive, but born at another time: a number that was given out again.
  writeFileSync(
    join(runDir, "lock", lockFiles()[0] ?? ""),
    JSON.stringify({ ...record, pid: process.ppid, born: "0", released: false }),
  );
  await (await acquireLock(runDir, "r")).release();
  writeFileSync(join(runDir, "lock", lockFiles()[0] ?? ""), "");
  await (await acquireLock(runDir, "r")).release();
});

it("refuses a lock that a living process holds, and one of another machine", async () => {
  await (await acquireLock(runDir, "r")).release();
  const file = join(runDir, "lock", lockFiles()[0] ?? "");
  const record = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...record, pid: process.ppid, born: null, released: false }));
  await expect(acquireLock(runDir, "r")).rejects.toThrow(`process ${process.ppid}`);
  writeFileSync(file, JSON.stringify({ ...record, machine: "elsewhere", released: false }));
  await expect(acquireLock(runDir, "r")).rejects.toThrow(/another machine.*delete the folder runs\/r\/lock/);
});

it("is won by exactly one of many that find a dead lock at once", async () => {
  for (let round = 0; round < 20; round += 1) {
    const folder = mkdtempSync(join(runDir, "round-"));
    await (await acquireLock(folder, "r")).release();
    const ends = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(folder, "r")));
    const won = ends.filter((end) => end.status === "fulfilled");
    expect(won).toHaveLength(1);
    for (const end of won) await end.value.release();
  }
});

it("clears away what processes left that died while they took it, but nothing young", async () => {
  await (await acquireLock(runDir, "r")).release();
  const old = join(runDir, "lock", "draft-of-the-dead");
  const young = join(runDir, "lock", "draft-of-another");
  for (const file of [old, young]) writeFileSync(file, "{");
  utimesSync(old, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000));
  await (await acquireLock(runDir, "r")).release();
  expect(lockFiles()).toContain("draft-of-another");
  expect(lockFiles()).not.toContain("draft-of-the-dead");
});

it("keeps the machine's name as a digest only", async () => {
  await (await acquireLock(runDir, "r")).release();
  const record = JSON.parse(readFileSync(join(runDir, "lock", lockFiles()[0] ?? ""), "utf8")) as object;
  expect(Object.values(record)).not.toContain(hostname());
  expect(record).toMatchObject({ machine: expect.stringMatching(/^[0-9a-f]{12}$/) });
});
