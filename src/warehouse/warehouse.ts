// DuckDB in memory over a workspace. All views exist from the start, over empty tables; what they stand on is read
// when a query first names one of them, so that a question that needs no ledger does not wait for thousands.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue, listValue } from "@duckdb/node-api";
import type { Writable } from "../answers/json.ts";
import type { CorpusFile } from "../corpus/load.ts";
import { type OpenedCorpus, openCorpusFile } from "../corpus/open.ts";
import { InterruptedError } from "../errors.ts";
import type { Workspace } from "../workspace.ts";
import { DEFAULT_REPETITIONS, DEFAULT_SEED } from "./bootstrap.ts";
import { loadDraws } from "./draws.ts";
import { isOutOfMemory, queryError } from "./failure.ts";
import { leaveOutForeign } from "./foreign.ts";
import { loadRuns } from "./load.ts";
import { loadCorpusRows } from "./load-corpus.ts";
import { loadPublished } from "./load-published.ts";
import { loadCorpusTexts } from "./load-texts.ts";
import type { WarehouseOptions } from "./options.ts";
import { writeParquet } from "./parquet.ts";
import { type Result, streamed } from "./result.ts";
import { type SnapshotCounts, storeView, writeSnapshot } from "./snapshot.ts";
import { SOURCE_TABLES, sourceTables } from "./sources.ts";
import { toWritable } from "./values.ts";
import { ANALYSIS_VERSION, type Needs, needsOf, type SqlFile, sqlFiles } from "./views.ts";

export type { WarehouseOptions } from "./options.ts";
export type { Column, Result } from "./result.ts";

/** A value for a parameter of a query; a list of texts stands for a `VARCHAR[]`. */
export type Value = DuckDBValue | readonly string[];

/** A plain row: column → number, text, boolean, null, list or object. */
export type Row = Readonly<Record<string, Writable>>;

/** With less, what is spilled to disk costs more time than it saves memory. */
const FRUGAL_MEGABYTES = 400;
/** How often an interrupt is repeated until the statement has ended, in ms. */
const INTERRUPT_MS = 20;

/** One database over one workspace, for one command. */
export class Warehouse {
  readonly #workspace: Workspace;
  readonly #options: WarehouseOptions;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #files: readonly SqlFile[];
  readonly #notify: (message: string) => void;
  /** DuckDB forgets an interrupt that comes while a statement is being prepared, so it is told until it has ended. */
  readonly #interrupt = (): void => {
    this.#connection.interrupt();
    clearInterval(this.#again);
    this.#again = setInterval(() => this.#connection.interrupt(), INTERRUPT_MS);
    this.#again.unref();
  };
  #again: NodeJS.Timeout | undefined;
  #signal: AbortSignal | undefined;
  readonly #have = new Set<keyof Needs>();
  /** Whether DuckDB is kept to little memory. */
  #frugal: boolean;
  /** What DuckDB takes by itself, as a text that it reads. */
  #usualMemory: string | null = null;

  private constructor(
    workspace: Workspace,
    options: WarehouseOptions,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    files: readonly SqlFile[],
  ) {
    this.#workspace = workspace;
    this.#options = options;
    this.#instance = instance;
    this.#connection = connection;
    this.#files = files;
    this.#notify = options.notify ?? (() => {});
    this.#frugal = options.figuresOnly === true;
    this.listenTo(options.signal);
  }

