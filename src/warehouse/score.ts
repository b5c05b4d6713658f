// Every figure of a run as the views give it, under the names of scores.json: what `bench score` prints, and what a published
// result says of itself. Asked for many runs at once, since a query for each would take most of the time.
import type { Writable } from "../answers/json.ts";
import {
  type Accuracy,
  type Calibration,
  type GroupAccuracy,
  MEANS,
  type ReliabilityBin,
  type RiskPoint,
  type Score,
  type TaskAccuracy,
} from "./score-document.ts";
import type { Row, Warehouse } from "./warehouse.ts";

/** Shares of the rows at which the risk is told. A whole curve has as many points as rows; `risk_coverage` has it. */
const COVERAGES = [0.95, 0.9, 0.8, 0.7, 0.5, 0.25, 0.1];

/** What the metrics read of `answers`; the rest would be held in memory for nothing. */
const SCORED = [
  ...["run_id", "row_id", "task", "category", "source_kind", "modality", "gold_position"],
  ...[
    "is_valid",
    "label",
    "gold",
    "correct",
    "confidence",
    "brier",
    "log_loss",
    "label_is_argmax",
    "latency_ms",
  ],
];

/** Computes `answers` once for all the queries of {@link scoreOf}. */
export async function materialiseScored(warehouse: Warehouse): Promise<void> {
  await warehouse.materialise({ answers: SCORED });
}

/** Which figures are wanted. */
export interface ScoreOptions {
  /** Reliability bins and risk/coverage points too; without them both lists are empty. */
  readonly curves?: boolean;
}

/** Asks the views for every figure of a run that the warehouse holds, with its curves. */
export async function scoreOf(warehouse: Warehouse, run: string): Promise<Score> {
  const score = (await scoresOf(warehouse, [run], { curves: true })).get(run);
  if (score === undefined) throw new Error(`run ${run} was not read`);
  return score;
}

/** {@link scoreOf} for several runs; those that the warehouse does not hold are left out. */
export async function scoresOf(
  warehouse: Warehouse,
  runs: readonly string[],
  { curves = false }: ScoreOptions = {},
): Promise<ReadonlyMap<string, Score>> {
  const of = (columns: string, from: string, order = ""): Promise<ByRun> =>
    byRun(warehouse, runs, `SELECT r.run_id, ${columns} FROM ${from} AS r`, order);
  const one = (found: ByRun, run: string): Row => found.get(run)?.[0] ?? {};
  const groups = (by: string, name = ""): Promise<ByRun> =>
    of(
      `${by} AS id, ${name} rows, correct, accuracy, wilson_low, wilson_high, errors`,
      `accuracy_by_${by}`,
      "id",
    );
  const heads = await of("*", "runs");
  const overalls = await of("*", "accuracy_overall");
  const macros = await of("*", "macro_averages");
  const categories = await groups("category", "name,");
  const tasks = await tasksOf(warehouse, runs);
  const sourceKinds = await groups("source_kind");
  const modalities = await groups("modality");
  const positions = await groups("gold_position");
  const calibrations = await of("*", "calibration");
  const bins = curves
    ? await of("bin, low, high, rows, mean_confidence, accuracy", "reliability", "bin")
    : new Map();
  const points = curves ? await curvesOf(warehouse, runs) : new Map();
  const costs = await of("*", "cost");
  const latencies = await of("*", "latency");
  const tokens = await of("*", "tokens");
  const attempts = await of("*", "attempt_totals");
  const list = (found: ByRun, run: string): GroupAccuracy[] => (found.get(run) ?? []).map(group);
  const score = (run: string, head: Row): Score => ({
    schema_version: 1,
    run_id: run,
    source: head.source as string,
    suite: head.suite as string,
    model_id: head.model_id as string,
    label: head.label as string | null,
    corpus_version: head.corpus_version as string | null,
    corpus_sha256: head.corpus_sha256 as string,
    current_corpus: head.current_corpus as boolean,
    status: head.status as string,
    full_coverage: head.full_coverage as boolean,
    rows_selected: head.rows_selected as number,
    analysis_version: head.analysis_version as string,
    overall: overallOf(one(overalls, run), one(macros, run)),
    by_category: list(categories, run),
    by_task: (tasks.get(run) ?? []).map(taskGroup),
    by_source_kind: list(sourceKinds, run),
    by_modality: list(modalities, run),
    by_gold_position: list(positions, run),
    calibration: calibrationOf(one(calibrations, run), bins.get(run) ?? [], points.get(run) ?? []),
    cost: costOf(one(costs, run)),
    latency_ms: latencyOf(one(latencies, run)),
    tokens: tokensOf(one(tokens, run)),
    attempts: attemptsOf(one(attempts, run)),
  });
  return new Map(
    runs.flatMap((run) => {
      const head = heads.get(run)?.[0];
      return head === undefined ? [] : [[run, score(run, head)] as const];
    }),
  );
}

/** Rows of each run, without their `run_id`. */
type ByRun = ReadonlyMap<string, readonly Row[]>;

