// How long a run with many results behind it takes to its first new call, and how much memory.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeScratch } from "../test/support/scratch.ts";
import { cli, type Measure, runNode } from "./support.ts";

const RESULTS = 100_000;
/** Rows that are left to do. */
const LEFT = 50;

/** First call within 3 s, at most 400 MB. */
export async function measureResume(): Promise<Measure> {
  const scratch = makeScratch(RESULTS + LEFT, 2);
  let firstCall = 0;
  const server = createServer((request, response) => {
    if (firstCall === 0) firstCall = performance.now();
    request.resume();
    request.on("end", () => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const env = {
    DECISION_BENCH_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    DECISION_BENCH_API_KEY: "",
  };
  const args = [cli, "--root", scratch.root, "run", "--model", "bench", "--run-id", "long", "--json"];
  try {
    // The first invocation makes the folder and stops at once; its ledgers are then filled as a long run would have.
    await runNode([...args, "--jobs", "1"], env);
    fillLedgers(join(scratch.root, "runs", "long"));
    firstCall = 0;
    const begun = performance.now();
    const run = await runNode([...args, "--jobs", "8"], env);
    if (firstCall === 0) throw new Error(`no call was made: ${run.stderr}`);
    const seconds = (firstCall - begun) / 1000;
    return {
      what: `resume over ${RESULTS} results: time to the first call, peak memory`,
      ratio: `${seconds.toFixed(2)} s, ${run.peakMb.toFixed(0)} MB`,
      limit: "≤ 3 s, < 400 MB",
      ok: seconds <= 3 && run.peakMb < 400,
      detail: `${run.cpuS.toFixed(2)} s of processor time in all; ${LEFT} rows left of ${RESULTS + LEFT}; ledgers of ${ledgerMb(join(scratch.root, "runs", "long"))} MB, corpus of ${ledgerMb(join(scratch.root, "data", "corpus", "load"))} MB`,
    };
  } finally {
    server.close();
    scratch.remove();
  }
}

/** Writes the ledgers of a run of which only the last rows are missing. */
export function fillLedgers(runDir: string): void {
  const results: string[] = [];
  const attempts: string[] = [];
  const time = "2026-01-02T03:04:05.678Z";
  for (let index = 0; index < RESULTS; index += 1) {
    const row_id = `row-${String(index).padStart(7, "0")}`;
    const started = {
      event: "started",
      attempt_id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      run_id: "long",
      row_id,
      number: 1,
      started_at: time,
    };
    const finished = {
      ...started,
      event: "finished",
      ended_at: time,
      status: "ok",
      error: null,
      duration_ms: 812.345678,
      queued_ms: 0,
      provider_duration_ms: null,
      usage: {
        input_tokens: 641,
        output_tokens: 55,
        cached_input_tokens: 0,
        reasoning_output_tokens: 0,
        cache_creation_input_tokens: null,
      },
      cost_usd: 0.000123,
      cost_basis: "provider_reported",
      cost_source: "usage.cost",
      resolved_model: "bench-2026-01-01",
      http_status: 200,
      images_sent: 0,
    };
    attempts.push(JSON.stringify(started), JSON.stringify(finished));
    results.push(
      JSON.stringify({
        run_id: "long",
        row_id,
        status: "ok",
        error: null,
        started_at: time,
        ended_at: time,
        duration_ms: 813.5,
        input_sha256: "0".repeat(64),
        answer: {
          label: "second",
          probabilities: { second: 0.7, other: 0.1, first: 0.1, third: 0.1 },
          raw_probability_sum: 1,
          label_is_argmax: true,
          probability_source: "verbalized",
        },
        gold: "second",
        correct: true,
        output_text:
          '{"answers":{"decision":{"label":"second","probabilities":{"second":0.7,"other":0.1,"first":0.1,"third":0.1}}}}',
        output_wrapper: "none",
        finish_reason: "stop",
        images_sent: 0,
        attempts: [finished],
      }),
    );
  }
  writeFileSync(join(runDir, "results.jsonl"), `${results.join("\n")}\n`);
  writeFileSync(join(runDir, "attempts.jsonl"), `${attempts.join("\n")}\n`);
}

function ledgerMb(runDir: string): number {
  const bytes = readdirSync(runDir)
    .filter((name) => name.endsWith(".jsonl"))
    .reduce((sum, name) => sum + readFileSync(join(runDir, name)).length, 0);
  return Math.round(bytes / 1e6);
}
