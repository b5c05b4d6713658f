// Nothing of a call outlives it, whatever its processes do to stay; and nothing of ours is given to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { isAlive } from "../../../src/processes.ts";
import { removeLeftovers } from "../../../src/providers/cli/call-folder.ts";
import { processSpace } from "../../../src/providers/cli/process-space.ts";
import { type ProcessEntry, parsePs } from "../../../src/providers/cli/process-table.ts";
import { findMembers, plantTree, type Tree } from "../../../src/providers/cli/process-tree.ts";
import type { CallOutcome, Provider } from "../../../src/providers/provider.ts";
import { createProvider } from "../../../src/providers/registry.ts";
import { until } from "../../support/bench.ts";
import { type FakeCli, GOOD, makeFakeCli } from "../../support/fake-cli.ts";
import { makeRow } from "../../support/rows.ts";

const KEY = { ANTHROPIC_API_KEY: "anthropic-key-0001" };

async function open(fake: FakeCli, env: object = KEY): Promise<Provider> {
  const model = { id: "m", label: "M", provider: "claude-cli", model: "x" } as const;
  const all = { PATH: fake.path, HOME: fake.folder, ...env };
  return createProvider(model, { env: all, corpusDir: "/nowhere", jobs: 2 });
}

function call(
  provider: Provider,
  timeoutMs: number,
  signal = new AbortController().signal,
): Promise<CallOutcome> {
  return provider.call(makeRow(), { timeoutMs, signal });
}

const foldersNow = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`dbcall-${process.pid}-`));

/** JavaScript that starts something and writes its process id down. */
const starts = (folder: string, program: string, options: string): string =>
  `spawn(process.execPath, ["-e", ${JSON.stringify(program)}], ${options});`.replaceAll("FOLDER", folder);
/** JavaScript that writes its process id down: whole or not at all, for it may be ended in the middle. */
const says = (path: string): string =>
  `fs.writeFileSync(${path} + ".new", String(process.pid)); fs.renameSync(${path} + ".new", ${path});`;
/** A program that stays, and says who it is. */
const stays = (folder: string, before = ""): string =>
  `{ ${before} const fs = require("fs"); ${says(JSON.stringify(join(folder, "pid")))} setInterval(() => {}, 1000); }`;
const deaf = 'for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {});';

const WAYS: Readonly<Record<string, (folder: string) => string>> = {
  "a child that ignores SIGTERM": (folder) => stays(folder, deaf),
  "a grandchild that ignores SIGTERM": (folder) =>
    `${starts(folder, stays(folder, deaf), '{ stdio: "ignore" }')} setInterval(() => {}, 1000);`,
  "a detached grandchild that ignores SIGTERM": (folder) =>
    `${starts(folder, stays(folder, deaf), '{ stdio: "ignore", detached: true }').replace(/;$/, ".unref();")} setInterval(() => {}, 1000);`,
  "a detached grandchild with no environment": (folder) =>
    `${starts(folder, stays(folder, deaf), '{ stdio: "ignore", detached: true, env: {}, cwd: "/" }').replace(/;$/, ".unref();")} setInterval(() => {}, 1000);`,
  "a detached grandchild that holds the pipes": (folder) =>
    `${starts(folder, stays(folder, deaf), '{ stdio: "inherit", detached: true }').replace(/;$/, ".unref();")} setInterval(() => {}, 1000);`,
};

/** A program that starts another one without session, environment and folder of ours, and ends: the other has no parent either. */
const severs = (folder: string, stdio: "inherit" | "ignore", afterMs: number): string => {
  const options = `{ stdio: "${stdio}", detached: true, env: {}, cwd: "/" }`;
  const other = starts(folder, stays(folder, deaf), options).replace(/;$/, ".unref();");
  return `const { spawn } = require("child_process"); ${other} setTimeout(() => process.exit(0), ${afterMs});`;
};

