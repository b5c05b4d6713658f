// `bench doctor` as a user calls it: after it the same command goes on, and a kill at any moment loses nothing.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import seedrandom from "seedrandom";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bench, startBench } from "../support/bench.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";
import { asideLines, bytesByLine } from "../support/sound-run.ts";
import { started } from "../support/workspace.ts";

const ROWS = 40;
const KILLS = 20;
const RUN = ["run", "--model", "uniform", "--run-id", "run"];

let scratch: Scratch;
let folder: string;
beforeEach(async () => {
  scratch = makeScratch(ROWS, 2);
  folder = join(scratch.root, "runs", "run");
  const model = {
    id: "uniform",
    label: "U",
    provider: "baseline",
    model: "uniform",
    request: { method: "uniform" },
  };
  writeFileSync(
    join(scratch.root, "config", "models.json"),
    JSON.stringify({ schema_version: 1, models: [model] }),
  );
  const done = await bench(scratch.root, RUN);
  expect(done.code, done.stderr).toBe(0);
});
afterEach(() => scratch.remove());

const path = (file: string): string => join(folder, file);
const linesOf = (file: string): string[] => bytesByLine(readFileSync(path(file))).lines;

it("a run with every kind of damage: refused, examined, gone on with, whole", async () => {
  const results = linesOf("results.jsonl");
  const attempts = linesOf("attempts.jsonl");
  const spoilt = [...results];
  spoilt[1] = (results[1] ?? "").slice(0, 60);
  spoilt[4] = "\xff\xfe\x00";
  spoilt[7] = (results[7] ?? "").replace('"status":"ok"', '"status":"ok","status":"ok"');
  spoilt[9] = (results[9] ?? "").replace('"run_id":"run"', '"run_id":"other"');
  spoilt[12] = (results[12] ?? "").replace(/"row_id":"row-\d+"/, '"row_id":"row-x"');
  const broken = Buffer.from(`${spoilt.join("\n")}\n{"run_id":"run","ro`, "latin1");
  writeFileSync(path("results.jsonl"), broken);
  writeFileSync(path("attempts.jsonl"), Buffer.from(`\xef\xbb\xbf${attempts.join("\n")}`, "latin1"));
  rmSync(path("selection.jsonl"));
  for (const command of [RUN, ["score", "run"]]) expect((await bench(scratch.root, command)).code).toBe(1);

  const dry = await bench(scratch.root, ["doctor", "run", "--dry-run"]);
  expect(dry.code).toBe(1);
  expect(readFileSync(path("results.jsonl"))).toEqual(broken);
  const done = await bench(scratch.root, ["doctor", "run", "--json"]);
  expect(done.code, done.stderr).toBe(1);
  const document = JSON.parse(done.stdout) as {
    findings: { file: string; line: number | null; action: string }[];
    next: { command: string };
  };
  expect(document.findings.map(({ file, line, action }) => `${file.slice(9)}:${line} ${action}`)).toEqual([
    "selection.jsonl:null mended",
    "attempts.jsonl:1 moved",
    `attempts.jsonl:${2 * ROWS} moved`,
    ...[2, 5, 8, 10, 13, ROWS + 1].map((line) => `results.jsonl:${line} moved`),
    "run.json:null mended",
  ]);
  // Every byte is there.
  const now = [
    ...linesOf("results.jsonl"),
    ...asideLines(path("results.jsonl")).map((line) => line.toString("latin1")),
  ];
  expect(now.sort()).toEqual([...spoilt].sort());
  expect(readFileSync(path("results.jsonl.torn"), "utf8")).toBe('{"run_id":"run","ro\n');

  expect((await bench(scratch.root, ["doctor", "run"])).code).toBe(0);
  expect((await bench(scratch.root, ["score", "run"])).code).toBe(0);
  // The command that it names is the one that goes on.
  expect(document.next.command).toBe("bench run --model uniform --run-id run");
  const again = await bench(scratch.root, document.next.command.split(" ").slice(1));
  expect(again.code, again.stderr).toBe(0);
  expect(again.stderr).toContain(`5 rows to do, ${ROWS - 5} of ${ROWS} rows are done already`);
  const last = await bench(scratch.root, ["doctor", "run", "--json"]);
  expect(last.code).toBe(0);
  expect(JSON.parse(last.stdout)).toMatchObject({ whole: true, rows: { finished: ROWS, errors: 0 } });
});

it("usage: exit code 2, one line", async () => {
  for (const args of [["doctor"], ["doctor", "nope"], ["doctor", "run", "--nonsense"]]) {
    const ended = await bench(scratch.root, args);
    expect(ended.code).toBe(2);
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
  }
});

it(`${KILLS} kills while a large ledger is mended: every good line stays, every bad one is there or beside`, async () => {
  const seed = process.env.BENCH_TEST_SEED ?? String(Date.now());
  const random = seedrandom(seed);
  const good: string[] = [];
  const bad: string[] = [];
  const lines = linesOf("attempts.jsonl");
  good.push(...lines);
  for (let index = 0; index < 15_000; index += 1) {
    const isBad = index % 3 === 0;
    const line = isBad
      ? `{"broken":${index},${"x".repeat(150)}`
      : started({ id: `t-${index}`, row: "row-0000001" });
    (isBad ? bad : good).push(line);
    lines.push(line);
  }
  const text = `${lines.join("\n")}\n`;
  const pristine = join(scratch.root, "pristine");
  writeFileSync(path("attempts.jsonl"), text);
  cpSync(folder, pristine, { recursive: true });
  const reset = (): void => {
    rmSync(folder, { recursive: true });
    cpSync(pristine, folder, { recursive: true });
  };
  // How long it takes on this machine, now.
  const begun = performance.now();
  expect((await bench(scratch.root, ["doctor", "run"])).code).toBe(1);
  const whole = performance.now() - begun;
  reset();
  let killed = 0;
  let asideBefore = 0;
  for (let round = 0; (killed < KILLS || asideBefore === 0) && round < 3 * KILLS; round += 1) {
    const running = startBench(scratch.root, ["doctor", "run"]);
    await new Promise((resolve) => setTimeout(resolve, whole * (0.3 + 0.7 * random())));
    running.child.kill("SIGKILL");
    if ((await running.ended).signal === "SIGKILL") killed += 1;
    const now = linesOf("attempts.jsonl");
    const beside = asideLines(path("attempts.jsonl")).map(String);
    if (now.length === good.length) {
      expect(now, `seed ${seed}`).toEqual(good);
      expect(beside.slice().sort(), `seed ${seed}`).toEqual(bad.slice().sort());
      reset();
    } else {
      expect(now, `seed ${seed}`).toEqual(lines);
      if (beside.length > 0) asideBefore += 1;
    }
  }
  expect(killed).toBeGreaterThanOrEqual(KILLS / 2);
  // Some of the kills must have come between the two files.
  expect(asideBefore, `seed ${seed}`).toBeGreaterThan(0);
  expect((await bench(scratch.root, ["doctor", "run"])).code).toBe(1);
  expect(linesOf("attempts.jsonl")).toEqual(good);
  expect(asideLines(path("attempts.jsonl")).map(String).sort()).toEqual(bad.slice().sort());
}, 120_000);
