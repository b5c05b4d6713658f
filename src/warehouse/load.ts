// Fills the tables of the schema `ledger` from a workspace, once, when the first query needs them.
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { stringifyJson, type Writable } from "../answers/json.ts";
import { makeWellFormed } from "../answers/text.ts";
import { InterruptedError, UserError } from "../errors.ts";
import { readBatches, readLedger } from "../ledgers/reader.ts";
import type { Workspace } from "../workspace.ts";
import { isObject, type LedgerFile, type RunFolder, readRunFolder, runIds } from "./folders.ts";
import { isPublishedId } from "./published.ts";
import {
  type LedgerSet,
  MAX_OBJECT_BYTES,
  objectBytesFor,
  readFinished,
  readResultAttemptIds,
  readResultAttempts,
  readResults,
  readStarted,
  SOURCE_TABLES,
  type SourceTable,
} from "./sources.ts";

export interface LoadOptions {
  /** Only these: folder names of local runs, `<suite>/<model-id>` of published results. */
  readonly runs?: readonly string[] | undefined;
  readonly analysisVersion: string;
  /** Leaves out the long texts, on which no figure stands. */
  readonly figuresOnly?: boolean | undefined;
  /** Keeps DuckDB to little memory from here on: at least so many MB. */
  readonly frugalMegabytes?: number | undefined;
  /** Told what was left out and where: unfinished lines, damaged lines, folders that are no runs. */
  readonly notify: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Reads `runs/` into `ledger.runs`, `ledger.results` and `ledger.attempts`. */
export async function loadRuns(
  connection: DuckDBConnection,
  workspace: Workspace,
  options: LoadOptions,
): Promise<void> {
  const ids = options.runs?.filter((id) => !isPublishedId(id)) ?? runIds(workspace);
  const folders = readFolders<RunFolder>(ids, (id) => readRunFolder(workspace, id), "run", options);
  if (options.frugalMegabytes !== undefined) await limitMemory(connection, folders, options.frugalMegabytes);
  // A run that goes on may grow by a longer line before it is read.
  const growing = ({ record }: RunFolder): boolean => record.status === "running";
  const results = await readable(
    folders.map((folder) => ({ id: folder.id, file: folder.results, growing: growing(folder) })),
  );
  const attempts = await readable(
    folders.map((folder) => ({ id: folder.id, file: folder.attempts, growing: growing(folder) })),
  );
  let goodAttempts: ReadonlyMap<string, number> = new Map();
  try {
    const left = leftOut(options);
    for (const set of results.sets) await insertQuery(connection, "results", readResults(set), left.results);
    for (const set of attempts.sets) {
      await insertQuery(connection, "attempts", readFinished(set), left.attempts);
    }
    goodAttempts = await counts(connection, "ledger.attempts");
    // What the other ledger or a start says of a finished attempt is nothing new: only what is missing is added, so that
    // a large run is not held twice. The views would give the same without this. Most often nothing is missing, and
    // finding that out costs less than reading everything.
    for (const set of results.sets) {
      const { missing } = await known(connection, readResultAttemptIds(set));
      if (missing > 0) await insertMissing(connection, readResultAttempts(set));
    }
    for (const set of attempts.sets) {
      const { counted, missing } = await known(connection, readStarted(set));
      goodAttempts = added(goodAttempts, counted);
      if (missing > 0) await insertMissing(connection, readStarted(set));
    }
  } finally {
    results.clean();
    attempts.clean();
  }
  const goodResults = await counts(connection, "ledger.results");
  await insert(
    connection,
    "runs",
    folders.map((folder) => {
      const damaged =
        damage("runs", folder.id, folder.results, goodResults, options.notify) +
        damage("runs", folder.id, folder.attempts, goodAttempts, options.notify);
      return wellFormed(runRow(folder, damaged, options.analysisVersion));
    }),
  );
}

/** Columns of the ledgers' tables that are not read: those on which no figure stands, which are most of a ledger. */
export function leftOut({ figuresOnly }: LoadOptions): Readonly<Record<"results" | "attempts", string[]>> {
  if (figuresOnly !== true) return { results: [], attempts: [] };
  return {
    results: ["error", "output_text", "probability_source"],
    attempts: ["error", "started_at", "duration_ms", "queued_ms", "http_status", "resolved_model"],
  };
}

/**
 * Lets DuckDB keep on disk what does not fit, for a command that reads everything once: on two threads a run of a million
 * rows is scored in less than 1 GB, and a longer one in proportion. Every thread beyond these needs room of its own, and so
 * do long lines.
 */
async function limitMemory(
  connection: DuckDBConnection,
  folders: readonly RunFolder[],
  least: number,
): Promise<void> {
  const reader = await connection.runAndReadAll("SELECT current_setting('threads')::BIGINT");
  const threads = Number(reader.getRows()[0]?.[0]);
  const files = folders.flatMap(({ results, attempts }) => [results, attempts]);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const longest = Math.max(0, ...files.map((file) => file.longestBytes));
  const running = folders.some(({ record }) => record.status === "running");
  const line = objectBytesFor(running ? MAX_OBJECT_BYTES : longest) / MIB;
  const megabytes =
    Math.max(least, Math.ceil(bytes / 5e6)) +
    Math.max(0, threads - 2) * 100 +
    (line > 1 ? threads * line * 4 : 0);
  await connection.run(`SET memory_limit = '${megabytes}MB'`);
}

const MIB = 1024 * 1024;

/** How many of these events each run has, and of how many in all no finished attempt is there. */
async function known(
  connection: DuckDBConnection,
  events: string,
): Promise<{ readonly counted: ReadonlyMap<string, number>; readonly missing: number }> {
  const reader = await connection.runAndReadAll(`
    SELECT e.run_id, count(*), count(*) FILTER (WHERE f.attempt_id IS NULL)
    FROM (${events}) AS e
    LEFT JOIN (SELECT DISTINCT run_id, attempt_id FROM ledger.attempts WHERE finished) AS f
      ON f.run_id = e.run_id AND f.attempt_id = e.attempt_id
    GROUP BY e.run_id`);
  const rows = reader.getRows();
  return {
    counted: new Map(rows.map(([run, count]) => [String(run), Number(count)])),
    missing: rows.reduce((sum, [, , count]) => sum + Number(count), 0),
  };
}

async function insertMissing(connection: DuckDBConnection, events: string): Promise<void> {
  await connection.run(
    `INSERT INTO ledger.attempts BY NAME SELECT * FROM (${events}) AS e WHERE NOT EXISTS (
       SELECT f.attempt_id FROM ledger.attempts AS f
       WHERE f.finished AND f.run_id = e.run_id AND f.attempt_id = e.attempt_id
     )`,
  );
}

/** The folders that are what they should be. Of the others the first ends it if they were asked for by name. */
export function readFolders<Folder extends object>(
  ids: readonly string[],
  read: (id: string) => Folder | string,
  kind: string,
  options: LoadOptions,
): Folder[] {
  const folders: Folder[] = [];
  for (const id of ids) {
    if (options.signal?.aborted) throw new InterruptedError("interrupted");
    const folder = read(id);
    if (typeof folder !== "string") folders.push(folder);
    else if (options.runs !== undefined) throw new UserError(folder);
    else options.notify(`${folder}; the folder is not counted as a ${kind}`);
  }
  return folders;
}

/** Half a surrogate pair in one run's label would end the reading of all. */
function wellFormed(row: Readonly<Record<string, Writable>>): Record<string, Writable> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" ? makeWellFormed(value) : value,
    ]),
  );
}

