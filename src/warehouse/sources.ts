// The typed tables under all views, in the schema `ledger`, and how a ledger is read into them. Types are declared,
// never inferred: the shape must not depend on which rows came first. rowid keeps the order of the ledgers.

/** A column's name and DuckDB type. */
export type Columns = Readonly<Record<string, string>>;

/** Columns and types of every table; the views read nothing else. */
export const SOURCE_TABLES = {
  corpus: { sha256: "VARCHAR", suite: "VARCHAR", version: "VARCHAR", row_count: "BIGINT" },
  corpus_rows: {
    row_id: "VARCHAR",
    task: "VARCHAR",
    task_name: "VARCHAR",
    category: "VARCHAR",
    category_name: "VARCHAR",
    source_kind: "VARCHAR",
    dataset: "VARCHAR",
    modality: "VARCHAR",
    title: "VARCHAR",
    gold: "VARCHAR",
    options: "STRUCT(label VARCHAR, description VARCHAR)[]",
    labels: "VARCHAR[]",
  },
  runs: {
    run_id: "VARCHAR",
    source: "VARCHAR",
    source_run_id: "VARCHAR",
    model_id: "VARCHAR",
    label: "VARCHAR",
    vendor: "VARCHAR",
    provider: "VARCHAR",
    api_model: "VARCHAR",
    suite: "VARCHAR",
    corpus_version: "VARCHAR",
    corpus_sha256: "VARCHAR",
    prompt_version: "VARCHAR",
    prompt_sha256: "VARCHAR",
    status: "VARCHAR",
    // What a published result says of its corpus; NULL for a local run.
    rows_in_corpus: "BIGINT",
    rows_selected: "BIGINT",
    damaged_lines: "BIGINT",
    created_at: "TIMESTAMPTZ",
    completed_at: "TIMESTAMPTZ",
    published_at: "TIMESTAMPTZ",
    git_commit: "VARCHAR",
    git_dirty: "BOOLEAN",
    harness_version: "VARCHAR",
    analysis_version: "VARCHAR",
  },
  results: {
    run_id: "VARCHAR",
    row_id: "VARCHAR",
    status: "VARCHAR",
    error: "VARCHAR",
    latency_ms: "DOUBLE",
    label: "VARCHAR",
    probabilities: "MAP(VARCHAR, DOUBLE)",
    probability_source: "VARCHAR",
    gold: "VARCHAR",
    images_sent: "BIGINT",
    output_text: "VARCHAR",
    // What a published result says of its row; NULL for a local run.
    task: "VARCHAR",
    category: "VARCHAR",
  },
  attempts: {
    run_id: "VARCHAR",
    row_id: "VARCHAR",
    attempt_id: "VARCHAR",
    finished: "BOOLEAN",
    number: "BIGINT",
    status: "VARCHAR",
    error: "VARCHAR",
    started_at: "TIMESTAMPTZ",
    duration_ms: "DOUBLE",
    queued_ms: "DOUBLE",
    http_status: "BIGINT",
    cost_usd: "DOUBLE",
    cost_basis: "VARCHAR",
    input_tokens: "BIGINT",
    output_tokens: "BIGINT",
    cached_input_tokens: "BIGINT",
    reasoning_output_tokens: "BIGINT",
    resolved_model: "VARCHAR",
  },
  draws: { slot: "BIGINT", repetition: "BIGINT", u: "DOUBLE" },
} as const satisfies Record<string, Columns>;

export type SourceTable = keyof typeof SOURCE_TABLES;

/** The statements that make every table, empty. */
export function sourceTables(): string {
  const tables = Object.entries(SOURCE_TABLES).map(
    ([name, columns]) =>
      `CREATE TABLE ledger.${name} (${Object.entries(columns)
        .map(([column, type]) => `${column} ${type}`)
        .join(", ")});`,
  );
  return `CREATE SCHEMA ledger;\n${tables.join("\n")}`;
}

// Fields that decide whether a line is a record are read as JSON, since DuckDB would make 2 of 1.5, 7 of "7" and
// true of "yes". The expressions are NULL for a value of another kind.
export const text = (field: string): string =>
  `CASE WHEN starts_with(${field}::VARCHAR, '"') THEN ${field} ->> '$' END`;
export const number = (field: string): string => `try_cast(${field}::VARCHAR AS DOUBLE)`;
export const count = (field: string): string =>
  `CASE WHEN regexp_full_match(${field}::VARCHAR, '[0-9]{1,15}') THEN ${field}::VARCHAR::BIGINT END`;
export const flag = (field: string): string =>
  `CASE ${field}::VARCHAR WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`;

const USAGE =
  "STRUCT(input_tokens BIGINT, output_tokens BIGINT, cached_input_tokens BIGINT, reasoning_output_tokens BIGINT)";
const ATTEMPT =
  "STRUCT(attempt_id VARCHAR, number BIGINT, started_at VARCHAR, status VARCHAR, error VARCHAR, " +
  "duration_ms DOUBLE, queued_ms DOUBLE, http_status BIGINT, cost_usd DOUBLE, cost_basis VARCHAR, " +
  `resolved_model VARCHAR, "usage" ${USAGE})`;
const ANSWER = "STRUCT(label VARCHAR, probabilities MAP(VARCHAR, DOUBLE), probability_source VARCHAR)";

const RESULT_FIELDS: Columns = {
  run_id: "JSON",
  row_id: "JSON",
  status: "JSON",
  error: "VARCHAR",
  started_at: "JSON",
  ended_at: "JSON",
  duration_ms: "JSON",
  input_sha256: "JSON",
  answer: ANSWER,
  gold: "JSON",
  correct: "JSON",
  output_text: "VARCHAR",
  images_sent: "JSON",
  attempts: `${ATTEMPT}[]`,
};

