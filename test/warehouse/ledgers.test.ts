import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CheckError, UserError } from "../../src/errors.ts";
import { everything, open } from "../support/query.ts";
import { finished, makeWorkspace, result, started } from "../support/workspace.ts";

const good = (row: string, label = "yes") => result({ row, gold: "yes", label });

test("no runs folder, no run, empty run, run without ledgers: every view exists and answers", async () => {
  const workspace = makeWorkspace();
  const none = await everything(await open(workspace));
  const ofCorpus = ["corpus_rows", "corpus_texts", "pictured_rows", "row_results"];
  expect(Object.keys(none).filter((name) => none[name] !== "")).toEqual(ofCorpus);
  mkdirSync(join(workspace.root, "runs"));
  expect(await everything(await open(workspace))).toEqual(none);
  workspace.addRun("empty", { results: "", attempts: "" });
  workspace.addRun("bare", {});
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT run_id, rows_completed, damaged_lines FROM runs ORDER BY run_id")).toEqual([
    { run_id: "bare", rows_completed: 0, damaged_lines: 0 },
    { run_id: "empty", rows_completed: 0, damaged_lines: 0 },
  ]);
  for (const view of [
    "answers",
    "attempts",
    "accuracy_overall",
    "cost",
    "tokens",
    "latency",
    "attempt_totals",
  ]) {
    expect(await rows(`SELECT * FROM ${view}`), view).toEqual([]);
  }
  expect(notices).toEqual([]);
});

test("a folder without a readable run.json is no run, and that is said", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("none", { run: null, results: [good("a-1")] });
  workspace.addRun("half", { run: '{"schema_version":1,', results: [good("a-1")] });
  workspace.addRun("odd", { run: { status: "finished" }, results: [good("a-1")] });
  workspace.addRun("fine", { results: [good("a-1")] });
  mkdirSync(join(workspace.root, "runs", ".hidden"));
  writeFileSync(join(workspace.root, "runs", "note.txt"), "x");
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT run_id FROM answers")).toEqual([{ run_id: "fine" }]);
  expect(notices).toEqual([
    expect.stringMatching(/^runs\/half\/run.json is not JSON: .*; the folder is not counted as a run$/),
    "runs/none/run.json is not there; the folder is not counted as a run",
    expect.stringMatching(/^runs\/odd\/run.json is no run: status: /),
  ]);
});

test("terminated lines that are no records are counted, unfinished ones are skipped, good ones stay", async () => {
  const workspace = makeWorkspace();
  const record = JSON.parse(good("x")) as Record<string, unknown>;
  const spoilt = [
    "{broken",
    "",
    "   ",
    "null",
    "[]",
    "17",
    "{}",
    `${good("a-3")}${good("a-3")}`,
    `${good("a-3")} trailing`,
    `\ufeff${good("a-3")}`,
    good("a-3").slice(0, 200) + good("a-3"),
    "\u0000\u0000\u0000",
    ...[
      { row_id: 5 },
      { row_id: "" },
      { status: null },
      { status: "" },
      { correct: "yes" },
      { correct: 1 },
      { duration_ms: "7" },
      { duration_ms: -1 },
      { gold: { a: 1 } },
      { images_sent: 1.5 },
      { attempts: null },
      { attempts: {} },
      { started_at: 5 },
    ].map((change) => JSON.stringify({ ...record, ...change })),
  ];
  const events = [
    started({ id: "t1", row: "a-1" }),
    "oops",
    '{"event":"finished","attempt_id":"t2"}',
    finished({ id: "t1", row: "a-1" }),
  ];
  workspace.addRun("r", {
    results: `${good("a-1")}\n${spoilt.join("\n")}\n${good("a-2", "no")}\n${good("b-1").slice(0, -20)}`,
    attempts: `${events.join("\n")}\n{"event":"sta`,
  });
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT row_id, correct FROM answers ORDER BY row_id")).toEqual([
    { row_id: "a-1", correct: true },
    { row_id: "a-2", correct: false },
  ]);
  expect(await rows("SELECT damaged_lines, rows_completed FROM runs")).toEqual([
    { damaged_lines: spoilt.length + 2, rows_completed: 2 },
  ]);
  expect(await rows("SELECT attempt_id FROM attempts ORDER BY ALL")).toEqual([
    { attempt_id: "a-1-1" },
    { attempt_id: "a-2-1" },
    { attempt_id: "t1" },
  ]);
  expect(notices).toEqual([
    "runs/r/results.jsonl: the last line is unfinished and was skipped",
    `runs/r/results.jsonl: ${spoilt.length} damaged lines were left out`,
    "runs/r/attempts.jsonl: the last line is unfinished and was skipped",
    "runs/r/attempts.jsonl: 2 damaged lines were left out",
  ]);
});

