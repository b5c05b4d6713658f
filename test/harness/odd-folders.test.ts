// Run folders in which something stands in the place of a file: one clear line, no waiting, nothing lost.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CheckError, UserError } from "../../src/errors.ts";
import { type Bench, makeBench, outcome, ScriptedProvider } from "../support/harness.ts";

let bench: Bench;
beforeEach(() => {
  bench = makeBench(3);
});
afterEach(() => bench.cleanup());

const again = (): Promise<unknown> => bench.run({ runId: "r" }).catch((error: unknown) => error);

it.each(["run.json", "attempts.jsonl", "results.jsonl", "selection.jsonl"])(
  "a pipe or a folder in the place of %s is refused",
  async (file) => {
    await bench.run({ runId: "r" });
    const path = bench.path("r", file);
    rmSync(path);
    execFileSync("mkfifo", [path]);
    for (const _ of [1, 2]) {
      const error = await again();
      expect(error).toBeInstanceOf(UserError);
      expect(String(error)).toContain(`runs/r/${file} is not a file`);
      rmSync(path, { recursive: true });
      mkdirSync(path);
    }
  },
);

it("makes raw/ again, which archives leave out when it is empty", async () => {
  await bench.run({ runId: "r" });
  rmSync(bench.path("r", "raw"), { recursive: true });
  writeFileSync(bench.path("r", "results.jsonl"), "");
  expect(await again()).toMatchObject({ status: "completed", finished: 3 });
});

it("says what stands in the way of raw/ and of the lock", async () => {
  await bench.run({ runId: "r" });
  rmSync(bench.path("r", "raw"), { recursive: true });
  writeFileSync(bench.path("r", "raw"), "");
  writeFileSync(bench.path("r", "results.jsonl"), "");
  const raw = await again();
  expect(raw).toBeInstanceOf(CheckError);
  expect(String(raw)).toContain("something else stands in its place");
  rmSync(bench.path("r", "lock"), { recursive: true });
  writeFileSync(bench.path("r", "lock"), "");
  const lock = await again();
  expect(lock).toBeInstanceOf(UserError);
  expect(String(lock)).toContain("the lock of run r cannot be taken (EEXIST)");
});

it("says that run.json cannot be written at the end, and loses no row by it", async () => {
  const provider = new ScriptedProvider(() => {
    rmSync(bench.path("r", "run.json"), { recursive: true, force: true });
    mkdirSync(bench.path("r", "run.json"));
    return outcome();
  });
  const error = await bench.run({ runId: "r", provider }).catch((found: unknown) => found);
  expect(error).toBeInstanceOf(CheckError);
  expect(String(error)).toContain("runs/r/run.json cannot be written: something else stands in its place");
  expect(bench.lines("r", "results.jsonl")).toHaveLength(3);
});
