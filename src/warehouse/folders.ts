// What lies in runs/: which folders are runs, what their run.json says, and how many whole lines their ledgers have.
// DuckDB cannot tell a blank or unfinished line from no line, so the lines are counted here.
import { closeSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode, errorMessage, UserError } from "../errors.ts";
import { openRegular, readRunRecord, Unreadable } from "../ledgers/record.ts";
import { RUN_FILES, type RunRecord } from "../ledgers/schema.ts";
import type { Workspace } from "../workspace.ts";
import { MAX_OBJECT_BYTES } from "./sources.ts";

/** A ledger's terminated lines and what DuckDB must not see of it. */
export interface LedgerFile {
  /** Absolute path, with "/" between the parts. */
  readonly path: string;
  readonly bytes: number;
  /** Terminated lines, blank and broken ones included. */
  readonly lines: number;
  /** Bytes after the last `\n`. */
  readonly tornBytes: number;
  /** Length of the longest line in bytes, unfinished ones included, without its line feed. */
  readonly longestBytes: number;
  /**
   * Whether DuckDB may read the file as it is. It would take an unfinished last line that happens to be a whole
   * record for one, it fails on a line that is too long, and a line that is no object (see {@link isObject}) can cost it
   * the good line behind, or the whole query.
   */
  readonly readable: boolean;
}

/** A run folder with a readable run.json. */
export interface RunFolder {
  /** Name of the folder. */
  readonly id: string;
  readonly record: RunRecord;
  readonly results: LedgerFile;
  readonly attempts: LedgerFile;
}

/** Names of the folders in `runs/` in code point order; none when there is no `runs/`. */
export function runIds(workspace: Workspace): string[] {
  return foldersIn(workspace.runsDir, "runs");
}

/**
 * Names of the folders (and links to folders) in a folder, in code point order, without those that begin with a dot;
 * none when it is not there.
 *
 * @throws {UserError} calling it `name` when it cannot be read.
 */
export function foldersIn(path: string, name: string): string[] {
  let entries: ReturnType<typeof readDirectory>;
  try {
    entries = readDirectory(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw new UserError(`${name}/ cannot be read (${errorCode(error) ?? errorMessage(error)})`);
  }
  const isFolder = (entry: string): boolean => {
    try {
      return statSync(join(path, entry), { throwIfNoEntry: false })?.isDirectory() === true;
    } catch (error) {
      // A link that leads to itself, or to where nobody may look: it is no run.
      if (errorCode(error) === undefined) throw error;
      return false;
    }
  };
  return entries
    .filter((entry) => !entry.name.startsWith("."))
    .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(entry.name)))
    .map((entry) => entry.name)
    .sort();
}

/** Why a folder's name keeps DuckDB from reading what is in it; null for nearly every name. */
export function oddName(name: string): string | null {
  return name.includes("\\") ? "has a backslash in its name: rename it" : null;
}

function readDirectory(path: string) {
  return readdirSync(path, { withFileTypes: true });
}

/**
 * Reads what a run folder holds, without its records. The answer is a text, why the folder is no run, when its
 * run.json is missing or damaged, or one of its files cannot be read.
 */
export function readRunFolder(workspace: Workspace, id: string): RunFolder | string {
  const odd = oddName(id);
  if (odd !== null) return `runs/${id} ${odd}`;
  const folder = join(workspace.runsDir, id);
  const record = orWhy(() => readRunRecord(join(folder, RUN_FILES.run)));
  if (record === null) return `runs/${id}/${RUN_FILES.run} is not there`;
  if (typeof record === "string") return `runs/${id}/${RUN_FILES.run} ${record}`;
  // One folder that cannot be read must not hide all the others.
  const results = orWhy(() => scanLedger(join(folder, RUN_FILES.results)));
  if (typeof results === "string") return `runs/${id}/${RUN_FILES.results} ${results}`;
  const attempts = orWhy(() => scanLedger(join(folder, RUN_FILES.attempts)));
  if (typeof attempts === "string") return `runs/${id}/${RUN_FILES.attempts} ${attempts}`;
  return { id, record, results, attempts };
}

/** What `read` gives, or why the file cannot be read. */
export function orWhy<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return error.reason;
    throw error;
  }
}

const CHUNK = Buffer.allocUnsafe(1024 * 1024);

/** Counts the lines of a ledger; a missing one has none. Bytes are looked at, not decoded. */
export function scanLedger(path: string): LedgerFile {
  let lines = 0;
  let size = 0;
  let lineStart = 0;
  let longest = 0;
  let allObjects = true;
  // Of the line that is looked at: its first and its last byte so far that are not blank; 0 when there is none.
  let first = 0;
  let last = 0;
  const file = openRegular(path);
  if (file !== null) {
    try {
      for (;;) {
        const read = readSync(file, CHUNK, 0, CHUNK.length, null);
        if (read === 0) break;
        const chunk = CHUNK.subarray(0, read);
        let start = 0;
        for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, end + 1)) {
          first = first || firstByte(chunk, start, end);
          last = lastByte(chunk, start, end) || last;
          allObjects &&= first === OPEN && last === CLOSE;
          first = 0;
          last = 0;
          start = end + 1;
          lines += 1;
          longest = Math.max(longest, size + end - lineStart);
          lineStart = size + end + 1;
        }
        first = first || firstByte(chunk, start, read);
        last = lastByte(chunk, start, read) || last;
        size += read;
      }
      const tornBytes = size - lineStart;
      const longestBytes = Math.max(longest, tornBytes);
      const readable =
        allObjects && longestBytes < MAX_OBJECT_BYTES && !endsWithRecord(file, lineStart, tornBytes);
      return { path: path.replaceAll("\\", "/"), bytes: size, lines, tornBytes, longestBytes, readable };
    } finally {
      closeSync(file);
    }
  }
  return {
    path: path.replaceAll("\\", "/"),
    bytes: 0,
    lines: 0,
    tornBytes: 0,
    longestBytes: 0,
    readable: true,
  };
}

const OPEN = 0x7b;
const CLOSE = 0x7d;

/** What JSON takes for blank, within a line. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function firstByte(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at])) at += 1;
  return at < end ? (bytes[at] ?? 0) : 0;
}

function lastByte(bytes: Buffer, start: number, end: number): number {
  let at = end - 1;
  while (at >= start && isBlank(bytes[at])) at -= 1;
  return at >= start ? (bytes[at] ?? 0) : 0;
}

/**
 * Whether a line begins and ends as an object does. Behind one that stops where a value is expected (`{"a": [`) DuckDB
 * passes over the next line, and it ends the query when lines are a value together only.
 */
export function isObject(line: string): boolean {
  let start = 0;
  let end = line.length - 1;
  while (isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end))) end -= 1;
  return line.charCodeAt(start) === OPEN && line.charCodeAt(end) === CLOSE;
}

function endsWithRecord(file: number, offset: number, bytes: number): boolean {
  if (bytes === 0 || bytes >= MAX_OBJECT_BYTES) return false;
  const tail = Buffer.alloc(bytes);
  const text = tail.toString("utf8", 0, readSync(file, tail, 0, bytes, offset)).trimEnd();
  // Looking for the last character first saves parsing what a killed process left half written.
  if (!text.endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