async function byRun(
  warehouse: Warehouse,
  runs: readonly string[],
  sql: string,
  order: string,
): Promise<ByRun> {
  const found = new Map<string, Row[]>();
  const by = order === "" ? "" : `ORDER BY ${order} ASC`;
  // A list of one is what the command for one run asks for, and an equality is what DuckDB pushes down.
  const [only] = runs;
  const which = runs.length === 1 ? "run_id = $1" : "list_contains($1, run_id)";
  const value = runs.length === 1 ? (only as string) : runs;
  for (const { run_id: run, ...row } of await warehouse.rows(`FROM (${sql}) WHERE ${which} ${by}`, [value])) {
    const rows = found.get(run as string);
    if (rows === undefined) found.set(run as string, [row]);
    else rows.push(row);
  }
  return found;
}

function tasksOf(warehouse: Warehouse, runs: readonly string[]): Promise<ByRun> {
  return byRun(
    warehouse,
    runs,
    `SELECT t.run_id, t.task AS id, t.name, t.rows, t.correct, t.accuracy, t.wilson_low, t.wilson_high, t.errors,
       c.category, f.labels, f.macro_f1
     FROM accuracy_by_task AS t
     JOIN (SELECT run_id, task, min(category) AS category FROM answers GROUP BY run_id, task) AS c
       ON c.run_id = t.run_id AND c.task = t.task
     LEFT JOIN task_f1 AS f ON f.run_id = t.run_id AND f.task = t.task`,
    "id",
  );
}

function curvesOf(warehouse: Warehouse, runs: readonly string[]): Promise<ByRun> {
  return byRun(
    warehouse,
    runs,
    `WITH curve AS MATERIALIZED (FROM risk_coverage),
     asked AS (SELECT unnest([${COVERAGES.join(", ")}]::DOUBLE[]) AS share)
     SELECT run_id, threshold, coverage, risk, accepted, errors
     FROM curve
     WHERE threshold = 0 OR (run_id, threshold) IN (
       SELECT (c.run_id, max(c.threshold)) FROM curve AS c JOIN asked AS a ON c.coverage >= a.share
       GROUP BY c.run_id, a.share
     )`,
    "threshold",
  );
}

function overallOf(overall: Row, macro: Row): Score["overall"] {
  return {
    ...accuracy(overall),
    answered: number(overall.answered) ?? 0,
    accuracy_answered: number(overall.accuracy_answered),
    jackknife_se: number(overall.jackknife_se),
    jackknife95: pair(overall.jackknife_low, overall.jackknife_high),
    macro_category_accuracy: number(macro.macro_category_accuracy),
    macro_task_f1: number(macro.macro_task_f1),
  };
}

function calibrationOf(found: Row, bins: readonly Row[], points: readonly Row[]): Calibration {
  return {
    valid_rows: number(found.valid_rows) ?? 0,
    ...(Object.fromEntries(MEANS.map((name) => [name, number(found[name])])) as Record<
      (typeof MEANS)[number],
      number | null
    >),
    high_confidence_errors: number(found.high_confidence_errors) ?? 0,
    argmax_disagreements: number(found.argmax_disagreements) ?? 0,
    reliability: bins as unknown as ReliabilityBin[],
    risk_coverage: points as unknown as RiskPoint[],
  };
}

function costOf(cost: Row): Score["cost"] {
  return {
    usd: number(cost.cost_usd),
    coverage: number(cost.cost_coverage),
    basis: (cost.cost_basis as string[] | undefined) ?? [],
    per_1000_rows_usd: number(cost.cost_per_1000_rows_usd),
    per_correct_usd: number(cost.cost_per_correct_usd),
  };
}

function latencyOf(latency: Row): Score["latency_ms"] {
  return {
    p50: number(latency.p50_ms),
    p95: number(latency.p95_ms),
    p99: number(latency.p99_ms),
    mean: number(latency.mean_ms),
    sum: number(latency.sum_ms),
  };
}

function tokensOf(tokens: Row): Score["tokens"] {
  return {
    input: number(tokens.input_tokens),
    output: number(tokens.output_tokens),
    cached_input: number(tokens.cached_input_tokens),
    reasoning_output: number(tokens.reasoning_output_tokens),
    coverage: number(tokens.token_coverage),
  };
}

function attemptsOf(attempts: Row): Score["attempts"] {
  return {
    attempts: number(attempts.attempts) ?? 0,
    retries: number(attempts.retries) ?? 0,
    attempt_errors: number(attempts.attempt_errors) ?? 0,
    incomplete_attempts: number(attempts.incomplete_attempts) ?? 0,
  };
}

function taskGroup(row: Row): TaskAccuracy {
  return {
    ...group(row),
    category: row.category as string,
    labels: number(row.labels) ?? 0,
    macro_f1: number(row.macro_f1),
  };
}

function number(value: Writable | undefined): number | null {
  return typeof value === "number" ? value : null;
}

function pair(low: Writable | undefined, high: Writable | undefined): readonly [number, number] | null {
  return typeof low === "number" && typeof high === "number" ? [low, high] : null;
}

function group(row: Row): GroupAccuracy {
  const id = row.id as string | number;
  return row.name === undefined
    ? { id, ...accuracy(row) }
    : { id, name: row.name as string | null, ...accuracy(row) };
}

function accuracy(row: Row): Accuracy {
  return {
    rows: number(row.rows) ?? 0,
    correct: number(row.correct) ?? 0,
    accuracy: number(row.accuracy),
    wilson95: pair(row.wilson_low, row.wilson_high),
    errors: number(row.errors) ?? 0,
  };
}
