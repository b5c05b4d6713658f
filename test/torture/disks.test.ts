// What a system refuses to a process that runs: space, the right to write, files. Each refusal is told in a plain line, every
// ledger ends with a whole record, and the same command goes on once there is what was missing.
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { type Ended, until } from "../support/bench.ts";
import { type Course, LONG } from "./course.ts";
import { ANSWERS, type Fault } from "./faults.ts";
import { scenario } from "./scenario.ts";
import { GROWING } from "./standing.ts";

const good = ANSWERS["right answer"] as Fault;
const isRoot = process.getuid?.() === 0;
/** A user who is not asked about modes is no test of them. */
const NOBODY = isRoot ? 65_534 : undefined;

/** Right answers after so many ms. */
const after =
  (delayMs: number) =>
  (): Fault =>
  (...given) => {
    const deed = good(...given);
    return { ...deed, script: { delayMs, ...deed.script } };
  };

/** A run that was refused something says so in one line, and nothing of it is half a record. */
function expectRefused(course: Course, ended: Ended, words: RegExp): void {
  expect([1, 2], ended.stderr).toContain(ended.code);
  expect(ended.stderr).toMatch(words);
  expect(ended.stderr).not.toContain("unexpected error");
  const drafts = existsSync(course.folder)
    ? readdirSync(course.folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        /draft-|\.tmp$|\.json\./.test(name),
      )
    : [];
  expect(drafts).toEqual([]);
  for (const name of GROWING) {
    const tail = course.before.get(name)?.tail.toString("utf8") ?? "";
    if (tail !== "") course.breaches.push({ kind: "wrong", text: `${name} ends with ${tail.slice(0, 200)}` });
  }
}

async function finishAll(course: Course): Promise<void> {
  course.know({ retriesErrors: true });
  const ended = await course.finish({ args: ["--retry-errors"] });
  expect(ended.code, ended.stderr).toBe(0);
  expect(course.judge().answers).toEqual({ ok: course.truth.size });
}

