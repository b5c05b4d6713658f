// A result as an Arrow IPC file, batch by batch while the query runs.
import type { DuckDBValue } from "@duckdb/node-api";
import {
  type DataType,
  Field,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
} from "apache-arrow";
import { type ArrowColumn, arrowColumn } from "./arrow-columns.ts";
import type { Result } from "./warehouse.ts";

/** Rows of a record batch: the file must not depend on how DuckDB cut the rows into chunks. */
const BATCH_ROWS = 8192;

/**
 * An Arrow IPC file (the random access format, not the stream). An empty result has its schema and no batch; the
 * bytes depend on the names, types and values alone.
 *
 * @throws {CheckError} for values that cannot be written, see {@link arrowColumn}; whatever the query throws.
 */
export async function* arrowFile({ columns, batches }: Result): AsyncGenerator<Uint8Array> {
  const writers = columns.map(({ name, type }) => arrowColumn(type, name));
  const schema = new Schema(
    columns.map(({ name }, i) => new Field(name, (writers[i] as ArrowColumn).type, true)),
  );
  const file = new Pieces();
  file.reset(undefined, schema);
  let rows: (readonly DuckDBValue[])[] = [];
  for await (const batch of batches()) {
    rows.push(...batch);
    while (rows.length >= BATCH_ROWS) {
      file.write(recordBatch(schema, writers, rows.slice(0, BATCH_ROWS)));
      rows = rows.slice(BATCH_ROWS);
      yield file.take();
    }
  }
  if (rows.length > 0) file.write(recordBatch(schema, writers, rows));
  file.close();
  yield file.take();
}

function recordBatch(
  schema: Schema,
  writers: readonly ArrowColumn[],
  rows: readonly (readonly DuckDBValue[])[],
): RecordBatch {
  const children = writers.map(({ build }, i) => build(rows.map((row) => row[i] ?? null)));
  const type = new Struct<Record<string, DataType>>(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}

/**
 * A writer whose output is taken piece by piece. The queue that Arrow's own writer fills has no end to its length:
 * with a slow reader it would hold the whole result.
 */
class Pieces extends RecordBatchFileWriter {
  #pieces: Uint8Array[] = [];

  protected override _write(chunk: ArrayBufferView): this {
    if (this._started && chunk.byteLength > 0) {
      this.#pieces.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      this._position += chunk.byteLength;
    }
    return this;
  }

  /** What was written since the last time. */
  take(): Uint8Array {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [];
    return all;
  }
}
