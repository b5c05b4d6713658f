import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import { parseJson, toPlain } from "../../src/answers/json.ts";
import { CheckError, UserError } from "../../src/errors.ts";
import { bench } from "../support/commands.ts";
import { addPublished, prediction } from "../support/published.ts";
import { makeWorkspace, openAt, type RowSpec, result, type TestWorkspace } from "../support/workspace.ts";

const ORACLE = fileURLToPath(new URL("../fixtures/oracle", import.meta.url));
const schema = JSON.parse(
  readFileSync(new URL("../../docs/schemas/compare.schema.json", import.meta.url), "utf8"),
) as object;
const valid = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);

const oracle = (): TestWorkspace => openAt(ORACLE, "");

async function documentOf(
  workspace: TestWorkspace,
  args: readonly string[],
): Promise<Record<string, unknown> & { gates: { met: boolean }[] }> {
  const { stdout } = await bench(workspace, ["compare", ...args, "--json"]);
  const found = JSON.parse(stdout);
  valid(found);
  expect(valid.errors ?? []).toEqual([]);
  return found;
}

/** Rows of `tasks` tasks, four each; of each task the first `right` labels of a run are right. */
const rows = (tasks: number): RowSpec[] =>
  Array.from({ length: tasks * 4 }, (_, i) => ({
    id: `r-${String(i).padStart(3, "0")}`,
    task: `T-${Math.floor(i / 4)}`,
    category: "only",
    gold: "yes",
    options: ["yes", "no"],
  }));

const answersOf = (all: readonly RowSpec[], right: (i: number) => boolean): string[] =>
  all.map((row, i) => result({ row: row.id, gold: "yes", label: right(i) ? "yes" : "no" }));

test("the table of two published results, by category", async () => {
  const { stdout, stderr, error } = await bench(oracle(), ["compare", "alpha", "bravo", "--by", "category"]);
  expect(error).toBeUndefined();
  expect(stderr).toBe("");
  await expect(stdout).toMatchFileSnapshot("../fixtures/golden/compare.txt");
});

test("the document agrees with independent programs, and mirrors when it is asked the other way", async () => {
  const there = await documentOf(oracle(), ["alpha", "bravo", "--by", "task"]);
  const back = await documentOf(oracle(), ["oracle-1/bravo", "oracle-1/alpha", "--by", "task"]);
  await expect(`${JSON.stringify(there, null, 1)}\n`).toMatchFileSnapshot("../fixtures/golden/compare.json");
  expect(there).toMatchObject({
    rows: 427,
    tasks: 12,
    a_only: 61,
    b_only: 19,
    jackknife_se: expect.closeTo(0.020799947014440403, 12),
    p_jackknife: expect.closeTo(0.0006204694407599476, 9),
    p_mcnemar: expect.closeTo(1.7730682926908968e-6, 12),
    mde80: expect.closeTo(0.06399135186278583, 10),
  });
  const mirrored = ([low, high]: number[]) => [0 - (high as number), 0 - (low as number)];
  expect(back.jackknife95).toEqual(mirrored(there.jackknife95 as number[]));
  expect((back.bootstrap as { interval95: unknown }).interval95).toEqual(
    mirrored((there.bootstrap as { interval95: number[] }).interval95),
  );
  expect(back.accuracy_difference).toBe(0 - (there.accuracy_difference as number));
  expect([back.a, back.b]).toEqual([there.b, there.a]);
  expect((there.by_task as { rows: number }[]).reduce((sum, task) => sum + task.rows, 0)).toBe(427);
});

test("seed and repetitions change the bootstrap alone, and the same ones give the same bits", async () => {
  const pair = ["charlie", "delta"];
  const usual = await documentOf(oracle(), pair);
  const again = await documentOf(oracle(), [...pair, "--seed", "20260923", "--reps", "2000"]);
  expect(again).toEqual(usual);
  const other = await documentOf(oracle(), [...pair, "--seed", "1", "--reps", "50"]);
  expect(other.bootstrap).toMatchObject({ seed: 1, repetitions: 50 });
  const { bootstrap, ...rest } = usual;
  expect((other.bootstrap as { interval95: unknown }).interval95).not.toEqual(
    (bootstrap as { interval95: unknown }).interval95,
  );
  expect(other).toMatchObject(rest);
});

