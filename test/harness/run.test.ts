import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CheckError, UserError } from "../../src/errors.ts";
import { FAILURES_IN_A_ROW } from "../../src/harness/execute.ts";
import { NO_USAGE, resultSchema, runSchema } from "../../src/ledgers/schema.ts";
import { packageRoot } from "../../src/workspace.ts";
import {
  answer,
  type Bench,
  FakeClock,
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
const attemptsOf = (runId: string) => bench.lines(runId, "attempts.jsonl");
const runOf = (runId: string) =>
  runSchema.parse(JSON.parse(readFileSync(bench.path(runId, "run.json"), "utf8")));

describe("a run from its first row to its last", () => {
  it("writes one result a row and two events a call", async () => {
    const provider = new ScriptedProvider((row) =>
      outcome({ answer: answer(row.id === "r-002" ? "no" : "yes") }),
    );
    const report = await bench.run({ provider });
    expect(report).toMatchObject({
      status: "completed",
      selected: 6,
      finished: 6,
      correct: 5,
      errors: 0,
      stopped: null,
    });
    const results = resultsOf(report.runId).map((line) => resultSchema.parse(line));
    expect(results.map((result) => result.row_id).sort()).toEqual(bench.rows.map((row) => row.id));
    expect(results.find((result) => result.row_id === "r-002")).toMatchObject({
      correct: false,
      status: "ok",
      gold: "yes",
    });
    const attempts = attemptsOf(report.runId);
    expect(attempts.filter((event) => event.event === "started")).toHaveLength(6);
    expect(attempts.filter((event) => event.event === "finished")).toHaveLength(6);
    expect(runOf(report.runId)).toMatchObject({
      status: "completed",
      config: { selected_rows: { count: 6 } },
    });
    expect(bench.lines(report.runId, "selection.jsonl").map((line) => line.row_id)).toEqual(
      bench.rows.map((row) => row.id),
    );
  });

  it("records tokens, cost and pictures of every attempt, failed ones too", async () => {
    const usage = { ...NO_USAGE, input_tokens: 7, output_tokens: 2 };
    const provider = new ScriptedProvider((_row, call) =>
      outcome({
        ...(call === 1 ? { status: "500", retryable: true } : {}),
        usage,
        imagesSent: 2,
        reportedCostUsd: 0.25,
        costSource: "usage.cost",
      }),
    );
    const report = await bench.run({ provider, rows: bench.rows.slice(0, 1) });
    expect(report.knownCostUsd).toBe(0.5);
    const [result] = resultsOf(report.runId);
    expect(result).toMatchObject({ status: "ok", error: null, images_sent: 2 });
    const kept = { usage, cost_usd: 0.25, cost_basis: "provider_reported", images_sent: 2 };
    expect(result?.attempts).toMatchObject([
      { status: "500", ...kept },
      { status: "ok", ...kept },
    ]);
    expect(attemptsOf(report.runId).filter((event) => event.event === "finished")).toEqual(result?.attempts);
  });

  it("says which commit of the harness made it, and what it was told", async () => {
    const { runId } = await bench.run({ settings: { jobs: 4, rpm: 60_000 } });
    const head = spawnSync("git", ["rev-parse", "HEAD"], { cwd: packageRoot, encoding: "utf8" });
    expect(runOf(runId).executions).toMatchObject([
      {
        git_commit: head.status === 0 ? head.stdout.trim() : null,
        jobs: 4,
        timeout_s: 10,
        max_attempts: 2,
        rpm: 60_000,
        retry_errors: false,
        pending_rows: 6,
      },
    ]);
  });

  it("keeps as many calls in flight as jobs, never more", async () => {
    const provider = new ScriptedProvider(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return outcome();
    });
    await bench.run({ provider, settings: { jobs: 3 } });
    expect(provider.mostInFlight).toBe(3);
  });

  it("names the run after model, suite and the digest of its settings, and a subset as one", async () => {
    const whole = await bench.run();
    expect(whole.runId).toMatch(/^m1-tiny-[0-9a-f]{8}$/);
    const part = await bench.run({ rows: bench.rows.slice(0, 2) });
    expect(part.runId).toMatch(/^m1-tiny-[0-9a-f]{8}-subset$/);
    const other = await bench.run({ apiModel: "another" });
    expect(other.runId).not.toBe(whole.runId);
  });
});

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

