// Reads a table record by record. Lines are cut here, so that every message can name the line where a record begins and
// one broken record costs no other; what a record's cells are is the business of csv-parse.
import { CsvError, parse } from "csv-parse/sync";
import type { Json } from "../../answers/json.ts";
import { MAX_LINE_BYTES, readBatches } from "../../ledgers/reader.ts";
import { quoted } from "../../quote.ts";
import { controlIn } from "../characters.ts";
import { isBlank } from "../digest-file.ts";
import { type Column, columnKey, columnOf, MOST_UNKNOWN, moreUnknown, unknownColumn } from "./columns.ts";

/** A record of the file, or what is wrong with it; `line` is where it begins, from 1. */
export type Read =
  | { readonly line: number; readonly fields: ReadonlyMap<string, Json>; readonly message?: never }
  | { readonly line: number; readonly field: string; readonly message: string };

const SAVE_AS = "save the table as “CSV UTF-8”";

/** The records of a CSV file: column name → text, for every cell that is not empty. Empty records are passed over. */
export async function* csvRecords(path: string): AsyncGenerator<Read, void> {
  let header: Header | null = null;
  let declared: string | null = null;
  let held: string[] = [];
  let heldLength = 0;
  let begin = 1;
  let inQuotes = false;
  for await (const batch of readBatches(path, { wholeTail: true })) {
    for (const { line, text: raw, problem } of batch) {
      if (problem !== null) {
        yield { line, field: "", message: `is ${problem}: ${SAVE_AS}` };
        // Without its header a table says nothing.
        if (header === null) return;
        held = [];
        inQuotes = false;
        continue;
      }
      const text = line === 1 ? raw.replace(/^\ufeff/, "") : raw;
      if (held.length === 0) {
        if (isBlank(text)) continue;
        begin = line;
        heldLength = 0;
      }
      held.push(text);
      heldLength += text.length;
      // Quotes inside a cell are doubled: a record ends where their number is even.
      if (quotesIn(text) % 2 === 1) inQuotes = !inQuotes;
      if (inQuotes) {
        if (heldLength <= MAX_LINE_BYTES) continue;
        yield { line: begin, field: "", message: ENDLESS };
        return;
      }
      const record = held.join("\n").replace(/\r$/, "");
      held = [];
      if (header !== null) {
        const read = recordOf(record, header);
        if (read !== null) yield { line: begin, ...read };
        continue;
      }
      if (declared === null) {
        declared = declaredDelimiter(record);
        if (declared !== null) {
          if (DELIMITERS.includes(declared)) continue;
          const message = `sep= names ${quoted(declared)}: expected a comma, a semicolon or a tab between the cells`;
          yield { line: begin, field: "", message };
          return;
        }
      }
      const found = headerOf(record, declared);
      for (const { field, message } of found.problems) yield { line: begin, field, message };
      if (found.problems.length > 0) return;
      header = found;
    }
  }
  if (held.length > 0) yield { line: begin, field: "", message: ENDLESS };
  else if (header === null)
    yield { line: 1, field: "", message: "is empty: expected a line with the names of the columns" };
}

/** Longer lists of columns are cut in a message. */
const SHOWN_NAMES = 30;

const ENDLESS = "a cell that begins with a quote never ends: expected another quote";

interface Header {
  readonly names: readonly string[];
  readonly delimiter: string;
  readonly problems: readonly { readonly field: string; readonly message: string }[];
}

/** What stands between the cells: spreadsheets of many countries write `;`. The header tells, by the column that must be there. */
const DELIMITERS: readonly string[] = [",", ";", "\t"];

/** What a first line such as `sep=;` names: some spreadsheets write one, and it is no row. */
function declaredDelimiter(text: string): string | null {
  return /^"?sep=([^"]?)"?[,;\t ]*$/i.exec(text)?.[1] ?? null;
}

