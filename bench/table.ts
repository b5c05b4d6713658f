// The measures as a Markdown table, and its place in a document: no figure of it is ever typed by hand.
import { isMet, type Limit, type Line, type Memory, spread, type Unit } from "./figures.ts";

export const BEGIN = "<!-- npm run bench: begin -->";
export const END = "<!-- npm run bench: end -->";

const HEAD = ["what", "median", "min", "max", "rounds", "limit", "met", "peak memory", "detail"];
const ALIGNED = ["---", "---:", "---:", "---:", "---:", "---", "---", "---:", "---"];

/** The lines as a table. */
export function tableOf(lines: readonly Line[]): string {
  return [HEAD, ALIGNED, ...lines.map(cellsOf)].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellsOf(line: Line): string[] {
  const { what, unit, values, skipped, memory, limit, besides = [], detail = "" } = line;
  const found = besides.map(({ text }) => text);
  const said = [...(skipped === undefined ? [] : [`skipped: ${skipped}`]), ...found, detail].filter(
    (text) => text !== "",
  );
  const { median, least, most } = spread(values);
  const limits = [limitText(limit, unit), limitText(memory, "MB")].filter((text) => text !== "");
  return [
    what,
    ...[median, least, most].map((value) => figure(value, unit)),
    String(values.length),
    limits.join("; ") || "–",
    verdict(line),
    memoryText(memory),
    said.join("; ") || "–",
  ].map(inCell);
}

/** A text of any kind within one cell. */
function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
}

function verdict(line: Line): string {
  if (line.skipped !== undefined) return "skipped";
  const met = isMet(line);
  if (met === null) return "–";
  return met ? "yes" : "NO";
}

function limitText(limit: Limit | Memory | undefined, unit: Unit): string {
  if (limit === undefined) return "";
  const least = "least" in limit ? limit.least : undefined;
  const bounds = [
    ...(least === undefined ? [] : [`≥ ${figure(least, unit, true)}`]),
    ...(limit.most === undefined ? [] : [`≤ ${figure(limit.most, unit, true)}`]),
    ...(limit.below === undefined ? [] : [`< ${figure(limit.below, unit, true)}`]),
  ];
  const every = "every" in limit && limit.every ? "each " : "";
  return bounds.length === 0 ? "" : `${every}${bounds.join(", ")}`;
}

function memoryText(memory: Memory | undefined): string {
  if (memory === undefined || memory.mb.length === 0) return "–";
  return figure(Math.max(...memory.mb), "MB");
}

/** A number with its unit: three digits or more where it has them; a limit as it was set. */
export function figure(value: number, unit: Unit, exact = false): string {
  if (Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  const places = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size === 0 ? 2 : 3;
  const text = exact ? String(value) : value.toFixed(places);
  return unit === "×" ? `${text}×` : `${text} ${unit}`;
}

/**
 * The document with `text` between its two marks, the rest as it was.
 *
 * @throws {Error} when the marks are not there, once each and in their order.
 */
export function withTable(document: string, text: string): string {
  const [before, between, ...more] = document.split(BEGIN);
  const [, after, ...rest] = between?.split(END) ?? [];
  if (before === undefined || after === undefined || more.length > 0 || rest.length > 0) {
    throw new Error(`the document does not have ${BEGIN} and after it ${END}, once each`);
  }
  return `${before}${BEGIN}\n\n${text}\n\n${END}${after}`;
}
