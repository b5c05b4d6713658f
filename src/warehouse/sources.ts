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
    option_count: "BIGINT",
    gold_position: "BIGINT",
  },
  corpus_texts: {
    row_id: "VARCHAR",
    state: "VARCHAR",
    ask: "VARCHAR",
    instructions: "VARCHAR",
    rationale: "VARCHAR",
    note: "VARCHAR",
    summary: "VARCHAR",
    source: "VARCHAR",
    license: "VARCHAR",
    provenance: "VARCHAR",
    tags: "VARCHAR[]",
    images: "STRUCT(path VARCHAR, media_type VARCHAR, alt VARCHAR)[]",
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
// true of "yes". The expressions are NULL for a value of another kind. They look at the JSON's own text and parse it
// again only where they must (an escape in it): that is most of the time that reading a long ledger takes.
export const isText = (field: string): string => `starts_with(${field}::VARCHAR, '"')`;
const isFilled = (field: string): string => `(${isText(field)} AND ${field}::VARCHAR <> '""')`;
export const text = (field: string): string =>
  `CASE WHEN NOT ${isText(field)} THEN NULL WHEN contains(${field}::VARCHAR, '\\') THEN ${field} ->> '$' ` +
  `ELSE substring(${field}::VARCHAR, 2, length(${field}::VARCHAR) - 2) END`;
export const number = (field: string): string => `try_cast(${field}::VARCHAR AS DOUBLE)`;
// Only a whole number without sign, point and exponent comes back from UBIGINT as it went in.
const isCount = (field: string): string =>
  `(length(${field}::VARCHAR) <= 15 AND try_cast(${field}::VARCHAR AS UBIGINT)::VARCHAR = ${field}::VARCHAR)`;
const count = (field: string): string =>
  `CASE WHEN ${isCount(field)} THEN try_cast(${field}::VARCHAR AS BIGINT) END`;
export const isFlag = (field: string): string => `${field}::VARCHAR IN ('true', 'false')`;
const is = (field: string, value: string): string => `${field}::VARCHAR = '"${value}"'`;

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

/** Files to read, and the longest line that DuckDB has to make room for. */
export interface LedgerSet {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** In bytes; one of {@link OBJECT_BYTES}. */
  readonly objectBytes: number;
}

/** A query over the records of `results.jsonl` files, with the columns of `ledger.results`. */
export function readResults(ledgers: LedgerSet): string {
  // Of the attempts it matters here only that there is a list.
  return results(ledgers, "STRUCT(attempt_id VARCHAR)[]");
}

function results(ledgers: LedgerSet, attempts: string): string {
  const all = [
    ...["run_id", "row_id", "status"].map(isFilled),
    ...["started_at", "ended_at", "input_sha256", "gold"].map(isText),
    `${number("duration_ms")} >= 0`,
    isFlag("correct"),
    isCount("images_sent"),
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
FROM ${readJson(ledgers, { ...RESULT_FIELDS, attempts })}
WHERE ${all.join(" AND ")}`;
}

const EVENT = [...["attempt_id", "run_id", "row_id"].map(isFilled), isCount("number"), isText("started_at")];

/** A query over the finished events of `attempts.jsonl` files, with the columns of `ledger.attempts`. */
export function readFinished(ledgers: LedgerSet): string {
  const all = [
    is("event", "finished"),
    ...EVENT,
    isText("ended_at"),
    isFilled("status"),
    `${number("duration_ms")} >= 0`,
    '"usage" IS NOT NULL',
    `(${["provider_reported", "price_table_estimate", "unavailable"].map((basis) => is("cost_basis", basis)).join(" OR ")})`,
    isCount("images_sent"),
  ];
  return `SELECT
  ${eventColumns(true)},
  ${text("status")} AS status,
  error,
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
FROM ${readJson(ledgers, ATTEMPT_FIELDS)}
WHERE ${all.join(" AND ")}`;
}

/** A query over the started events of `attempts.jsonl` files, with those columns of `ledger.attempts` that they know. */
export function readStarted(ledgers: LedgerSet): string {
  return `SELECT
  ${eventColumns(false)}
FROM ${readJson(ledgers, ATTEMPT_FIELDS)}
WHERE ${[is("event", "started"), ...EVENT].join(" AND ")}`;
}

function eventColumns(finished: boolean): string {
  return `split_part(filename, '/', -2) AS run_id,
  ${text("row_id")} AS row_id,
  ${text("attempt_id")} AS attempt_id,
  ${finished ? "TRUE" : "FALSE"} AS finished,
  ${count("number")} AS number,
  try_cast(${text("started_at")} AS TIMESTAMPTZ) AS started_at`;
}

/** A query over the attempts inside results, with the columns of `ledger.attempts`. */
export function readResultAttempts(ledgers: LedgerSet): string {
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
FROM (SELECT run_id, row_id, unnest(attempts) AS a FROM (${results(ledgers, `${ATTEMPT}[]`)}))
WHERE a.attempt_id IS NOT NULL`;
}

/** A query over the ids of the attempts inside results: `run_id` and `attempt_id`. */
export function readResultAttemptIds(ledgers: LedgerSet): string {
  // Asked for one column alone, DuckDB may take whole lines for its values.
  return `SELECT run_id, a.attempt_id AS attempt_id
FROM (
  SELECT split_part(filename, '/', -2) AS run_id, unnest(attempts) AS a
  FROM ${readJson(ledgers, { row_id: "JSON", attempts: "STRUCT(attempt_id VARCHAR)[]" })}
  WHERE row_id IS NOT NULL
)
WHERE a.attempt_id IS NOT NULL`;
}

/**
 * Longest lines in bytes, the line feed not counted, that DuckDB can be told to make room for; it takes a multiple of that
 * for every thread. A line over the last one makes the whole query fail, so such lines are taken out before.
 */
const OBJECT_BYTES = [1, 8, 64].map((mib) => mib * 1024 * 1024);

/** Longest line in bytes that is read. */
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** The room for lines of at most so many bytes. */
export function objectBytesFor(longest: number): number {
  return OBJECT_BYTES.find((bytes) => longest < bytes) ?? MAX_OBJECT_BYTES;
}

/** The lines of JSONL files as a table with these columns and `filename`. */
export function readJson({ files, objectBytes }: LedgerSet, columns: Columns): string {
  const fields = Object.entries(columns).map(([name, type]) => `"${name}": ${literal(type)}`);
  // A broken line becomes a row of NULLs instead of the end of the query; the caller's WHERE drops it.
  return (
    `read_json([${files.map((file) => literal(escapeGlob(file))).join(", ")}], format = 'newline_delimited', ` +
    `columns = {${fields.join(", ")}}, filename = true, ignore_errors = true, ` +
    `maximum_object_size = ${objectBytes})`
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