test("which other results there are changes nothing", async () => {
  const root = mkdtempSync(join(tmpdir(), "bench-compare-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(ORACLE, root, { recursive: true });
  for (const gone of ["charlie", "delta", "echo-label-only", "foxtrot-partial"]) {
    rmSync(join(root, "results", "oracle-1", gone), { recursive: true });
  }
  expect(await documentOf(openAt(root, ""), ["alpha", "bravo"])).toEqual(
    await documentOf(oracle(), ["alpha", "bravo"]),
  );
});

test("rows that only one has finished are left out, and that is said", async () => {
  const { stdout, stderr, error } = await bench(oracle(), ["compare", "alpha", "foxtrot-partial"]);
  expect(error).toBeUndefined();
  expect(stderr).toBe(
    "Only 250 of the 427 finished rows of oracle-1/alpha are shared; the others are left out.\n",
  );
  expect(stdout).toContain("250 shared rows of 12 tasks");
});

test("a run against itself is zero in everything", async () => {
  const found = await documentOf(oracle(), ["delta", "delta"]);
  expect(found).toMatchObject({
    accuracy_difference: 0,
    a_only: 0,
    b_only: 0,
    jackknife_se: 0,
    jackknife95: [0, 0],
    p_jackknife: 1,
    p_mcnemar: 1,
    bootstrap: { interval95: [0, 0] },
  });
});

test("all right against all wrong: a difference of 1 without spread", async () => {
  const all = rows(3);
  const workspace = makeWorkspace(all);
  workspace.addRun("right", { results: answersOf(all, () => true) });
  workspace.addRun("wrong", { results: answersOf(all, () => false) });
  const found = await documentOf(workspace, ["right", "wrong"]);
  expect(found).toMatchObject({
    accuracy_difference: 1,
    jackknife_se: 0,
    jackknife95: [1, 1],
    p_jackknife: 0,
    bootstrap: { interval95: [1, 1] },
    both_correct: 0,
    both_wrong: 0,
  });
  expect((await bench(workspace, ["compare", "wrong", "right"])).stdout).toContain("A is worse");
});

test("the gates: kept, not kept, and printed before the exit", async () => {
  const all = rows(8);
  const workspace = makeWorkspace(all);
  // A loses one row of four in every second task: 12.5 points, somewhere between 2 and 23.
  workspace.addRun("a", { results: answersOf(all, (i) => !(i % 8 === 0)) });
  workspace.addRun("b", { results: answersOf(all, () => true) });
  const [low, high] = (await documentOf(workspace, ["a", "b"])).jackknife95 as [number, number];
  expect(low).toBeLessThan(-0.125);
  expect(high).toBeGreaterThan(-0.125);
  expect(high).toBeLessThan(0);
  const outcome = async (...gate: string[]) => bench(workspace, ["compare", "a", "b", ...gate]);

  const worse = await outcome("--fail-if-worse", "0");
  expect(worse.error).toBeInstanceOf(CheckError);
  expect(worse.error?.message).toMatch(
    /^gate not met: a against b: A is surely worse by more than 0 points \(the interval ends at -\d/,
  );
  expect(worse.stdout).toContain("jackknife over tasks");
  expect(worse.stdout).toContain("NOT met");
  expect((await outcome("--fail-if-worse", "20")).error).toBeUndefined();

  const unsure = await outcome("--fail-unless-within", "10");
  expect(unsure.error?.message).toMatch(/A may be worse by 10 points or more \(the interval begins at -\d/);
  expect((await outcome("--fail-unless-within", "60")).error).toBeUndefined();

  const both = await bench(workspace, [
    ...["compare", "a", "b", "--json"],
    ...["--fail-if-worse", "20", "--fail-unless-within", "10"],
  ]);
  expect(both.error).toBeInstanceOf(CheckError);
  expect((toPlain(parseJson(both.stdout)) as { gates: unknown }).gates).toEqual([
    { gate: "fail_if_worse", points: 20, met: true },
    { gate: "fail_unless_within", points: 10, met: false },
  ]);
});

test("a gate at its very bound: not worse by more than that, and not proven to be within it", async () => {
  const all = rows(4);
  const workspace = makeWorkspace(all);
  // Each task loses one row of four, so that the interval is the point -25.
  workspace.addRun("a", { results: answersOf(all, (i) => i % 4 > 0) });
  workspace.addRun("b", { results: answersOf(all, () => true) });
  expect((await documentOf(workspace, ["a", "b"])).jackknife95).toEqual([-0.25, -0.25]);
  const met = async (gate: string, points: string) =>
    (await bench(workspace, ["compare", "a", "b", gate, points])).error === undefined;
  expect(await met("--fail-if-worse", "25")).toBe(true);
  expect(await met("--fail-if-worse", "24.9")).toBe(false);
  expect(await met("--fail-unless-within", "25")).toBe(false);
  expect(await met("--fail-unless-within", "25.1")).toBe(true);
});

test("one task: a difference, but no interval, and so no proof of being within", async () => {
  const all = rows(1);
  const workspace = makeWorkspace(all);
  workspace.addRun("a", { results: answersOf(all, (i) => i > 0) });
  workspace.addRun("b", { results: answersOf(all, () => true) });
  const found = await documentOf(workspace, ["a", "b"]);
  expect(found).toMatchObject({
    tasks: 1,
    accuracy_difference: -0.25,
    jackknife_se: null,
    jackknife95: null,
    p_jackknife: null,
    mde80: null,
    bootstrap: { interval95: [-0.25, -0.25] },
    p_mcnemar: 0.5,
  });
  const { stdout, stderr } = await bench(workspace, ["compare", "a", "b"]);
  expect(stderr).toContain("All shared rows are of one task");
  expect(stdout).toContain("there is no interval");
  expect((await bench(workspace, ["compare", "a", "b", "--fail-if-worse", "1"])).error).toBeUndefined();
  const within = await bench(workspace, ["compare", "a", "b", "--fail-unless-within", "99"]);
  expect(within.error?.message).toContain("there is no interval");
});

test("two runs on a corpus that is not the active one: the difference, but no tasks", async () => {
  const all = rows(2);
  const workspace = makeWorkspace(all);
  const config = { corpus_sha256: "0".repeat(64) };
  workspace.addRun("a", { config, results: answersOf(all, (i) => i > 0) });
  workspace.addRun("b", { config, results: answersOf(all, () => true) });
  const found = await documentOf(workspace, ["a", "b"]);
  expect(found).toMatchObject({
    current_corpus: false,
    tasks: 0,
    accuracy_difference: -0.125,
    jackknife95: null,
    bootstrap: { interval95: null },
  });
  expect((await bench(workspace, ["compare", "a", "b"])).stderr).toContain(
    "tasks of these rows are not known",
  );
});

test("a published result on another corpus says the tasks for a local run on it, whichever is named first", async () => {
  const all = rows(3);
  const workspace = makeWorkspace(all);
  const sha256 = "0".repeat(64);
  workspace.addRun("local", { config: { corpus_sha256: sha256 }, results: answersOf(all, (i) => i % 3 > 0) });
  addPublished(workspace, ["tiny", "there"], {
    metadata: { corpus: { version: "0.9.0", sha256, current: false } },
    predictions: all.map(({ id: row, task, category, gold }, i) =>
      prediction({ row, task, category, gold, label: i % 2 === 0 ? "yes" : "no" }),
    ),
  });
  const found = await documentOf(workspace, ["local", "tiny/there", "--by", "task"]);
  expect(found).toMatchObject({ current_corpus: false, tasks: 3, jackknife_se: expect.any(Number) });
  expect((found.by_task as { id: string }[]).map(({ id }) => id)).toEqual(["T-0", "T-1", "T-2"]);
  expect(await documentOf(workspace, ["tiny/there", "local"])).toMatchObject({
    tasks: 3,
    jackknife_se: found.jackknife_se,
  });
});

test("what cannot be compared says why", async () => {
  const all = rows(2);
  const workspace = makeWorkspace(all);
  workspace.addRun("first-half", { results: answersOf(all, () => true).slice(0, 4) });
  workspace.addRun("other-half", { results: answersOf(all, () => true).slice(4) });
  workspace.addRun("elsewhere", {
    config: { corpus_sha256: "0".repeat(64), corpus_version: "9.9.9" },
    results: answersOf(all, () => true),
  });
  workspace.addRun("empty", {});
  workspace.addRun("hurt", { results: `${answersOf(all, () => true).join("\n")}\n{\n` });
  const failure = async (...args: string[]) => (await bench(workspace, ["compare", ...args])).error;

  const unknown = await failure("first-half", "frist-half");
  expect(unknown).toBeInstanceOf(UserError);
  expect(unknown?.message).toMatch(/^there is no run "frist-half"\. There are: .*first-half/);

  const corpora = await failure("first-half", "elsewhere");
  expect(corpora).toBeInstanceOf(CheckError);
  expect(corpora?.message).toMatch(
    /^runs on different corpora are not compared: first-half is on tiny 1\.0\.0 \(sha256 [0-9a-f]{12}…\), elsewhere on tiny 9\.9\.9 \(sha256 000000000000…\)$/,
  );

  // The same rows under another name.
  workspace.addRun("renamed", { config: { suite: "other" }, results: answersOf(all, () => true) });
  const suites = await failure("first-half", "renamed");
  expect(suites).toBeInstanceOf(CheckError);
  expect(suites?.message).toBe(
    "runs of different suites are not compared: first-half says tiny, renamed says other, of one corpus",
  );

  const nothing = await failure("first-half", "other-half");
  expect(nothing).toBeInstanceOf(CheckError);
  expect(nothing?.message).toBe(
    "there is nothing to compare: first-half and other-half have no finished row in common",
  );

  const empty = await failure("first-half", "empty");
  expect(empty).toBeInstanceOf(CheckError);
  expect(empty?.message).toBe("there is nothing to compare: empty has no finished row yet");

  workspace.addRun("headless", { results: answersOf(all, () => true) });
  writeFileSync(join(workspace.root, "runs", "headless", "run.json"), "{");
  const headless = await failure("first-half", "headless");
  expect(headless).toBeInstanceOf(CheckError);
  expect(headless?.message).toMatch(/^runs\/headless\/run\.json /);

  const hurt = await failure("first-half", "hurt");
  expect(hurt).toBeInstanceOf(CheckError);
  expect(hurt?.message).toMatch(/^runs\/hurt\/results\.jsonl:9 is damaged/);
});

test("different prompts are pointed out", async () => {
  const all = rows(2);
  const workspace = makeWorkspace(all);
  workspace.addRun("a", { results: answersOf(all, () => true) });
  workspace.addRun("b", {
    config: { prompt_sha256: "ba".repeat(32) },
    results: answersOf(all, () => true),
  });
  const { stderr, error } = await bench(workspace, ["compare", "a", "b"]);
  expect(error).toBeUndefined();
  expect(stderr).toBe(
    "The two runs used different prompts, or one does not say which: a difference may be the prompt's.\n",
  );
});

test("a run that goes on is pointed out", async () => {
  const all = rows(2);
  const workspace = makeWorkspace(all);
  workspace.addRun("a", { results: answersOf(all, () => true) });
  workspace.addRun("b", { run: { status: "running" }, results: answersOf(all, () => true) });
  const { stderr, error } = await bench(workspace, ["compare", "a", "b"]);
  expect(error).toBeUndefined();
  expect(stderr).toBe("b is not finished: its figures will change.\n");
});

test("options that make no sense are refused by name", async () => {
  for (const [option, value] of [
    ["--reps", "0"],
    ["--reps", "1e3"],
    ["--seed", "-1"],
    ["--by", "row"],
    ["--fail-if-worse", "-2"],
    ["--fail-unless-within", "x"],
  ] as const) {
    const { error } = await bench(oracle(), ["compare", "alpha", "bravo", option, value]);
    expect(error?.message, option).toContain(option);
  }
});

test("more random numbers than are held: the bootstrap is left out, and that is said", async () => {
  const { stdout, stderr, error } = await bench(oracle(), [
    ...["compare", "alpha", "bravo", "--reps", "1000000", "--json"],
  ]);
  expect(error).toBeUndefined();
  expect(stderr).toBe(
    "1,000,000 repetitions of the bootstrap are too many for 12 tasks (at most 4), so it was left out: ask for fewer with --reps.\n",
  );
  expect(JSON.parse(stdout)).toMatchObject({
    jackknife_se: expect.closeTo(0.0207999, 6),
    bootstrap: { repetitions: 1_000_000, interval95: null },
  });
});
