// A workspace with runs of any length on disk: a made corpus and ledgers as the harness writes them, line by line, so that
// a million rows need no memory. Everything follows from the row's number.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Lines, type Scratch } from "../test/support/scratch.ts";
import { drawn, goldOf, LABELS, labelOf, makeCorpus, rowOf } from "./made-corpus.ts";

const TASKS = 40;
const SUITE = "long";
const MODEL = "bench";

export interface LongWorkspace extends Scratch {
  /** Bytes of cases.jsonl. */
  readonly corpusBytes: number;
  /** Adds a local run over the first `rows` rows; gives the bytes of its two ledgers. */
  addRun(id: string, rows?: number): number;
}

/** A workspace with a corpus of `rows` rows and no run. */
export function makeLongWorkspace(rows: number): LongWorkspace {
  const { root, sha256, bytes, remove } = makeCorpus({
    suite: SUITE,
    rows,
    tasks: TASKS,
    categories: 10,
    taskOf: (index) => index % TASKS,
  });
  return {
    root,
    corpusBytes: bytes,
    addRun: (id, count = rows) => writeRun(root, { id, rows: count, suite: SUITE, corpusSha256: sha256 }),
    remove,
  };
}

export interface LongRun {
  readonly id: string;
  readonly rows: number;
  readonly suite: string;
  readonly corpusSha256: string;
}

/** Writes a local run over the first rows of a made corpus; gives the bytes of its two ledgers. */
export function writeRun(root: string, run: LongRun): number {
  const { id, rows } = run;
  const dir = join(root, "runs", id);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "run.json"), JSON.stringify(runRecord(run)));
  const attempts = new Lines(join(dir, "attempts.jsonl"));
  const results = new Lines(join(dir, "results.jsonl"));
  for (let index = 0; index < rows; index += 1) {
    // One row in 50 is called again after a 429; one in 500 fails and is tried again by a resume.
    const calls = [
      ...(index % 500 === 11 ? ["500"] : []),
      ...(index % 50 === 7 ? ["429"] : []),
      index % 200 === 3 ? "invalid_output" : "ok",
    ].map((status, at) => finishedEvent(id, index, at + 1, status));
    const last = calls.at(-1);
    if (last === undefined) continue;
    const [first] = calls;
    if (first?.status === "500") results.add(resultLine(id, index, first, [first]));
    for (const call of calls) {
      const { attempt_id, run_id, row_id, number, started_at } = call;
      const started = { event: "started", attempt_id, run_id, row_id, number, started_at };
      // Of one call in 5,000 the end is only in the result.
      attempts.add(JSON.stringify(started));
      if (index % 5000 !== 23) attempts.add(JSON.stringify(call));
    }
    results.add(resultLine(id, index, last, calls));
  }
  return attempts.close() + results.close();
}

const BEGUN = Date.parse("2026-01-02T03:04:05.678Z");

function finishedEvent(run: string, index: number, number: number, status: string) {
  const ok = status === "ok";
  const ms = 300 + drawn(index, 30 + number, 1_500_000) / 1000;
  return {
    event: "finished",
    attempt_id: `${String(number).padStart(8, "0")}-0000-4000-8000-${String(index).padStart(12, "0")}`,
    run_id: run,
    row_id: rowOf(index),
    number,
    started_at: new Date(BEGUN + index * 10).toISOString(),
    ended_at: new Date(BEGUN + index * 10 + ms).toISOString(),
    status,
    error: ok ? null : status === "invalid_output" ? "the answer is not JSON" : `HTTP ${status}`,
    duration_ms: ms,
    queued_ms: 0,
    provider_duration_ms: null,
    usage: {
      input_tokens: status === "429" || status === "500" ? null : 400 + drawn(index, 40, 300),
      output_tokens: status === "429" || status === "500" ? null : 40 + drawn(index, 41, 30),
      cached_input_tokens: 0,
      reasoning_output_tokens: null,
      cache_creation_input_tokens: null,
    },
    cost_usd: status === "429" || status === "500" ? null : (40 + drawn(index, 42, 1000)) / 1e7,
    cost_basis: status === "429" || status === "500" ? "unavailable" : "price_table_estimate",
    cost_source: null,
    resolved_model: "bench-2026-01-01",
    http_status: /^[45]/.test(status) ? Number(status) : 200,
    images_sent: 0,
  };
}

type Finished = ReturnType<typeof finishedEvent>;

function resultLine(run: string, index: number, last: Finished, calls: readonly Finished[]): string {
  const gold = goldOf(index);
  const chosen = drawn(index, 21, 100) < 72 ? gold : labelOf(index, 22);
  const share = (40 + drawn(index, 23, 55)) / 100;
  const rest = (1 - share) / (LABELS.length - 1);
  const probabilities = Object.fromEntries(LABELS.map((label) => [label, label === chosen ? share : rest]));
  const answer = {
    label: chosen,
    probabilities,
    raw_probability_sum: 1,
    label_is_argmax: true,
    probability_source: "verbalized",
  };
  const ok = last.status === "ok";
  const text = JSON.stringify({ answers: { decision: { label: chosen, probabilities } } });
  return JSON.stringify({
    run_id: run,
    row_id: last.row_id,
    status: last.status,
    error: last.error,
    started_at: calls[0]?.started_at,
    ended_at: last.ended_at,
    duration_ms: calls.reduce((sum, call) => sum + call.duration_ms, 0.5),
    input_sha256: String(drawn(index, 24, 1e9)).padStart(64, "a"),
    answer: ok ? answer : null,
    gold,
    correct: ok && chosen === gold,
    output_text: ok ? text : last.status === "invalid_output" ? `Answer: ${chosen}` : null,
    output_wrapper: ok ? "none" : null,
    finish_reason: ok ? "stop" : null,
    images_sent: 0,
    attempts: calls,
  });
}

function runRecord({ id, rows, suite, corpusSha256 }: LongRun): unknown {
  const begun = new Date(BEGUN).toISOString();
  const ended = new Date(BEGUN + rows * 10).toISOString();
  return {
    schema_version: 1,
    id,
    created_at: begun,
    completed_at: ended,
    status: "completed_with_errors",
    config: {
      suite,
      corpus_version: "1.0.0",
      corpus_sha256: corpusSha256,
      prompt_version: "choice-v1",
      prompt_sha256: "ab".repeat(32),
      model_id: MODEL,
      provider: "openai-compatible",
      api_model: MODEL,
      request: {},
      endpoint_id: "endpoint-0123456789ab",
      selected_rows: { count: rows, sha256: "cd".repeat(32) },
    },
    model: { id: MODEL, label: "Bench", vendor: null },
    pricing: null,
    harness: { version: "0.1.0" },
    platform: { os: "linux", node: "v20" },
    executions: [
      {
        id: "00000000-0000-4000-8000-000000000000",
        started_at: begun,
        ended_at: ended,
        git_commit: null,
        git_dirty: null,
        jobs: 32,
        timeout_s: 180,
        max_attempts: 2,
        rpm: null,
        retry_errors: false,
        pending_rows: rows,
      },
    ],
  };
}
