import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { promptSha256 } from "../../src/answers/prompt.ts";
import { NO_USAGE, resultSchema, runSchema } from "../../src/ledgers/schema.ts";
import { packageRoot } from "../../src/workspace.ts";
import { answer, type Bench, makeBench, outcome, ScriptedProvider } from "../support/harness.ts";

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

  it("freezes what decides its numbers", async () => {
    const { runId } = await bench.run({ apiModel: "sent-name" });
    expect(runOf(runId).config).toEqual({
      suite: "tiny",
      corpus_version: "1.0.0",
      corpus_sha256: "c".repeat(64),
      prompt_version: "choice-v1",
      prompt_sha256: promptSha256(),
      model_id: "m1",
      provider: "openai-compatible",
      api_model: "sent-name",
      request: {
        response_format: "json_schema",
        token_limit_field: "max_tokens",
        max_output_tokens: 4096,
        reasoning_effort: null,
        temperature: null,
        json_wrapper_policy: "allow_single_code_fence",
        vision: false,
      },
      endpoint_id: "endpoint-0123456789ab",
      selected_rows: {
        count: 6,
        // Of the ids as a list in canonical JSON.
        sha256: createHash("sha256")
          .update(JSON.stringify(bench.rows.map((row) => row.id)))
          .digest("hex"),
      },
    });
  });

  it("clears away what another run was killed over while its folder was made, once it is old", async () => {
    const [old, fresh] = [".new-a-1", ".new-b-2"].map((name) => join(bench.workspace.runsDir, name));
    for (const folder of [old, fresh]) mkdirSync(join(folder ?? "", "raw"), { recursive: true });
    const twoHoursAgo = Date.now() / 1000 - 7200;
    utimesSync(old ?? "", twoHoursAgo, twoHoursAgo);
    const { runId } = await bench.run();
    expect(readdirSync(bench.workspace.runsDir).sort()).toEqual([".new-b-2", runId]);
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
