// DuckDB in memory over a workspace. All views exist from the start, over empty tables; what they stand on is read
// when a query first names one of them, so that a question that needs no ledger does not wait for thousands.
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  ResultReturnType,
} from "@duckdb/node-api";
import type { Writable } from "../answers/json.ts";
import { openCorpusFile } from "../corpus/load.ts";
import { InterruptedError } from "../errors.ts";
import type { Workspace } from "../workspace.ts";
import { queryError } from "./failure.ts";
import { loadCorpusRows, loadRuns, unload } from "./load.ts";
import { sourceTables } from "./sources.ts";
import { toWritable } from "./values.ts";
import { ANALYSIS_VERSION, needsOf, sqlFiles } from "./views.ts";

export interface WarehouseOptions {
  /** Threads of DuckDB; by default its own choice, one a core. Results do not depend on it. */
  readonly threads?: number;
  /** Reads only these local runs, so that a question about one run does not wait for the others. */
  readonly runs?: readonly string[];
  /** Told once each: unfinished lines, damaged lines, folders in `runs/` that are no runs. */
  readonly notify?: (message: string) => void;
  /** Stops the query or the reading that is going on; it rejects with an {@link InterruptedError}. */
  readonly signal?: AbortSignal;
}

/** A column of a result. */
export interface Column {
  /** As DuckDB names it; what is there already is made unique with `:1`, `:2`. */
  readonly name: string;
  readonly type: DuckDBType;
}

/** A result that is read while the query runs. Values are DuckDB's own. */
export interface Result {
  readonly columns: readonly Column[];
  /** Rows in batches of some thousand; can be read once. */
  readonly batches: () => AsyncGenerator<readonly (readonly DuckDBValue[])[]>;
}

/** A plain row: column → number, text, boolean, null, list or object. */
export type Row = Readonly<Record<string, Writable>>;

/** One database over one workspace, for one command. */
export class Warehouse {
  readonly #workspace: Workspace;
  readonly #options: WarehouseOptions;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #views: readonly string[];
  readonly #interrupt = (): void => this.#connection.interrupt();
  #corpusRead = false;
  #runsRead = false;

  private constructor(
    workspace: Workspace,
    options: WarehouseOptions,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    views: readonly string[],
  ) {
    this.#workspace = workspace;
    this.#options = options;
    this.#instance = instance;
    this.#connection = connection;
    this.#views = views;
    options.signal?.addEventListener("abort", this.#interrupt);
  }

  /** Opens an empty database with all views of the current analysis. Nothing of the workspace is read yet. */
  static async open(workspace: Workspace, options: WarehouseOptions = {}): Promise<Warehouse> {
    const instance = await DuckDBInstance.create(":memory:", {
      // No query may reach for the network: a missing extension is an error, and there is nowhere to fetch it from.
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
      custom_extension_repository: "/no-extensions-without-a-network",
      temp_directory: join(tmpdir(), `decision-bench-${process.pid}.tmp`),
      ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
    });
    const connection = await instance.connect();
    await connection.run(`SET TimeZone = 'UTC'; SET errors_as_json = true; ${sourceTables()}`);
    const files = sqlFiles();
    await connection.run(files.map((file) => file.sql).join("\n"));
    const views = files.filter((file) => !file.stage.startsWith("0_")).map((file) => file.name);
    return new Warehouse(workspace, options, instance, connection, views);
  }

  /** Names of the views, in the order of their stages. */
  get views(): readonly string[] {
    return this.#views;
  }

  /**
   * Runs one or more statements and gives the result of the last one.
   *
   * @throws {CheckError} for an error in the SQL, with its position; {@link InterruptedError} when it was stopped.
   * @throws {UserError} when the corpus is needed and cannot be read.
   */
  async query(sql: string, values: DuckDBValue[] = []): Promise<Result> {
    await this.#read(sql);
    this.#stopIfAborted();
    const result = await this.#guard(sql, () =>
      values.length > 0 ? this.#connection.stream(sql, values) : this.#connection.stream(sql),
    );
    const types = result.columnTypes();
    // A statement that only changes something has a column of its own, which nobody asked for.
    if (result.returnType === ResultReturnType.NOTHING)
      return { columns: [], batches: async function* () {} };
    const columns = uniqueNames(result.columnNames()).map((name, i) => ({
      name,
      type: types[i] as DuckDBType,
    }));
    const next = () => this.#guard(sql, () => result.fetchChunk());
    async function* batches(): AsyncGenerator<DuckDBValue[][]> {
      for (let chunk = await next(); chunk !== null && chunk.rowCount > 0; chunk = await next()) {
        yield chunk.getRows();
      }
    }
    return { columns, batches };
  }

  /** All rows of a query of our own, as plain data (see {@link toWritable}). */
  async rows<T extends Row = Row>(sql: string, values: DuckDBValue[] = []): Promise<T[]> {
    const { columns, batches } = await this.query(sql, values);
    const rows: T[] = [];
    for await (const batch of batches()) {
      for (const row of batch) {
        rows.push(
          Object.fromEntries(
            columns.map(({ name, type }, i) => [name, toWritable(row[i] ?? null, type)]),
          ) as T,
        );
      }
    }
    return rows;
  }

  /** Lets go of the database. */
  close(): void {
    this.#options.signal?.removeEventListener("abort", this.#interrupt);
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #read(sql: string): Promise<void> {
    const needs = needsOf(sql, this.#views);
    const corpus = needs.corpus && !this.#corpusRead ? await openCorpusFile(this.#workspace) : null;
    try {
      if (corpus !== null) await this.#guard("", () => loadCorpusRows(this.#connection, corpus.corpus));
      if (needs.runs && !this.#runsRead) await this.#readRuns();
      // What was read meanwhile counts only if the corpus is the frozen one.
      await corpus?.verified;
    } catch (error) {
      this.#runsRead = false;
      this.#corpusRead = false;
      await this.#guard("", () => unload(this.#connection));
      await corpus?.verified;
      throw error;
    }
    this.#corpusRead ||= needs.corpus;
  }

  async #readRuns(): Promise<void> {
    this.#stopIfAborted();
    await this.#guard("", () =>
      loadRuns(this.#connection, this.#workspace, {
        runs: this.#options.runs,
        analysisVersion: ANALYSIS_VERSION,
        notify: this.#options.notify ?? (() => {}),
        signal: this.#options.signal,
      }),
    );
    this.#runsRead = true;
  }

  #stopIfAborted(): void {
    if (this.#options.signal?.aborted) throw new InterruptedError("interrupted");
  }

  async #guard<T>(sql: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw queryError(error, sql);
    }
  }
}

/** Repeated names get `:1`, `:2` behind them, passing over names that stand elsewhere: each names one column. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 1; seen.has(own) || (own !== name && taken.has(own)); number += 1) {
      own = `${name}:${number}`;
    }
    seen.add(own);
    return own;
  });
}
