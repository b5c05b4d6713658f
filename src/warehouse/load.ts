// Fills the tables of the schema `ledger` from a workspace, once, when the first query needs them.
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { isJsonObject, stringifyJson, type Writable } from "../answers/json.ts";
import { makeWellFormed } from "../answers/text.ts";
import type { Corpus } from "../corpus/load.ts";
import { InterruptedError, UserError } from "../errors.ts";
import { readLedger } from "../ledgers/reader.ts";
import type { Workspace } from "../workspace.ts";
import { type LedgerFile, type RunFolder, readRunFolder, runIds } from "./folders.ts";
import { isPublishedId } from "./published.ts";
import { readAttempts, readResultAttempts, readResults, SOURCE_TABLES, type SourceTable } from "./sources.ts";

export interface LoadOptions {
  /** Only these: folder names of local runs, `<suite>/<model-id>` of published results. */
  readonly runs?: readonly string[] | undefined;
  readonly analysisVersion: string;
  /** Told what was left out and where: unfinished lines, damaged lines, folders that are no runs. */
  readonly notify: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Puts the rows of the active corpus into `ledger.corpus` and `ledger.corpus_rows`. */
export async function loadCorpusRows(connection: DuckDBConnection, corpus: Corpus): Promise<void> {
  await insert(connection, "corpus", [
    {
      sha256: corpus.sha256,
      suite: corpus.suite,
      version: corpus.version,
      row_count: corpus.rows.length,
    },
  ]);
  const rows = corpus.rows.map((row) => ({
    row_id: row.id,
    task: row.task,
    task_name: row.taskName ?? corpus.manifest.tasks.get(row.task)?.name ?? null,
    category: row.category,
    category_name: row.categoryName ?? corpus.manifest.categories.get(row.category)?.name ?? null,
    source_kind: row.sourceKind,
    dataset: textOf(isJsonObject(row.source) ? row.source.get("dataset") : undefined),
    modality: row.modality,
    title: row.title,
    gold: row.question.gold,
    options: row.question.options.map(({ label, description }) => ({ label, description })),
    labels: row.question.options.map((option) => option.label),
  }));
  await insert(connection, "corpus_rows", rows);
}

/** Reads `runs/` into `ledger.runs`, `ledger.results` and `ledger.attempts`. */
export async function loadRuns(
  connection: DuckDBConnection,
  workspace: Workspace,
  options: LoadOptions,
): Promise<void> {
  const ids = options.runs?.filter((id) => !isPublishedId(id)) ?? runIds(workspace);
  const folders = readFolders<RunFolder>(ids, (id) => readRunFolder(workspace, id), "run", options);
  const results = await readable(folders.map((folder) => ({ id: folder.id, file: folder.results })));
  const attempts = await readable(folders.map((folder) => ({ id: folder.id, file: folder.attempts })));
  let goodAttempts: ReadonlyMap<string, number> = new Map();
  try {
    if (results.files.length > 0) await insertQuery(connection, "results", readResults(results.files));
    // What the other ledger says of an attempt is the same record again: only what is missing is added, so that a
    // large run is not held twice. The views would give the same without this.
    const finished =
      "SELECT f.attempt_id FROM ledger.attempts AS f WHERE f.finished AND f.run_id = e.run_id AND f.attempt_id = e.attempt_id";
    if (attempts.files.length > 0) {
      const events = readAttempts(attempts.files);
      goodAttempts = await counts(connection, `(${events})`);
      await insertQuery(connection, "attempts", `SELECT * FROM (${events}) WHERE finished`);
      if (results.files.length > 0) await insertResultAttempts();
      await insertQuery(
        connection,
        "attempts",
        `SELECT * FROM (${events}) AS e WHERE NOT finished AND NOT EXISTS (${finished})`,
      );
    } else if (results.files.length > 0) await insertResultAttempts();

    async function insertResultAttempts(): Promise<void> {
      await insertQuery(
        connection,
        "attempts",
        `SELECT * FROM (${readResultAttempts(results.files)}) AS e WHERE NOT EXISTS (${finished})`,
      );
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
  readonly files: readonly string[];
  readonly clean: () => void;
}

/** Paths that DuckDB can read: of the few files that it cannot, copies of their whole lines. */
export async function readable(
  ledgers: readonly { readonly id: string; readonly file: LedgerFile }[],
): Promise<ReadableFiles> {
  let folder: string | null = null;
  const clean = (): void => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  };
  const files: string[] = [];
  try {
    for (const { id, file } of ledgers) {
      if (file.lines === 0) continue;
      if (file.readable) {
        files.push(file.path);
        continue;
      }
      folder ??= mkdtempSync(join(tmpdir(), "decision-bench-"));
      // The run is known by the names of the folders around the file.
      mkdirSync(join(folder, id), { recursive: true });
      const copy = join(folder, id, "copy.jsonl");
      await pipeline(wholeLines(file.path), createWriteStream(copy));
      files.push(copy.replaceAll("\\", "/"));
    }
  } catch (error) {
    clean();
    throw error;
  }
  return { files, clean };
}

async function* wholeLines(path: string): AsyncGenerator<string> {
  for await (const line of readLedger(path)) if (line.problem === null) yield `${line.text}\n`;
}

/** How many rows each run has in a table or query. */
export async function counts(connection: DuckDBConnection, from: string): Promise<Map<string, number>> {
  const reader = await connection.runAndReadAll(`SELECT run_id, count(*) FROM ${from} GROUP BY run_id`);
  return new Map(reader.getRows().map(([run, count]) => [String(run), Number(count)]));
}

/** Inserts what a query gives that has the columns of the table, and perhaps others. */
export async function insertQuery(
  connection: DuckDBConnection,
  table: SourceTable,
  query: string,
): Promise<void> {
  const columns = Object.keys(SOURCE_TABLES[table]).join(", ");
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

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