/** Whether this process may mount file systems; only root on Linux may, and not in every container. */
function mayMount(): boolean {
  if (process.platform !== "linux" || !isRoot) return false;
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A small file system as `runs/` while `use` runs. */
async function onSmallDisk(
  course: Course,
  kilobytes: number,
  use: (change: (how: string) => void) => Promise<void>,
) {
  const runs = join(course.root, "runs");
  mkdirSync(runs, { recursive: true });
  const options = (how: string): string[] => ["-t", "tmpfs", "-o", how, "none", runs];
  execFileSync("mount", options(`size=${kilobytes}k`));
  const unmount = course.atEnd(() => void execFileSync("umount", [runs]));
  try {
    await use((how) => void execFileSync("mount", options(`remount,${how}`)));
    await course.recount();
  } finally {
    await course.endAll();
    unmount();
  }
}

// Left out where nothing may be mounted: the limit on the size of files below is the nearest to it that anybody may set.
describe.runIf(mayMount())("a small tmpfs as runs/ (needs root on Linux)", () => {
  scenario("a disk that is full, then is not", 40, async (stage) => {
    const course = await stage.course("tmpfs", 40, 6);
    for (; stage.lasts(LONG ? 10 : 1); stage.rounds += 1) {
      // From hardly enough for the folder to nearly enough for all.
      const kilobytes =
        4 *
        (stage.rounds % 2 === 0
          ? 8 + Math.floor(course.random() * 20)
          : 2 + Math.floor(course.random() * 10));
      await onSmallDisk(course, kilobytes, async (change) => {
        course.begin({ killed: true });
        course.faults += 1;
        const ended = await course.finish();
        if (ended.code !== 0) expectRefused(course, ended, /full|space|ENOSPC/);
        // Once more while it is full: nothing is lost by trying.
        const again = await course.finish();
        if (again.code !== 0) expectRefused(course, again, /full|space|ENOSPC/);
        change("size=64m");
        await finishAll(course);
      });
      course.forget();
    }
  });

  scenario("a file system that becomes read-only", 20, async (stage) => {
    const course = await stage.course("read-only", 40, 6);
    for (; stage.lasts(LONG ? 4 : 1); stage.rounds += 1) {
      await onSmallDisk(course, 64_000, async (change) => {
        course.begin({ killed: true });
        course.fault = after(20);
        const running = course.start();
        await until(() => course.askedBy(running.number).length > 12, "calls", 60_000);
        running.child.kill("SIGKILL");
        await running.ended;
        course.kills += 1;
        course.look([running.number]);
        change("ro");
        course.faults += 1;
        const refused = await course.finish();
        expect([1, 2], refused.stderr).toContain(refused.code);
        expect(refused.stderr).toMatch(/EROFS|write-protected/);
        change("rw");
        await finishAll(course);
      });
      course.forget();
    }
  });
});

scenario("a limit on the size of files", 20, async (stage) => {
  const course = await stage.course("quota", 40, 6);
  for (; stage.lasts(LONG ? 8 : 1); stage.rounds += 1) {
    course.begin({ killed: true });
    course.faults += 1;
    // In blocks of 512 bytes; the longest ledger of the run has some 100.
    const blocks = 4 + Math.floor(course.random() * 80);
    const ended = await course.finish({ before: ["sh", "-c", `ulimit -f ${blocks}; exec "$@"`, "sh"] });
    if (ended.code !== 0) expectRefused(course, ended, /EFBIG/);
    await finishAll(course);
  }
  await course.recount();
});

/** Hands runs/ to the user who runs the program, with these rights. */
function setMode(course: Course, isWritable: boolean): void {
  const runs = join(course.root, "runs");
  mkdirSync(runs, { recursive: true });
  chmodSync(course.root, 0o755);
  const below = readdirSync(runs, { recursive: true, withFileTypes: true });
  for (const entry of [
    ...below.map((one) => ({ path: join(one.parentPath, one.name), isFolder: one.isDirectory() })),
    { path: runs, isFolder: true },
  ]) {
    if (!existsSync(entry.path)) continue;
    if (NOBODY !== undefined) chownSync(entry.path, NOBODY, NOBODY);
    chmodSync(entry.path, (entry.isFolder ? 0o555 : 0o444) | (isWritable ? 0o200 : 0));
  }
}

scenario("runs/ without the right to write", 25, async (stage) => {
  const course = await stage.course("modes", 40, 4);
  const uid = NOBODY === undefined ? {} : { uid: NOBODY };
  for (; stage.lasts(LONG ? 8 : 1); stage.rounds += 1) {
    course.begin({ killed: true });
    course.fault = after(25);
    setMode(course, false);
    const refused = await course.finish(uid);
    expectRefused(course, refused, /EACCES|write-protected/);
    expect(existsSync(course.folder)).toBe(false);
    setMode(course, true);
    // In the middle: files that are open can still be written, and nothing else can.
    const running = course.start(uid);
    await until(() => course.askedBy(running.number).length > 8, "calls", 60_000);
    setMode(course, false);
    course.faults += 2;
    const ended = await running.ended;
    course.look([running.number]);
    if (ended.code !== 0) expectRefused(course, ended, /EACCES|write-protected/);
    const again = await course.finish(uid);
    if (again.code !== 0) expectRefused(course, again, /EACCES|write-protected/);
    setMode(course, true);
    const last = await course.finish({ ...uid, args: ["--retry-errors"] });
    expect(last.code, last.stderr).toBe(0);
    expect(course.judge().answers).toEqual({ ok: course.truth.size });
  }
  await course.recount();
});

scenario("too few files (ulimit -n)", 40, async (stage) => {
  const course = await stage.course("files", 150, 150);
  // Too few for Node, for our own modules, for the connections, and for what is opened at the end.
  const limits = LONG ? [16, 24, 36, 60, 84, 92, 96, 98, 100, 102, 104, 108, 116, 130, 150] : [60, 110];
  for (; stage.lasts(limits.length); stage.rounds += 1) {
    const limit = limits[stage.rounds] as number;
    course.faults += 1;
    // What could get no connection has failed as a call does.
    course.begin({ unsent: "transport_error" });
    course.fault = after(40);
    const ended = await course.finish({ before: ["sh", "-c", `ulimit -n ${limit}; exec "$@"`, "sh"] });
    expect(ended.stderr).not.toContain("unexpected error");
    const calls = ended.stderr.split("\n").filter((text) => text.includes("too many files are open"));
    if (limit >= 60) expect(calls.length + course.askedBy(course.started).length).toBeGreaterThan(0);
    await finishAll(course);
  }
  await course.recount();
});
