// Results as Markdown tables, row by row while the query runs.
import { visible } from "../output.ts";
import { isNumeric, textOf } from "../warehouse/values.ts";
import type { Result } from "../warehouse/warehouse.ts";
import { UNKNOWN } from "./table.ts";

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

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** A text without any meaning in Markdown or HTML, on one line. */
function cell(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) =>
      visible(line)
        .replace(/&/g, "&amp;")
        .replace(/</g, "&lt;")
        .replace(/>/g, "&gt;")
        // An underscore inside a word, as in most names here, means nothing.
        .replace(/[\\|`*[\]~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\$&"),
    )
    .join("<br>");
}