describe("retries", () => {
  it("waits 2, 4, 8, 8 s, keeps every attempt and carries no error after success", async () => {
    const clock = new FakeClock();
    const provider = new ScriptedProvider((_row, call) =>
      call < 6 ? outcome({ status: "429", retryable: true }) : outcome(),
    );
    const { runId } = await bench.run({
      provider,
      clock,
      rows: bench.rows.slice(0, 1),
      settings: { maxAttempts: 6 },
    });
    expect(clock.waits).toEqual([2000, 4000, 8000, 8000, 8000]);
    const [result] = resultsOf(runId);
    expect(result).toMatchObject({ status: "ok", error: null, duration_ms: 30_000 });
    expect(result?.attempts).toHaveLength(6);
  });

  it("adds up to a quarter of jitter", async () => {
    const clock = new FakeClock();
    clock.random = () => 0.999;
    const provider = new ScriptedProvider((_row, call) =>
      call < 2 ? outcome({ status: "503", retryable: true }) : outcome(),
    );
    await bench.run({ provider, clock, rows: bench.rows.slice(0, 1) });
    expect(clock.waits[0]).toBeGreaterThan(2400);
    expect(clock.waits[0]).toBeLessThan(2500);
  });

  it("honours a larger Retry-After up to 60 s, and ends the row at a longer one without waiting", async () => {
    const clock = new FakeClock();
    const asked = [30_000, 60_000, 60_001];
    const provider = new ScriptedProvider((_row, call) =>
      outcome({ status: "429", retryable: true, retryAfterMs: asked[call - 1] ?? null }),
    );
    const { runId } = await bench.run({
      provider,
      clock,
      rows: bench.rows.slice(0, 1),
      settings: { maxAttempts: 9 },
    });
    expect(clock.waits).toEqual([30_000, 60_000]);
    expect(provider.calls).toHaveLength(3);
    expect(resultsOf(runId)[0]).toMatchObject({ status: "429" });
  });

  it("does not retry what is not retryable, nor more often than told", async () => {
    const provider = new ScriptedProvider((row) =>
      outcome({ status: row.id === "r-001" ? "invalid_output" : "500", retryable: row.id !== "r-001" }),
    );
    await bench.run({ provider, rows: bench.rows.slice(0, 2), settings: { maxAttempts: 3, jobs: 1 } });
    expect(provider.calls).toEqual(["r-001", "r-002", "r-002", "r-002"]);
  });

  it("counts attempts per invocation, and numbers them on", async () => {
    const failing = () => outcome({ status: "500", retryable: true });
    const rows = bench.rows.slice(0, 1);
    const { runId } = await bench.run({ provider: new ScriptedProvider(failing), rows });
    await bench.run({ provider: new ScriptedProvider(failing), rows, settings: { retryErrors: true } });
    const numbers = attemptsOf(runId)
      .filter((event) => event.event === "finished")
      .map((event) => event.number);
    expect(numbers).toEqual([1, 2, 3, 4]);
  });
});

describe("pace", () => {
  it("spaces the starts of calls, retries included, and keeps the waiting out of the latency", async () => {
    const clock = new FakeClock();
    const { runId } = await bench.run({ clock, settings: { rpm: 30, jobs: 1 } });
    expect(clock.waits).toEqual([2000, 2000, 2000, 2000, 2000]);
    for (const result of resultsOf(runId)) expect(result.duration_ms).toBe(0);
    const finished = attemptsOf(runId).filter((event) => event.event === "finished");
    expect(finished.map((event) => event.queued_ms)).toEqual([0, 2000, 2000, 2000, 2000, 2000]);
    for (const event of finished) expect(event.duration_ms).toBe(0);
  });
});

