// Makes a workspace in a temporary folder: a corpus of a few rows, and run folders with whatever ledgers a test wants.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Json, parseJson } from "../../src/answers/json.ts";
import { promptSha256 } from "../../src/answers/prompt.ts";
import { corpusDigest } from "../../src/corpus/digest.ts";
import { openWorkspace, type Workspace } from "../../src/workspace.ts";

export interface RowSpec {
  readonly id: string;
  readonly task: string;
  readonly category: string;
  readonly gold: string;
  /** In the shown order. */
  readonly options: readonly string[];
  readonly sourceKind?: string;
  readonly title?: string;
  /** An image has a picture. */
  readonly modality?: "text" | "image";
  /** What becomes of the row's line. */
  readonly edit?: (line: string) => string;
}

/** Three tasks in two categories; one task's labels are those that break objects. */
export const TINY: readonly RowSpec[] = [
  { id: "a-1", task: "A-1", category: "alpha", gold: "yes", options: ["yes", "no"] },
  { id: "a-2", task: "A-1", category: "alpha", gold: "no", options: ["yes", "no"] },
  { id: "a-3", task: "A-2", category: "alpha", gold: "no", options: ["yes", "no"], sourceKind: "real" },
  { id: "b-1", task: "B-1", category: "beta", gold: "2", options: ["10", "2", "__proto__", "constructor"] },
  {
    id: "b-2",
    task: "B-1",
    category: "beta",
    gold: "__proto__",
    options: ["constructor", "__proto__", "2", "10"],
  },
  { id: "b-3", task: "B-1", category: "beta", gold: "10", options: ["2", "constructor", "10", "__proto__"] },
];

/** The text of a JSON object whose keys are kept as given, whatever they are. */
export function ordered(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
}

function caseLine(row: RowSpec): string {
  const head = {
    id: row.id,
    suite: "tiny",
    category: row.category,
    category_name: `Category ${row.category}`,
    task: row.task,
    modality: row.modality ?? "text",
    ...(row.modality === "image" ? { assets: [pictureOf(row)] } : {}),
    title: row.title ?? `Title of ${row.id}`,
    state: { text: `State of ${row.id}` },
    source: { dataset: "made up", license: "CC0-1.0" },
    source_kind: row.sourceKind ?? "written",
    provenance: "Made for a test.",
  };
  const options = ordered(row.options.map((label) => [label, JSON.stringify(`Option ${label}`)]));
  const question = `{"id":"decision","type":"choice","instructions":"Choose.","options":${options},"option_order":${JSON.stringify(row.options)},"gold":${JSON.stringify(row.gold)}}`;
  const line = `${JSON.stringify(head).slice(0, -1)},"questions":[${question}]}`;
  return row.edit?.(line) ?? line;
}

function pictureOf({ id }: RowSpec): Record<string, string> {
  const sha256 = createHash("sha256").update(id).digest("hex");
  return { path: `${id}.png`, media_type: "image/png", sha256, alt: `Picture of ${id}` };
}

