// The DuckDB that runs in a browser, here in this process: an older one, without JSON, Parquet, files and time zones.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/duckdb-wasm/blocking";
import { onTestFinished } from "vitest";
import type { Writable } from "../../src/answers/json.ts";
import { literal, SOURCE_TABLES } from "../../src/warehouse/sources.ts";
import type { Row, Warehouse } from "../../src/warehouse/warehouse.ts";

export interface Browser {
  /** Runs one or more statements. */
  readonly run: (sql: string) => void;
  /** The rows of a query over texts, numbers, flags and lists of texts. */
  readonly rows: (sql: string) => Row[];
}

/** An empty database that is closed when the test is done. */
export async function openBrowserDuckDB(): Promise<Browser> {
  // A CommonJS bundle: its names cannot be imported one by one.
  const require = createRequire(import.meta.url);
  const duckdb = require("@duckdb/duckdb-wasm/blocking") as typeof import("@duckdb/duckdb-wasm/blocking");
  const dist = dirname(require.resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"));
  const bundle = (name: string) => ({ mainModule: join(dist, `duckdb-${name}.wasm`), mainWorker: "" });
  const database = await duckdb.createDuckDB(
    { mvp: bundle("mvp"), eh: bundle("eh") },
    new duckdb.VoidLogger(),
    duckdb.NODE_RUNTIME,
  );
  await database.instantiate(() => {});
  const connection: DuckDBConnection = database.connect();
  onTestFinished(() => connection.close());
  return {
    run: (sql) => {
      connection.query(sql);
    },
    rows: (sql) => {
      const table = connection.query(sql);
      const columns = table.schema.fields.map((field, i) => [field.name, table.getChildAt(i)] as const);
      return Array.from(
        { length: table.numRows },
        (_, row) =>
          Object.fromEntries(columns.map(([name, values]) => [name, plain(values?.get(row))])) as Row,
      );
    },
  };
}

function plain(value: unknown): Writable {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "object" && value !== null) return [...(value as Iterable<string>)];
  return value as Writable;
}

const ROWS_A_STATEMENT = 500;

/** Copies what a warehouse has read into the same tables of the other database, in the same order. */
export async function copySources(warehouse: Warehouse, browser: Browser): Promise<void> {
  for (const [table, types] of Object.entries(SOURCE_TABLES)) {
    const rows = await warehouse.rows(`SELECT * FROM ledger.${table}`);
    for (let first = 0; first < rows.length; first += ROWS_A_STATEMENT) {
      const values = rows
        .slice(first, first + ROWS_A_STATEMENT)
        .map((row) => `(${Object.keys(types).map((column) => sqlOf(row[column] ?? null))})`);
      browser.run(`INSERT INTO ledger.${table} VALUES ${values}`);
    }
  }
}

/** A value as SQL. Numbers are texts there: as they stand, DuckDB would take them for decimals. */
function sqlOf(value: Writable): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return literal(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : `'${value}'::DOUBLE`;
  if (Array.isArray(value)) return `[${value.map(sqlOf)}]`;
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<string, Writable>)];
    // The only structs are options and pictures, with texts.
    const struct = entries.some(([, inner]) => typeof inner === "string");
    const members = entries.map(([key, inner]) => `${literal(key)}: ${sqlOf(inner)}`);
    return struct ? `{${members}}` : `MAP {${members}}`;
  }
  throw new Error("a value of a kind that no source table has");
}
