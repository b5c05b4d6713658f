// Reads a ledger line by line, whatever a killed process or a broken disk has left in it: resuming, `show` and the
// search for damage all stand on this. Memory is bounded by the longest line that is accepted.
import { isAscii, isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { z } from "zod";
import { errorCode, errorMessage, UserError } from "../errors.ts";
import { issuesOf } from "../fields.ts";
import { quoted } from "../quote.ts";

/** Longest line that is read, in bytes (DuckDB is given the same limit). */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** One terminated line of a ledger. */
export interface LedgerLine {
  /** From 1. */
  readonly line: number;
  /** Of the line's first byte, from 0. */
  readonly offset: number;
  /** How many there are, without the `\n`. */
  readonly bytes: number;
  /** Without the `\n`; empty when `problem` says why the line cannot be read as text. */
  readonly text: string;
  /** Why the line is no text (too long, not UTF-8); null for nearly every line. */
  readonly problem: string | null;
}

/** The bytes after the last `\n`: a record that a killed process did not finish, or that is being written now. */
export interface TornTail {
  /** The number that the line would have, from 1. */
  readonly line: number;
  /** Of its first byte: the file is whole up to here. */
  readonly offset: number;
  readonly bytes: number;
}

/** A terminated line that is not a record. */
export interface DamagedLine {
  /** From 1. */
  readonly line: number;
  readonly offset: number;
  readonly message: string;
}

export interface ReadOptions {
  /** Called once, at the end, when the file does not end with `\n`. */
  readonly onTorn?: (tail: TornTail) => void;
  /** Longest line that is kept, in bytes; {@link MAX_LINE_BYTES} unless a test wants less. */
  readonly maxLineBytes?: number;
  /** Yields an unterminated last line like any other: in a file that people write it is no trace of a crash. */
  readonly wholeTail?: boolean;
  /** Told of the bytes as they are read; they are overwritten afterwards. */
  readonly onChunk?: (chunk: Buffer) => void;
}

/**
 * The terminated lines of a file, in order. A line ends at `\n` and nowhere else. A file that does not exist is
 * empty; an unterminated last line is never yielded, only told to `onTorn`.
 *
 * @throws {UserError} when the path is not a regular file or cannot be read.
 */
export async function* readLedger(path: string, options: ReadOptions = {}): AsyncGenerator<LedgerLine, void> {
  for await (const batch of readBatches(path, options)) yield* batch;
}

/**
 * {@link readLedger}, in batches of about a megabyte: waiting for every single line costs more than reading it. A batch
 * is read on while it is iterated, so it has to be iterated to its end, once, before the next one is asked for.
 *
 * @throws {UserError} when the path is not a regular file or cannot be read.
 */
export async function* readBatches(
  path: string,
  options: ReadOptions = {},
): AsyncGenerator<Iterable<LedgerLine>, void> {
  const file = await openRegular(path);
  if (file === null) return;
  const splitter = new Splitter(options.maxLineBytes ?? MAX_LINE_BYTES);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (;;) {
      const { bytesRead } = await readChunk(file, chunk, path);
      if (bytesRead === 0) break;
      const bytes = chunk.subarray(0, bytesRead);
      options.onChunk?.(bytes);
      yield splitter.lines(bytes);
    }
  } finally {
    await file.close();
  }
  const tail = splitter.tail();
  if (tail === null) return;
  if (options.wholeTail === true) yield [tail.asLine()];
  else options.onTorn?.({ line: tail.line, offset: tail.offset, bytes: tail.bytes });
}

