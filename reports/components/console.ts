// DuckDB in the browser, over the report's database. Nothing is loaded before somebody asks; the engine has no network
// beyond the files of this site, and no way to change them.
import { type Type, textOf } from "./arrow-text.js";
import { fileUrl, site } from "./site.js";

/** Rows that are read of a result at most. */
export const READ_ROWS = 100_000;
/** A statement that takes longer is ended. In ms. */
const QUERY_LIMIT_MS = 60_000;
/** Loading that takes longer is given up. In ms. */
const OPEN_LIMIT_MS = 180_000;

/** What a statement gave. */
export interface Answer {
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[];
  /** Values as text; null is NULL. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Whether there were more than {@link READ_ROWS}. */
  readonly more: boolean;
  readonly ms: number;
}

export interface Console {
  /** Runs one statement. Rejects with what DuckDB says, or with {@link Ended}. */
  readonly run: (sql: string) => Promise<Answer>;
  /** Ends it, whatever it is doing. */
  readonly close: (why: string) => void;
}

/** A statement that was ended before it had finished; the console it ran in is gone. */
export class Ended extends Error {}

/** The part of `@duckdb/duckdb-wasm` that is used here. */
interface DuckDB {
  readonly AsyncDuckDB: new (logger: unknown, worker: Worker) => Engine;
  readonly VoidLogger: new () => unknown;
  readonly DuckDBDataProtocol: { readonly HTTP: number };
}
interface Engine {
  instantiate(wasm: string): Promise<unknown>;
  open(config: unknown): Promise<void>;
  registerFileURL(name: string, url: string, protocol: number, direct: boolean): Promise<unknown>;
  connect(): Promise<Connection>;
}
interface Connection {
  query(sql: string): Promise<unknown>;
  send(sql: string, stream: boolean): Promise<Batches>;
  cancelSent(): Promise<boolean>;
}
interface Batches extends AsyncIterable<Batch> {
  open(): Promise<unknown>;
  readonly schema: { readonly fields: readonly Field[] };
}
interface Batch {
  readonly numRows: number;
  getChildAt(index: number): Column | null;
}
interface Column {
  get(row: number): unknown;
}
interface Field {
  readonly name: string;
  readonly type: Type;
}

/** Loads the engine and attaches the database. */
export async function openConsole(): Promise<Console> {
  const { about } = await site();
  const url = (name: string): string => fileUrl(`console/${name}`, about.digest);
  const worker = new Worker(url("duckdb-browser-eh.worker.js"));
  let end: (why: string) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = (why) => {
      worker.terminate();
      reject(new Ended(why));
    };
    worker.addEventListener("error", (event) =>
      reject(new Error(event.message || "the engine cannot be loaded")),
    );
  });
  // Nobody may be waiting when it ends.
  ended.catch(() => {});
  const within = async <T>(work: Promise<T>, ms: number, what: string): Promise<T> => {
    const timer = setTimeout(() => end(`${what} took longer than ${ms / 1000} s and was ended.`), ms);
    try {
      return await Promise.race([work, ended]);
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const connection = await within(connect(worker, url), OPEN_LIMIT_MS, "Loading");
    return {
      run: (sql) => within(read(connection, sql), QUERY_LIMIT_MS, "The statement"),
      close: end,
    };
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

async function connect(worker: Worker, url: (name: string) => string): Promise<Connection> {
  const module = url("duckdb.js");
  const duckdb = (await import(module)) as DuckDB;
  const engine = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), worker);
  await engine.instantiate(url("duckdb-eh.wasm"));
  await engine.open({
    filesystem: { reliableHeadRequests: true, allowFullHTTPReads: true },
    query: { castTimestampToDate: false, castDecimalToDouble: false },
  });
  await engine.registerFileURL("bench.duckdb", url("bench.duckdb"), duckdb.DuckDBDataProtocol.HTTP, false);
  const connection = await engine.connect();
  for (const statement of [
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "ATTACH 'bench.duckdb' AS bench (READ_ONLY)",
    "USE bench",
    // A link can bring any statement: it must not reach another host.
    "SET enable_external_access = false",
    "SET lock_configuration = true",
  ]) {
    await connection.query(statement);
  }
  return connection;
}

async function read(connection: Connection, sql: string): Promise<Answer> {
  const began = performance.now();
  const batches = await connection.send(sql, true);
  await batches.open();
  const fields = batches.schema.fields;
  const rows: (string | null)[][] = [];
  let more = false;
  for await (const batch of batches) {
    const columns = fields.map((_, i) => batch.getChildAt(i));
    const taken = Math.min(batch.numRows, READ_ROWS - rows.length);
    for (let row = 0; row < taken; row += 1) {
      rows.push(columns.map((column, i) => cellText(column, row, fields[i]?.type)));
    }
    more = taken < batch.numRows;
    if (more) break;
  }
  if (more) await connection.cancelSent();
  return {
    columns: fields.map(({ name, type }) => ({
      name,
      numeric: /^(Int\d|Uint|Float|Decimal)/.test(type.toString()),
    })),
    rows,
    more,
    ms: performance.now() - began,
  };
}

/** A time beyond what JavaScript can say, such as infinity, must not cost the other cells. */
function cellText(column: Column | null | undefined, row: number, type: Type | undefined): string | null {
  try {
    return textOf(column?.get(row), type);
  } catch {
    return "(cast it to VARCHAR to see it)";
  }
}

/** The rows as CSV as `bench sql` writes it (RFC 4180, but lines end at `\n`). NULL is an empty field, an empty text a quoted one. */
export function csvText({ columns, rows }: Answer): string {
  const lines = [columns.map(({ name }) => csvField(name)), ...rows.map((row) => row.map(csvField))];
  return lines.map((line) => `${line.join(",")}\n`).join("");
}

function csvField(value: string | null): string {
  if (value === null) return "";
  return value === "" || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
