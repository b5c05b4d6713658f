// What `bench sql` does with a query: runs the statements and writes the last result in the asked form.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CheckError, errorCode, errorMessage, UserError } from "../errors.ts";
import type { Result } from "../warehouse/warehouse.ts";
import type { Context } from "./context.ts";
import { makeFileWhole, temporaryFile, write, writeFileWhole } from "./output.ts";
import { isTextFormat, type SqlOptions } from "./sql.ts";
import { formatted } from "./sql-formats.ts";
import { withWarehouse } from "./warehouse.ts";

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
  const { format, output } = options;
  if (!isTextFormat(format) && output === undefined && context.stdout.isTTY === true) {
    throw new UserError(
      `--format ${format} is not text that a terminal could show: name a file with --output`,
    );
  }
  await withWarehouse(context, {}, async (warehouse) => {
    if (format === "parquet") {
      const make = (path: string): Promise<void> => warehouse.writeParquet(sql, path);
      if (output === undefined) await writeAll(context, temporaryFile(make));
      else await makeFileWhole(context, output, make);
      return;
    }
    const pieces = await written(await warehouse.query(sql), options, context);
    if (output === undefined) await writeAll(context, pieces);
    else await writeFileWhole(context, output, pieces);
  });
}

async function written(
  result: Result,
  { format, output }: SqlOptions,
  context: Context,
): Promise<AsyncIterable<string | Uint8Array>> {
  if (isTextFormat(format)) return formatted(result, format, context, output !== undefined);
  if (result.columns.length === 0) throw new CheckError("the last statement has no result");
  const { arrowFile } = await import("../warehouse/arrow.ts");
  return arrowFile(result);
}

async function writeAll(context: Context, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const piece of pieces) await write(context.stdout, piece, context.interrupt);
}

function statements(query: string | undefined, options: SqlOptions, context: Context): string {
  if (query !== undefined && options.file !== undefined) {
    throw new UserError("a query and --file were both given: use one of them");
  }
  const sql = options.file === undefined ? query : readStatements(options.file, context);
  if (sql === undefined || sql.trim() === "") throw new UserError("the query is empty");
  return sql;
}

function readStatements(file: string, context: Context): string {
  try {
    return readFileSync(resolve(context.cwd, file), "utf8");
  } catch (error) {
    throw new UserError(`--file ${file} cannot be read (${errorCode(error) ?? errorMessage(error)})`);
  }
}
