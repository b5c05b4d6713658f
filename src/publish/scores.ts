// scores.json: the figures of a published result, under the names that the older Python tool gave them. What that tool does not
// have stands in `extensions`.
import { scoresOf as figuresOf, materialiseScored } from "../warehouse/score.ts";
import type { Accuracy, GroupAccuracy, Score } from "../warehouse/score-document.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

type Interval = readonly [number, number] | null;

/** A share of rows. */
export interface Share {
  readonly rows: number;
  readonly correct: number;
  readonly accuracy: number | null;
  readonly wilson95: Interval;
}

/** The same for one group. */
export interface GroupShare extends Share {
  readonly id: string;
  readonly name: string | null;
}

/** The document `scores.json`. Unknown is null. */
export interface Scores {
  readonly schema_version: 1;
  readonly suite: string;
  readonly model_id: string;
  readonly corpus_sha256: string;
  readonly overall: Share & {
    readonly errors: number;
    readonly macro_category_accuracy: number | null;
    readonly macro_task_f1: number | null;
  };
  readonly by_category: readonly GroupShare[];
  readonly by_task: readonly (GroupShare & { readonly category: string })[];
  readonly by_source_kind: readonly GroupShare[];
  readonly calibration: {
    readonly brier: number | null;
    readonly log_loss: number | null;
    readonly ece: number | null;
    readonly high_confidence_errors: number;
  };
  readonly cost: {
    readonly usd: number | null;
    readonly coverage: number | null;
    readonly basis: readonly string[];
    readonly per_1000_rows_usd: number | null;
  };
  readonly latency_ms: Readonly<Record<"p50" | "p95" | "p99" | "mean", number | null>>;
  readonly tokens: Score["tokens"];
  readonly attempts: Score["attempts"];
  readonly extensions: {
    readonly jackknife_se: number | null;
    readonly jackknife95: Interval;
    readonly answered: number;
    readonly accuracy_answered: number | null;
    readonly calibration: {
      readonly valid_rows: number;
      readonly adaptive_ece: number | null;
      readonly murphy_reliability: number | null;
      readonly murphy_resolution: number | null;
      readonly murphy_uncertainty: number | null;
      readonly aurc: number | null;
      readonly argmax_disagreements: number;
    };
  };
}

/** `totals` of `metadata.json`: the figures that a list of results shows. */
export interface Totals {
  readonly correct: number;
  readonly accuracy: number | null;
  readonly wilson95: Interval;
  readonly errors: number;
  readonly cost_usd: number | null;
  readonly cost_coverage: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly latency_p50_ms: number | null;
}

/**
 * The scores of published results, by `run_id`; those that the warehouse does not hold are left out. Computes `answers` once
 * for all of them: what reads other columns of it fails from then on.
 */
export async function scoresOf(
  warehouse: Warehouse,
  runs: readonly string[],
): Promise<ReadonlyMap<string, Scores>> {
  await materialiseScored(warehouse);
  const figures = await figuresOf(warehouse, runs);
  return new Map(Array.from(figures, ([run, score]) => [run, scoresFrom(score)]));
}

/** Those of the figures that `metadata.json` repeats. */
export function totalsOf(scores: Scores): Totals {
  const { overall, cost, tokens, latency_ms: latency } = scores;
  return {
    correct: overall.correct,
    accuracy: overall.accuracy,
    wilson95: overall.wilson95,
    errors: overall.errors,
    cost_usd: cost.usd,
    cost_coverage: cost.coverage,
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    latency_p50_ms: latency.p50,
  };
}

function scoresFrom(score: Score): Scores {
  const { overall, calibration, cost, latency_ms: latency } = score;
  return {
    schema_version: 1,
    suite: score.suite,
    model_id: score.model_id,
    corpus_sha256: score.corpus_sha256,
    overall: {
      ...shareOf(overall),
      errors: overall.errors,
      macro_category_accuracy: overall.macro_category_accuracy,
      macro_task_f1: overall.macro_task_f1,
    },
    by_category: score.by_category.map(groupOf),
    by_task: score.by_task.map((task) => ({ ...groupOf(task), category: task.category })),
    by_source_kind: score.by_source_kind.map(groupOf),
    calibration: {
      brier: calibration.brier,
      log_loss: calibration.log_loss,
      ece: calibration.ece,
      high_confidence_errors: calibration.high_confidence_errors,
    },
    cost: {
      usd: cost.usd,
      coverage: cost.coverage,
      basis: cost.basis,
      per_1000_rows_usd: cost.per_1000_rows_usd,
    },
    latency_ms: { p50: latency.p50, p95: latency.p95, p99: latency.p99, mean: latency.mean },
    tokens: score.tokens,
    attempts: score.attempts,
    extensions: {
      jackknife_se: overall.jackknife_se,
      jackknife95: overall.jackknife95,
      answered: overall.answered,
      accuracy_answered: overall.accuracy_answered,
      calibration: {
        valid_rows: calibration.valid_rows,
        adaptive_ece: calibration.adaptive_ece,
        murphy_reliability: calibration.murphy_reliability,
        murphy_resolution: calibration.murphy_resolution,
        murphy_uncertainty: calibration.murphy_uncertainty,
        aurc: calibration.aurc,
        argmax_disagreements: calibration.argmax_disagreements,
      },
    },
  };
}

function shareOf({ rows, correct, accuracy, wilson95 }: Accuracy): Share {
  return { rows, correct, accuracy, wilson95 };
}

function groupOf(group: GroupAccuracy): GroupShare {
  const id = String(group.id);
  // Kinds of source have no name of their own.
  return { id, name: group.name === undefined ? id : group.name, ...shareOf(group) };
}
