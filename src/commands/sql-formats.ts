// The forms of a result that are text, whatever asks for them: one query, or a statement of a session.

import { UNKNOWN } from "../figures.ts";
import { csvText, jsonLines, jsonText } from "../warehouse/formats.ts";
import { isNumeric, textOf } from "../warehouse/values.ts";
import type { Result } from "../warehouse/warehouse.ts";
import type { Context } from "./context.ts";
import { write } from "./output.ts";
import type { TextFormat } from "./sql.ts";
import { markdownText } from "./sql-markdown.ts";
import { colours, renderTable, shorten } from "./table.ts";

/** Rows that a table shows; more scroll past every reader. */
const MAX_TABLE_ROWS = 200;
const MAX_CELL = 80;

/** A result as text, piece by piece. `toFile`: without the colours of a terminal. */
export function formatted(
  result: Result,
  format: TextFormat,
  context: Pick<Context, "stdout" | "stderr" | "env">,
  toFile = false,
): AsyncGenerator<string> {
  switch (format) {
    case "json":
      return jsonText(result);
    case "jsonl":
      return jsonLines(result);
    case "csv":
      return csvText(result);
    case "markdown":
      return markdownText(result);
    case "table":
      return tableText(result, context, toFile);
  }
}

async function* tableText(
  { columns, batches }: Result,
  context: Pick<Context, "stdout" | "stderr" | "env">,
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
  const heads = columns.map(({ name, type }) => ({
    head: name,
    align: isNumeric(type) ? ("right" as const) : ("left" as const),
  }));
  yield renderTable(heads, rows, toFile ? undefined : colours(context).bold);
  if (more) {
    await write(
      context.stderr,
      `The first ${MAX_TABLE_ROWS} rows are shown; --format csv, json or jsonl gives all of them.\n`,
    );
  }
}
