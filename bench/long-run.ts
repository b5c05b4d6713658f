// A workspace with runs of any length on disk: a corpus and ledgers as the harness writes them, line by line, so that a
// million rows need no memory. Everything follows from the row's number.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJson } from "../src/answers/json.ts";
import { DigestWriter } from "../src/corpus/digest.ts";
import type { Scratch } from "../test/support/scratch.ts";

const TASKS = 40;
const CATEGORIES = 10;
const LABELS = ["second", "other", "first", "third"] as const;
const SUITE = "long";
const MODEL = "bench";

export interface LongWorkspace extends Scratch {
  /** Bytes of cases.jsonl. */
  readonly corpusBytes: number;
  /** Adds a local run over the first `rows` rows; gives the bytes of its two ledgers. */
  addRun(id: string, rows?: number): number;
}

/** A workspace with a corpus of `rows` rows of 0.7 KB (0.3 KB of it what the decision is about) and no run. */
export function makeLongWorkspace(rows: number): LongWorkspace {
  const root = mkdtempSync(join(tmpdir(), "decision-bench-long-"));
  const dir = join(root, "data", "corpus", SUITE);
  mkdirSync(dir, { recursive: true });
  mkdirSync(join(root, "config"));
  const digest = new DigestWriter();
  const cases = new Lines(join(dir, "cases.jsonl"));
  for (let index = 0; index < rows; index += 1) {
    const line = caseLine(index);
    digest.add(parseJson(line));
    cases.add(line);
  }
  const corpusBytes = cases.close();
  const sha256 = digest.hex();
  const manifest = {
    version: "1.0.0",
    suite: SUITE,
    label: "Long",
    sha256,
    license: "CC0-1.0",
    categories: named(CATEGORIES, categoryOf, (id) => ({ name: `Category ${id}`, description: "Made." })),
    tasks: named(TASKS, taskOf, (id, index) => ({
      category: categoryOf(index),
      name: `Task ${id}`,
      ask: "Which one?",
      instruction: "Choose.",
    })),
  };
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
  const pointer = JSON.stringify({ path: `data/corpus/${SUITE}/cases.jsonl` });
  writeFileSync(join(root, "data", "corpus", "current.json"), pointer);
  writeFileSync(join(root, "config", "models.json"), '{"schema_version":1,"models":[]}');
  return {
    root,
    corpusBytes,
    addRun: (id, count = rows) => writeRun(join(root, "runs", id), id, count, sha256),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A file that is written in pieces of some megabytes. */
class Lines {
  readonly #file: number;
  #waiting: string[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  add(line: string): void {
    this.#waiting.push(line);
    if (this.#waiting.length >= 4096) this.#write();
  }

  /** Gives the size of the file. */
  close(): number {
    this.#write();
    closeSync(this.#file);
    return this.#bytes;
  }

  #write(): void {
    const text = Buffer.from(this.#waiting.map((line) => `${line}\n`).join(""));
    for (let done = 0; done < text.length; ) done += writeSync(this.#file, text, done);
    this.#bytes += text.length;
    this.#waiting = [];
  }
}

function named<T>(count: number, idOf: (index: number) => string, entry: (id: string, index: number) => T) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [idOf(index), entry(idOf(index), index)]),
  );
}

const taskOf = (index: number): string => `T-${index % TASKS}`;
const categoryOf = (index: number): string => `c-${(index % TASKS) % CATEGORIES}`;
const rowOf = (index: number): string => `row-${String(index).padStart(7, "0")}`;

/** A whole number below `below` that looks drawn, from a row's number and what it is for. */
function drawn(index: number, purpose: number, below: number): number {
  let x = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 0) % below;
}

function labelOf(index: number, purpose: number): string {
  return LABELS[drawn(index, purpose, LABELS.length)] ?? LABELS[0];
}

function caseLine(index: number): string {
  return JSON.stringify({
    id: rowOf(index),
    suite: SUITE,
    category: categoryOf(index),
    task: taskOf(index),
    modality: "text",
    title: `Row ${index}`,
    state: {
      record: index,
      text: "A short record of the kind that a small decision is made about.",
      values: Array.from({ length: 4 }, (_, at) => ({
        name: `value ${at}`,
        amount: drawn(index, at, 9970) / 10,
      })),
    },
    questions: [
      {
        id: "decision",
        type: "choice",
        instructions: "Choose the option that fits the record.",
        options: { first: "The first", second: "The second", third: "The third", other: "None of them" },
        option_order: LABELS,
        gold: labelOf(index, 20),
      },
    ],
    source: { dataset: "made" },
    source_kind: index % 3 === 0 ? "made" : "real",
    provenance: "Made.",
  });
}

function writeRun(dir: string, id: string, rows: number, corpusSha256: string): number {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "run.json"), JSON.stringify(runRecord(id, rows, corpusSha256)));
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
  const gold = labelOf(index, 20);
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

function runRecord(id: string, rows: number, corpusSha256: string): unknown {
  const begun = new Date(BEGUN).toISOString();
  const ended = new Date(BEGUN + rows * 10).toISOString();
  return {
    schema_version: 1,
    id,
    created_at: begun,
    completed_at: ended,
    status: "completed_with_errors",
    config: {
      suite: SUITE,
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
