import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FAILURES_IN_A_ROW } from "../../src/harness/execute.ts";
import { NO_USAGE } from "../../src/ledgers/schema.ts";
import {
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

  it("goes on with the prices that a run began with", async () => {
    const usage = { ...NO_USAGE, input_tokens: 1_000_000, output_tokens: 0 };
    const priced = (rate: number) => ({
      ...MODEL,
      pricing: {
        input_per_mtok: rate,
        output_per_mtok: 2,
        source_url: "https://example.com/prices",
        as_of: "2026-12-01",
      },
    });
    const provider = new ScriptedProvider(() => outcome({ usage }));
    const { runId } = await bench.run({
      provider,
      model: priced(1),
      settings: { jobs: 1, maxCostUsd: 1 },
    });
    const observer = new NotedObserver();
    await bench.run({ provider, observer, model: priced(3), settings: { jobs: 1 } });
    const costs = attemptsOf(runId).flatMap((event) => event.cost_usd ?? []);
    expect(costs).toEqual([1, 1, 1, 1, 1, 1]);
    expect(observer.notices).toContain(
      "config/models.json has other prices by now; this run goes on with those that it began with.",
    );
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
