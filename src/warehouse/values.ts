// DuckDB's values as JSON and as text, by one set of rules for every output: no digit, order or label gets lost.
import {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBUnionValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import { JsonNumber, stringifyJson, type Writable } from "../answers/json.ts";
import { CheckError } from "../errors.ts";

/**
 * A value as JSON data: numbers of every kind are numbers, but an integer beyond 2^53 is a text; NaN and infinities
 * are null; a MAP or STRUCT is an object in its own order; times are ISO 8601 (with `Z` where they have a zone);
 * everything else is DuckDB's text.
 */
export function toWritable(value: DuckDBValue, type: DuckDBType): Writable {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return integer(value);
  if (value instanceof DuckDBDecimalValue) {
    return value.scale === 0 ? integer(value.value) : new JsonNumber(value.toString());
  }
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    const inner = type instanceof DuckDBListType || type instanceof DuckDBArrayType ? type.valueType : type;
    return value.items.map((item) => toWritable(item, inner));
  }
  if (value instanceof DuckDBMapValue && type instanceof DuckDBMapType) {
    return new Map(
      value.entries.map((entry) => [
        textOf(entry.key, type.keyType),
        toWritable(entry.value, type.valueType),
      ]),
    );
  }
  if (value instanceof DuckDBStructValue && type instanceof DuckDBStructType) {
    assertFieldNames(type);
    return new Map(
      type.entryNames.map((name, i) => [
        name,
        toWritable(value.entries[name] ?? null, type.entryTypes[i] as DuckDBType),
      ]),
    );
  }
  if (value instanceof DuckDBUnionValue) return toWritable(value.value, type);
  if (
    value instanceof DuckDBTimestampTZValue ||
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimestampSecondsValue ||
    value instanceof DuckDBTimestampMillisecondsValue ||
    value instanceof DuckDBTimestampNanosecondsValue
  ) {
    if (!value.isFinite) return null;
    // DuckDB's own text of a time with a zone depends on where this process runs.
    if (value instanceof DuckDBTimestampTZValue) {
      return `${new DuckDBTimestampValue(value.micros).toString().replace(" ", "T")}Z`;
    }
    return value.toString().replace(" ", "T");
  }
  if (value instanceof DuckDBDateValue && !value.isFinite) return null;
  return value.toString();
}

/** A value on one line of plain text: nested values as JSON, null as the empty text. */
export function textOf(value: DuckDBValue, type: DuckDBType): string {
  const plain = toWritable(value, type);
  if (plain === null) return typeof value === "number" ? String(value) : "";
  return typeof plain === "string" ? plain : stringifyJson(plain);
}

function integer(value: bigint): Writable {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    ? Number(value)
    : value.toString();
}

/**
 * Refuses a STRUCT that the driver does not keep whole: it holds the fields under their names, so that some of them
 * would be lost without a word.
 *
 * @throws {CheckError} when two fields have one name, or none, or one is called `__proto__`.
 */
export function assertFieldNames({ entryNames }: DuckDBStructType): void {
  if (new Set(entryNames).size < entryNames.length || entryNames.includes("__proto__")) {
    throw new CheckError(
      "SQL: a STRUCT has fields without a name, of one name or called __proto__, which cannot be shown: " +
        "name them, as in {'a': 1, 'b': 2}, or cast it to VARCHAR",
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

/** True for numbers of every kind, which stand to the right in a table. */
export function isNumeric(type: DuckDBType): boolean {
  return NUMBERS.has(type.typeId);
}
