// What the harness needs to run without a model, a network or a clock: rows in memory, a provider that follows a script,
// time that passes when a test says so.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "../../src/answers/json.ts";
import type { Answer } from "../../src/answers/parse.ts";
import type { Corpus } from "../../src/corpus/load.ts";
import type { CorpusRow } from "../../src/corpus/schema.ts";
import type { Clock } from "../../src/harness/clock.ts";
import type { RowNote, RunObserver, RunSettings } from "../../src/harness/execute.ts";
import type { Repair } from "../../src/harness/folder.ts";
import { type RunReport, runModel } from "../../src/harness/run.ts";
import { NO_USAGE } from "../../src/ledgers/schema.ts";
import type { ModelConfig } from "../../src/models/schema.ts";
import type { CallOptions, CallOutcome, Provider } from "../../src/providers/provider.ts";
import { createRedactor } from "../../src/providers/redact.ts";
import type { Workspace } from "../../src/workspace.ts";

export function makeRow(id: string, change: Partial<CorpusRow> = {}): CorpusRow {
  return {
    id,
    suite: "tiny",
    category: "c1",
    categoryName: null,
    task: "T-1",
    taskName: null,
    modality: "text",
    title: id,
    state: `state of ${id}`,
    assets: [],
    question: {
      id: "decision",
      type: "choice",
      instructions: "Choose.",
      options: [
        { label: "yes", description: "It is so" },
        { label: "no", description: "It is not" },
      ],
      gold: "yes",
      rationale: null,
      ask: null,
    },
    source: null,
    sourceKind: "made",
    provenance: "",
    ...change,
  };
}

export function makeCorpus(rows: readonly CorpusRow[]): Corpus {
  return {
    suite: "tiny",
    version: "1.0.0",
    sha256: "c".repeat(64),
    dir: "/nowhere",
    path: "/nowhere/cases.jsonl",
    rowCount: rows.length,
    words: null,
    longestBytes: 1000,
    rows,
    manifest: {
      version: "1.0.0",
      suite: "tiny",
      label: "Tiny",
      sha256: "c".repeat(64),
      license: "CC0-1.0",
      categories: new Map(),
      tasks: new Map(),
      cases: null,
    },
  };
}

export const MODEL: ModelConfig = {
  id: "m1",
  label: "Model one",
  provider: "openai-compatible",
  model: "model-one",
};

export function answer(label: string): Answer {
  return {
    label,
    probabilities: new Map([
      ["yes", label === "yes" ? 0.9 : 0.1],
      ["no", label === "yes" ? 0.1 : 0.9],
    ]),
    rawProbabilitySum: 1,
    labelIsArgmax: true,
    probabilitySource: "verbalized",
  };
}

/** An outcome: a right answer unless `change` says otherwise. */
export function outcome(change: Partial<CallOutcome> = {}): CallOutcome {
  const status = change.status ?? "ok";
  return {
    status,
    error: status === "ok" ? null : `failed with ${status}`,
    retryable: false,
    retryAfterMs: null,
    answer: status === "ok" ? answer("yes") : null,
    outputText: status === "ok" ? "{}" : null,
    outputWrapper: "none",
    finishReason: status === "ok" ? "stop" : null,
    usage: NO_USAGE,
    reportedCostUsd: null,
    costSource: null,
    resolvedModel: null,
    httpStatus: status === "ok" ? 200 : null,
    providerDurationMs: null,
    imagesSent: 0,
    raw: { status },
    traceIds: [],
    secrets: [],
    ...change,
  };
}

export type Script = (
  row: CorpusRow,
  call: number,
  options: CallOptions,
) => CallOutcome | Promise<CallOutcome>;

/** A provider whose answers are a function of the row and of how often that row was asked before (from 1). */
export class ScriptedProvider implements Provider {
  readonly endpointId: string | null = "endpoint-0123456789ab";
  readonly calls: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #script: Script;
  inFlight = 0;
  mostInFlight = 0;