test("an unfinished last line is skipped even when it is a whole record", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", {
    results: `${good("a-1")}\n${good("a-2")}`,
    attempts: `${finished({ id: "t1", row: "a-1" })}\n${finished({ id: "t2", row: "a-2" })}`,
  });
  workspace.addRun("only", { results: good("a-1") });
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT run_id, row_id FROM answers")).toEqual([{ run_id: "r", row_id: "a-1" }]);
  expect(await rows("SELECT attempt_id FROM attempts ORDER BY ALL")).toEqual([
    { attempt_id: "a-1-1" },
    { attempt_id: "t1" },
  ]);
  expect(await rows("SELECT sum(damaged_lines)::INT AS n FROM runs")).toEqual([{ n: 0 }]);
  expect(notices).toHaveLength(3);
});

test("a later result of a row supersedes the earlier one by its place, whatever the times say", async () => {
  const workspace = makeWorkspace();
  const early = result({
    row: "a-1",
    gold: "yes",
    label: null,
    status: "429",
    attempts: [finished({ id: "t1", row: "a-1", status: "429" })],
  });
  const late = result({
    row: "a-1",
    gold: "yes",
    label: "yes",
    attempts: [finished({ id: "t2", row: "a-1", number: 2 })],
  });
  const older = late.replaceAll("2026-11-01", "2020-01-01");
  workspace.addRun("r", { results: [early, good("a-2"), older] });
  workspace.addRun("back", { results: [late, early] });
  const { rows } = await open(workspace);
  expect(await rows("SELECT run_id, row_id, status, attempts FROM answers ORDER BY ALL")).toEqual([
    { run_id: "back", row_id: "a-1", status: "429", attempts: 2 },
    { run_id: "r", row_id: "a-1", status: "ok", attempts: 2 },
    { run_id: "r", row_id: "a-2", status: "ok", attempts: 1 },
  ]);
  expect(
    await rows("SELECT attempts, retries, attempt_errors FROM attempt_totals WHERE run_id = 'r'"),
  ).toEqual([{ attempts: 3, retries: 1, attempt_errors: 1 }]);
});

test("attempts are the union of both ledgers; a finished event wins and an orphan is incomplete", async () => {
  const workspace = makeWorkspace();
  const spec = { id: "t1", row: "a-1", cost: 0.5 };
  workspace.addRun("r", {
    results: [
      result({ row: "a-1", gold: "yes", label: "yes", attempts: [finished(spec)] }),
      // Only in the results: its own line in attempts.jsonl was lost.
      result({ row: "a-2", gold: "yes", label: "yes", attempts: [finished({ id: "t4", row: "a-2" })] }),
    ],
    attempts: [
      finished(spec),
      started(spec),
      started({ id: "t2", row: "a-1", number: 2 }),
      finished({ id: "t3", row: "a-3", status: "500", cost: null }),
      finished({ id: "t3", row: "a-3", status: "500", cost: null }),
    ],
  });
  const { rows } = await open(workspace);
  expect(
    await rows(
      "SELECT attempt_id, row_id, number, status, cost_usd, cost_basis, duration_ms FROM attempts ORDER BY attempt_id",
    ),
  ).toEqual([
    {
      attempt_id: "t1",
      row_id: "a-1",
      number: 1,
      status: "ok",
      cost_usd: 0.5,
      cost_basis: "price_table_estimate",
      duration_ms: 100,
    },
    {
      attempt_id: "t2",
      row_id: "a-1",
      number: 2,
      status: "incomplete",
      cost_usd: null,
      cost_basis: "unavailable",
      duration_ms: null,
    },
    {
      attempt_id: "t3",
      row_id: "a-3",
      number: 1,
      status: "500",
      cost_usd: null,
      cost_basis: "unavailable",
      duration_ms: 100,
    },
    {
      attempt_id: "t4",
      row_id: "a-2",
      number: 1,
      status: "ok",
      cost_usd: 0.001,
      cost_basis: "price_table_estimate",
      duration_ms: 100,
    },
  ]);
  expect(await rows("SELECT * FROM attempt_totals")).toEqual([
    { run_id: "r", attempts: 4, retries: 1, attempt_errors: 1, incomplete_attempts: 1 },
  ]);
  expect(await rows("SELECT cost_coverage FROM cost")).toEqual([{ cost_coverage: 0.5 }]);
});

