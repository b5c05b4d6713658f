// The shape of every figure of a run, under the names of scores.json.

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

/** Means of {@link Calibration}. */
export const MEANS = [
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
  /** A few points of the curve: everything accepted, then the highest thresholds that accept some shares of the rows. */
  readonly risk_coverage: readonly RiskPoint[];
};

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