describe("stopping", () => {
  it(`stops after ${FAILURES_IN_A_ROW} rows in a row with the same failure`, async () => {
    const many = makeBench(60);
    try {
      const provider = new ScriptedProvider(() => outcome({ status: "401" }));
      const report = await many.run({ provider, settings: { jobs: 1 } });
      expect(report.stopped?.why).toBe("failures");
      expect(report.stopped?.message).toContain("401");
      expect(report.status).toBe("interrupted");
      // One more may have begun while the twentieth was being written.
      expect(report.finished).toBeGreaterThanOrEqual(FAILURES_IN_A_ROW);
      expect(report.finished).toBeLessThanOrEqual(FAILURES_IN_A_ROW + 1);
      const again = new ScriptedProvider();
      const done = await many.run({ provider: again, settings: { retryErrors: true } });
      expect(done).toMatchObject({ status: "completed", errors: 0 });
      expect(again.calls).toHaveLength(60);
    } finally {
      many.cleanup();
    }
  });

  it("is interrupted, too, when it stops while rows that have a result are called again", async () => {
    const many = makeBench(60);
    const failing = () => new ScriptedProvider(() => outcome({ status: "401", reportedCostUsd: 1 }));
    const statusOf = (runId: string) =>
      (JSON.parse(readFileSync(many.path(runId, "run.json"), "utf8")) as { status: string }).status;
    try {
      const { runId } = await many.run({ provider: failing(), settings: { keepGoing: true } });
      const again = { jobs: 1, retryErrors: true };
      const failed = await many.run({ provider: failing(), settings: again });
      expect(failed).toMatchObject({ status: "interrupted", stopped: { why: "failures" }, finished: 60 });
      expect(failed.left).toBeGreaterThanOrEqual(60 - FAILURES_IN_A_ROW - 1);
      expect(statusOf(runId)).toBe("interrupted");
      const interrupt = new AbortController();
      const provider = new ScriptedProvider(() => {
        interrupt.abort();
        return outcome();
      });
      const stopped = await many.run({ provider, settings: again, interrupt: interrupt.signal });
      expect(stopped).toMatchObject({ status: "interrupted", stopped: { why: "interrupted" } });
      const costly = await many.run({ provider: failing(), settings: { ...again, maxCostUsd: 1 } });
      expect(costly).toMatchObject({ status: "interrupted", stopped: { why: "cost" } });
      // Without --retry-errors nothing is left to do.
      expect(await many.run()).toMatchObject({ status: "completed_with_errors", left: 0, stopped: null });
      expect(statusOf(runId)).toBe("completed_with_errors");
    } finally {
      many.cleanup();
    }
  });

  it("goes on with keepGoing, when failures alternate, and when models answer badly", async () => {
    const many = makeBench(60);
    try {
      const kept = await many.run({
        provider: new ScriptedProvider(() => outcome({ status: "401" })),
        settings: { keepGoing: true },
        runId: "kept",
      });
      expect(kept).toMatchObject({ status: "completed_with_errors", errors: 60, stopped: null });
      let turn = 0;
      const mixed = await many.run({
        provider: new ScriptedProvider(() => outcome({ status: turn++ % 2 === 0 ? "500" : "502" })),
        settings: { jobs: 1 },
        runId: "mixed",
      });
      expect(mixed.stopped).toBeNull();
      const bad = await many.run({
        provider: new ScriptedProvider(() => outcome({ status: "invalid_output" })),
        runId: "bad",
      });
      expect(bad.stopped).toBeNull();
    } finally {
      many.cleanup();
    }
  });

  it("starts no call once the known cost reaches the limit, over all invocations", async () => {
    const paid = () =>
      new ScriptedProvider(() => outcome({ reportedCostUsd: 0.4, costSource: "usage.cost" }));
    const settings = { jobs: 1, maxCostUsd: 1 };
    const first = paid();
    const report = await bench.run({ provider: first, settings });
    expect(first.calls).toHaveLength(3);
    expect(report).toMatchObject({ status: "interrupted", stopped: { why: "cost" }, finished: 3 });
    const second = paid();
    const again = await bench.run({ provider: second, settings });
    expect(second.calls).toEqual([]);
    expect(again.stopped?.why).toBe("cost");
    const third = paid();
    const done = await bench.run({ provider: third, settings: { jobs: 1, maxCostUsd: 100 } });
    expect(third.calls).toHaveLength(3);
    expect(done.status).toBe("completed");
    expect(done.knownCostUsd).toBeCloseTo(2.4, 12);
  });

  it("estimates costs from the price table where the provider says nothing", async () => {
    const usage = { ...NO_USAGE, input_tokens: 1_000_000, output_tokens: 0 };
    const pricing = {
      input_per_mtok: 1,
      output_per_mtok: 2,
      source_url: "https://example.com/prices",
      as_of: "2026-12-01",
    };
    const provider = new ScriptedProvider(() => outcome({ usage }));
    const report = await bench.run({
      provider,
      model: { ...MODEL, pricing },
      settings: { jobs: 1, maxCostUsd: 2 },
    });
    expect(provider.calls).toHaveLength(2);
    expect(attemptsOf(report.runId)[1]).toMatchObject({
      cost_usd: 1,
      cost_basis: "price_table_estimate",
      cost_source: "https://example.com/prices",
    });
  });

  it("gives calls in flight time to finish when a person stops it, and starts none", async () => {
    const interrupt = new AbortController();
    const provider = new ScriptedProvider(async (_row, _call) => {
      if (provider.calls.length === 3) interrupt.abort();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return outcome();
    });
    const report = await bench.run({ provider, interrupt: interrupt.signal, settings: { jobs: 2 } });
    expect(report).toMatchObject({ status: "interrupted", stopped: { why: "interrupted" } });
    // All that began is recorded.
    expect(report.finished).toBe(provider.calls.length);
    expect(provider.calls.length).toBeLessThan(6);
    const done = await bench.run();
    expect(done).toMatchObject({ status: "completed", finished: 6 });
  });

  it("leaves a row unfinished whose retry was cut off, with its attempts on record", async () => {
    const interrupt = new AbortController();
    const clock = new FakeClock();
    clock.sleep = async () => interrupt.abort();
    const provider = new ScriptedProvider(() => outcome({ status: "500", retryable: true }));
    const report = await bench.run({
      provider,
      clock,
      interrupt: interrupt.signal,
      rows: bench.rows.slice(0, 1),
    });
    expect(report).toMatchObject({ status: "interrupted", finished: 0 });
    expect(attemptsOf(report.runId).map((event) => event.event)).toEqual(["started", "finished"]);
    const done = await bench.run({ rows: bench.rows.slice(0, 1) });
    expect(done.status).toBe("completed");
    const [result] = resultsOf(report.runId);
    expect(((result?.attempts ?? []) as { status: string }[]).map((attempt) => attempt.status)).toEqual([
      "500",
      "ok",
    ]);
  });

  it("says nothing of a call that was given up: its start stays alone", async () => {
    const interrupt = new AbortController();
    const provider = new ScriptedProvider(
      (_row, _call, options) =>
        new Promise((resolve) => {
          options.signal.addEventListener("abort", () => resolve(outcome({ status: "transport_error" })));
          interrupt.abort();
        }),
    );
    const begun = performance.now();
    const report = await bench.run({ provider, interrupt: interrupt.signal, rows: bench.rows.slice(0, 1) });
    // The calls in flight have ten seconds.
    expect(performance.now() - begun).toBeGreaterThan(9000);
    expect(report).toMatchObject({ status: "interrupted", finished: 0 });
    expect(attemptsOf(report.runId).map((event) => event.event)).toEqual(["started"]);
  }, 30_000);
});

