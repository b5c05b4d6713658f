// Tables and figures for people: one look for every command. Nothing that a model or a ledger says reaches a terminal
// with its control characters alive.
import Table from "cli-table3";
import pc from "picocolors";
import { visible } from "../output.ts";
import type { Context } from "./context.ts";

/** What is shown for a value that is not known; in JSON it is null. */
export const UNKNOWN = "–";

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

/** `91.2 %`. */
export function percent(share: number | null): string {
  return share === null ? UNKNOWN : `${(share * 100).toFixed(1)} %`;
}

/** `[88.7, 93.1]`, in per cent. */
export function interval(low: number | null, high: number | null): string {
  return low === null || high === null ? UNKNOWN : `[${(low * 100).toFixed(1)}, ${(high * 100).toFixed(1)}]`;
}

/** `0.0461`: four digits behind the point. */
export function decimal(value: number | null): string {
  return value === null ? UNKNOWN : value.toFixed(4);
}

/** `+9.8`, `0.0`, `-1.2`: a difference of shares in percentage points. */
export function points(share: number | null): string {
  if (share === null) return UNKNOWN;
  const text = (share * 100).toFixed(1);
  if (Number(text) === 0) return "0.0";
  return share > 0 ? `+${text}` : text;
}

/** `[-1.0, +15.4]`, in percentage points. */
export function pointsInterval(ends: readonly [number, number] | null): string {
  return ends === null ? UNKNOWN : `[${points(ends[0])}, ${points(ends[1])}]`;
}

/** `0.042`, `6.2e-4`: two significant digits; what is below 1e-10 is not told apart from it. */
export function probability(p: number | null): string {
  if (p === null) return UNKNOWN;
  if (p < 1e-10) return "< 1e-10";
  return p < 0.001 ? p.toExponential(1) : String(Number(p.toPrecision(2)));
}

/** `$12.30`, `$0.00123`: cents at least, and three significant digits, so that small sums do not vanish. */
export function usd(value: number | null): string {
  if (value === null) return UNKNOWN;
  const digits = value === 0 ? 2 : Math.min(12, Math.max(2, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return `$${value.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}

/** `1,071`. */
export function whole(value: number | null): string {
  return value === null ? UNKNOWN : value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** `418 ms`, `2.13 s`. */
export function milliseconds(value: number | null): string {
  if (value === null) return UNKNOWN;
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(2)} s`;
}

/** `2026-11-01 10:00` in UTC. */
export function minute(time: string | null): string {
  return time === null ? UNKNOWN : time.slice(0, 16).replace("T", " ");
}
