// A workspace with published results of a made corpus, as publishing writes them. Everything follows from the numbers of
// the row and of the model.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptSha256 } from "../src/answers/prompt.ts";
import { Lines, type Scratch } from "../test/support/scratch.ts";
import {
  categoryName,
  drawn,
  goldOf,
  LABELS,
  type Layout,
  makeCorpus,
  rowOf,
  taskName,
} from "./made-corpus.ts";

export interface PublishedSize {
  readonly rows: number;
  readonly tasks: number;
  readonly categories: number;
  readonly results: number;
}

export interface PublishedSet extends Scratch {
  /** The folder of the results, `results/<suite>`. */
  readonly folder: string;
  readonly suite: string;
  readonly corpusSha256: string;
  /** Rows of the smallest and of the largest task. */
  readonly taskRows: readonly [least: number, most: number];
}

const SUITE = "pairs";
/** How many rows the largest task has for one of the smallest. */
const SPREAD = 45 / 20;

/**
 * Full results of one prompt over tasks of unequal sizes. Accuracies go in equal steps from 0.5 to 0.95; some tasks are
 * harder for every model, and every model is better at some than at others.
 */
export function makePublishedSet({ rows, tasks, categories, results }: PublishedSize): PublishedSet {
  const sizes = taskSizes(rows, tasks);
  const tasksOfRows = sizes.flatMap((size, task) => Array<number>(size).fill(task));
  const layout = {
    suite: SUITE,
    rows,
    tasks,
    categories,
    taskOf: (index: number) => tasksOfRows[index] ?? 0,
  };
  const { root, sha256, remove } = makeCorpus(layout);
  const folder = join(root, "results", SUITE);
  for (let model = 0; model < results; model += 1) {
    const dir = join(folder, modelId(model));
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "metadata.json"), JSON.stringify(metadata(model, rows, sha256)));
    const skill = 0.5 + (0.45 * model) / Math.max(results - 1, 1);
    const predictions = new Lines(join(dir, "predictions.jsonl"));
    for (let index = 0; index < rows; index += 1) predictions.add(prediction(layout, index, model, skill));
    predictions.close();
  }
  return {
    root,
    folder,
    suite: SUITE,
    corpusSha256: sha256,
    taskRows: [Math.min(...sizes), Math.max(...sizes)],
    remove,
  };
}

const modelId = (model: number): string => `model-${String(model).padStart(2, "0")}`;

/** Whole numbers that grow from task to task and add up to `rows`. */
function taskSizes(rows: number, tasks: number): number[] {
  const weights = Array.from(
    { length: tasks },
    (_, task) => 1 + (SPREAD - 1) * (task / Math.max(tasks - 1, 1)) ** 1.5,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let weight = 0;
  let placed = 0;
  return weights.map((own) => {
    weight += own;
    const size = Math.round((rows * weight) / total) - placed;
    placed += size;
    return size;
  });
}

/** A number from -1 to 1 that looks drawn. */
const effect = (index: number, purpose: number): number => drawn(index, purpose, 2001) / 1000 - 1;

function prediction(layout: Layout, index: number, model: number, skill: number): string {
  const task = layout.taskOf(index);
  const chance = skill + 0.1 * effect(task, 50) + 0.08 * effect(task, 100 + model);
  const right = drawn(index, 200 + model, 100_000) < 100_000 * chance;
  const ok = drawn(index, 300 + model, 200) > 0;
  const gold = goldOf(index);
  const others = LABELS.filter((label) => label !== gold);
  const label = right ? gold : (others[drawn(index, 400 + model, others.length)] ?? gold);
  const share = (40 + drawn(index, 500 + model, 55)) / 100;
  const rest = (1 - share) / (LABELS.length - 1);
  const probabilities = Object.fromEntries(LABELS.map((name) => [name, name === label ? share : rest]));
  const ms = 300 + drawn(index, 600 + model, 1_500_000) / 1000;
  const tokens = {
    input: 400 + drawn(index, 700 + model, 300),
    output: 40 + drawn(index, 800 + model, 30),
    cached_input: 0,
    reasoning_output: null,
  };
  const cost = (tokens.input + 4 * tokens.output) / 1e7;
  const call = { duration_ms: ms, cost_usd: cost, cost_basis: "price_table_estimate", tokens };
  return JSON.stringify({
    row_id: rowOf(index),
    task: taskName(task),
    category: categoryName(task, layout),
    status: ok ? "ok" : "invalid_output",
    answer: ok ? label : null,
    gold,
    correct: ok && right,
    confidence: ok ? share : null,
    probabilities: ok ? probabilities : null,
    ...(ok ? { probability_source: "verbalized" } : {}),
    images_sent: 0,
    ...(ok ? { output_text: JSON.stringify({ answers: { decision: { label, probabilities } } }) } : {}),
    error: ok ? null : "Invalid model output",
    latency_ms: ms + 0.5,
    tokens,
    cost_usd: cost,
    cost_basis: [call.cost_basis],
    attempts: [{ status: ok ? "ok" : "invalid_output", error: ok ? null : "Invalid model output", ...call }],
  });
}

function metadata(model: number, rows: number, sha256: string): unknown {
  const id = modelId(model);
  return {
    schema_version: 1,
    suite: SUITE,
    model: {
      id,
      label: `Model ${model}`,
      vendor: null,
      provider: "openai-compatible",
      api_model: id,
      resolved_models: [id],
    },
    request: {},
    pricing: null,
    prompt_version: "choice-v1",
    prompt_sha256: promptSha256(),
    corpus: { version: "1.0.0", sha256, current: true },
    harness: { version: "0.1.0", git_commit: null, git_dirty: null, git_commits: [] },
    run: {
      run_id: `${id}-${SUITE}`,
      status: "completed",
      created_at: "2026-01-02T03:04:05.678Z",
      completed_at: "2026-01-02T03:34:05.678Z",
      published_at: "2026-01-02T04:04:05.678Z",
      executions: 1,
      jobs: 32,
      timeout_seconds: 180,
      max_attempts: 2,
      endpoint_id: "endpoint-0123456789ab",
      platform: { os: "linux", node: "v20" },
    },
    coverage: {
      rows_in_corpus: rows,
      rows_selected: rows,
      rows_completed: rows,
      full: true,
    },
    totals: {},
  };
}