describe("what may go wrong inside", () => {
  it("records a provider that throws as runner_error and goes on", async () => {
    const provider = new ScriptedProvider((row) => {
      if (row.id === "r-002") throw new Error("a defect");
      return outcome();
    });
    const report = await bench.run({ provider });
    expect(report).toMatchObject({ status: "completed_with_errors", finished: 6, errors: 1 });
    const bad = resultsOf(report.runId).find((result) => result.row_id === "r-002");
    expect(bad).toMatchObject({ status: "runner_error", error: "a defect" });
  });

  it("keeps whatever text a model returned readable, line by line", async () => {
    const nasty = `\ud800 lone, \u2028 \u2029 \u0085 \u0000 ${"x".repeat(10)} \n\r { " \\ 😀`;
    const provider = new ScriptedProvider(() =>
      outcome({
        outputText: nasty,
        raw: { [nasty]: [nasty] },
        error: nasty,
        status: "invalid_output",
        answer: null,
      }),
    );
    const report = await bench.run({ provider });
    for (const file of ["results.jsonl", "attempts.jsonl"]) {
      const lines = readFileSync(bench.path(report.runId, file), "utf8").trimEnd().split("\n");
      for (const line of lines) {
        expect(() => JSON.parse(line)).not.toThrow();
        expect(line).not.toMatch(/\\ud[89ab]/i);
      }
    }
    expect(resultsOf(report.runId)[0]?.output_text).toBe(nasty.toWellFormed());
  });

  it("cuts an output that is larger than a ledger can carry, and says so", async () => {
    const provider = new ScriptedProvider(() =>
      outcome({ outputText: "😀".repeat(3_000_000), status: "invalid_output", answer: null }),
    );
    const report = await bench.run({ provider, rows: bench.rows.slice(0, 1) });
    const [result] = resultsOf(report.runId);
    expect(result?.output_truncated).toBe(true);
    const text = result?.output_text as string;
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBe(4_000_000);
  });
});
