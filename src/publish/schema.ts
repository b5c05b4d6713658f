// The files of a published result, field by field. The warehouse asks for less (src/ledgers/published.ts): what lies in
// results/ is read if figures can stand on it; whether it is as it should be is said here.
import { z } from "zod";
import { suiteSchema } from "../corpus/schema.ts";
import { costBasisSchema, RUN_STATUSES } from "../ledgers/schema.ts";
import { MAX_CALL_COST_USD } from "../models/prices.ts";
import { colorSchema, modelIdSchema } from "../models/schema.ts";

const count = z.number().int().nonnegative();
const atLeastOne = z.number().int().min(1);
const amount = z.number().nonnegative();
/** A share that was computed may be an ulp above 1. */
const share = z
  .number()
  .min(0)
  .max(1 + 1e-9, "expected a share from 0 to 1");
const digest = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 hex digits in lower case");
const text = z.string().min(1, "expected a text, not empty");
/** ISO 8601 with a time zone: `2026-09-23T13:00:00+00:00`, `2026-09-23T13:00:00.000Z`. */
const time = z.iso.datetime({ offset: true, error: "expected a time like 2026-09-23T13:00:00Z" });
/** What no call takes or costs: a sum over such figures would mean nothing. */
const milliseconds = amount.max(1e12, "expected a time in ms that a call can take");
const usd = amount.max(MAX_CALL_COST_USD, "expected an amount in USD that a call can cost");
const interval = z.tuple([share, share]).nullable();
const anyObject = z.looseObject({});

const commit = z.string().regex(/^[0-9a-f]{40,64}$/, "expected the hex digits of a commit");
const cliVersion = z.string().regex(/^\d+(?:\.\d+)+[\w.+-]{0,40}$/, "expected a version like 2.1.332");
const pricesSchema = z.looseObject({
  input_per_mtok: amount.nullish(),
  output_per_mtok: amount.nullish(),
  cached_input_per_mtok: amount.nullish(),
  source_url: z.string().nullish(),
  as_of: z.string().nullish(),
});

/** `metadata.json`. */
export const metadataFileSchema = z.looseObject({
  schema_version: z.literal(1, "expected 1"),
  suite: suiteSchema,
  model: z.looseObject({
    id: modelIdSchema,
    label: z.string().nullish(),
    short_label: z.string().nullish(),
    vendor: z.string().nullish(),
    provider: text,
    color: colorSchema.nullish(),
    api_model: text,
    resolved_models: z.array(z.string()),
  }),
  request: anyObject.nullable(),
  pricing: pricesSchema.nullable(),
  prompt_version: text,
  prompt_sha256: digest.nullish(),
  corpus: z.looseObject({ version: text, sha256: digest, current: z.boolean() }),
  harness: z.looseObject({
    version: text,
    git_commit: commit.nullable(),
    git_dirty: z.boolean().nullable(),
    git_commits: z.array(commit.nullable()),
  }),
  run: z.looseObject({
    run_id: text,
    status: z.enum(RUN_STATUSES),
    created_at: time,
    completed_at: time.nullable(),
    published_at: time,
    executions: atLeastOne,
    cli_versions: z.array(cliVersion).min(1, "expected a version, or no such field").nullish(),
    jobs: atLeastOne.nullable(),
    timeout_seconds: z.number().positive().nullable(),
    max_attempts: atLeastOne.nullable(),
    endpoint_id: z
      .string()
      .regex(/^endpoint-[0-9a-f]{12}$/, "expected endpoint- and 12 hex digits")
      .nullable(),
    platform: anyObject.nullable(),
  }),
  coverage: z.looseObject({
    rows_in_corpus: count,
    rows_selected: count,
    rows_completed: count,
    rows_ok: count,
    rows_error: count,
    full: z.boolean(),
  }),
  totals: z.looseObject({
    correct: count,
    accuracy: share.nullable(),
    wilson95: interval,
    errors: count,
    cost_usd: amount.nullable(),
    cost_coverage: share.nullable(),
    input_tokens: count.nullable(),
    output_tokens: count.nullable(),
    latency_p50_ms: amount.nullable(),
  }),
  published_with_warnings: z.array(text).nullish(),
  analysis_version: text.nullish(),
});
export type MetadataFile = z.infer<typeof metadataFileSchema>;

const tokensSchema = z.looseObject({
  input: count.nullable(),
  output: count.nullable(),
  cached_input: count.nullable(),
  reasoning_output: count.nullable(),
});

const attemptSchema = z.looseObject({
  status: text,
  error: z.string().nullable(),
  duration_ms: milliseconds.nullable(),
  cost_usd: usd.nullable(),
  cost_basis: costBasisSchema,
  tokens: tokensSchema,
});

/** One line of `predictions.jsonl`. */
export const predictionFileSchema = z.looseObject({
  row_id: text,
  task: z.string(),
  category: z.string(),
  status: text,
  answer: z.string().nullable(),
  gold: z.string(),
  correct: z.boolean(),
  confidence: z.number().nullable(),
  // Labels may be any text, `__proto__` too, which z.record would drop.
  probabilities: z
    .custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      "expected an object of label and probability",
    )
    .nullable(),
  probability_source: z.enum(["verbalized", "native", "baseline", "label-only"]).nullish(),
  images_sent: count.nullish(),
  output_text: z.string().nullish(),
  output_truncated: z.boolean().nullish(),
  error: z.string().nullable(),
  latency_ms: milliseconds.nullable(),
  tokens: tokensSchema,
  cost_usd: usd.nullable(),
  cost_basis: z.array(costBasisSchema),
  attempts: z.array(attemptSchema),
});
export type PredictionLine = z.infer<typeof predictionFileSchema>;

const figures = { rows: count, correct: count, accuracy: share.nullable(), wilson95: interval };
const groups = (more: z.ZodRawShape = {}) =>
  z.array(z.looseObject({ id: z.string(), name: z.string().nullable(), ...figures, ...more }));

/** `scores.json`: what may stand there. Whether it is right is known when it is computed again. */
export const scoresFileSchema = z.looseObject({
  schema_version: z.literal(1, "expected 1"),
  suite: text,
  model_id: text,
  corpus_sha256: digest,
  overall: z.looseObject({
    ...figures,
    errors: count,
    macro_category_accuracy: share.nullable(),
    macro_task_f1: share.nullable(),
  }),
  by_category: groups(),
  by_task: groups({ category: z.string() }),
  by_source_kind: groups(),
  calibration: z.looseObject({
    brier: amount.nullable(),
    log_loss: amount.nullable(),
    ece: amount.nullable(),
    high_confidence_errors: count,
  }),
  cost: z.looseObject({
    usd: amount.nullable(),
    coverage: share.nullable(),
    basis: z.array(z.string()),
    per_1000_rows_usd: amount.nullable(),
  }),
  latency_ms: z.looseObject({
    p50: amount.nullable(),
    p95: amount.nullable(),
    p99: amount.nullable(),
    mean: amount.nullable(),
  }),
  tokens: z.looseObject({ ...tokensSchema.shape, coverage: share.nullable() }),
  attempts: z.looseObject({
    attempts: count,
    retries: count,
    attempt_errors: count,
    incomplete_attempts: count,
  }),
  extensions: z
    .looseObject({
      jackknife95: interval,
      accuracy_answered: share.nullable(),
      calibration: z.looseObject({ valid_rows: count }),
    })
    .optional(),
});
export type ScoresFile = z.infer<typeof scoresFileSchema>;
