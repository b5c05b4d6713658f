// How the predictions of published results are read into `ledger.results` and `ledger.attempts`. What a line must be is
// said once more by `predictionSchema` in `src/ledgers/published.ts`; a test holds both to the same lines.
import { SUM_TOLERANCE } from "../ledgers/published.ts";
import { type Columns, isFlag, type LedgerSet, number, readJson, text } from "./sources.ts";

const ATTEMPT =
  "STRUCT(status JSON, error JSON, duration_ms JSON, cost_usd JSON, cost_basis JSON, tokens JSON)";

const FIELDS: Columns = {
  row_id: "JSON",
  task: "JSON",
  category: "JSON",
  status: "JSON",
  answer: "JSON",
  gold: "JSON",
  correct: "JSON",
  probabilities: "JSON",
  probability_source: "JSON",
  images_sent: "JSON",
  output_text: "JSON",
  error: "JSON",
  latency_ms: "JSON",
  attempts: `${ATTEMPT}[]`,
};

const TOKENS = ["input", "output", "cached_input", "reasoning_output"];

/** Whether a field is there as a value that `read` understands, or says nothing. */
const orNull = (field: string, read: (field: string) => string): string =>
  `(${field} IS NULL OR ${read(field)} IS NOT NULL)`;
// DuckDB also reads NaN, and takes 1e999 for infinity; neither is between these.
const amount = (field: string): string =>
  `CASE WHEN ${number(field)} BETWEEN 0 AND ${Number.MAX_VALUE} THEN ${number(field)} END`;
// Another program may write 7 as 7.0.
const whole = (field: string): string =>
  `CASE WHEN ${number(field)} BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} AND ${number(field)} = floor(${number(field)}) THEN ${number(field)}::BIGINT END`;
const object = (field: string): string => `CASE WHEN starts_with(${field}::VARCHAR, '{') THEN ${field} END`;

/**
 * The expression of a map from label to share, NULL when the object holds anything else or a label twice, or when the
 * shares do not add up to 1: what is published was normalised.
 */
const shares = (field: string): string => {
  const entries = `try_cast(${object(field)} AS MAP(VARCHAR, JSON))`;
  const share = number("v");
  return (
    `CASE WHEN len(list_filter(map_values(${entries}), lambda v: coalesce(${share} BETWEEN 0 AND 1, FALSE))) = ` +
    `len(map_keys(${entries})) AND len(list_distinct(map_keys(${entries}))) = len(map_keys(${entries})) ` +
    `AND abs(list_sum(map_values(try_cast(${field} AS MAP(VARCHAR, DOUBLE)))) - 1) <= ${SUM_TOLERANCE} ` +
    `THEN try_cast(${field} AS MAP(VARCHAR, DOUBLE)) END`
  );
};

function isAttempt(a: string): string {
  // All four are taken out at once and checked by name: an expression inside a lambda is worked out again wherever it
  // stands, and these are the slowest part of reading.
  const counts = `json_extract(${a}.tokens, [${TOKENS.map((name) => `'$.${name}'`).join(", ")}])`;
  const all = [
    `${text(`${a}.status`)} <> ''`,
    orNull(`${a}.error`, text),
    orNull(`${a}.duration_ms`, amount),
    orNull(`${a}.cost_usd`, amount),
    `${text(`${a}.cost_basis`)} IN ('provider_reported', 'price_table_estimate', 'unavailable')`,
    orNull(`${a}.tokens`, object),
    `coalesce(len(list_filter(${counts}, lambda t: NOT ${orNull("nullif(t, 'null'::JSON)", whole)})), 0) = 0`,
  ];
  return `coalesce(${all.join(" AND ")}, FALSE)`;
}

/** A count of tokens as JSON; the JSON null that `->` gives is NULL like every other. */
const known = (a: string, name: string): string => `nullif(${a}.tokens -> '${name}', 'null'::JSON)`;

/**
 * A query over the records of `predictions.jsonl` files below `<suite>/<model-id>/`: the columns of `ledger.results`, and
 * the record's `attempts`. DuckDB reads only the fields that the query around it uses, and those that are checked.
 */
export function readPredictions(ledgers: LedgerSet): string {
  const all = [
    ...["row_id", "status"].map((field) => `${text(field)} <> ''`),
    ...["task", "category", "gold"].map((field) => `${text(field)} IS NOT NULL`),
    isFlag("correct"),
    ...["answer", "probability_source", "output_text", "error"].map((field) => orNull(field, text)),
    orNull("probabilities", shares),
    orNull("images_sent", whole),
    orNull("latency_ms", amount),
    `len(list_filter(attempts, lambda a: NOT ${isAttempt("a")})) = 0`,
  ];
  return `SELECT
  split_part(filename, '/', -3) || '/' || split_part(filename, '/', -2) AS run_id,
  ${text("row_id")} AS row_id,
  ${text("status")} AS status,
  ${text("error")} AS error,
  ${amount("latency_ms")} AS latency_ms,
  ${text("answer")} AS label,
  ${shares("probabilities")} AS probabilities,
  ${text("probability_source")} AS probability_source,
  ${text("gold")} AS gold,
  ${whole("images_sent")} AS images_sent,
  ${text("output_text")} AS output_text,
  ${text("task")} AS task,
  ${text("category")} AS category,
  attempts
FROM ${readJson(ledgers, FIELDS)}
WHERE ${all.join("\n  AND ")}`;
}

/**
 * A query over the attempts inside `predictions`, a table of what {@link readPredictions} gives, with the columns of
 * `ledger.attempts`.
 */
export function attemptsIn(predictions: string): string {
  const status = text("a.status");
  const [input, output, cached, reasoning] = TOKENS.map((name) => whole(known("a", name)));
  // An attempt has no id in a published file: its row and its place make one.
  return `SELECT
  run_id,
  row_id,
  row_id || '#' || number AS attempt_id,
  ${status} <> 'incomplete' AS finished,
  number,
  ${status} AS status,
  ${text("a.error")} AS error,
  NULL AS started_at,
  ${amount("a.duration_ms")} AS duration_ms,
  NULL AS queued_ms,
  NULL AS http_status,
  CASE WHEN ${status} <> 'incomplete' THEN ${amount("a.cost_usd")} END AS cost_usd,
  ${text("a.cost_basis")} AS cost_basis,
  ${input} AS input_tokens,
  ${output} AS output_tokens,
  ${cached} AS cached_input_tokens,
  ${reasoning} AS reasoning_output_tokens,
  NULL AS resolved_model
FROM (
  SELECT run_id, row_id, unnest(attempts) AS a, unnest(range(1, len(attempts) + 1)) AS number
  FROM ${predictions}
)`;
}
