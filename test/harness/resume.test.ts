import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CheckError, UserError } from "../../src/errors.ts";
import { runSchema } from "../../src/ledgers/schema.ts";
import {
  type Bench,
  MODEL,
  makeBench,
  NotedObserver,
  outcome,
  ScriptedProvider,
} from "../support/harness.ts";

let bench: Bench;
beforeEach(() => {
  bench = makeBench(6);
});
afterEach(() => bench.cleanup());

const resultsOf = (runId: string) => bench.lines(runId, "results.jsonl");
const runOf = (runId: string) =>
  runSchema.parse(JSON.parse(readFileSync(bench.path(runId, "run.json"), "utf8")));

describe("resuming", () => {
  it("skips finished rows, also those that ended in an error", async () => {
    const first = new ScriptedProvider((row) =>
      row.id === "r-003" ? outcome({ status: "400" }) : outcome(),
    );
    const { runId } = await bench.run({ provider: first });
    const second = new ScriptedProvider();
    const report = await bench.run({ provider: second });
    expect(second.calls).toEqual([]);
    expect(report).toMatchObject({ runId, status: "completed_with_errors", errors: 1, finished: 6 });
  });

  it.each(["attempts.jsonl", "results.jsonl"])(
    "knows a row's earlier attempts from both ledgers: %s may have lost them",
    async (lost) => {
      const failing = () =>
        outcome({ status: "500", retryable: true, reportedCostUsd: 0.5, costSource: "x" });
      const rows = bench.rows.slice(0, 1);
      const { runId } = await bench.run({ provider: new ScriptedProvider(failing), rows });
      truncateSync(bench.path(runId, lost), 0);
      const report = await bench.run({ rows, settings: { retryErrors: true } });
      const record = resultsOf(runId).at(-1);
      const attempts = (record?.attempts ?? []) as { number: number; status: string }[];
      expect(attempts.map((attempt) => [attempt.number, attempt.status])).toEqual([
        [1, "500"],
        [2, "500"],
        [3, "ok"],
      ]);
      expect(report.knownCostUsd).toBe(1);
    },
  );

  it("writes and calls nothing before the corpus is known to be the frozen one", async () => {
    const changed = () => {
      const verified = Promise.reject(new UserError("not the frozen rows"));
      verified.catch(() => {});
      return verified;
    };
    const provider = new ScriptedProvider();
    await expect(bench.run({ provider, verified: changed() })).rejects.toThrow("not the frozen rows");
    expect(existsSync(bench.workspace.runsDir)).toBe(false);
    const { runId } = await bench.run({ rows: bench.rows });
    const file = bench.path(runId, "results.jsonl");
    truncateSync(file, readFileSync(file).length - 9);
    const before = readFileSync(file);
    await expect(bench.run({ provider, verified: changed() })).rejects.toThrow("not the frozen rows");
    expect(provider.calls).toEqual([]);
    expect(readFileSync(file)).toEqual(before);
    expect(existsSync(`${file}.torn`)).toBe(false);
  });

  it("calls only the rows whose latest result is an error again with retryErrors", async () => {
    const first = new ScriptedProvider((row) =>
      row.id === "r-003" ? outcome({ status: "400" }) : outcome(),
    );
    const { runId } = await bench.run({ provider: first });
    const second = new ScriptedProvider();
    const report = await bench.run({ provider: second, settings: { retryErrors: true } });
    expect(second.calls).toEqual(["r-003"]);
    expect(report).toMatchObject({ status: "completed", errors: 0, correct: 6 });
    const records = resultsOf(runId).filter((result) => result.row_id === "r-003");
    expect(records.map((record) => record.status)).toEqual(["400", "ok"]);
    // Numbers go on, and the second record holds both attempts.
    const attempts = records[1]?.attempts as { number: number; status: string }[];
    expect(attempts.map((attempt) => [attempt.number, attempt.status])).toEqual([
      [1, "400"],
      [2, "ok"],
    ]);
    const third = new ScriptedProvider();
    await bench.run({ provider: third, settings: { retryErrors: true } });
    expect(third.calls).toEqual([]);
  });

  it("moves a torn last line aside and calls that row again", async () => {
    const { runId } = await bench.run();
    const file = bench.path(runId, "results.jsonl");
    const text = readFileSync(file, "utf8");
    const last = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as { row_id: string };
    truncateSync(file, Buffer.byteLength(text) - 20);
    const observer = new NotedObserver();
    const provider = new ScriptedProvider();
    const report = await bench.run({ provider, observer });
    expect(provider.calls).toEqual([last.row_id]);
    expect(observer.repairs).toMatchObject([{ file: `runs/${runId}/results.jsonl`, line: 6 }]);
    expect(existsSync(`${file}.torn`)).toBe(true);
    expect(report.finished).toBe(6);
    expect(
      resultsOf(runId)
        .map((result) => result.row_id)
        .sort(),
    ).toEqual(bench.rows.map((row) => row.id));
  });

  it("treats a line that lacks only its end as torn, so that nothing is glued to it", async () => {
    const { runId } = await bench.run();
    const file = bench.path(runId, "attempts.jsonl");
    truncateSync(file, readFileSync(file).length - 1);
    const result = bench.path(runId, "results.jsonl");
    truncateSync(result, readFileSync(result).length - 1);
    await bench.run();
    for (const line of readFileSync(file, "utf8").trimEnd().split("\n"))
      expect(() => JSON.parse(line)).not.toThrow();
    expect(resultsOf(runId)).toHaveLength(6);
  });

  it("ends with file and line at a terminated line that is not a record, and changes nothing", async () => {
    const { runId } = await bench.run({ rows: bench.rows.slice(0, 2) });
    const file = bench.path(runId, "results.jsonl");
    appendFileSync(file, '{"row_id": "r-001", "sta\n');
    const before = readFileSync(file);
    const provider = new ScriptedProvider();
    const failure = await bench
      .run({ provider, rows: bench.rows.slice(0, 2) })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CheckError);
    expect(String(failure)).toContain(`runs/${runId}/results.jsonl:3: not JSON`);
    expect(provider.calls).toEqual([]);
    expect(readFileSync(file)).toEqual(before);
  });

  it("refuses a changed setting by name, under the same run id", async () => {
    await bench.run({ runId: "mine" });
    const failure = await bench.run({ runId: "mine", apiModel: "other" }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UserError);
    expect(String(failure)).toContain('api_model ("model-one", now "other")');
  });

  it.each([
    ["selected_rows.count (6, now 2)", { rows: 2 }],
    ["request.temperature (null, now 0)", { model: { ...MODEL, request: { temperature: 0 } } }],
    ["request.vision (false, now true)", { model: { ...MODEL, vision: true } }],
    ['model_id ("m1", now "m2")', { model: { ...MODEL, id: "m2" } }],
    ['provider ("openai-compatible", now "laya")', { model: { ...MODEL, provider: "laya" as const } }],
    ['endpoint_id ("endpoint-0123456789ab", now null)', { endpointId: null }],
  ])("refuses %s under the same run id", async (words, change) => {
    await bench.run({ runId: "mine" });
    const provider = Object.assign(
      new ScriptedProvider(),
      "endpointId" in change ? { endpointId: change.endpointId } : {},
    );
    const failure = await bench
      .run({
        runId: "mine",
        provider,
        ...("model" in change ? { model: change.model as typeof MODEL } : {}),
        ...("rows" in change ? { rows: bench.rows.slice(0, change.rows) } : {}),
      })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UserError);
    expect(String(failure)).toContain(words);
    expect(provider.calls).toEqual([]);
  });

  it.each(["../x", "a/b", "", ".hidden", "a..b", "x".repeat(201), "nul\0"])(
    "refuses the run id %j",
    async (runId) => {
      await expect(bench.run({ runId })).rejects.toThrow(UserError);
      expect(existsSync(bench.workspace.runsDir)).toBe(false);
    },
  );

  it("goes on without the raw answers of before, which are large and somebody may have deleted", async () => {
    const failing = new ScriptedProvider(() => outcome({ status: "400" }));
    const { runId } = await bench.run({ runId: "mine", provider: failing });
    rmSync(bench.path(runId, "raw"), { recursive: true });
    const report = await bench.run({ runId: "mine", settings: { retryErrors: true } });
    expect(report).toMatchObject({ status: "completed", correct: 6 });
    expect(readdirSync(bench.path(runId, "raw"))).toHaveLength(1);
  });

  it("writes a lost selection anew", async () => {
    const { runId } = await bench.run({ runId: "mine" });
    rmSync(bench.path(runId, "selection.jsonl"));
    const observer = new NotedObserver();
    await bench.run({ runId: "mine", observer });
    expect(observer.notices.join()).toContain("selection.jsonl");
    expect(bench.lines(runId, "selection.jsonl")).toHaveLength(6);
  });

  it("does not touch a folder that holds something else", async () => {
    await bench.run({ runId: "other" });
    rmSync(bench.path("other", "run.json"));
    await expect(bench.run({ runId: "other" })).rejects.toThrow(/holds no run.json/);
    writeFileSync(bench.path("other", "run.json"), "{");
    await expect(bench.run({ runId: "other" })).rejects.toThrow(/runs\/other\/run.json is damaged/);
  });

  it.each(["results.jsonl", "attempts.jsonl", "run.json"])(
    "refuses %s that is a folder or a named pipe, and does not wait for it",
    async (file) => {
      await bench.run({ runId: "mine" });
      const path = bench.path("mine", file);
      rmSync(path);
      mkdirSync(path);
      await expect(bench.run({ runId: "mine" })).rejects.toThrow(UserError);
      rmSync(path, { recursive: true });
      if (spawnSync("mkfifo", [path]).status !== 0) return;
      await expect(bench.run({ runId: "mine" })).rejects.toThrow(UserError);
    },
  );

  it("mends a status that a dead process left behind", async () => {
    const { runId } = await bench.run();
    const run = runOf(runId);
    writeFileSync(
      bench.path(runId, "run.json"),
      JSON.stringify({ ...run, status: "running", completed_at: null }),
    );
    await bench.run();
    expect(runOf(runId).status).toBe("completed");
  });
});