const SEVERED_WAYS: Readonly<Record<string, (folder: string) => string>> = {
  "a process that has given up everything but was seen before": (folder) =>
    `${starts(folder, severs(folder, "ignore", 1500), '{ stdio: "ignore" }')} setInterval(() => {}, 1000);`,
  "a process that would be started when the command is asked to end": (folder) =>
    `process.on("SIGTERM", () => { ${severs(folder, "ignore", 100)} });
     ${says(JSON.stringify(join(folder, "pid")))} setInterval(() => {}, 1000);`,
  // Only Linux says who holds a pipe or a file.
  ...(process.platform === "linux" && {
    "a process that has given up everything at once but the file that nobody knows of": (folder) =>
      `${starts(folder, severs(folder, "ignore", 0), '{ stdio: "ignore" }')} setInterval(() => {}, 1000);`,
    "the same behind a shell, which has emptied the environment before": (folder) => {
      const stay = `${says("process.argv[1]")} setInterval(() => {}, 1000);`;
      const words = [process.execPath, "-e", `const fs = require("fs"); ${stay}`, join(folder, "pid")];
      const script = `cd /; env -i "$@" </dev/null >/dev/null 2>&1 &`;
      return `spawn("/bin/sh", ["-c", ${JSON.stringify(script)}, "sh", ...${JSON.stringify(words)}], { stdio: "ignore", detached: true });
        setInterval(() => {}, 1000);`;
    },
    "a process that has given up everything but a pipe": (folder) =>
      `${starts(folder, severs(folder, "inherit", 0), '{ stdio: "inherit" }')} setInterval(() => {}, 1000);`,
  }),
};

function pidOf(fake: FakeCli): number {
  const pid = Number(readFileSync(join(fake.folder, "pid"), "utf8"));
  // Zero stands for the group of this very process, which lives.
  if (pid === 0) throw new Error("the command wrote no process id");
  return pid;
}

/** It was killed when the call ended; until its new parent has taken notice there is still a number. */
function expectGone(fake: FakeCli): Promise<void> {
  return until(() => !isAlive(pidOf(fake)), "the end of a process", 2000);
}

describe("at the time limit ends", () => {
  test.each(Object.keys(WAYS))("%s", async (way) => {
    const fake = makeFakeCli("claude", "");
    fake.does(WAYS[way]?.(fake.folder) ?? "");
    const provider = await open(fake);
    const outcome = await call(provider, 1500);
    expect(outcome).toMatchObject({ status: "timeout", retryable: false });
    await expectGone(fake);
    await provider.close();
    expect(foldersNow()).toEqual([]);
  });
});

describe("at the time limit, though nothing ties it to the command any more, ends", () => {
  test.each(Object.keys(SEVERED_WAYS))("%s", async (way) => {
    const fake = makeFakeCli("claude", "");
    fake.does(SEVERED_WAYS[way]?.(fake.folder) ?? "");
    const provider = await open(fake);
    expect(await call(provider, 3000)).toMatchObject({ status: "timeout" });
    await until(() => existsSync(join(fake.folder, "pid")), "the process");
    await provider.close();
    // What was started too late would say who it is now.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expectGone(fake);
    expect(foldersNow()).toEqual([]);
  });
});

describe("a command that ended by itself leaves behind", () => {
  test.each([
    ["no child", '{ stdio: "ignore" }'],
    ["no detached child", '{ stdio: "ignore", detached: true }'],
    ["nobody who holds its pipes", '{ stdio: "inherit", detached: true }'],
  ])("%s", async (_, options) => {
    const fake = makeFakeCli("claude", "");
    const wait = `const end = Date.now() + 5000; while (!fs.existsSync(${JSON.stringify(join(fake.folder, "pid"))}) && Date.now() < end);`;
    fake.does(
      `${starts(fake.folder, stays(fake.folder, deaf), options).replace(/;$/, ".unref();")} ${wait} ${GOOD.claude} process.exit(0);`,
    );
    const provider = await open(fake);
    const begun = performance.now();
    expect((await call(provider, 20_000)).status).toBe("ok");
    expect(performance.now() - begun).toBeLessThan(8000);
    await provider.close();
    await expectGone(fake);
    expect(foldersNow()).toEqual([]);
  });
});

