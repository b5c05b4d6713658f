// What `bench sql` does: reads the statements, runs them and writes the last result in the asked form.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DuckDBTypeId } from "@duckdb/node-api";
import { errorCode, errorMessage, UserError } from "../errors.ts";
import { csvText, jsonLines, jsonText } from "../warehouse/formats.ts";
import { textOf } from "../warehouse/values.ts";
import type { Column, Result } from "../warehouse/warehouse.ts";
import type { Context } from "./context.ts";
import { write, writeFileWhole } from "./output.ts";
import type { SqlOptions } from "./sql.ts";
import { colours, renderTable, shorten, UNKNOWN } from "./table.ts";
import { withWarehouse } from "./warehouse.ts";

/** Rows that a table shows; more scroll past every reader. */
const MAX_TABLE_ROWS = 200;
const MAX_CELL = 80;

/**
 * Runs the statements and writes the last result, to standard output or to a file that is whole or not there.
 *
 * @throws {UserError} when there is no query or no file; {@link CheckError} for an error in the SQL.
 */
export async function runQuery(
  query: string | undefined,
  options: SqlOptions,
  context: Context,
): Promise<void> {
  const sql = statements(query, options, context);
  await withWarehouse(context, {}, async (warehouse) => {
    const result = await warehouse.query(sql);
    const texts = format(result, options, context);
    if (options.output !== undefined) {
      await writeFileWhole(context, options.output, texts);
      return;
    }
    for await (const text of texts) await write(context.stdout, text);
  });
}

function statements(query: string | undefined, options: SqlOptions, context: Context): string {
  if (query !== undefined && options.file !== undefined) {
    throw new UserError("a query and --file were both given: use one of them");
  }
  const sql = options.file === undefined ? query : readStatements(options.file, context);
  if (sql === undefined) {
    throw new UserError('no query: give one (`bench sql "SHOW TABLES"`) or name a file with --file');
  }
  if (sql.trim() === "") throw new UserError("the query is empty");
  return sql;
}

function readStatements(file: string, context: Context): string {
  try {
    return readFileSync(resolve(context.cwd, file), "utf8");
  } catch (error) {
    throw new UserError(`--file ${file} cannot be read (${errorCode(error) ?? errorMessage(error)})`);
  }
}

function format(result: Result, options: SqlOptions, context: Context): AsyncGenerator<string> {
  switch (options.format) {
    case "json":
      return jsonText(result);
    case "jsonl":
      return jsonLines(result);
    case "csv":
      return csvText(result);
    case "table":
      return tableText(result, context, options.output !== undefined);
  }
}

async function* tableText(
  { columns, batches }: Result,
  context: Context,
  toFile: boolean,
): AsyncGenerator<string> {
  if (columns.length === 0) return;
  const rows: string[][] = [];
  let more = false;
  // Reading ends with the first row that is not shown: a query may go on for ever.
  for await (const batch of batches()) {
    const room = MAX_TABLE_ROWS - rows.length;
    more = batch.length > room;
    for (const row of batch.slice(0, room)) {
      rows.push(
        columns.map(({ type }, i) => {
          const value = row[i] ?? null;
          return value === null ? UNKNOWN : shorten(textOf(value, type), MAX_CELL);
        }),
      );
    }
    if (more) break;
  }
  const heads = columns.map((column) => ({
    head: column.name,
    align: isNumber(column) ? ("right" as const) : ("left" as const),
  }));
  yield renderTable(heads, rows, toFile ? undefined : colours(context).bold);
  if (more) {
    await write(
      context.stderr,
      `The first ${MAX_TABLE_ROWS} rows are shown; --format csv, json or jsonl gives all of them.\n`,
    );
  }
}

const NUMBERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
]);

function isNumber(column: Column): boolean {
  return NUMBERS.has(column.type.typeId);
}
