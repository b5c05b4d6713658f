// `evaluation_results` of an aggregate record for Every Eval Ever: an entry for each figure that its schema can say.
import { stringifyJson, type Writable } from "../answers/json.ts";
import { collectionOf } from "./eee-names.ts";
import type { Scores, Share } from "./scores.ts";

/** What every entry of a record repeats. */
export interface Shared {
  readonly source_data: Writable;
  readonly evaluation_timestamp: string | undefined;
  readonly generation_config: Writable;
  /** What the reader of any figure must know, e.g. that only a part of the rows was done. */
  readonly details: Readonly<Record<string, Writable>>;
}

/** Texts only, as the schema wants it: other values become their JSON, unknown ones are left out. */
export function asTexts(entries: Readonly<Record<string, Writable>>): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(entries)) {
    if (value === null || value === undefined) continue;
    texts.set(name, typeof value === "string" ? value : stringifyJson(value));
  }
  return texts;
}

/** The id of the result that every line of the samples file belongs to: the accuracy over all rows. */
export function overallResult(suite: string): { readonly name: string; readonly id: string } {
  const name = collectionOf(suite);
  return { name, id: resultId(name, "accuracy") };
}

function resultId(name: string, metric: string): string {
  return `${name}/${metric}`;
}

interface Metric {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly unit: string;
  readonly lowerIsBetter?: boolean;
  /** No upper end: the schema has the text "Infinity" for it. */
  readonly max: number | "Infinity";
  readonly description: string;
}

const OURS = "decision-bench";
const share = { kind: "accuracy", unit: "proportion", max: 1 };
const ACCURACY: Metric = {
  ...share,
  id: "accuracy",
  name: "Accuracy",
  description: "Right answers / finished rows; a row without a valid answer counts as wrong",
};
const ANSWERED: Metric = {
  ...share,
  id: `${OURS}.accuracy_answered`,
  name: "Accuracy of answered rows",
  description: "Right answers / rows with a valid answer",
};
const MACRO_CATEGORY: Metric = {
  ...share,
  id: `${OURS}.macro_category_accuracy`,
  name: "Macro category accuracy",
  description: "Mean of the accuracies of the categories",
};
const MACRO_F1: Metric = {
  ...share,
  id: `${OURS}.macro_task_f1`,
  name: "Macro task F1",
  kind: "f1",
  description: "Mean over the tasks of the macro F1 of a task",
};
const BRIER: Metric = {
  id: `${OURS}.brier`,
  name: "Brier score",
  kind: "brier",
  unit: "points",
  max: 2,
  lowerIsBetter: true,
  description: "Mean over rows of the sum over the options of (p - [option is right])^2, from 0 to 2",
};
const LOG_LOSS: Metric = {
  id: `${OURS}.log_loss`,
  name: "Log loss",
  kind: "log_loss",
  unit: "nats",
  max: "Infinity",
  lowerIsBetter: true,
  description: "Mean over rows of -ln(p of the right option), p at least 1e-12",
};
const ECE: Metric = {
  id: `${OURS}.ece`,
  name: "Expected calibration error",
  kind: "ece",
  unit: "proportion",
  max: 1,
  lowerIsBetter: true,
  description: "Expected calibration error over ten bins of equal width",
};
const ADAPTIVE_ECE: Metric = {
  ...ECE,
  id: `${OURS}.adaptive_ece`,
  name: "Adaptive expected calibration error",
  description: "Expected calibration error over ten bins with equally many rows",
};
const COST: Metric = {
  id: `${OURS}.cost_per_1000_rows`,
  name: "Cost per 1000 rows",
  kind: "cost",
  unit: "USD",
  max: "Infinity",
  lowerIsBetter: true,
  description: "Sum of the known costs of all calls per 1000 finished rows",
};
const latency = (name: string): Metric => ({
  id: `${OURS}.latency_${name}`,
  name: `Latency ${name}`,
  kind: "latency",
  unit: "ms",
  max: "Infinity",
  lowerIsBetter: true,
  description: `${name.slice(1)} % quantile of the wall clock of a row, retries included`,
});