test("a copied run that lacks an attempt does not take it for known because the other run has it", async () => {
  const workspace = makeWorkspace();
  const row = "a-1";
  const done = finished({ id: "same", row });
  // Three runs with one attempt id: known from the events, from the result alone, and only begun.
  workspace.addRun("whole", {
    results: [result({ row, gold: "yes", label: "yes", attempts: [done] })],
    attempts: [started({ id: "same", row }), done],
  });
  workspace.addRun("without-events", {
    results: [result({ row, gold: "yes", label: "yes", attempts: [done] })],
    attempts: [],
  });
  workspace.addRun("begun", { attempts: [started({ id: "same", row })] });
  const { rows } = await open(workspace);
  expect(await rows("SELECT run_id, status FROM attempts ORDER BY run_id")).toEqual([
    { run_id: "begun", status: "incomplete" },
    { run_id: "whole", status: "ok" },
    { run_id: "without-events", status: "ok" },
  ]);
});

test("the same attempt id in two runs stays two attempts", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", { results: [good("a-1")] });
  workspace.addRun("copy-of-r", { results: [good("a-1")] });
  const { rows } = await open(workspace);
  expect(await rows("SELECT run_id FROM attempts ORDER BY run_id")).toEqual([
    { run_id: "copy-of-r" },
    { run_id: "r" },
  ]);
});

test("texts of every kind pass through unchanged", async () => {
  const text = "a\u2028b\u2029c\u0085d\u0000e\re\n'\"\\😀\ufffd";
  const workspace = makeWorkspace([
    { id: "a-1\u2028", task: "A-1", category: "alpha", gold: "yes", options: ["yes", "no"] },
  ]);
  workspace.addRun("r'[1]*?", { results: [result({ row: "a-1\u2028", gold: "yes", label: "yes", text })] });
  const { rows } = await open(workspace);
  expect(await rows("SELECT run_id, row_id, output_text FROM answers")).toEqual([
    { run_id: "r'[1]*?", row_id: "a-1\u2028", output_text: text },
  ]);
  expect(await rows("SELECT run_id, damaged_lines FROM runs")).toEqual([
    { run_id: "r'[1]*?", damaged_lines: 0 },
  ]);
});

test("bytes that are not UTF-8 damage their own line only", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", { results: [good("a-1"), good("a-2"), good("a-3")] });
  const broken = Buffer.from(`${good("a-1")}\n${good("a-2")}\n${good("a-3")}\n`);
  broken[broken.indexOf("a-2")] = 0xff;
  writeFileSync(join(workspace.root, "runs", "r", "results.jsonl"), broken);
  const { rows } = await open(workspace);
  expect(await rows("SELECT row_id FROM answers ORDER BY ALL")).toEqual([
    { row_id: "a-1" },
    { row_id: "a-3" },
  ]);
  expect(await rows("SELECT damaged_lines FROM runs")).toEqual([{ damaged_lines: 1 }]);
});

test("a line that is too long for DuckDB does not take the others with it", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", {
    results: [
      good("a-1"),
      result({ row: "a-2", gold: "yes", label: "yes", text: "x".repeat(65 * 1024 * 1024) }),
      good("a-3"),
    ],
  });
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT row_id FROM answers ORDER BY ALL")).toEqual([
    { row_id: "a-1" },
    { row_id: "a-3" },
  ]);
  expect(await rows("SELECT damaged_lines FROM runs")).toEqual([{ damaged_lines: 1 }]);
  expect(notices).toEqual(["runs/r/results.jsonl: 1 damaged line was left out"]);
});

test("a ledger that is no file is refused when its run is asked for, not waited for", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", {});
  execFileSync("mkfifo", [join(workspace.root, "runs", "r", "results.jsonl")]);
  const { rows } = await open(workspace, { runs: ["r"] });
  await expect(rows("SELECT * FROM answers")).rejects.toThrow(UserError);
});

test("a name or a text that DuckDB cannot take keeps no other run from being read", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("fine", { results: [good("a-1")] });
  workspace.addRun("half", {
    results: [good("a-1")],
    run: { model: { id: "m", label: "a\ud800", vendor: null } },
  });
  workspace.addRun("back\\slash", { results: [good("a-1")] });
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT run_id, label FROM runs ORDER BY run_id")).toEqual([
    { run_id: "fine", label: "Model X" },
    { run_id: "half", label: "a\ufffd" },
  ]);
  expect(await rows("SELECT count(*) AS n FROM answers")).toEqual([{ n: 2 }]);
  expect(notices).toEqual([
    "runs/back\\slash has a backslash in its name: rename it; the folder is not counted as a run",
  ]);
});

