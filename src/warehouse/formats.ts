// Results as JSON, JSON lines and CSV, piece by piece while the query runs.
import { stringify } from "csv-stringify/sync";
import { stringifyJson, type Writable } from "../answers/json.ts";
import { textOf, toWritable } from "./values.ts";
import type { Result } from "./warehouse.ts";

/** One JSON document: an array with an object a row, one row a line. */
export async function* jsonText(result: Result): AsyncGenerator<string> {
  let separator = "[\n";
  let empty = true;
  for await (const rows of objects(result)) {
    for (const batch of rows) {
      yield separator + batch;
      separator = ",\n";
      empty = false;
    }
  }
  yield empty ? "[]\n" : "\n]\n";
}

/** One JSON object a line. */
export async function* jsonLines(result: Result): AsyncGenerator<string> {
  for await (const rows of objects(result)) yield `${rows.join("\n")}\n`;
}

async function* objects(result: Result): AsyncGenerator<string[]> {
  for await (const rows of plainRows(result)) yield rows.map((row) => stringifyJson(row));
}

/** Rows as JSON data (see {@link toWritable}) by the names of their columns, some thousand at a time. */
export async function* plainRows({ columns, batches }: Result): AsyncGenerator<Map<string, Writable>[]> {
  for await (const batch of batches()) {
    yield batch.map(
      (row) => new Map(columns.map(({ name, type }, i) => [name, toWritable(row[i] ?? null, type)])),
    );
  }
}

/** CSV (RFC 4180, but lines end at `\n`) with a line of names; null is empty, nested values are JSON. */
export async function* csvText({ columns, batches }: Result): AsyncGenerator<string> {
  const options = { quoted_match: /[\r\n]/ };
  if (columns.length > 0) yield stringify([columns.map((column) => column.name)], options);
  for await (const batch of batches()) {
    yield stringify(
      batch.map((row) => columns.map(({ type }, i) => textOf(row[i] ?? null, type))),
      options,
    );
  }
}
