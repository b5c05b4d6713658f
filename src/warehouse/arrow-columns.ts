// DuckDB's types as Arrow's, and the buffers of a column. Arrow's own builders take times as doubles, which loses
// microseconds, so the buffers are filled here. What Arrow has no exact type for is text, as in CSV.
import {
  DuckDBArrayType,
  type DuckDBArrayValue,
  type DuckDBBlobValue,
  type DuckDBDateValue,
  DuckDBDecimalType,
  type DuckDBDecimalValue,
  DuckDBListType,
  type DuckDBListValue,
  DuckDBMapType,
  type DuckDBMapValue,
  DuckDBStructType,
  type DuckDBStructValue,
  type DuckDBTimestampMillisecondsValue,
  type DuckDBTimestampNanosecondsValue,
  type DuckDBTimestampSecondsValue,
  type DuckDBTimestampValue,
  type DuckDBTimeValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from "@duckdb/node-api";
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  Map_,
  makeData,
  Struct,
  TimeMicrosecond,
  Timestamp,
  TimeUnit,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from "apache-arrow";
import { CheckError } from "../errors.ts";
import { assertFieldNames, textOf } from "./values.ts";

/** How a column is written. */
export interface ArrowColumn {
  readonly type: DataType;
  /** The buffers for some values of the column, in order. */
  readonly build: (values: readonly DuckDBValue[]) => Data;
}

/** Arrays whose elements are set one by one. */
type Numbers =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/**
 * The Arrow type of a DuckDB type and its writer. Whole numbers up to 64 bits, DECIMAL, BLOB, dates and times keep
 * every digit; HUGEINT is Int64; LIST, STRUCT and MAP are what they are; the rest is text.
 *
 * @param name of the column, for messages.
 * @throws {CheckError} for a STRUCT whose fields cannot be told apart; from `build`, for a whole number beyond 64 bits.
 */
export function arrowColumn(type: DuckDBType, name: string): ArrowColumn {
  if (type instanceof DuckDBDecimalType) return decimals(type);
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return lists(type.valueType, name);
  if (type instanceof DuckDBStructType) return structs(type, name);
  if (type instanceof DuckDBMapType) return maps(type, name);
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return booleans();
    case DuckDBTypeId.TINYINT:
      return numbers(new Int8(), Int8Array);
    case DuckDBTypeId.SMALLINT:
      return numbers(new Int16(), Int16Array);
    case DuckDBTypeId.INTEGER:
      return numbers(new Int32(), Int32Array);
    case DuckDBTypeId.UTINYINT:
      return numbers(new Uint8(), Uint8Array);
    case DuckDBTypeId.USMALLINT:
      return numbers(new Uint16(), Uint16Array);
    case DuckDBTypeId.UINTEGER:
      return numbers(new Uint32(), Uint32Array);
    case DuckDBTypeId.FLOAT:
      return numbers(new Float32(), Float32Array);
    case DuckDBTypeId.DOUBLE:
      return numbers(new Float64(), Float64Array);
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.HUGEINT:
      return longs(new Int64(), BigInt64Array, (value) => fitting(value, BigInt.asIntN, name));
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.UHUGEINT:
      return longs(new Uint64(), BigUint64Array, (value) => fitting(value, BigInt.asUintN, name));
    case DuckDBTypeId.DATE:
      return numbers(new DateDay(), Int32Array, (value) => (value as DuckDBDateValue).days, finite);
    case DuckDBTypeId.TIME:
      return longs(new TimeMicrosecond(), BigInt64Array, (value) => (value as DuckDBTimeValue).micros);
    case DuckDBTypeId.TIMESTAMP:
      return times(TimeUnit.MICROSECOND, (value) => (value as DuckDBTimestampValue).micros);
    case DuckDBTypeId.TIMESTAMP_TZ:
      return times(TimeUnit.MICROSECOND, (value) => (value as DuckDBTimestampValue).micros, "UTC");
    case DuckDBTypeId.TIMESTAMP_S:
      return times(TimeUnit.SECOND, (value) => (value as DuckDBTimestampSecondsValue).seconds);
    case DuckDBTypeId.TIMESTAMP_MS:
      return times(TimeUnit.MILLISECOND, (value) => (value as DuckDBTimestampMillisecondsValue).millis);
    case DuckDBTypeId.TIMESTAMP_NS:
      return times(TimeUnit.NANOSECOND, (value) => (value as DuckDBTimestampNanosecondsValue).nanos);
    case DuckDBTypeId.BLOB:
      return bytes(new Binary(), (value) => (value as DuckDBBlobValue).bytes);
    default: {
      const encoder = new TextEncoder();
      return bytes(new Utf8(), (value) => encoder.encode(textOf(value, type)));
    }
  }
}

/** Arrow has no whole numbers beyond 64 bits, and a double would lose digits without a word. */
function fitting(value: DuckDBValue, wrap: (bits: number, value: bigint) => bigint, name: string): bigint {
  const whole = value as bigint;
  if (wrap(64, whole) !== whole) {
    throw new CheckError(
      `column ${JSON.stringify(name)} holds ${whole}, which 64 bits cannot hold: cast it to DOUBLE or VARCHAR`,
    );
  }
  return whole;
}

/** Dates and times may be infinite in DuckDB; Arrow has nothing for that, so they are null, as in JSON. */
function finite(value: DuckDBValue): boolean {
  return (value as unknown as { readonly isFinite: boolean }).isFinite;
}