const ATTEMPT_FIELDS: Columns = {
  event: "JSON",
  attempt_id: "JSON",
  run_id: "JSON",
  row_id: "JSON",
  number: "JSON",
  started_at: "JSON",
  ended_at: "JSON",
  status: "JSON",
  error: "VARCHAR",
  duration_ms: "JSON",
  queued_ms: "DOUBLE",
  usage: USAGE,
  cost_usd: "DOUBLE",
  cost_basis: "JSON",
  resolved_model: "VARCHAR",
  http_status: "BIGINT",
  images_sent: "JSON",
};

/**
 * A query over the records of `results.jsonl` files: the columns of `ledger.results`, and the record's `attempts`.
 * DuckDB reads only the fields that the query around it uses.
 */
export function readResults(files: readonly string[]): string {
  const all = [
    ...["run_id", "row_id", "status"].map((field) => `${text(field)} <> ''`),
    ...["started_at", "ended_at", "input_sha256", "gold"].map((field) => `${text(field)} IS NOT NULL`),
    `${number("duration_ms")} >= 0`,
    `${flag("correct")} IS NOT NULL`,
    `${count("images_sent")} IS NOT NULL`,
    "attempts IS NOT NULL",
  ];
  return `SELECT
  split_part(filename, '/', -2) AS run_id,
  ${text("row_id")} AS row_id,
  ${text("status")} AS status,
  error,
  ${number("duration_ms")} AS latency_ms,
  answer.label AS label,
  answer.probabilities AS probabilities,
  answer.probability_source AS probability_source,
  ${text("gold")} AS gold,
  ${count("images_sent")} AS images_sent,
  output_text,
  NULL AS task,
  NULL AS category,
  attempts
FROM ${readJson(files, RESULT_FIELDS)}
WHERE ${all.join(" AND ")}`;
}

/** A query over the events of `attempts.jsonl` files, with the columns of `ledger.attempts`. */
export function readAttempts(files: readonly string[]): string {
  const both = [
    ...["attempt_id", "run_id", "row_id"].map((field) => `${text(field)} <> ''`),
    `${count("number")} IS NOT NULL`,
    `${text("started_at")} IS NOT NULL`,
  ];
  const finished = [
    `${text("ended_at")} IS NOT NULL`,
    `${text("status")} <> ''`,
    `${number("duration_ms")} >= 0`,
    '"usage" IS NOT NULL',
    `${text("cost_basis")} IN ('provider_reported', 'price_table_estimate', 'unavailable')`,
    `${count("images_sent")} IS NOT NULL`,
  ];
  return `SELECT
  split_part(filename, '/', -2) AS run_id,
  ${text("row_id")} AS row_id,
  ${text("attempt_id")} AS attempt_id,
  ${text("event")} = 'finished' AS finished,
  ${count("number")} AS number,
  ${text("status")} AS status,
  error,
  try_cast(${text("started_at")} AS TIMESTAMPTZ) AS started_at,
  ${number("duration_ms")} AS duration_ms,
  queued_ms,
  http_status,
  cost_usd,
  ${text("cost_basis")} AS cost_basis,
  "usage".input_tokens AS input_tokens,
  "usage".output_tokens AS output_tokens,
  "usage".cached_input_tokens AS cached_input_tokens,
  "usage".reasoning_output_tokens AS reasoning_output_tokens,
  resolved_model
FROM ${readJson(files, ATTEMPT_FIELDS)}
WHERE ${both.join(" AND ")}
  AND (${text("event")} = 'started' OR (${text("event")} = 'finished' AND ${finished.join(" AND ")}))`;
}

/** A query over the attempts inside results, with the columns of `ledger.attempts`. */
export function readResultAttempts(files: readonly string[]): string {
  return `SELECT
  run_id,
  row_id,
  a.attempt_id AS attempt_id,
  TRUE AS finished,
  a.number AS number,
  a.status AS status,
  a.error AS error,
  try_cast(a.started_at AS TIMESTAMPTZ) AS started_at,
  a.duration_ms AS duration_ms,
  a.queued_ms AS queued_ms,
  a.http_status AS http_status,
  a.cost_usd AS cost_usd,
  a.cost_basis AS cost_basis,
  a."usage".input_tokens AS input_tokens,
  a."usage".output_tokens AS output_tokens,
  a."usage".cached_input_tokens AS cached_input_tokens,
  a."usage".reasoning_output_tokens AS reasoning_output_tokens,
  a.resolved_model AS resolved_model
FROM (SELECT run_id, row_id, unnest(attempts) AS a FROM (${readResults(files)}))
WHERE a.attempt_id IS NOT NULL`;
}

/** Longest line in bytes that DuckDB accepts: more makes the whole query fail, so such lines are taken out before. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** The lines of JSONL files as a table with these columns and `filename`. */
export function readJson(files: readonly string[], columns: Columns): string {
  const fields = Object.entries(columns).map(([name, type]) => `"${name}": ${literal(type)}`);
  // A broken line becomes a row of NULLs instead of the end of the query; the caller's WHERE drops it.
  return (
    `read_json([${files.map((file) => literal(escapeGlob(file))).join(", ")}], format = 'newline_delimited', ` +
    `columns = {${fields.join(", ")}}, filename = true, ignore_errors = true, ` +
    `maximum_object_size = ${MAX_OBJECT_BYTES})`
  );
}

/** A text as a SQL literal. */
export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** DuckDB takes file names as patterns; a folder may be called `a[1]`. */
function escapeGlob(file: string): string {
  return file.replace(/[*?[]/g, "[$&]");
}