describe("a person who stops", () => {
  test("the run: the call is incomplete and its tree is gone", async () => {
    const fake = makeFakeCli("claude", "");
    fake.does(WAYS["a detached grandchild that ignores SIGTERM"]?.(fake.folder) ?? "");
    const provider = await open(fake);
    const stop = new AbortController();
    const pending = call(provider, 60_000, stop.signal);
    await until(() => existsSync(join(fake.folder, "pid")), "the grandchild");
    stop.abort();
    expect(await pending).toMatchObject({ status: "incomplete", retryable: false });
    await expectGone(fake);
    expect(await call(provider, 60_000, stop.signal)).toMatchObject({ status: "incomplete" });
    await provider.close();
    expect(foldersNow()).toEqual([]);
  });

  test("the provider: calls under way end, later ones do not begin", async () => {
    const fake = makeFakeCli("claude", "");
    fake.does(stays(fake.folder));
    const provider = await open(fake);
    const pending = call(provider, 60_000);
    await until(() => existsSync(join(fake.folder, "pid")), "the command");
    await provider.close();
    expect((await pending).status).toBe("incomplete");
    await expectGone(fake);
    expect((await call(provider, 60_000)).status).toBe("incomplete");
    await provider.close();
  });
});

describe("output", () => {
  const print = (stream: 1 | 2, mib: number): string =>
    `const piece = Buffer.alloc(1 << 20, " "); for (let i = 0; i < ${mib}; i++) fs.writeSync(${stream}, piece); fs.writeSync(${stream}, "\\n");`;

  test.each([1, 2] as const)("over 32 MiB on stream %i is refused and not repeated", async (stream) => {
    const fake = makeFakeCli("claude", `${print(stream, 33)} ${GOOD.claude} setInterval(() => {}, 1000);`);
    const provider = await open(fake);
    expect(await call(provider, 30_000)).toMatchObject({
      status: "invalid_transport_output",
      error: "the answer is larger than 32 MiB",
      retryable: false,
      answer: null,
    });
    await provider.close();
    expect(foldersNow()).toEqual([]);
  });

  test("over it ends the command at once, also one that goes on when nobody reads", async () => {
    const deafToPipes =
      'process.on("uncaughtException", () => {}); process.stdout.on("error", () => {}); setInterval(() => {}, 1000);';
    const flood = 'for (let i = 0; i < 36; i++) process.stdout.write(Buffer.alloc(1 << 20, " "));';
    const fake = makeFakeCli("claude", "");
    const pid = JSON.stringify(join(fake.folder, "pid"));
    fake.does(`${says(pid)} ${deafToPipes} ${flood}`);
    const provider = await open(fake);
    // The limit of the call is far beyond that of the test.
    expect(await call(provider, 300_000)).toMatchObject({
      status: "invalid_transport_output",
      retryable: false,
    });
    await expectGone(fake);
    await provider.close();
    expect(foldersNow()).toEqual([]);
  });

  test("below it is read", async () => {
    const provider = await open(makeFakeCli("claude", `${print(1, 31)} ${GOOD.claude}`));
    expect((await call(provider, 30_000)).status).toBe("ok");
    await provider.close();
  });
});

test("closed book: none of our keys, an empty folder, a home of its own", async () => {
  const fake = makeFakeCli("claude", GOOD.claude);
  const ours = {
    DECISION_BENCH_API_KEY: "marked-1",
    DECISION_BENCH_BASE_URL: "https://marked-2.example/v1",
    DECISION_BENCH_LAB_API_KEY: "marked-3",
    DECISION_BENCH_ROOT: "/marked-4",
    TYPESAFE_API_KEY: "marked-5",
    LAYA_API_KEY: "marked-6",
    LAYA_BASE_URL: "https://marked-7.example",
    OPENAI_API_KEY: "marked-8",
    HTTPS_PROXY: "http://marked-9",
    ANTHROPIC_CUSTOM_HEADERS: "marked-10",
    MAX_THINKING_TOKENS: "marked-11",
    CLAUDE_CODE_EFFORT_LEVEL: "marked-12",
    NODE_OPTIONS: "--marked-13",
    SOMETHING_NEW: "marked-14",
  };
  const provider = await open(fake, { ...KEY, ...ours });
  expect((await call(provider, 20_000)).status).toBe("ok");
  await provider.close();
  const [seen] = fake.calls();
  expect(JSON.stringify(seen)).not.toContain("marked");
  expect(seen?.here).toEqual([]);
  expect(seen?.home).toEqual([]);
  expect(seen?.cwd.startsWith(tmpdir())).toBe(true);
  expect(existsSync(seen?.cwd ?? "")).toBe(false);
});