function validity(
  values: readonly DuckDBValue[],
  isThere: (value: DuckDBValue) => boolean = () => true,
): { length: number; nullCount: number; nullBitmap: Uint8Array | undefined } {
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
  let nullCount = 0;
  for (const [i, value] of values.entries()) {
    if (value === null || !isThere(value)) nullCount += 1;
    else setBit(nullBitmap, i);
  }
  return { length: values.length, nullCount, nullBitmap: nullCount === 0 ? undefined : nullBitmap };
}

function setBit(bitmap: Uint8Array, index: number): void {
  bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
}

function booleans(): ArrowColumn {
  const type = new Bool();
  const build = (values: readonly DuckDBValue[]): Data => {
    const data = new Uint8Array(Math.ceil(values.length / 8));
    for (const [i, value] of values.entries()) if (value === true) setBit(data, i);
    return makeData({ type, ...validity(values), data });
  };
  return { type, build };
}

function numbers(
  type: DataType,
  Numbers: new (length: number) => Numbers,
  numberOf: (value: DuckDBValue) => number = (value) => value as number,
  isThere?: (value: DuckDBValue) => boolean,
): ArrowColumn {
  const build = (values: readonly DuckDBValue[]): Data => {
    const data = new Numbers(values.length);
    for (const [i, value] of values.entries()) {
      if (value !== null && isThere?.(value) !== false) data[i] = numberOf(value);
    }
    return makeData({ type, ...validity(values, isThere), data } as never);
  };
  return { type, build };
}

function longs(
  type: DataType,
  Longs: new (length: number) => BigInt64Array | BigUint64Array,
  longOf: (value: DuckDBValue) => bigint,
  isThere?: (value: DuckDBValue) => boolean,
): ArrowColumn {
  const build = (values: readonly DuckDBValue[]): Data => {
    const data = new Longs(values.length);
    for (const [i, value] of values.entries()) {
      if (value !== null && isThere?.(value) !== false) data[i] = longOf(value);
    }
    return makeData({ type, ...validity(values, isThere), data } as never);
  };
  return { type, build };
}

function times(unit: TimeUnit, longOf: (value: DuckDBValue) => bigint, zone?: string): ArrowColumn {
  return longs(new Timestamp(unit, zone), BigInt64Array, longOf, finite);
}

/** Decimal128: the number without its point, in 16 bytes. */
function decimals({ width, scale }: DuckDBDecimalType): ArrowColumn {
  const type = new Decimal(scale, width, 128);
  const build = (values: readonly DuckDBValue[]): Data => {
    const halves = new BigInt64Array(values.length * 2);
    for (const [i, value] of values.entries()) {
      const digits = value === null ? 0n : (value as DuckDBDecimalValue).value;
      halves[2 * i] = digits;
      halves[2 * i + 1] = digits >> 64n;
    }
    return makeData({ type, ...validity(values), data: new Uint32Array(halves.buffer) });
  };
  return { type, build };
}

function bytes(type: Utf8 | Binary, bytesOf: (value: DuckDBValue) => Uint8Array): ArrowColumn {
  const build = (values: readonly DuckDBValue[]): Data => {
    const parts = values.map((value) => (value === null ? new Uint8Array() : bytesOf(value)));
    return makeData({
      type,
      ...validity(values),
      valueOffsets: offsets(parts),
      data: Buffer.concat(parts),
    } as never);
  };
  return { type, build };
}

/** Where each part begins among all of them, and where the last one ends. */
function offsets(parts: readonly { readonly length: number }[]): Int32Array {
  const out = new Int32Array(parts.length + 1);
  let end = 0;
  for (const [i, part] of parts.entries()) {
    end += part.length;
    out[i + 1] = end;
  }
  return out;
}

function lists(valueType: DuckDBType, name: string): ArrowColumn {
  const inner = arrowColumn(valueType, name);
  const type = new List(new Field("item", inner.type, true));
  const build = (values: readonly DuckDBValue[]): Data => {
    const parts = values.map((value) =>
      value === null ? [] : (value as DuckDBListValue | DuckDBArrayValue).items,
    );
    return makeData({
      type,
      ...validity(values),
      valueOffsets: offsets(parts),
      child: inner.build(parts.flat()),
    });
  };
  return { type, build };
}

function structs(of: DuckDBStructType, name: string): ArrowColumn {
  assertFieldNames(of);
  const columns = of.entryTypes.map((type) => arrowColumn(type, name));
  const type = new Struct(
    of.entryNames.map((field, i) => new Field(field, (columns[i] as ArrowColumn).type, true)),
  );
  const build = (values: readonly DuckDBValue[]): Data => {
    const children = columns.map(({ build }, i) =>
      build(
        values.map((value) => (value as DuckDBStructValue | null)?.entries[of.entryNames[i] ?? ""] ?? null),
      ),
    );
    return makeData({ type, ...validity(values), children });
  };
  return { type, build };
}

function maps(of: DuckDBMapType, name: string): ArrowColumn {
  const keys = arrowColumn(of.keyType, name);
  const shares = arrowColumn(of.valueType, name);
  const entry = new Struct<{ key: DataType; value: DataType }>([
    new Field("key", keys.type, false),
    new Field("value", shares.type, true),
  ]);
  const type = new Map_(new Field("entries", entry, false));
  const build = (values: readonly DuckDBValue[]): Data => {
    const parts = values.map((value) => (value === null ? [] : (value as DuckDBMapValue).entries));
    const entries = parts.flat();
    const child = makeData({
      type: entry,
      length: entries.length,
      nullCount: 0,
      children: [keys.build(entries.map(({ key }) => key)), shares.build(entries.map(({ value }) => value))],
    });
    return makeData({ type, ...validity(values), valueOffsets: offsets(parts), child });
  };
  return { type, build };
}
