// Fills the tables of the schema `ledger` from a workspace, once, when the first query needs them.
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { stringifyJson, type Writable } from "../answers/json.ts";
import type { CorpusFile } from "../corpus/load.ts";
import { InterruptedError, UserError } from "../errors.ts";
import { readLedger } from "../ledgers/reader.ts";
import type { Workspace } from "../workspace.ts";
import { type LedgerFile, type RunFolder, readRunFolder, runIds } from "./folders.ts";
import {
  type LedgerSet,
  MAX_OBJECT_BYTES,
  OBJECT_BYTES,
  readCorpusRows,
  readFinished,
  readResultAttempts,
  readResults,
  readStarted,
  SOURCE_TABLES,
  type SourceTable,
} from "./sources.ts";

export interface LoadOptions {
  /** Only these local runs. */
  readonly runs?: readonly string[] | undefined;
  readonly analysisVersion: string;
  /** Told what was left out and where: unfinished lines, damaged lines, folders that are no runs. */
  readonly notify: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Puts the rows of the active corpus into `ledger.corpus` and `ledger.corpus_rows`, straight from its file. */
export async function loadCorpusRows(connection: DuckDBConnection, corpus: CorpusFile): Promise<void> {
  const { manifest, path, rowCount, longestBytes } = corpus;
  await insert(connection, "corpus", [
    { sha256: corpus.sha256, suite: corpus.suite, version: corpus.version, row_count: rowCount },
  ]);
  await makeNames(connection, "tasks", manifest.tasks);
  await makeNames(connection, "categories", manifest.categories);
  const objectBytes = OBJECT_BYTES.find((bytes) => longestBytes < bytes) ?? MAX_OBJECT_BYTES;
  const files = [path.replaceAll("\\", "/")];
  await insertQuery(connection, "corpus_rows", readCorpusRows({ files, objectBytes }));
  await connection.run("DROP TABLE tasks; DROP TABLE categories");
  const reader = await connection.runAndReadAll("SELECT count(*) FROM ledger.corpus_rows");
  const found = Number(reader.getRows()[0]?.[0]);
  if (found !== rowCount) throw new Error(`${found} of the ${rowCount} rows of the corpus were read`);
}

async function makeNames(
  connection: DuckDBConnection,
  table: "tasks" | "categories",
  entries: ReadonlyMap<string, { readonly name: string }>,
): Promise<void> {
  const names = Array.from(entries, ([id, { name }]) => ({ id, name }));
  await connection.run(
    `CREATE TEMP TABLE ${table} AS SELECT r.id, r.name FROM (SELECT unnest(from_json($1::JSON, $2)) AS r)`,
    [stringifyJson(names), '[{"id":"VARCHAR","name":"VARCHAR"}]'],
  );
}

/** Empties every table, as if nothing had been read. */
export async function unload(connection: DuckDBConnection): Promise<void> {
  const tables = Object.keys(SOURCE_TABLES);
  await connection.run(tables.map((table) => `DELETE FROM ledger.${table}`).join("; "));
}

/** Reads `runs/` into `ledger.runs`, `ledger.results` and `ledger.attempts`. */
export async function loadRuns(
  connection: DuckDBConnection,
  workspace: Workspace,
  options: LoadOptions,
): Promise<void> {
  const folders: RunFolder[] = [];
  for (const id of options.runs ?? runIds(workspace)) {
    if (options.signal?.aborted) throw new InterruptedError("interrupted");
    const folder = readRunFolder(workspace, id);
    if (typeof folder !== "string") folders.push(folder);
    else if (options.runs !== undefined) throw new UserError(folder);
    else options.notify(`${folder}; the folder is not counted as a run`);
  }
  const results = await readable(folders.map((folder) => ({ folder, file: folder.results })));
  const attempts = await readable(folders.map((folder) => ({ folder, file: folder.attempts })));
  let goodAttempts: ReadonlyMap<string, number> = new Map();
  try {
    for (const set of results.sets) await insertQuery(connection, "results", readResults(set));
    for (const set of attempts.sets) await insertQuery(connection, "attempts", readFinished(set));
    goodAttempts = await counts(connection, "ledger.attempts");
    // What the other ledger or a start says of a finished attempt is nothing new: only what is missing is added, so that
    // a large run is not held twice. The views would give the same without this.
    const missing =
      "NOT EXISTS (SELECT f.attempt_id FROM ledger.attempts AS f WHERE f.finished AND f.run_id = e.run_id AND f.attempt_id = e.attempt_id)";
    for (const set of results.sets) {
      await insertQuery(
        connection,
        "attempts",
        `SELECT * FROM (${readResultAttempts(set)}) AS e WHERE ${missing}`,
      );
    }
    for (const set of attempts.sets) {
      await connection.run(`CREATE OR REPLACE TEMP TABLE starts AS ${readStarted(set)}`);
      goodAttempts = added(goodAttempts, await counts(connection, "starts"));
      await connection.run(`INSERT INTO ledger.attempts BY NAME SELECT * FROM starts AS e WHERE ${missing}`);
    }
    await connection.run("DROP TABLE IF EXISTS starts");
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
        damage(folder.id, folder.results, goodResults, options.notify) +
        damage(folder.id, folder.attempts, goodAttempts, options.notify);
      return runRow(folder, damaged, options.analysisVersion);
    }),
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
function damage(
  run: string,
  file: LedgerFile,
  good: ReadonlyMap<string, number>,
  notify: (message: string) => void,
): number {
  const name = `runs/${run}/${file.path.slice(file.path.lastIndexOf("/") + 1)}`;
  if (file.tornBytes > 0) notify(`${name}: the last line is unfinished and was skipped`);
  // A run in progress may have grown since its lines were counted.
  const damaged = Math.max(0, file.lines - (good.get(run) ?? 0));
  if (damaged > 0) {
    notify(`${name}: ${damaged} damaged ${damaged === 1 ? "line was" : "lines were"} left out`);
  }
  return damaged;
}

interface ReadableFiles {
  readonly sets: readonly LedgerSet[];
  readonly clean: () => void;
}

/**
 * Paths that DuckDB can read, by the room that their lines need: of the few files that it cannot read, copies of their
 * whole lines.
 */
async function readable(
  ledgers: readonly { readonly folder: RunFolder; readonly file: LedgerFile }[],
): Promise<ReadableFiles> {
  let copies: string | null = null;
  const clean = (): void => {
    if (copies !== null) rmSync(copies, { recursive: true, force: true });
  };
  const sets = OBJECT_BYTES.map((objectBytes) => ({ objectBytes, files: [] as string[] }));
  const add = (path: string, longest: number): void => {
    const set = sets.find(({ objectBytes }) => longest < objectBytes) ?? sets.at(-1);
    set?.files.push(path.replaceAll("\\", "/"));
  };
  try {
    for (const { folder, file } of ledgers) {
      if (file.lines === 0) continue;
      // A run that goes on may grow by a longer line before it is read.
      const longest = folder.record.status === "running" ? MAX_OBJECT_BYTES : file.longestBytes;
      if (file.readable) {
        add(file.path, longest);
        continue;
      }
      copies ??= mkdtempSync(join(tmpdir(), "decision-bench-"));
      // The run is known by the name of the folder around the file.
      mkdirSync(join(copies, folder.id));
      const copy = join(copies, folder.id, "copy.jsonl");
      await pipeline(wholeLines(file.path), createWriteStream(copy));
      add(copy, longest);
    }
  } catch (error) {
    clean();
    throw error;
  }
  return { sets: sets.filter(({ files }) => files.length > 0), clean };
}

async function* wholeLines(path: string): AsyncGenerator<string> {
  for await (const line of readLedger(path)) if (line.problem === null) yield `${line.text}\n`;
}

async function counts(connection: DuckDBConnection, from: string): Promise<Map<string, number>> {
  const reader = await connection.runAndReadAll(`SELECT run_id, count(*) FROM ${from} GROUP BY run_id`);
  return new Map(reader.getRows().map(([run, count]) => [String(run), Number(count)]));
}

function added(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  const sum = new Map(a);
  for (const [run, count] of b) sum.set(run, (sum.get(run) ?? 0) + count);
  return sum;
}

async function insertQuery(connection: DuckDBConnection, table: SourceTable, query: string): Promise<void> {
  const columns = Object.keys(SOURCE_TABLES[table]).join(", ");
  await connection.run(`INSERT INTO ledger.${table} (${columns}) SELECT ${columns} FROM (${query})`);
}

/** Inserts plain rows, which name every column of the table, in order. */
async function insert(
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