export interface RunSpec {
  readonly results?: readonly string[] | string;
  readonly attempts?: readonly string[] | string;
  /** Changes to run.json; `null` leaves the file away. */
  readonly run?: Readonly<Record<string, unknown>> | string | null;
  /** Changes to its `config`. */
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface TestWorkspace {
  readonly root: string;
  readonly sha256: string;
  readonly workspace: Workspace;
  /** Writes `runs/<id>/`; lists of lines get a line feed each, texts are written as they are. */
  addRun(id: string, spec: RunSpec): void;
}

/** A workspace that is removed when the test that asked for it is done. */
export function makeWorkspace(rows: readonly RowSpec[] = TINY): TestWorkspace {
  const root = mkdtempSync(join(tmpdir(), "bench-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return writeWorkspace(root, rows);
}

/** Makes a folder that is there a workspace with this corpus. */
export function writeWorkspace(root: string, rows: readonly RowSpec[]): TestWorkspace {
  const lines = rows.map(caseLine);
  const sha256 = corpusDigest(lines.map((line): Json => parseJson(line)));
  const dir = join(root, "data", "corpus", "tiny-1");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(root, "data", "corpus", "current.json"), '{"path":"data/corpus/tiny-1/cases.jsonl"}');
  writeFileSync(join(dir, "cases.jsonl"), `${lines.join("\n")}\n`);
  for (const row of rows) {
    // Nothing looks into a picture: its bytes are the row's id.
    if (row.modality === "image") writeFileSync(join(dir, `${row.id}.png`), row.id);
  }
  const tasks = new Map(rows.map((row) => [row.task, row.category]));
  writeFileSync(
    join(dir, "manifest.json"),
    JSON.stringify({
      version: "1.0.0",
      suite: "tiny",
      label: "Tiny",
      sha256,
      license: "CC0-1.0",
      categories: Object.fromEntries(
        [...new Set(tasks.values())].map((id) => [id, { name: `Category ${id}`, description: "" }]),
      ),
      tasks: Object.fromEntries(
        [...tasks].map(([id, category]) => [
          id,
          { category, name: `Task ${id}`, ask: "Which?", instruction: "Choose." },
        ]),
      ),
    }),
  );
  return openAt(root, sha256);
}

/** A folder that is a workspace already. */
export function openAt(root: string, sha256: string): TestWorkspace {
  return {
    root,
    sha256,
    workspace: openWorkspace({ root, cwd: root, env: {} }),
    addRun(id, spec) {
      const folder = join(root, "runs", id);
      mkdirSync(folder, { recursive: true });
      if (spec.run !== null) {
        const text = typeof spec.run === "string" ? spec.run : JSON.stringify(runRecord(id, sha256, spec));
        writeFileSync(join(folder, "run.json"), text);
      }
      if (spec.results !== undefined) writeFileSync(join(folder, "results.jsonl"), ledger(spec.results));
      if (spec.attempts !== undefined) writeFileSync(join(folder, "attempts.jsonl"), ledger(spec.attempts));
    },
  };
}

function ledger(lines: readonly string[] | string): string {
  return typeof lines === "string" ? lines : lines.map((line) => `${line}\n`).join("");
}

function runRecord(id: string, sha256: string, spec: RunSpec): Record<string, unknown> {
  const changes = typeof spec.run === "object" ? spec.run : {};
  return {
    schema_version: 1,
    id,
    created_at: "2026-11-01T10:00:00.000Z",
    completed_at: String(changes?.status ?? "completed").startsWith("completed")
      ? "2026-11-01T10:10:00.000Z"
      : null,
    status: "completed",
    config: {
      suite: "tiny",
      corpus_version: "1.0.0",
      corpus_sha256: sha256,
      prompt_version: "choice-v1",
      prompt_sha256: promptSha256(),
      model_id: "model-x",
      provider: "openai-compatible",
      api_model: "model-x",
      request: {},
      endpoint_id: null,
      selected_rows: { count: 6, sha256: "cd".repeat(32) },
      ...spec.config,
    },
    model: { id: "model-x", label: "Model X", vendor: "Nobody" },
    pricing: null,
    harness: { version: "0.1.0" },
    platform: { os: "linux", node: "v20" },
    executions: [
      {
        id: "e1",
        started_at: "2026-11-01T10:00:00.000Z",
        ended_at: null,
        git_commit: "0".repeat(40),
        git_dirty: false,
        jobs: 3,
        timeout_s: 180,
        max_attempts: 2,
        rpm: null,
        retry_errors: false,
        pending_rows: 6,
      },
    ],
    ...changes,
  };
}

export interface AttemptSpec {
  readonly id: string;
  readonly row: string;
  readonly number?: number;
  readonly status?: string;
  readonly ms?: number;
  readonly cost?: number | null;
  readonly basis?: string;
  readonly input?: number | null;
  readonly output?: number | null;
  readonly cached?: number | null;
}

export function started(spec: AttemptSpec): string {
  return JSON.stringify({
    event: "started",
    attempt_id: spec.id,
    run_id: "run",
    row_id: spec.row,
    number: spec.number ?? 1,
    started_at: "2026-11-01T10:00:01.000Z",
  });
}

export function finished(spec: AttemptSpec): string {
  const cost = spec.cost === undefined ? 0.001 : spec.cost;
  return JSON.stringify({
    event: "finished",
    attempt_id: spec.id,
    run_id: "run",
    row_id: spec.row,
    number: spec.number ?? 1,
    started_at: "2026-11-01T10:00:01.000Z",
    ended_at: "2026-11-01T10:00:02.000Z",
    status: spec.status ?? "ok",
    error: (spec.status ?? "ok") === "ok" ? null : `failed with ${spec.status}`,
    duration_ms: spec.ms ?? 100,
    queued_ms: 0,
    provider_duration_ms: null,
    usage: {
      input_tokens: spec.input === undefined ? 10 : spec.input,
      output_tokens: spec.output === undefined ? 5 : spec.output,
      cached_input_tokens: spec.cached ?? null,
      reasoning_output_tokens: null,
      cache_creation_input_tokens: null,
    },
    cost_usd: cost,
    cost_basis: spec.basis ?? (cost === null ? "unavailable" : "price_table_estimate"),
    cost_source: null,
    resolved_model: "model-x-2026",
    http_status: 200,
    images_sent: 0,
  });
}

export interface ResultSpec {
  readonly row: string;
  readonly gold: string;
  /** null: an operational error, or a native provider's missing choice when the status is ok. */
  readonly label: string | null;
  readonly probabilities?: readonly (readonly [string, number])[] | null;
  readonly status?: string;
  readonly ms?: number;
  readonly text?: string | null;
  /** Finished events, as texts. */
  readonly attempts?: readonly string[];
}

/** A line of results.jsonl, probabilities in the given order. */
export function result(spec: ResultSpec): string {
  const status = spec.status ?? "ok";
  const shares = spec.probabilities ?? null;
  const answer =
    status === "ok"
      ? ordered([
          ["label", JSON.stringify(spec.label)],
          [
            "probabilities",
            shares === null ? "null" : ordered(shares.map(([label, p]) => [label, String(p)])),
          ],
          ["raw_probability_sum", shares === null ? "null" : "1"],
          ["label_is_argmax", shares === null ? "null" : "true"],
          ["probability_source", JSON.stringify(shares === null ? "label-only" : "verbalized")],
        ])
      : "null";
  const attempts = spec.attempts ?? [finished({ id: `${spec.row}-1`, row: spec.row, status })];
  const head = {
    run_id: "run",
    row_id: spec.row,
    status,
    error: status === "ok" ? null : `failed with ${status}`,
    started_at: "2026-11-01T10:00:01.000Z",
    ended_at: "2026-11-01T10:00:02.000Z",
    duration_ms: spec.ms ?? 120,
    input_sha256: "ef".repeat(32),
    gold: spec.gold,
    correct: status === "ok" && spec.label === spec.gold,
    output_text: spec.text === undefined ? "{}" : spec.text,
    output_wrapper: "none",
    finish_reason: "stop",
    images_sent: 0,
  };
  return `${JSON.stringify(head).slice(0, -1)},"answer":${answer},"attempts":[${attempts.join(",")}]}`;
}