test("each call has a folder of its own", async () => {
  const fake = makeFakeCli("claude", GOOD.claude);
  const provider = await open(fake);
  await Promise.all([call(provider, 20_000), call(provider, 20_000), call(provider, 20_000)]);
  await provider.close();
  expect(new Set(fake.calls().map(({ cwd }) => cwd)).size).toBe(3);
  expect(new Set(fake.calls().map(({ env }) => env.HOME)).size).toBe(3);
});

test("what a killed process left behind goes with the next one; what is alive stays", async () => {
  const dead = join(tmpdir(), `dbcall-4194303-${processSpace()}-0-AbC123`);
  const alive = join(tmpdir(), `dbcall-${process.ppid}-${processSpace()}-0-AbC123`);
  for (const folder of [dead, alive]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(dead, "file"), "");
  try {
    await removeLeftovers();
    expect(existsSync(dead)).toBe(false);
    expect(existsSync(alive)).toBe(true);
  } finally {
    rmSync(alive, { recursive: true, force: true });
  }
});

/** A tree whose child is nobody that runs here. */
function treeOf(root: number | null, changes: Partial<Tree> = {}): Tree {
  const founded = new Set(root === null ? [] : [root]);
  return { ...plantTree(null, "/tmp/dbcall-1-abcDEF"), root, founded, ...changes };
}

function membersOf(tree: Tree, table: readonly ProcessEntry[]): number[] {
  findMembers([tree], table);
  return [...tree.members.keys()].sort();
}

test("a list of ps names groups, descendants in any order, and those who carry the folder", () => {
  const began = "Wed Dec  2 18:15:22 2026";
  const table = parsePs(`
    7     1     7     0 Ss   ${began} /sbin/x
   12    11    12   501 S    ${began} orphan's child
   11    10    11   501 S    ${began} sleep
   10     9    10   501 S    ${began} claude --print
   13     1    13   501 S    ${began} daemon A=1 TMPDIR=/tmp/dbcall-1-abcDEF/tmp B=2
   14     1    10   501 S    ${began} reparented
   15     1    10   501 Z    ${began} dead
   16     1    16   501 S    ${began} daemon TMPDIR=/tmp/dbcall-1-abcDEG/tmp
   17     1    17   501 S    ${began} vi /tmp/dbcall-1-abcDEF/tmp OLDPWD=/tmp/dbcall-1-abcDEF/tmp
   18     1    18   501 S    ${began} sh OLD_TMPDIR=/tmp/dbcall-1-abcDEF/tmp
   19     1    19   501 S    ${began} sh TMPDIR=/tmp/dbcall-1-abcDEF/tmp/x
   20     1    20   502 S    ${began} another person's TMPDIR=/tmp/dbcall-1-abcDEF/tmp
`);
  vi.spyOn(process, "getuid").mockReturnValue(501);
  try {
    expect(membersOf(treeOf(10), table)).toEqual([10, 11, 12, 13, 14, 20]);
    expect(membersOf(treeOf(null), table)).toEqual([13]);
  } finally {
    vi.restoreAllMocks();
  }
});

