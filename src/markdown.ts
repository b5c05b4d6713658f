// Foreign text in Markdown.
import { visible } from "./output.ts";

/** A row of a table; the cells are Markdown already. */
export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** A text without any meaning in Markdown or HTML, on one line. */
export function plainMarkdown(text: string): string {
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
