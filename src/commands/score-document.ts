// The document of `bench score`: every figure of one run as the views give it, under the names of scores.json.
import type { Writable } from "../answers/json.ts";
import type { Row, Warehouse } from "../warehouse/warehouse.ts";

/** A share of rows with its interval. */
export interface Accuracy {
  readonly rows: number;
  readonly correct: number;
  /** null without rows. */
  readonly accuracy: number | null;
  readonly wilson95: readonly [number, number] | null;
  readonly errors: number;
}

/** The same for one group; `name` where groups have one. */
export interface GroupAccuracy extends Accuracy {
  readonly id: string | number;
  readonly name?: string | null;
}

/** A task also has its category, and its macro F1 over so many labels. */
export interface TaskAccuracy extends GroupAccuracy {
  readonly category: string;
  readonly labels: number;
  readonly macro_f1: number | null;
}

/** A bin of the reliability curve. */
export interface ReliabilityBin {
  readonly bin: number;
  readonly low: number;
  readonly high: number;
  readonly rows: number;
  readonly mean_confidence: number | null;
  readonly accuracy: number | null;
}

/** A point of the risk/coverage curve. */
export interface RiskPoint {
  readonly threshold: number;
  readonly coverage: number;
  readonly risk: number | null;
  readonly accepted: number;
  readonly errors: number;
}

const MEANS = [
  "brier",
  "log_loss",
  "ece",
  "adaptive_ece",
  "murphy_reliability",
  "murphy_resolution",
  "murphy_uncertainty",
  "aurc",
] as const;

/** Means are null without probabilities. */
export type Calibration = Readonly<Record<(typeof MEANS)[number], number | null>> & {
  readonly valid_rows: number;
  readonly high_confidence_errors: number;
  readonly argmax_disagreements: number;
  /** All ten bins. */
  readonly reliability: readonly ReliabilityBin[];
  /** A few points of the curve: everything accepted, then the highest thresholds that accept {@link COVERAGES}. */
  readonly risk_coverage: readonly RiskPoint[];
};

/** Shares of the rows at which the risk is told. A whole curve has as many points as rows; `risk_coverage` has it. */
const COVERAGES = [0.95, 0.9, 0.8, 0.7, 0.5, 0.25, 0.1];

/** The document of `bench score --json`. Unknown is null. */
export interface Score {
  readonly schema_version: 1;
  readonly run_id: string;
  readonly source: string;
  readonly suite: string;
  readonly model_id: string;
  readonly label: string | null;
  readonly corpus_version: string | null;
  readonly corpus_sha256: string;
  readonly current_corpus: boolean;
  readonly status: string;
  readonly full_coverage: boolean;
  readonly rows_selected: number;
  readonly analysis_version: string;
  readonly overall: Accuracy & {
    readonly answered: number;
    readonly accuracy_answered: number | null;
    /** Null below two tasks, and for a run on another corpus. */
    readonly jackknife_se: number | null;
    readonly jackknife95: readonly [number, number] | null;
    readonly macro_category_accuracy: number | null;
    readonly macro_task_f1: number | null;
  };
  readonly by_category: readonly GroupAccuracy[];
  readonly by_task: readonly TaskAccuracy[];
  readonly by_source_kind: readonly GroupAccuracy[];
  readonly by_modality: readonly GroupAccuracy[];
  readonly by_gold_position: readonly GroupAccuracy[];
  readonly calibration: Calibration;
  readonly cost: {
    readonly usd: number | null;
    readonly coverage: number | null;
    readonly basis: readonly string[];
    readonly per_1000_rows_usd: number | null;
    readonly per_correct_usd: number | null;
  };
  readonly latency_ms: Readonly<Record<"p50" | "p95" | "p99" | "mean" | "sum", number | null>>;
  readonly tokens: Readonly<
    Record<"input" | "output" | "cached_input" | "reasoning_output" | "coverage", number | null>
  >;
  readonly attempts: Readonly<
    Record<"attempts" | "retries" | "attempt_errors" | "incomplete_attempts", number>
  >;
}

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

