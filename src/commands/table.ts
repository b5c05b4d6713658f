// Tables and figures for people: one look for every command. Nothing that a model or a ledger says reaches a terminal
// with its control characters alive.
import Table from "cli-table3";
import pc from "picocolors";
import { visible } from "../output.ts";
import type { Context } from "./context.ts";

export interface TableColumn {
  readonly head: string;
  /** Numbers stand to the right, so that their digits line up. */
  readonly align?: "left" | "right";
}

/** Colours for standard output: none when it is no terminal or `NO_COLOR` is set. */
export function colours(context: Pick<Context, "stdout" | "env">): ReturnType<typeof pc.createColors> {
  return pc.createColors(context.stdout.isTTY === true && !context.env.NO_COLOR);
}

/**
 * An aligned table without borders, ending in a line feed; lines have no spaces at their end. `bold` sets the heads
 * off, see {@link colours}.
 */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  bold: (text: string) => string = (text) => text,
): string {
  const none = "";
  const table = new Table({
    head: columns.map((column) => bold(visible(column.head))),
    colAligns: columns.map((column) => column.align ?? "left"),
    style: { head: [], border: [], compact: true, "padding-left": 0, "padding-right": 2 },
    chars: {
      top: none,
      "top-mid": none,
      "top-left": none,
      "top-right": none,
      bottom: none,
      "bottom-mid": none,
      "bottom-left": none,
      "bottom-right": none,
      left: none,
      "left-mid": none,
      mid: none,
      "mid-mid": none,
      right: none,
      "right-mid": none,
      middle: none,
    },
  });
  for (const row of rows) table.push(row.map((cell) => visible(cell)));
  return `${table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")}\n`;
}

/** At most `width` characters, the last one `…` when something was cut. */
export function shorten(text: string, width: number): string {
  if (text.length <= width) return text;
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}
