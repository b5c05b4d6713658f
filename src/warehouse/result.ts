// A result as it comes from DuckDB, whatever database it was asked of.
import type { DuckDBDataChunk, DuckDBResult, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { ResultReturnType } from "@duckdb/node-api";
import { uniqueNames } from "./names.ts";

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

/** The rows of a query that was begun, fetched by `next` as they are asked for. */
export function streamed(result: DuckDBResult, next: () => Promise<DuckDBDataChunk | null>): Result {
  // A statement that only changes something has a column of its own, which nobody asked for.
  if (result.returnType === ResultReturnType.NOTHING) return { columns: [], batches: async function* () {} };
  const types = result.columnTypes();
  const columns = uniqueNames(result.columnNames()).map((name, i) => ({
    name,
    type: types[i] as DuckDBType,
  }));
  async function* batches(): AsyncGenerator<DuckDBValue[][]> {
    for (let chunk = await next(); chunk !== null && chunk.rowCount > 0; chunk = await next()) {
      yield chunk.getRows();
    }
  }
  return { columns, batches };
}