function runRow(folder: RunFolder, damagedLines: number, analysisVersion: string): Record<string, Writable> {
  const { record } = folder;
  const last = record.executions.at(-1);
  return {
    run_id: folder.id,
    source: "local",
    source_run_id: record.id,
    model_id: record.config.model_id,
    label: record.model.label,
    vendor: record.model.vendor,
    provider: record.config.provider,
    api_model: record.config.api_model,
    suite: record.config.suite,
    corpus_version: record.config.corpus_version,
    corpus_sha256: record.config.corpus_sha256,
    prompt_version: record.config.prompt_version,
    prompt_sha256: record.config.prompt_sha256,
    status: record.status,
    rows_in_corpus: null,
    rows_selected: record.config.selected_rows.count,
    damaged_lines: damagedLines,
    created_at: record.created_at,
    completed_at: record.completed_at,
    published_at: null,
    git_commit: last?.git_commit ?? null,
    git_dirty: last?.git_dirty ?? null,
    harness_version: record.harness.version,
    analysis_version: analysisVersion,
  };
}

/** Says what was left out of a ledger and gives the number of its damaged lines. */
export function damage(
  place: "runs" | "results",
  run: string,
  file: LedgerFile,
  good: ReadonlyMap<string, number>,
  notify: (message: string) => void,
): number {
  const name = `${place}/${run}/${file.path.slice(file.path.lastIndexOf("/") + 1)}`;
  if (file.tornBytes > 0) notify(`${name}: the last line is unfinished and was skipped`);
  // A run in progress may have grown since its lines were counted.
  const damaged = Math.max(0, file.lines - (good.get(run) ?? 0));
  if (damaged > 0) {
    notify(`${name}: ${damaged} damaged ${damaged === 1 ? "line was" : "lines were"} left out`);
  }
  return damaged;
}

