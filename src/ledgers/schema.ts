// The records of a local run, as they stand in runs/<run-id>/. The harness writes them; `show`, `publish`, `doctor`
// and `validate` read them; the warehouse reads the same columns with DuckDB.
import { z } from "zod";

// DuckDB takes a whole number of more digits for no count.
const count = z.number().int().nonnegative().max(999_999_999_999_999);
const time = z.string();
const nullable = <T extends z.ZodType>(type: T) => type.nullable().default(null);

export const usageSchema = z.looseObject({
  input_tokens: nullable(count),
  output_tokens: nullable(count),
  cached_input_tokens: nullable(count),
  reasoning_output_tokens: nullable(count),
  cache_creation_input_tokens: nullable(count),
});

/** Token counts of one call; null where the provider said nothing. */
export type Usage = z.infer<typeof usageSchema>;

export const NO_USAGE: Usage = {
  input_tokens: null,
  output_tokens: null,
  cached_input_tokens: null,
  reasoning_output_tokens: null,
  cache_creation_input_tokens: null,
};

export const costBasisSchema = z.enum(["provider_reported", "price_table_estimate", "unavailable"]);
export type CostBasis = z.infer<typeof costBasisSchema>;

export const startedSchema = z.looseObject({
  event: z.literal("started"),
  attempt_id: z.string().min(1),
  run_id: z.string().min(1),
  row_id: z.string().min(1),
  number: count,
  started_at: time,
});

export const finishedSchema = z.looseObject({
  event: z.literal("finished"),
  attempt_id: z.string().min(1),
  run_id: z.string().min(1),
  row_id: z.string().min(1),
  number: count,
  started_at: time,
  ended_at: time,
  status: z.string().min(1),
  error: nullable(z.string()),
  duration_ms: z.number().nonnegative(),
  queued_ms: nullable(z.number().nonnegative()),
  provider_duration_ms: nullable(z.number().nonnegative()),
  usage: usageSchema,
  cost_usd: nullable(z.number()),
  cost_basis: costBasisSchema,
  cost_source: nullable(z.string()),
  resolved_model: nullable(z.string()),
  http_status: nullable(count),
  images_sent: count,
});

/** One line of `attempts.jsonl`. */
export const attemptEventSchema = z.discriminatedUnion("event", [startedSchema, finishedSchema]);
export type StartedEvent = z.infer<typeof startedSchema>;
export type FinishedEvent = z.infer<typeof finishedSchema>;

export const answerRecordSchema = z.looseObject({
  label: nullable(z.string()),
  // Labels may be any text: the entries are checked, the object is kept as it is (z.record would drop "__proto__").
  probabilities: z
    .custom<Readonly<Record<string, number>>>(
      (value) =>
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        Object.values(value).every((p) => typeof p === "number" && p >= 0 && p <= 1),
      "expected an object of label and probability",
    )
    .nullable(),
  raw_probability_sum: nullable(z.number()),
  label_is_argmax: nullable(z.boolean()),
  probability_source: z.enum(["verbalized", "native", "baseline", "label-only"]),
});

/** One line of `results.jsonl`. */
export const resultSchema = z.looseObject({
  run_id: z.string().min(1),
  row_id: z.string().min(1),
  status: z.string().min(1),
  error: nullable(z.string()),
  started_at: time,
  ended_at: time,
  duration_ms: z.number().nonnegative(),
  input_sha256: z.string(),
  answer: nullable(answerRecordSchema),
  gold: z.string(),
  correct: z.boolean(),
  output_text: nullable(z.string()),
  output_wrapper: z.enum(["none", "code_fence"]).nullable().default(null),
  finish_reason: nullable(z.string()),
  images_sent: count,
  attempts: z.array(finishedSchema),
});
export type ResultRecord = z.infer<typeof resultSchema>;

export const selectionSchema = z.looseObject({ row_id: z.string().min(1) });

export const executionSchema = z.looseObject({
  id: z.string(),
  started_at: time,
  ended_at: nullable(time),
  git_commit: nullable(z.string()),
  git_dirty: nullable(z.boolean()),
  jobs: count,
  timeout_s: z.number(),
  max_attempts: count,
  rpm: nullable(z.number()),
  retry_errors: z.boolean(),
  pending_rows: count,
  cli_version: z.string().nullish(),
});
export type Execution = z.infer<typeof executionSchema>;

export const configSchema = z.looseObject({
  suite: z.string(),
  corpus_version: z.string(),
  corpus_sha256: z.string(),
  prompt_version: z.string(),
  prompt_sha256: z.string(),
  model_id: z.string(),
  provider: z.string(),
  api_model: z.string(),
  request: z.looseObject({}),
  endpoint_id: nullable(z.string()),
  selected_rows: z.object({ count, sha256: z.string() }),
});

/** What a resumed run must share with its beginning. */
export type FrozenConfig = z.infer<typeof configSchema>;

export const pricingSchema = z.looseObject({
  input_per_mtok: z.number().nonnegative(),
  output_per_mtok: z.number().nonnegative(),
  cached_input_per_mtok: z.number().nonnegative().nullish(),
  source_url: z.string(),
  as_of: z.string(),
  note: z.string().nullish(),
});

/** USD per million tokens, with where the figures come from. */
export type Pricing = z.infer<typeof pricingSchema>;

export const RUN_STATUSES = ["running", "interrupted", "completed", "completed_with_errors"] as const;

export const runSchema = z.looseObject({
  schema_version: z.literal(1),
  id: z.string().min(1),
  created_at: time,
  completed_at: nullable(time),
  status: z.enum(RUN_STATUSES),
  config: configSchema,
  model: z.looseObject({
    id: z.string(),
    label: nullable(z.string()),
    short_label: nullable(z.string()),
    vendor: nullable(z.string()),
    color: nullable(z.string()),
  }),
  pricing: nullable(pricingSchema),
  harness: z.looseObject({ version: z.string() }),
  platform: z.looseObject({ os: z.string(), node: z.string() }),
  executions: z.array(executionSchema),
});

/** `run.json`. */
export type RunRecord = z.infer<typeof runSchema>;

/** Names of the files in a run folder. */
export const RUN_FILES = {
  run: "run.json",
  selection: "selection.jsonl",
  attempts: "attempts.jsonl",
  results: "results.jsonl",
  raw: "raw",
} as const;