function headerOf(text: string, declared: string | null): Header {
  const problems: { field: string; message: string }[] = [];
  const add = (field: string, message: string): void => {
    problems.push({ field, message });
  };
  const read = (declared === null ? DELIMITERS : [declared]).map((delimiter) => ({
    delimiter,
    cells: cellsOf(text, delimiter),
  }));
  const isGold = (name: string): boolean => {
    const column = columnOf(name);
    return column?.kind === "field" && column.field === "gold";
  };
  const chosen = read.find(({ cells }) => Array.isArray(cells) && cells.some(isGold)) ?? read[0];
  const { delimiter = ",", cells: names = [] } = chosen ?? {};
  if (!Array.isArray(names)) return { names: [], delimiter, problems: [{ field: "", message: names }] };
  if (text.includes("\0")) add("", `holds NUL bytes, as UTF-16 does: ${SAVE_AS}`);
  if (text.includes("\r"))
    add("", "lines end with CR alone, as on very old systems: save the table with LF or CRLF");
  const columns = new Map<string, { name: string; column: Column }>();
  let unknown = 0;
  for (const [at, name] of problems.length > 0 ? [] : names.entries()) {
    if (name.trim() === "") continue;
    const control = controlIn(name);
    if (control !== null) add("", `the name ${quoted(name, 40)} of column ${at + 1} ${control}`);
    const column = columnOf(name);
    if (column === null) {
      unknown += 1;
      if (unknown <= MOST_UNKNOWN) add("", unknownColumn(name));
      continue;
    }
    const key = columnKey(column);
    const before = columns.get(key);
    if (before === undefined) columns.set(key, { name, column });
    else
      add(
        name,
        before.name === name
          ? "stands twice among the columns"
          : `is the same column as ${quoted(before.name)}`,
      );
  }
  if (unknown > MOST_UNKNOWN) add("", moreUnknown(unknown - MOST_UNKNOWN));
  if (problems.length > 0) return { names, delimiter, problems };
  const kinds = new Set([...columns.values()].map(({ column }) => column.kind));
  const shown = names.slice(0, SHOWN_NAMES).map((name) => quoted(name, 40));
  const found = `${shown.join(", ")}${names.length > SHOWN_NAMES ? `, … (${names.length} in all)` : ""}`;
  const lacks = (what: string): void => add("", `there is no column ${what}; found ${found}`);
  for (const [field, kind] of [
    ["options", "option"],
    ["state", "state"],
  ] as const) {
    const sample = kind === "option" ? "option:<label>" : "state.<field>";
    if (!columns.has(field) && !kinds.has(kind)) lacks(`${field} (or ${sample})`);
    if (columns.has(field) && kinds.has(kind))
      add(field, `stands beside columns ${sample}: expected one or the other`);
  }
  for (const field of ["instructions", "gold"]) if (!columns.has(field)) lacks(field);
  return { names, delimiter, problems };
}

function recordOf(
  text: string,
  { names, delimiter }: Header,
): { fields: ReadonlyMap<string, Json> } | { field: string; message: string } | null {
  const cells = cellsOf(text, delimiter);
  if (!Array.isArray(cells)) return { field: "", message: cells };
  if (cells.every((cell) => cell === "")) return null;
  if (cells.length !== names.length) {
    const tip = cells.length > names.length ? "; a cell that holds the separator needs quotes" : "";
    return { field: "", message: `has ${cells.length} cells, the header has ${names.length}${tip}` };
  }
  const fields = new Map<string, Json>();
  for (const [at, cell] of cells.entries()) {
    if (cell === "") continue;
    const name = names[at] ?? "";
    if (name.trim() === "") {
      return { field: "", message: `has ${quoted(cell, 40)} in column ${at + 1}, which has no name` };
    }
    fields.set(name, cell);
  }
  return { fields };
}

/** The cells of one record, or what is wrong with it. */
function cellsOf(text: string, delimiter: string): string[] | string {
  try {
    const [cells] = parse(text, { delimiter, record_delimiter: ["\n"], relax_column_count: true });
    return cells ?? [];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return "a quote stands where none may: put the whole cell in quotes, and double each quote inside it";
  }
}

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}