  constructor(script: Script = () => outcome()) {
    this.#script = script;
  }

  async preview(row: CorpusRow): Promise<Writable> {
    return { row: row.id };
  }

  async call(row: CorpusRow, options: CallOptions): Promise<CallOutcome> {
    const count = (this.#counts.get(row.id) ?? 0) + 1;
    this.#counts.set(row.id, count);
    this.calls.push(row.id);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      return await this.#script(row, count, options);
    } finally {
      this.inFlight -= 1;
    }
  }

  async close(): Promise<void> {}
}

/** A clock on which waiting takes no time, and which writes down every wait. */
export class FakeClock implements Clock {
  time = Date.UTC(2026, 0, 2, 3, 4, 5);
  readonly waits: number[] = [];
  now(): number {
    return this.time;
  }
  steady(): number {
    return this.time;
  }
  random(): number {
    return 0;
  }
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.waits.push(ms);
    this.time += ms;
    await Promise.resolve();
  }
}

export class NotedObserver implements RunObserver {
  readonly rows: RowNote[] = [];
  readonly notices: string[] = [];
  repairs: readonly Repair[] = [];
  pending = -1;
  begin(_runId: string, _standing: unknown, pending: number, repairs: readonly Repair[]): void {
    this.pending = pending;
    this.repairs = repairs;
  }
  row(note: RowNote): void {
    this.rows.push(note);
  }
  notice(message: string): void {
    this.notices.push(message);
  }
  end(): void {}
}

export const SETTINGS: RunSettings = {
  jobs: 2,
  timeoutS: 10,
  maxAttempts: 2,
  rpm: null,
  retryErrors: false,
  maxCostUsd: null,
  keepGoing: false,
};

export interface Bench {
  readonly root: string;
  readonly workspace: Workspace;
  readonly rows: readonly CorpusRow[];
  run(options?: {
    provider?: Provider;
    settings?: Partial<RunSettings>;
    model?: ModelConfig;
    apiModel?: string;
    rows?: readonly CorpusRow[];
    runId?: string;
    clock?: Clock;
    interrupt?: AbortSignal;
    observer?: RunObserver;
    verified?: Promise<unknown>;
  }): Promise<RunReport>;
  lines(runId: string, file: string): Record<string, unknown>[];
  path(runId: string, file: string): string;
  cleanup(): void;
}

/** A temporary workspace with `count` rows in memory. */
export function makeBench(count: number): Bench {
  const root = mkdtempSync(join(tmpdir(), "decision-bench-harness-"));
  const rows = Array.from({ length: count }, (_, index) =>
    makeRow(`r-${String(index + 1).padStart(3, "0")}`),
  );
  const workspace: Workspace = {
    root,
    modelsFile: join(root, "config", "models.json"),
    corpusPointer: join(root, "data", "corpus", "current.json"),
    runsDir: join(root, "runs"),
    resultsDir: join(root, "results"),
    env: {},
  };
  const path = (runId: string, file: string): string => join(workspace.runsDir, runId, file);
  return {
    root,
    workspace,
    rows,
    path,
    run: (options = {}) =>
      runModel({
        workspace,
        corpus: makeCorpus(rows),
        verified: options.verified ?? Promise.resolve(),
        rows: options.rows ?? rows,
        model: options.model ?? MODEL,
        apiModel: options.apiModel ?? MODEL.model,
        provider: options.provider ?? new ScriptedProvider(),
        redactor: createRedactor({}),
        runId: options.runId,
        settings: { ...SETTINGS, ...options.settings },
        clock: options.clock ?? new FakeClock(),
        interrupt: options.interrupt ?? new AbortController().signal,
        observer: options.observer ?? new NotedObserver(),
      }),
    lines: (runId, file) =>
      readFileSync(path(runId, file), "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    cleanup: () => rmSync(root, { recursive: true, force: true }),
  };
}