/** The entries of a result, unknown figures left out: accuracy, the other figures over all rows, categories, tasks. */
export function evaluationResults(scores: Scores, shared: Shared): Writable[] {
  const { overall, calibration, cost, latency_ms: times, extensions, suite } = scores;
  const { name } = overallResult(suite);
  const entries: Writable[] = [];
  const add = (of: string, metric: Metric, score: number | null, more: More = {}): void => {
    if (score !== null) entries.push(entry(of, metric, score, more, shared));
  };
  const { jackknife_se: error, jackknife95 } = extensions;
  add(name, ACCURACY, overall.accuracy, {
    details: {
      ...counted(overall),
      errors: overall.errors,
      answered: extensions.answered,
      level: "overall",
      ...(jackknife95 === null
        ? {}
        : { jackknife_low: jackknife95[0], jackknife_high: jackknife95[1], jackknife_clusters: "tasks" }),
    },
    uncertainty: {
      ...(error === null ? {} : { standard_error: { value: error, method: "jackknife" } }),
      ...wilson(overall),
    },
  });
  const level = { level: "overall" };
  add(name, ANSWERED, extensions.accuracy_answered, { details: { ...level, rows: extensions.answered } });
  add(name, MACRO_CATEGORY, overall.macro_category_accuracy, { details: level });
  add(name, MACRO_F1, overall.macro_task_f1, { details: level });
  const probabilities = { ...level, rows: extensions.calibration.valid_rows };
  add(name, BRIER, calibration.brier, { details: probabilities });
  add(name, LOG_LOSS, calibration.log_loss, { details: probabilities });
  add(name, ECE, calibration.ece, {
    details: { ...probabilities, high_confidence_errors: calibration.high_confidence_errors },
  });
  add(name, ADAPTIVE_ECE, extensions.calibration.adaptive_ece, { details: probabilities });
  add(name, COST, cost.per_1000_rows_usd, {
    details: { ...level, cost_usd: cost.usd, cost_coverage: cost.coverage, cost_basis: cost.basis },
  });
  for (const quantile of ["p50", "p95", "p99"] as const) {
    add(name, latency(quantile), times[quantile], { details: level });
  }
  for (const group of scores.by_category) {
    add(`${name}.category.${group.id}`, ACCURACY, group.accuracy, {
      details: { ...counted(group), level: "category", category: group.id, name: group.name },
      uncertainty: wilson(group),
    });
  }
  for (const group of scores.by_task) {
    add(`${name}.task.${group.id}`, ACCURACY, group.accuracy, {
      details: {
        ...counted(group),
        level: "task",
        task: group.id,
        name: group.name,
        category: group.category,
      },
      uncertainty: wilson(group),
    });
  }
  return entries;
}

interface More {
  readonly details?: Readonly<Record<string, Writable>>;
  readonly uncertainty?: Readonly<Record<string, Writable>>;
}

function entry(
  name: string,
  metric: Metric,
  score: number,
  { details = {}, uncertainty }: More,
  shared: Shared,
): Writable {
  return {
    evaluation_result_id: resultId(name, metric.id.replace(`${OURS}.`, "")),
    evaluation_name: name,
    source_data: shared.source_data,
    evaluation_timestamp: shared.evaluation_timestamp,
    metric_config: {
      evaluation_description: metric.description,
      metric_id: metric.id,
      metric_name: metric.name,
      metric_kind: metric.kind,
      metric_unit: metric.unit,
      lower_is_better: metric.lowerIsBetter === true,
      score_type: "continuous",
      min_score: 0,
      max_score: metric.max,
    },
    score_details: {
      score,
      details: asTexts({ ...details, ...shared.details }),
      uncertainty,
    },
    generation_config: shared.generation_config,
  };
}

function counted({ rows, correct }: Share): { rows: number; correct: number } {
  return { rows, correct };
}

function wilson({ wilson95, rows }: Share): Record<string, Writable> {
  if (wilson95 === null) return { num_samples: rows };
  const [lower, upper] = wilson95;
  return {
    confidence_interval: { lower, upper, confidence_level: 0.95, method: "wilson" },
    num_samples: rows,
  };
}
