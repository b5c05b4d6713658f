import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Context } from "../../src/commands/context.ts";
import { printRuns } from "../../src/commands/runs.ts";
import { inputDigest } from "../../src/corpus/input.ts";
import { loadCorpus } from "../../src/corpus/load.ts";
import { CheckError, UserError } from "../../src/errors.ts";
import { bench } from "../support/commands.ts";
import { addTwoRuns } from "../support/runs.ts";
import { finished, makeWorkspace, result, started } from "../support/workspace.ts";

test("runs: none yet", async () => {
  const workspace = makeWorkspace();
  expect((await bench(workspace, ["runs"])).stdout).toMatch(/^There is no run yet/);
  expect((await bench(workspace, ["runs", "--json"])).stdout).toBe('{"runs":[]}\n');
});

test("runs: every run with its figures", async () => {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  workspace.addRun("hurt", { results: `${result({ row: "a-1", gold: "yes", label: "yes" })}\n{\n` });
  workspace.addRun("elsewhere", {
    config: { corpus_sha256: "0".repeat(64) },
    run: { created_at: "2027-01-01T00:00:00Z" },
  });
  const table = await bench(workspace, ["runs"]);
  expect(table.error).toBeUndefined();
  await expect(table.stdout).toMatchFileSnapshot("../fixtures/golden/runs.txt");
  expect(table.stderr).toContain("1 run has damaged lines");
  const { stdout } = await bench(workspace, ["runs", "--json"]);
  await expect(stdout).toMatchFileSnapshot("../fixtures/golden/runs.json");
  const { runs } = JSON.parse(stdout) as { runs: Record<string, unknown>[] };
  expect(runs.map((run) => run.run_id)).toEqual(["elsewhere", "hurt", "whole", "under-way"]);
  expect(runs[2]).toMatchObject({
    rows_selected: 6,
    rows_completed: 6,
    errors: 1,
    accuracy: 2 / 6,
    damaged_lines: 0,
  });
  expect(runs[0]).toMatchObject({ rows_completed: 0, accuracy: null, cost_usd: null, current_corpus: false });
});

test("score: the whole document and its table", async () => {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  const table = await bench(workspace, ["score", "whole"]);
  expect(table.error).toBeUndefined();
  await expect(table.stdout).toMatchFileSnapshot("../fixtures/golden/score.txt");
  const { stdout } = await bench(workspace, ["score", "whole", "--json"]);
  const score = JSON.parse(stdout);
  await expect(`${JSON.stringify({ ...score, corpus_sha256: "…" }, null, 1)}\n`).toMatchFileSnapshot(
    "../fixtures/golden/score.json",
  );
  expect(score.overall).toMatchObject({ rows: 6, correct: 2, errors: 1, answered: 5 });
});

test("score: a run without results, and one on another corpus", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("empty", {});
  workspace.addRun("elsewhere", {
    config: { corpus_sha256: "0".repeat(64) },
    results: [result({ row: "a-1", gold: "yes", label: "yes" })],
  });
  const empty = JSON.parse((await bench(workspace, ["score", "empty", "--json"])).stdout);
  expect(empty.overall).toEqual({
    rows: 0,
    correct: 0,
    accuracy: null,
    wilson95: null,
    errors: 0,
    answered: 0,
    accuracy_answered: null,
    jackknife_se: null,
    jackknife95: null,
    macro_category_accuracy: null,
    macro_task_f1: null,
  });
  expect(empty).toMatchObject({
    by_category: [],
    cost: { usd: null, coverage: null, basis: [] },
    attempts: { attempts: 0 },
    calibration: {
      valid_rows: 0,
      brier: null,
      ece: null,
      aurc: null,
      high_confidence_errors: 0,
      risk_coverage: [],
    },
  });
  expect(empty.calibration.reliability).toHaveLength(10);
  expect((await bench(workspace, ["score", "empty"])).stdout).toContain("0 of 6 selected rows done");
  const other = await bench(workspace, ["score", "elsewhere"]);
  expect(other.stdout).toContain("another corpus");
  expect(other.error).toBeUndefined();
});

