// The files of a published result, results/<suite>/<model-id>/, as this program and the older Python tool write them.
// Only what the figures stand on is required: unknown fields pass, and what says nothing may be missing.
import { z } from "zod";
import { makeWellFormed } from "../answers/text.ts";
import { costBasisSchema } from "./schema.ts";

const count = z.number().int().nonnegative();
// A lone surrogate is valid in JSON and in no other reader's text.
const text = z.string().transform(makeWellFormed);
const nullable = <T extends z.ZodType>(type: T) => type.nullable().default(null);

/** `metadata.json`. */
export const metadataSchema = z.looseObject({
  schema_version: z.literal(1),
  suite: z.string().min(1),
  model: z.looseObject({
    id: z.string().min(1),
    label: nullable(text),
    vendor: nullable(text),
    provider: nullable(text),
    api_model: nullable(text),
  }),
  prompt_version: nullable(text),
  prompt_sha256: nullable(text),
  corpus: z.looseObject({
    version: nullable(text),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, "expected 64 hex digits in lower case"),
  }),
  harness: z
    .looseObject({ version: nullable(text), git_commit: nullable(text), git_dirty: nullable(z.boolean()) })
    .nullish(),
  run: z.looseObject({
    run_id: text.pipe(z.string().min(1)),
    status: text.pipe(z.string().min(1)),
    created_at: nullable(text),
    completed_at: nullable(text),
    published_at: nullable(text),
  }),
  coverage: z.looseObject({ rows_in_corpus: nullable(count), rows_selected: count }),
  analysis_version: nullable(text),
});

/** What a published result says of itself. Its totals are not read: they are computed from the predictions. */
export type PublishedMetadata = z.infer<typeof metadataSchema>;

/** How far published probabilities may be from adding up to 1: they were normalised before they were written. */
export const SUM_TOLERANCE = 1e-6;

const tokensSchema = z.looseObject({
  input: nullable(count),
  output: nullable(count),
  cached_input: nullable(count),
  reasoning_output: nullable(count),
});

const attemptSchema = z.looseObject({
  status: z.string().min(1),
  error: nullable(z.string()),
  duration_ms: nullable(z.number().nonnegative()),
  cost_usd: nullable(z.number().nonnegative()),
  cost_basis: costBasisSchema,
  tokens: nullable(tokensSchema),
});

/**
 * One line of `predictions.jsonl`, as `parseStrictly` gives it. The warehouse holds lines to the same rules in
 * SQL (`src/warehouse/predictions.ts`).
 */
export const predictionSchema = z.looseObject({
  row_id: z.string().min(1),
  task: z.string(),
  category: z.string(),
  status: z.string().min(1),
  answer: nullable(z.string()),
  gold: z.string(),
  correct: z.boolean(),
  // Labels may be any text, `__proto__` too, which z.record would drop.
  probabilities: nullable(
    z.custom<Readonly<Record<string, number>>>(
      (value) =>
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        Object.values(value).every((p) => typeof p === "number" && p >= 0 && p <= 1) &&
        Math.abs(Object.values(value).reduce((sum, p) => sum + p, 0) - 1) <= SUM_TOLERANCE,
      "expected an object of label and probability, adding up to 1",
    ),
  ),
  probability_source: nullable(z.string()),
  images_sent: nullable(count),
  output_text: nullable(z.string()),
  error: nullable(z.string()),
  latency_ms: nullable(z.number().nonnegative()),
  attempts: z.array(attemptSchema),
});
export type Prediction = z.infer<typeof predictionSchema>;

/** Names of the files in a published result. The README is for people: no program reads it. */
export const PUBLISHED_FILES = {
  metadata: "metadata.json",
  predictions: "predictions.jsonl",
  scores: "scores.json",
  readme: "README.md",
} as const;
