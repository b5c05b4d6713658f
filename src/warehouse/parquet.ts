// A result as a Parquet file, written by DuckDB itself: the rows never pass through this process' own memory.
import {
  DuckDBArrayType,
  type DuckDBConnection,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
  ResultReturnType,
} from "@duckdb/node-api";
import { CheckError, InterruptedError } from "../errors.ts";
import { queryError } from "./failure.ts";
import { uniqueNames } from "./names.ts";
import { splitStatements } from "./statements.ts";

/** Holds the rows of a statement that stands in no other one, such as EXPLAIN. */
const HOLDER = "decision_bench_result";

/**
 * Runs the statements of `sql` and writes the result of the last one to `path`, over what is there.
 *
 * @param isStopped true when somebody stopped the command between two statements.
 * @throws {CheckError} for an error in the SQL, with its position in `sql`; {@link InterruptedError} when stopped.
 */
export async function writeParquet(
  connection: DuckDBConnection,
  sql: string,
  path: string,
  isStopped: () => boolean,
): Promise<void> {
  const last = splitStatements(sql).at(-1);
  const before = sql.slice(0, last?.start ?? 0);
  if (before.trim() !== "" && last !== undefined) await run(before);
  const text = last?.text ?? sql;
  const wrapped = await columnsOf(connection, text);
  if (wrapped === null) {
    const held = await hold();
    await run(copy(held, `FROM ${HOLDER}`, path));
    await run(`DROP TABLE ${HOLDER}`);
    return;
  }
  const statement = copy(
    wrapped,
    `FROM (${text}\n) AS result(${wrapped.map(({ id }) => id).join(", ")})`,
    path,
  );
  await run(statement, statement.indexOf(`(${text}\n)`) + 1);

  /** An error is placed in the text that the person wrote, wherever in ours it stands. */
  async function run(statement: string, at = -1): Promise<void> {
    if (isStopped()) throw new InterruptedError("interrupted");
    try {
      await connection.run(statement);
    } catch (error) {
      throw queryError(error, sql, at < 0 ? 0 : bytes(before) - bytes(statement.slice(0, at)));
    }
  }

  async function hold(): Promise<Shown[]> {
    if (isStopped()) throw new InterruptedError("interrupted");
    try {
      // Blank space in place of what has run already keeps the positions.
      const result = await connection.run(before.replace(/\S/g, (unit) => " ".repeat(bytes(unit))) + text);
      if (result.columnCount === 0) throw new CheckError("SQL: there is no statement in this");
      if (result.returnType === ResultReturnType.NOTHING)
        throw new CheckError("the last statement has no result");
      const columns = shown(result.columnNames(), result.columnTypes());
      await connection.run(
        `CREATE OR REPLACE TEMP TABLE ${HOLDER} (${columns.map(({ id, type }) => `${id} ${type}`).join(", ")})`,
      );
      const appender = await connection.createAppender(HOLDER, "main", "temp");
      for (;;) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) break;
        appender.appendDataChunk(chunk);
      }
      appender.closeSync();
      return columns;
    } catch (error) {
      throw queryError(error, sql);
    }
  }
}

/** A column under the name it gets in the file, quoted. */
interface Shown {
  readonly id: string;
  readonly type: DuckDBType;
}

function shown(names: readonly string[], types: readonly DuckDBType[]): Shown[] {
  return uniqueNames(names).map((name, i) => ({ id: quotedName(name), type: types[i] as DuckDBType }));
}

/** The columns of a query that can stand inside another one, without running it; null for anything else. */
async function columnsOf(connection: DuckDBConnection, text: string): Promise<Shown[] | null> {
  try {
    (await connection.prepare(`SELECT * FROM (${text}\n) AS result`)).destroySync();
    // A star gives repeated names a form of its own, so the names are those of the query itself.
    const prepared = await connection.prepare(text);
    const numbers = Array.from({ length: prepared.columnCount }, (_, i) => i);
    const columns = shown(
      numbers.map((i) => prepared.columnName(i)),
      numbers.map((i) => prepared.columnType(i)),
    );
    prepared.destroySync();
    return columns;
  } catch {
    // No query, or a wrong one: it is run as it is, which says what is wrong with it.
    return null;
  }
}

function copy(columns: readonly Shown[], from: string, path: string): string {
  const list = columns.map(({ id, type }) => {
    const kept = keptType(type);
    return kept === null ? id : `${id}::${kept} AS ${id}`;
  });
  const target = `'${path.replaceAll("'", "''")}'`;
  return `COPY (SELECT ${list.join(", ")} ${from}) TO ${target} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`;
}

/** Types that DuckDB would write as something that loses a digit or that few readers know, and what they become. */
const INSTEAD: ReadonlyMap<DuckDBTypeId, string> = new Map([
  // As a double otherwise; a number that does not fit is an error.
  [DuckDBTypeId.HUGEINT, "BIGINT"],
  [DuckDBTypeId.UHUGEINT, "UBIGINT"],
  // In whole milliseconds otherwise.
  [DuckDBTypeId.INTERVAL, "VARCHAR"],
  [DuckDBTypeId.UUID, "VARCHAR"],
  [DuckDBTypeId.UNION, "VARCHAR"],
  [DuckDBTypeId.TIME_TZ, "VARCHAR"],
  [DuckDBTypeId.TIME_NS, "VARCHAR"],
  [DuckDBTypeId.VARIANT, "VARCHAR"],
  [DuckDBTypeId.GEOMETRY, "VARCHAR"],
]);

/** The type that is written in place of `type`; null when it is written as it is. */
function keptType(type: DuckDBType): string | null {
  if (type instanceof DuckDBListType) return suffixed(type.valueType, "[]");
  if (type instanceof DuckDBArrayType) return suffixed(type.valueType, `[${type.length}]`);
  if (type instanceof DuckDBMapType) {
    const [key, value] = [keptType(type.keyType), keptType(type.valueType)];
    if (key === null && value === null) return null;
    return `MAP(${key ?? type.keyType}, ${value ?? type.valueType})`;
  }
  if (type instanceof DuckDBStructType) {
    const kept = type.entryTypes.map(keptType);
    if (kept.every((inner) => inner === null)) return null;
    const fields = type.entryNames.map((name, i) => `${quotedName(name)} ${kept[i] ?? type.entryTypes[i]}`);
    return `STRUCT(${fields.join(", ")})`;
  }
  return INSTEAD.get(type.typeId) ?? null;
}

function suffixed(inner: DuckDBType, suffix: string): string | null {
  const kept = keptType(inner);
  return kept === null ? null : `${kept}${suffix}`;
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}
