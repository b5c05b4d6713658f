// Results as Markdown tables, row by row while the query runs.

import { UNKNOWN } from "../figures.ts";
import { plainMarkdown as cell, markdownRow } from "../markdown.ts";
import { isNumeric, textOf } from "../warehouse/values.ts";
import type { Result } from "../warehouse/warehouse.ts";

/** A Markdown table (GitHub's pipes), numbers to the right; every value stays in its cell and shows as it is. */
export async function* markdownText({ columns, batches }: Result): AsyncGenerator<string> {
  if (columns.length === 0) return;
  yield markdownRow(columns.map(({ name }) => cell(name)));
  yield markdownRow(columns.map(({ type }) => (isNumeric(type) ? "---:" : "---")));
  for await (const batch of batches()) {
    yield batch
      .map((row) =>
        markdownRow(
          columns.map(({ type }, i) => {
            const value = row[i] ?? null;
            return value === null ? UNKNOWN : cell(textOf(value, type));
          }),
        ),
      )
      .join("");
  }
}
