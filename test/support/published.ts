// Published results for a test workspace, whole or broken.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ordered, type TestWorkspace } from "./workspace.ts";

export interface PublishedSpec {
  /** Lines of predictions.jsonl, or its text; null: no such file. Default: none. */
  readonly predictions?: readonly string[] | string | null;
  /** Changes to metadata.json, or its text; null: no such file. */
  readonly metadata?: Readonly<Record<string, unknown>> | string | null;
}

/** Writes `results/<suite>/<model>/`; lists of lines get a line feed each, texts are written as they are. */
export function addPublished(
  { root, sha256 }: TestWorkspace,
  [suite, model]: readonly [suite: string, model: string],
  spec: PublishedSpec = {},
): void {
  const folder = join(root, "results", suite, model);
  mkdirSync(folder, { recursive: true });
  const { metadata, predictions = [] } = spec;
  if (metadata !== null) {
    const text =
      typeof metadata === "string"
        ? metadata
        : JSON.stringify({ ...metadataOf(suite, model, sha256), ...metadata });
    writeFileSync(join(folder, "metadata.json"), text);
  }
  if (predictions !== null) {
    const text =
      typeof predictions === "string" ? predictions : predictions.map((line) => `${line}\n`).join("");
    writeFileSync(join(folder, "predictions.jsonl"), text);
  }
}

/** A whole metadata.json as the older tool writes it. */
export function metadataOf(suite: string, model: string, sha256: string): Record<string, unknown> {
  return {
    schema_version: 1,
    suite,
    model: {
      id: model,
      label: "Model X",
      vendor: "Nobody",
      provider: "openai-compatible",
      api_model: "x",
      resolved_models: [],
    },
    request: {},
    pricing: null,
    prompt_version: "choice-v1",
    corpus: { version: "1.0.0", sha256, current: true },
    harness: {
      version: "0.3.0",
      git_commit: "0".repeat(40),
      git_dirty: false,
      git_commits: ["0".repeat(40)],
    },
    run: {
      run_id: "x-tiny-12345678",
      status: "completed",
      created_at: "2026-09-23T13:00:00+00:00",
      completed_at: "2026-09-23T13:30:00+00:00",
      published_at: "2026-09-23T16:00:00+02:00",
      executions: 1,
      jobs: 3,
      timeout_seconds: 180,
      max_attempts: 2,
      endpoint_id: null,
      platform: { os: "Linux", python: "3.12.4" },
    },
    coverage: {
      rows_in_corpus: 6,
      rows_selected: 6,
      rows_completed: 6,
      rows_ok: 6,
      rows_error: 0,
      full: true,
    },
    totals: { correct: 6, accuracy: 1 },
  };
}

export interface CallSpec {
  readonly status?: string;
  readonly ms?: number | null;
  readonly cost?: number | null;
  readonly basis?: string;
  readonly tokens?: Readonly<Record<string, number | null>> | null;
}

/** An element of `attempts`. */
export function call(spec: CallSpec = {}): Record<string, unknown> {
  const cost = spec.cost === undefined ? 0.001 : spec.cost;
  return {
    status: spec.status ?? "ok",
    error: null,
    duration_ms: spec.ms === undefined ? 100 : spec.ms,
    cost_usd: cost,
    cost_basis: spec.basis ?? (cost === null ? "unavailable" : "price_table_estimate"),
    tokens:
      spec.tokens === undefined
        ? { input: 10, output: 5, cached_input: null, reasoning_output: null }
        : spec.tokens,
  };
}

export interface PredictionSpec {
  readonly row: string;
  readonly gold: string;
  readonly label: string | null;
  readonly probabilities?: readonly (readonly [string, number])[] | null;
  readonly status?: string;
  readonly task?: string;
  readonly category?: string;
  readonly attempts?: readonly Record<string, unknown>[];
  /** Fields that differ or are added; undefined leaves one away. */
  readonly changes?: Readonly<Record<string, unknown>>;
}

/** A line of predictions.jsonl, probabilities in the given order. */
export function prediction(spec: PredictionSpec): string {
  const status = spec.status ?? "ok";
  const shares = spec.probabilities ?? null;
  const record = {
    answer: spec.label,
    attempts: spec.attempts ?? [call({ status })],
    category: spec.category ?? "alpha",
    confidence: null,
    correct: status === "ok" && spec.label === spec.gold,
    cost_basis: ["price_table_estimate"],
    cost_usd: 0.001,
    error: status === "ok" ? null : "Provider error",
    gold: spec.gold,
    images_sent: 0,
    latency_ms: 120,
    output_text: "{}",
    probability_source: shares === null ? "label-only" : "verbalized",
    row_id: spec.row,
    status,
    task: spec.task ?? "A-1",
    tokens: { input: 10, output: 5, cached_input: null, reasoning_output: null },
    ...spec.changes,
  };
  if (spec.changes !== undefined && "probabilities" in spec.changes) return JSON.stringify(record);
  const map = shares === null ? "null" : ordered(shares.map(([label, p]) => [label, String(p)]));
  return `${JSON.stringify(record).slice(0, -1)},"probabilities":${map}}`;
}