test("of a dead call only those end that were given its folder for temporary files", async () => {
  // A place of its own: whoever opens a provider meanwhile would end what this test has left behind.
  const place = mkdtempSync(join(tmpdir(), "bench-dead-call-"));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = place;
  const folder = join(place, `dbcall-4194303-${processSpace()}-0-Tree01`);
  const temp = join(folder, "tmp");
  mkdirSync(temp, { recursive: true });
  const start = (cwd: string, env: Record<string, string>) =>
    spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)", "--", `see ${temp}`], {
      ...{ cwd, env, stdio: ["ignore", "pipe", "ignore"] },
    });
  const strangers = [
    start("/", { OLDPWD: folder }),
    start(temp, {}),
    start("/", { NOTE: `see ${temp}, TMPDIR=${temp}.` }),
    start("/", { TMPDIR: folder }),
  ];
  const left = start("/", { TMPDIR: temp });
  const all = [...strangers, left];
  try {
    await Promise.all(all.map(({ stdout }) => once(stdout as NodeJS.ReadableStream, "data")));
    const end = once(left, "exit");
    await removeLeftovers();
    expect((await end)[1]).toBe("SIGKILL");
    expect(existsSync(folder)).toBe(false);
    expect(strangers.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  } finally {
    for (const child of all) child.kill("SIGKILL");
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(place, { recursive: true, force: true });
  }
});

describe("a process that is in no group of the call and below nobody of it", () => {
  const entry = (pid: number, changes: Partial<ProcessEntry> = {}): ProcessEntry => ({
    ...{ pid, parent: 1, group: pid, session: pid, start: 100, pipes: () => [] },
    ...{ user: () => process.getuid?.() ?? 0, environment: () => () => false, workingFolder: () => null },
    ...changes,
  });

  test("is a member while it holds a pipe of the call", () => {
    const table = [entry(10), entry(20, { pipes: () => ["socket:[7]"] }), entry(21, { parent: 20 })];
    expect(membersOf(treeOf(10, { pipes: ["socket:[7]"] }), table)).toEqual([10, 20, 21]);
    expect(membersOf(treeOf(10, { pipes: ["socket:[8]"] }), table)).toEqual([10]);
  });

  test("is a member once it was seen below the call, with its children and those in its session", () => {
    const tree = treeOf(10);
    expect(membersOf(tree, [entry(10), entry(20, { parent: 10 })])).toEqual([10, 20]);
    expect(membersOf(tree, [entry(20), entry(21, { parent: 20 }), entry(22, { session: 20 })])).toEqual([
      20, 21, 22,
    ]);
    expect(membersOf(tree, [entry(22, { session: 20 })])).toEqual([22]);
  });

  test("is none when it was given the number of a member that has ended", () => {
    const tree = treeOf(10);
    membersOf(tree, [entry(10), entry(20, { parent: 10 })]);
    expect(membersOf(tree, [entry(10)])).toEqual([10]);
    expect(membersOf(tree, [entry(10), entry(20, { start: 200 })])).toEqual([10]);
  });

  test("is not asked for more than its numbers when it is older than the call", () => {
    const asked = () => {
      throw new Error("it was asked");
    };
    const old = entry(5, { start: 99, environment: asked, workingFolder: asked, pipes: asked });
    expect(membersOf(treeOf(10, { start: 100 }), [old, entry(10)])).toEqual([10]);
  });

  test("is a member when it works in the call's folder and is not older than the call", () => {
    const folder = "/real/dbcall-1-abcDEF";
    const table = [
      entry(10),
      entry(20, { workingFolder: () => `${folder}/work` }),
      entry(21, { workingFolder: () => `${folder} (deleted)` }),
      entry(22, { workingFolder: () => `${folder}G/work` }),
      entry(23, { workingFolder: () => `/copies${folder}` }),
      entry(24, { workingFolder: () => folder, start: 99 }),
    ];
    const ofOther = treeOf(9, { realFolder: "/real/other", start: 0 });
    const tree = treeOf(10, { realFolder: folder, start: 100 });
    findMembers([ofOther, tree], table);
    expect([...tree.members.keys()].sort()).toEqual([10, 20, 21]);
    expect(membersOf(treeOf(null, { realFolder: folder }), table)).toEqual([]);
  });
});
