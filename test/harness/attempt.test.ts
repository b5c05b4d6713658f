import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, FakeClock, makeBench, outcome, ScriptedProvider } from "../support/harness.ts";

let bench: Bench;
beforeEach(() => {
  bench = makeBench(6);
});
afterEach(() => bench.cleanup());

const resultsOf = (runId: string) => bench.lines(runId, "results.jsonl");
const attemptsOf = (runId: string) => bench.lines(runId, "attempts.jsonl");

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

  it("cuts long errors, and raw answers that no reader could take, at whole characters", async () => {
    const provider = new ScriptedProvider((row) =>
      outcome({
        status: "500",
        error: `x${"😀".repeat(3000)}`,
        finishReason: "y".repeat(3000),
        raw: row.id === "r-001" ? { text: "😀".repeat(4_500_000) } : { text: "short" },
      }),
    );
    const { runId } = await bench.run({ provider, rows: bench.rows.slice(0, 2), settings: { jobs: 1 } });
    const [result] = resultsOf(runId);
    expect(result?.error).toBe(`x${"😀".repeat(999)}`);
    expect(result?.finish_reason).toHaveLength(2000);
    expect(attemptsOf(runId)[1]?.error).toBe(result?.error);
    const [name = ""] = readdirSync(bench.path(runId, "raw"));
    const [long, short] = bench.lines(runId, `raw/${name}`);
    expect(long).toMatchObject({ row_id: "r-001", raw_truncated: true });
    const cut = String(long?.raw_text);
    expect(cut.length).toBeGreaterThan(7_999_990);
    expect(cut.length).toBeLessThanOrEqual(8_000_000);
    expect(cut.isWellFormed()).toBe(true);
    expect(short).toMatchObject({ row_id: "r-002", number: 1, raw: { text: "short" } });
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