  /** Opens an empty database with the views of the current analysis. Nothing of the workspace is read yet. */
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
    const { upTo } = options;
    const files = sqlFiles().filter(({ stage }) => upTo === undefined || stage <= upTo);
    await connection.run(files.map((file) => file.sql).join("\n"));
    return new Warehouse(workspace, options, instance, connection, files);
  }

  /** Names of the views, in the order of their stages. */
  get views(): readonly string[] {
    return this.#files.filter(({ kind }) => kind === "view").map(({ name }) => name);
  }

  /** From now on `signal` stops what is going on, in place of the one before: a session has one for each statement. */
  listenTo(signal: AbortSignal | undefined): void {
    this.#signal?.removeEventListener("abort", this.#interrupt);
    clearInterval(this.#again);
    this.#signal = signal;
    signal?.addEventListener("abort", this.#interrupt);
  }

  /**
   * Runs one or more statements and gives the result of the last one.
   *
   * @throws {CheckError} for an error in the SQL, with its position; {@link InterruptedError} when it was stopped.
   * @throws {UserError} when the corpus is needed and cannot be read.
   */
  async query(sql: string, values: Value[] = []): Promise<Result> {
    await this.read(sql);
    this.#stopIfAborted();
    const result = await this.#guard(sql, () =>
      values.length > 0
        ? this.#connection.stream(
            sql,
            values.map((value) => (Array.isArray(value) ? listValue(value) : (value as DuckDBValue))),
          )
        : this.#connection.stream(sql),
    );
    // DuckDB forgets an interrupt that comes between two fetches, and ends the rows without an error at one that comes
    // within: a part must not pass for the whole.
    return streamed(result, async () => {
      this.#stopIfAborted();
      const chunk = await this.#guard(sql, () => result.fetchChunk());
      this.#stopIfAborted();
      return chunk;
    });
  }

  /**
   * Runs one or more statements and writes the result of the last one to a Parquet file, over what is there; see
   * {@link writeParquet}. What was stopped or went wrong may leave a part of the file.
   */
  async writeParquet(sql: string, path: string): Promise<void> {
    await this.read(sql);
    await writeParquet(this.#connection, sql, path, () => this.#signal?.aborted === true);
  }

  /** All rows of a query of our own, as plain data (see {@link toWritable}). */
  async rows<T extends Row = Row>(sql: string, values: Value[] = []): Promise<T[]> {
    return await this.#withRoom(() => this.#rows<T>(sql, values));
  }

  async #rows<T extends Row>(sql: string, values: Value[]): Promise<T[]> {
    const rows: T[] = [];
    for await (const row of this.plainRows<T>(sql, values)) rows.push(row);
    return rows;
  }

  /** {@link rows} one by one while the query runs, so that a long result does not stand in memory. */
  async *plainRows<T extends Row = Row>(sql: string, values: Value[] = []): AsyncGenerator<T, void> {
    const { columns, batches } = await this.query(sql, values);
    for await (const batch of batches()) {
      for (const row of batch) {
        yield Object.fromEntries(
          columns.map(({ name, type }, i) => [name, toWritable(row[i] ?? null, type)]),
        ) as T;
      }
    }
  }

  /**
   * Puts tables with the rows of these views in their place, in this order: a command with many queries computes them
   * once. The rows are held in memory beside those they were made of, so columns that nobody asks for cost something.
   *
   * @param columns of each view; what reads another one fails from then on. All when not given.
   */
  async materialise(views: Readonly<Record<string, readonly string[] | null>>): Promise<void> {
    for (const [view, columns] of Object.entries(views)) {
      await this.read(view);
      this.#stopIfAborted();
      await this.#withRoom(() => this.#guard("", () => storeView(this.#connection, view, columns)));
    }
  }

  /** Does it again with as much memory as DuckDB likes when the little was not enough. */
  async #withRoom<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!this.#frugal || !isOutOfMemory(error)) throw error;
      await this.#liftLimit();
      return await work();
    }
  }

  /** Lets DuckDB have as much memory as it likes: the little was not enough, or is no longer needed. */
  async #liftLimit(): Promise<void> {
    if (!this.#frugal) return;
    this.#frugal = false;
    // RESET would change what the setting says, not what is kept to.
    if (this.#usualMemory !== null) await this.#connection.run(`SET memory_limit = '${this.#usualMemory}'`);
  }

  /**
   * Writes all rows, views, macros and comments into a new DuckDB file, and says how many rows there are.
   *
   * @param stored views of which the file holds the rows; see {@link STORED_VIEWS}.
   * @throws {CheckError} when it cannot be written; {@link InterruptedError} when it was stopped. What there is of the
   * file by then (and of `<path>.wal`) is the caller's to remove.
   */
  async snapshot(path: string, stored?: readonly string[]): Promise<SnapshotCounts> {
    // The name of the schema stands for everything there is to read.
    await this.read("ledger");
    const check = (): void => this.#stopIfAborted();
    return await this.#guard("", () => writeSnapshot(this.#connection, path, check, stored));
  }

  /** Lets go of the database. */
  close(): void {
    this.listenTo(undefined);
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  /** Reads what statements with this text will need. What was stopped half way is read from its beginning next time. */
  async read(sql: string): Promise<void> {
    try {
      await this.#read(sql);
    } catch (error) {
      const again = this.#frugal && isOutOfMemory(error);
      await this.#unheard(async () => {
        // First: emptying the tables takes memory as well.
        if (again) await this.#liftLimit();
        this.#have.clear();
        for (const table of Object.keys(SOURCE_TABLES))
          await this.#connection.run(`DELETE FROM ledger.${table}`);
      });
      if (!again) throw error;
      await this.read(sql);
    }
  }

  /** Does what no interrupt may stop half way: tables that kept some rows would have them twice the next time. */
  async #unheard(work: () => Promise<void>): Promise<void> {
    const signal = this.#signal;
    this.listenTo(undefined);
    try {
      await work();
    } finally {
      // One that came meanwhile is seen by whoever goes on.
      this.listenTo(signal);
    }
  }

  async #read(sql: string): Promise<void> {
    const needs = needsOf(sql, this.#files);
    const missing = (source: keyof Needs): boolean =>
      needs[source] && !this.#have.has(source) && (this.#options.empty !== true || source === "draws");
    const readingTexts = missing("texts") && this.#options.figuresOnly !== true;
    // The corpus is checked on threads of its own while DuckDB reads the ledgers.
    const opening = missing("corpus") || readingTexts ? this.#openCorpus() : null;
    opening?.catch(() => {});
    const readingRuns = missing("runs");
    try {
      if (readingRuns) await this.#readRuns();
    } catch (error) {
      // Without a corpus nothing else matters, but to somebody who does not want to wait.
      if (!(error instanceof InterruptedError)) await opening;
      throw error;
    }
    if (opening !== null) {
      const { corpus, verified, noted } = await opening;
      try {
        await this.#guard("", async () => {
          if (missing("corpus")) await loadCorpusRows(this.#connection, corpus, this.#options.figuresOnly);
          if (readingTexts) await loadCorpusTexts(this.#connection, corpus, this.#signal);
        });
      } finally {
        // What was read counts only if the corpus is the frozen one.
        await verified;
      }
      await noted;
      this.#have.add("corpus");
      if (readingTexts) this.#have.add("texts");
    }
    // Runs are never read without the corpus.
    if (readingRuns) await this.#guard("", () => leaveOutForeign(this.#connection, this.#notify));
    if (missing("draws")) {
      this.#stopIfAborted();
      const { bootstrap = { seed: DEFAULT_SEED, repetitions: DEFAULT_REPETITIONS } } = this.#options;
      await this.#guard("", () => loadDraws(this.#connection, bootstrap, this.#signal));
      this.#have.add("draws");
    }
  }

  async #openCorpus(): Promise<OpenedCorpus<CorpusFile>> {
    const { corpus } = this.#options;
    if (corpus === undefined) return openCorpusFile(this.#workspace, this.#signal);
    return { corpus, verified: Promise.resolve(), noted: Promise.resolve() };
  }

  async #readRuns(): Promise<void> {
    this.#stopIfAborted();
    if (this.#frugal && this.#usualMemory === null) {
      const reader = await this.#connection.runAndReadAll("SELECT current_setting('memory_limit')");
      this.#usualMemory = String(reader.getRows()[0]?.[0]);
    }
    const options = {
      runs: this.#options.runs,
      analysisVersion: ANALYSIS_VERSION,
      figuresOnly: this.#options.figuresOnly,
      frugalMegabytes: this.#frugal ? (this.#options.frugalMegabytes ?? FRUGAL_MEGABYTES) : undefined,
      notify: this.#notify,
      signal: this.#signal,
    };
    await this.#guard("", async () => {
      await loadRuns(this.#connection, this.#workspace, options);
      await loadPublished(this.#connection, this.#workspace, options);
    });
    this.#have.add("runs");
  }

  #stopIfAborted(): void {
    if (this.#signal?.aborted) throw new InterruptedError("interrupted");
  }

  async #guard<T>(sql: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw queryError(error, sql);
    }
  }
}