/** Asks the views for every figure of a run that the warehouse holds. */
export async function scoreOf(warehouse: Warehouse, run: string): Promise<Score> {
  const rows = (sql: string): Promise<Row[]> => warehouse.rows(sql, [run]);
  const one = async (view: string): Promise<Row> =>
    (await rows(`SELECT * FROM ${view} WHERE run_id = $1`))[0] ?? {};
  const groups = async (by: string, name = ""): Promise<GroupAccuracy[]> =>
    (
      await rows(
        `SELECT ${by} AS id, ${name} rows, correct, accuracy, wilson_low, wilson_high, errors ` +
          `FROM accuracy_by_${by} WHERE run_id = $1 ORDER BY id`,
      )
    ).map((row) => group(row));
  const head = await one("runs");
  const overall = await one("accuracy_overall");
  const cost = await one("cost");
  const latency = await one("latency");
  const tokens = await one("tokens");
  const attempts = await one("attempt_totals");
  const macro = await one("macro_averages");
  return {
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
    overall: {
      ...accuracy(overall),
      answered: number(overall.answered) ?? 0,
      accuracy_answered: number(overall.accuracy_answered),
      jackknife_se: number(overall.jackknife_se),
      jackknife95: pair(overall.jackknife_low, overall.jackknife_high),
      macro_category_accuracy: number(macro.macro_category_accuracy),
      macro_task_f1: number(macro.macro_task_f1),
    },
    by_category: await groups("category", "name,"),
    by_task: await tasksOf(warehouse, run),
    by_source_kind: await groups("source_kind"),
    by_modality: await groups("modality"),
    by_gold_position: await groups("gold_position"),
    calibration: await calibrationOf(warehouse, run),
    cost: {
      usd: number(cost.cost_usd),
      coverage: number(cost.cost_coverage),
      basis: (cost.cost_basis as string[] | undefined) ?? [],
      per_1000_rows_usd: number(cost.cost_per_1000_rows_usd),
      per_correct_usd: number(cost.cost_per_correct_usd),
    },
    latency_ms: {
      p50: number(latency.p50_ms),
      p95: number(latency.p95_ms),
      p99: number(latency.p99_ms),
      mean: number(latency.mean_ms),
      sum: number(latency.sum_ms),
    },
    tokens: {
      input: number(tokens.input_tokens),
      output: number(tokens.output_tokens),
      cached_input: number(tokens.cached_input_tokens),
      reasoning_output: number(tokens.reasoning_output_tokens),
      coverage: number(tokens.token_coverage),
    },
    attempts: {
      attempts: number(attempts.attempts) ?? 0,
      retries: number(attempts.retries) ?? 0,
      attempt_errors: number(attempts.attempt_errors) ?? 0,
      incomplete_attempts: number(attempts.incomplete_attempts) ?? 0,
    },
  };
}

async function tasksOf(warehouse: Warehouse, run: string): Promise<TaskAccuracy[]> {
  const rows = await warehouse.rows(
    `SELECT t.task AS id, t.name, t.rows, t.correct, t.accuracy, t.wilson_low, t.wilson_high, t.errors,
       c.category, f.labels, f.macro_f1
     FROM accuracy_by_task AS t
     JOIN (SELECT task, min(category) AS category FROM answers WHERE run_id = $1 GROUP BY task) AS c ON c.task = t.task
     LEFT JOIN task_f1 AS f ON f.run_id = t.run_id AND f.task = t.task
     WHERE t.run_id = $1
     ORDER BY t.task`,
    [run],
  );
  return rows.map((row) => ({
    ...group(row),
    category: row.category as string,
    labels: number(row.labels) ?? 0,
    macro_f1: number(row.macro_f1),
  }));
}

async function calibrationOf(warehouse: Warehouse, run: string): Promise<Calibration> {
  const [found = {}] = await warehouse.rows<Row>("SELECT * FROM calibration WHERE run_id = $1", [run]);
  const reliability = await warehouse.rows(
    "SELECT bin, low, high, rows, mean_confidence, accuracy FROM reliability WHERE run_id = $1 ORDER BY bin",
    [run],
  );
  const curve = await warehouse.rows(
    `WITH curve AS MATERIALIZED (FROM risk_coverage WHERE run_id = $1),
     asked AS (SELECT unnest([${COVERAGES.join(", ")}]::DOUBLE[]) AS share)
     SELECT threshold, coverage, risk, accepted, errors
     FROM curve
     WHERE threshold = 0 OR threshold IN (
       SELECT max(c.threshold) FROM curve AS c JOIN asked AS a ON c.coverage >= a.share GROUP BY a.share
     )
     ORDER BY threshold`,
    [run],
  );
  return {
    valid_rows: number(found.valid_rows) ?? 0,
    ...(Object.fromEntries(MEANS.map((name) => [name, number(found[name])])) as Record<
      (typeof MEANS)[number],
      number | null
    >),
    high_confidence_errors: number(found.high_confidence_errors) ?? 0,
    argmax_disagreements: number(found.argmax_disagreements) ?? 0,
    reliability: reliability as unknown as ReliabilityBin[],
    risk_coverage: curve as unknown as RiskPoint[],
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