/** Cuts chunks of a file into lines; a line may go over many chunks. */
class Splitter {
  readonly #limit: number;
  // What a line has in earlier chunks; dropped as soon as the line is longer than the limit.
  #held: Buffer[] = [];
  #heldBytes = 0;
  #line = 1;
  #offset = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that end in this chunk. Texts are made as they are asked for: a megabyte of them at once would outlive its use. */
  *lines(chunk: Buffer): Generator<LedgerLine, void> {
    // One look at the whole chunk saves one at every line.
    const plain = isAscii(chunk);
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      const bytes = this.#heldBytes + end - start;
      const line = this.#line;
      const offset = this.#offset;
      if (this.#heldBytes === 0 && plain && bytes <= this.#limit) {
        yield { line, offset, bytes, text: chunk.toString("latin1", start, end), problem: null };
      } else {
        const part = chunk.subarray(start, end);
        const parts = this.#heldBytes === 0 ? [part] : [...this.#held, part];
        yield lineOf(line, offset, bytes, this.#limit, parts);
      }
      this.#held = [];
      this.#heldBytes = 0;
      this.#line += 1;
      this.#offset += bytes + 1;
      start = end + 1;
    }
    if (start === chunk.length) return;
    this.#heldBytes += chunk.length - start;
    // A copy, since the chunk is filled again.
    if (this.#heldBytes > this.#limit) this.#held = [];
    else this.#held.push(Buffer.from(chunk.subarray(start)));
  }

  /** What stands after the last line feed. */
  tail(): (TornTail & { asLine(): LedgerLine }) | null {
    if (this.#heldBytes === 0) return null;
    const [line, offset, bytes] = [this.#line, this.#offset, this.#heldBytes];
    return { line, offset, bytes, asLine: () => lineOf(line, offset, bytes, this.#limit, this.#held) };
  }
}

function lineOf(
  line: number,
  offset: number,
  bytes: number,
  limit: number,
  parts: readonly Buffer[],
): LedgerLine {
  if (bytes > limit) return { line, offset, bytes, text: "", problem: `longer than ${limit} bytes` };
  const [first = Buffer.alloc(0)] = parts;
  const whole = parts.length === 1 ? first : Buffer.concat(parts, bytes);
  return isUtf8(whole)
    ? { line, offset, bytes, text: whole.toString("utf8"), problem: null }
    : { line, offset, bytes, text: "", problem: "not UTF-8" };
}

export interface RecordOptions extends ReadOptions {
  /** Called for every terminated line that is not a record, in order. */
  readonly onDamaged?: (damage: DamagedLine) => void;
  /** Reads the text of a line; `JSON.parse` unless a caller must also see repeated keys. */
  readonly parse?: (text: string) => unknown;
}

/** A record and where it stands. */
export interface LedgerRecord<T> {
  /** From 1. */
  readonly line: number;
  readonly offset: number;
  readonly record: T;
}

/**
 * The records of a ledger that satisfy `schema`, in order. Every other terminated line is told to `onDamaged`, so
 * that no good line is lost to a bad neighbour.
 *
 * @throws {UserError} when the path is not a regular file or cannot be read.
 */
export async function* readRecords<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  options: RecordOptions = {},
): AsyncGenerator<LedgerRecord<z.output<Schema>>, void> {
  const parse = options.parse ?? JSON.parse;
  for await (const found of readLedger(path, options)) {
    const { line, offset } = found;
    const { record, flaw } = recordOf(found, schema, parse);
    if (flaw === undefined) yield { line, offset, record };
    else options.onDamaged?.({ line, offset, message: flawText(flaw) });
  }
}

/** Why a line is no record. */
export interface Flaw {
  /** Path inside the record, "" for the whole line. */
  readonly field: string;
  readonly message: string;
}

/** `field: message`, on one line. */
export function flawText({ field, message }: Flaw): string {
  return field === "" ? message : `${field}: ${message}`;
}

/** What a terminated line holds: the record, or the first thing that keeps it from being one. */
export function recordOf<Schema extends z.ZodType>(
  { text, problem }: LedgerLine,
  schema: Schema,
  parse: (text: string) => unknown,
):
  | { readonly record: z.output<Schema>; readonly flaw?: never }
  | { readonly record?: never; readonly flaw: Flaw } {
  if (problem !== null) return { flaw: { field: "", message: problem } };
  // A file may hold nothing but such lines, and an error of JSON.parse takes as long as hundreds of records.
  if (NO_JSON.test(text)) return { flaw: { field: "", message: notRecord(text, null) } };
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return { flaw: { field: "", message: notRecord(text, error) } };
  }
  const found = schema.safeParse(value);
  if (found.success) return { record: found.data };
  const [first = { field: "", message: "not a record" }] = issuesOf(found.error);
  return { flaw: first };
}

/** A line without a value, or one that begins with none. */
const NO_JSON = /^[ \t\r]*(?:$|[^ \t\r[{"\d\-tfn])/;

/** The usual traces of editors and power cuts by their names. */
function notRecord(text: string, error: unknown): string {
  if (text.startsWith("\ufeff")) return "begins with a byte order mark, which no ledger has";
  if (/^\0+$/.test(text)) return "only NUL bytes";
  if (text.trim() === "") return "an empty line";
  if (error === null) return `not JSON: begins with ${quoted([...text.trim().slice(0, 2)][0] ?? "")}`;
  // JSON that readers would take for different things says itself what is wrong with it.
  return error instanceof SyntaxError ? `not JSON: ${errorMessage(error)}` : errorMessage(error);
}

/** Opens a regular file; null when there is none. A named pipe or a device would be waited for without end. */
async function openRegular(path: string): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw new UserError(`${path} cannot be read (${errorCode(error) ?? errorMessage(error)})`);
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new UserError(`${path} is not a file`);
}

async function readChunk(file: FileHandle, chunk: Buffer, path: string): Promise<{ bytesRead: number }> {
  try {
    return await file.read(chunk, 0, chunk.length, null);
  } catch (error) {
    throw new UserError(`${path} cannot be read (${errorCode(error) ?? errorMessage(error)})`);
  }
}