export interface ReadableFiles {
  readonly sets: readonly LedgerSet[];
  readonly clean: () => void;
}

/**
 * Paths that DuckDB can read, by the room that their lines need: of the few files that it cannot read, copies of those
 * of their whole lines that may be records.
 *
 * @param accept lines that may be records; files are looked through for others when it asks for more than an object.
 */
export async function readable(
  ledgers: readonly { readonly id: string; readonly file: LedgerFile; readonly growing?: boolean }[],
  accept: (line: string) => boolean = isObject,
): Promise<ReadableFiles> {
  let copies: string | null = null;
  const clean = (): void => {
    if (copies !== null) rmSync(copies, { recursive: true, force: true });
  };
  const sets = new Map<number, string[]>();
  const add = (path: string, longest: number): void => {
    const objectBytes = objectBytesFor(longest);
    sets.set(objectBytes, [...(sets.get(objectBytes) ?? []), path.replaceAll("\\", "/")]);
  };
  try {
    for (const { id, file, growing } of ledgers) {
      if (file.lines === 0) continue;
      const longest = growing === true ? MAX_OBJECT_BYTES : file.longestBytes;
      if (file.readable && (accept === isObject || (await every(file.path, accept)))) {
        add(file.path, longest);
        continue;
      }
      copies ??= mkdtempSync(join(tmpdir(), "decision-bench-"));
      // The run is known by the names of the folders around the file.
      mkdirSync(join(copies, id), { recursive: true });
      const copy = join(copies, id, "copy.jsonl");
      await pipeline(wholeLines(file.path, accept), createWriteStream(copy));
      add(copy, longest);
    }
  } catch (error) {
    clean();
    throw error;
  }
  return { sets: Array.from(sets, ([objectBytes, files]) => ({ objectBytes, files })), clean };
}

async function every(path: string, accept: (line: string) => boolean): Promise<boolean> {
  let all = true;
  for await (const batch of readBatches(path)) {
    for (const { text, problem } of batch) all &&= problem === null && accept(text);
  }
  return all;
}

async function* wholeLines(path: string, accept: (line: string) => boolean): AsyncGenerator<string> {
  for await (const { text, problem } of readLedger(path)) {
    if (problem === null && accept(text)) yield `${text}\n`;
  }
}

/** How many rows each run has in a table or query. */
export async function counts(connection: DuckDBConnection, from: string): Promise<Map<string, number>> {
  const reader = await connection.runAndReadAll(`SELECT run_id, count(*) FROM ${from} GROUP BY run_id`);
  return new Map(reader.getRows().map(([run, count]) => [String(run), Number(count)]));
}

function added(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  const sum = new Map(a);
  for (const [run, count] of b) sum.set(run, (sum.get(run) ?? 0) + count);
  return sum;
}

/** Inserts what a query gives that has the columns of the table, and perhaps others; those of `without` stay NULL. */
export async function insertQuery(
  connection: DuckDBConnection,
  table: SourceTable,
  query: string,
  without: readonly string[] = [],
): Promise<void> {
  const columns = Object.keys(SOURCE_TABLES[table])
    .filter((column) => !without.includes(column))
    .join(", ");
  await connection.run(`INSERT INTO ledger.${table} (${columns}) SELECT ${columns} FROM (${query})`);
}

/** Inserts plain rows, which name every column of the table, in order. */
export async function insert(
  connection: DuckDBConnection,
  table: SourceTable,
  rows: readonly Readonly<Record<string, Writable>>[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.entries(SOURCE_TABLES[table]);
  // Times come as text, in any form that DuckDB reads; one that it does not read is unknown.
  const shape = stringifyJson([
    Object.fromEntries(columns.map(([name, type]) => [name, type === "TIMESTAMPTZ" ? "VARCHAR" : type])),
  ]);
  const values = columns.map(([name, type]) =>
    type === "TIMESTAMPTZ" ? `try_cast(r.${name} AS TIMESTAMPTZ)` : `r.${name}`,
  );
  await connection.run(
    `INSERT INTO ledger.${table} SELECT ${values.join(", ")} FROM (SELECT unnest(from_json($1::JSON, $2)) AS r)`,
    [stringifyJson(rows), shape],
  );
}