test("score: a damaged line ends it with its place; another run's damage does not matter", async () => {
  const workspace = makeWorkspace();
  const line = result({ row: "a-1", gold: "yes", label: "yes" });
  workspace.addRun("hurt", { results: `${line}\n${line.slice(0, 50)}\n${line}\n` });
  workspace.addRun("hurt-calls", { results: [line], attempts: [started({ id: "t", row: "a-1" }), "{}"] });
  workspace.addRun("torn", { results: `${line}\n${line.slice(0, 50)}` });
  workspace.addRun("headless", { run: "{" });
  const hurt = await bench(workspace, ["score", "hurt"]);
  expect(hurt.error).toBeInstanceOf(CheckError);
  expect(hurt.error?.message).toMatch(
    /^runs\/hurt\/results\.jsonl:2 is damaged \(not JSON: .*1 damaged line in this run/,
  );
  expect(hurt.stdout).toBe("");
  const calls = await bench(workspace, ["score", "hurt-calls", "--json"]);
  expect(calls.error?.message).toMatch(/^runs\/hurt-calls\/attempts\.jsonl:2 is damaged \(event: /);
  const torn = await bench(workspace, ["score", "torn"]);
  expect(torn.error).toBeUndefined();
  expect(torn.stderr).toBe("runs/torn/results.jsonl: the last line is unfinished and was skipped\n");
  const headless = await bench(workspace, ["score", "headless"]);
  expect(headless.error).toBeInstanceOf(CheckError);
  expect(headless.error?.message).toMatch(/^runs\/headless\/run\.json is not JSON/);
});

test("an unknown run is answered with the nearest names", async () => {
  const workspace = makeWorkspace();
  expect((await bench(workspace, ["score", "x"])).error?.message).toBe(
    'there is no run "x". There is no run yet.',
  );
  for (const id of ["gpt-large-1", "gpt-small-1", "claude-1", "claude-2", "lexical", "uniform"])
    workspace.addRun(id, {});
  for (const args of [
    ["score", "gpt-smal-1"],
    ["show", "gpt-smal-1", "a-1"],
  ]) {
    const { error } = await bench(workspace, args);
    expect(error).toBeInstanceOf(UserError);
    expect(error?.message).toMatch(
      /^there is no run "gpt-smal-1"\. Nearest of 6: gpt-small-1, gpt-large-1, /,
    );
  }
  for (const name of ["../runs/lexical", ".", "", "lexical/"]) {
    expect((await bench(workspace, ["score", name])).error, name).toBeInstanceOf(UserError);
  }
});

test("show: a finished row, with labels in the shown order", async () => {
  const workspace = makeWorkspace();
  const corpus = await loadCorpus(workspace.workspace);
  const row = corpus.rows.find((candidate) => candidate.id === "b-2");
  if (row === undefined) throw new Error("no row b-2");
  const first = finished({ id: "t1", row: "b-2", status: "429", cost: null, input: null, output: null });
  const second = finished({ id: "t2", row: "b-2", number: 2 });
  const line = result({
    row: "b-2",
    gold: "__proto__",
    label: "10",
    probabilities: [
      ["constructor", 0.1],
      ["__proto__", 0.2],
      ["2", 0.3],
      ["10", 0.4],
    ],
    text: '{"answers": "\u001b[31m"}\nsecond line',
    attempts: [first, second],
  }).replace("ef".repeat(32), inputDigest(row));
  workspace.addRun("r", {
    results: [
      result({ row: "b-2", gold: "__proto__", label: null, status: "429", attempts: [first] }),
      line,
      "oops",
    ],
    attempts: [
      started({ id: "t1", row: "b-2" }),
      first,
      started({ id: "t2", row: "b-2", number: 2 }),
      second,
    ],
  });
  const table = await bench(workspace, ["show", "r", "b-2"]);
  expect(table.error).toBeUndefined();
  expect(table.stdout).not.toContain("\u001b");
  await expect(table.stdout).toMatchFileSnapshot("../fixtures/golden/show.txt");
  const { stdout } = await bench(workspace, ["show", "r", "b-2", "--json"]);
  await expect(stdout).toMatchFileSnapshot("../fixtures/golden/show.json");
  expect(stdout).toContain('"probabilities":{"constructor":0.1,"__proto__":0.2,"2":0.3,"10":0.4}');
  expect(stdout).toContain(
    '"options":{"constructor":"Option constructor","__proto__":"Option __proto__","2":',
  );
  expect(JSON.parse(stdout)).toMatchObject({
    superseded_results: 1,
    input_matches: true,
    attempts: [{ number: 1 }, { number: 2 }],
  });
});

test("show: a selected row that is not finished, and rows that are not there", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", { attempts: [started({ id: "t1", row: "a-1" })] });
  writeFileSync(
    join(workspace.root, "runs", "r", "selection.jsonl"),
    ["a-1", "a-2"].map((id) => `${JSON.stringify({ row_id: id })}\n`).join(""),
  );
  const waiting = await bench(workspace, ["show", "r", "a-1"]);
  expect(waiting.error).toBeUndefined();
  expect(waiting.stdout).toContain("Nothing yet");
  expect(waiting.stdout).toContain("incomplete");
  expect(JSON.parse((await bench(workspace, ["show", "r", "a-2", "--json"])).stdout)).toMatchObject({
    result: null,
    attempts: [],
  });
  const unknown = await bench(workspace, ["show", "r", "a-3"]);
  expect(unknown.error).toBeInstanceOf(UserError);
  expect(unknown.error?.message).toBe('run r has no row "a-3". There are: a-1, a-2');
});

test("show: an error, and a run on another corpus", async () => {
  const workspace = makeWorkspace();
  mkdirSync(join(workspace.root, "runs"));
  workspace.addRun("r", {
    config: { corpus_sha256: "0".repeat(64) },
    results: [result({ row: "a-1", gold: "yes", label: null, status: "500", text: null })],
  });
  const { stdout, error } = await bench(workspace, ["show", "r", "a-1"]);
  expect(error).toBeUndefined();
  expect(stdout).toContain("Status: 500 (failed with 500)");
  expect(stdout).toContain("the run was made on another one");
  expect(stdout).toContain("No valid answer");
});

test("runs: only the named ones, in their order, when a command asks for that", async () => {
  const workspace = makeWorkspace();
  for (const id of ["a", "b", "c"]) workspace.addRun(id, {});
  let stdout = "";
  const context = {
    cwd: workspace.root,
    env: {},
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: () => true },
    interrupt: new AbortController().signal,
    workspace: async () => workspace.workspace,
  } as unknown as Context;
  await printRuns(context, { only: ["c", "a"], json: true });
  expect((JSON.parse(stdout) as { runs: { run_id: string }[] }).runs.map((run) => run.run_id)).toEqual([
    "c",
    "a",
  ]);
});