test("only the named run is read when one is asked for", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", { results: [good("a-1")] });
  workspace.addRun("other", { run: "{" });
  const { rows, notices } = await open(workspace, { runs: ["r"] });
  expect(await rows("SELECT run_id FROM runs")).toEqual([{ run_id: "r" }]);
  expect(notices).toEqual([]);
});

test("a corpus that cannot be read fails the queries that need it and no others", async () => {
  const workspace = makeWorkspace();
  writeFileSync(join(workspace.root, "data", "corpus", "tiny-1", "cases.jsonl"), "{}\n");
  const { rows } = await open(workspace);
  expect(await rows("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await expect(rows("SELECT * FROM runs")).rejects.toThrow(UserError);
  expect(await rows("SELECT count(*) > 9 AS n FROM duckdb_views() WHERE NOT internal")).toEqual([
    { n: true },
  ]);
});

test("sources are read however a query names its views", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", { results: [good("a-1"), good("a-2")] });
  for (const sql of [
    "SELECT count(*) AS n FROM ANSWERS",
    'FROM main."answers" SELECT count(*) AS n',
    "SELECT count(*) AS n FROM query_table('ans' || 'wers')",
    "SELECT count(*) AS n FROM query('SELECT * FROM ' || 'ans' || 'wers')",
    "CREATE VIEW mine AS SELECT * FROM answers; SELECT count(*) AS n FROM mine",
    "PREPARE p AS SELECT count(*) AS n FROM answers; EXECUTE p",
    "SELECT rows AS n FROM accuracy_overall",
    "SELECT count(*) AS n FROM ledger.results",
  ]) {
    const { rows } = await open(workspace);
    expect(await rows(sql), sql).toEqual([{ n: 2 }]);
  }
});

test("no query reaches for the network or another extension", async () => {
  const { rows } = await open(makeWorkspace());
  for (const sql of [
    "INSTALL httpfs",
    "LOAD httpfs",
    "SELECT * FROM read_csv('https://localhost:1/x.csv')",
    "SELECT * FROM sqlite_scan('x', 'y')",
  ]) {
    await expect(rows(sql), sql).rejects.toThrow(CheckError);
  }
  expect(await rows("SELECT current_setting('TimeZone') AS zone")).toEqual([{ zone: "UTC" }]);
});

test("`select 1` does not wait for 2,000 runs", async () => {
  const workspace = makeWorkspace();
  for (let i = 0; i < 2000; i += 1) workspace.addRun(`run-${i}`, { results: [good("a-1"), good("a-2")] });
  let start = performance.now();
  const { rows } = await open(workspace);
  expect(await rows("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  const one = performance.now() - start;
  start = performance.now();
  expect(await rows("SELECT count(*) AS n FROM answers")).toEqual([{ n: 4000 }]);
  console.log(
    `2,000 runs: select 1 in ${Math.round(one)} ms, count(*) from answers in ${Math.round(performance.now() - start)} ms`,
  );
  expect(one).toBeLessThan(2000);
});

test("a run folder with a pipe, a folder or a link to itself in it is no run; the others are read", async () => {
  const workspace = makeWorkspace();
  const runs = join(workspace.root, "runs");
  for (const id of ["fine", "pipe", "folder"]) workspace.addRun(id, { results: [good("a-1")] });
  rmSync(join(runs, "pipe", "results.jsonl"));
  execFileSync("mkfifo", [join(runs, "pipe", "results.jsonl")]);
  rmSync(join(runs, "folder", "attempts.jsonl"), { force: true });
  mkdirSync(join(runs, "folder", "attempts.jsonl"));
  symlinkSync("loop", join(runs, "loop"));
  mkdirSync(join(runs, "named"));
  execFileSync("mkfifo", [join(runs, "named", "run.json")]);
  const { rows, notices } = await open(workspace);
  expect(await rows("SELECT run_id FROM answers")).toEqual([{ run_id: "fine" }]);
  expect(notices).toEqual([
    "runs/folder/attempts.jsonl is not a file; the folder is not counted as a run",
    "runs/named/run.json is not a file; the folder is not counted as a run",
    "runs/pipe/results.jsonl is not a file; the folder is not counted as a run",
  ]);
});
