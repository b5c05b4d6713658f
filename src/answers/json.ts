// JSON that keeps what JavaScript objects lose: the order of keys (also of keys like "10"), keys like
// "__proto__", repeated keys (refused) and the digits of a number. Corpus rows and models' answers are read
// with it; our own ledgers, which hold nothing of that kind, are read with JSON.parse.
import { quoted } from "../quote.ts";
import { cutText, quoteBriefly } from "./text.ts";

/** A number as it is written. `Number(text)` is its value, unless it is too large or too precise for one. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  get value(): number {
    return Number(this.text);
  }
}

export type JsonObject = Map<string, Json>;
export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;

/** What {@link stringifyJson} writes: parsed JSON, and plain data of our own. */
export type Writable =
  | Json
  | number
  | undefined
  | readonly Writable[]
  | ReadonlyMap<string, Writable>
  | { readonly [key: string]: Writable };

/** Not JSON, or JSON that cannot be read faithfully. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** What was found and expected, without the place. */
  readonly problem: string;
  /** Where, in UTF-16 units from 0. */
  readonly offset: number;
  constructor(problem: string, offset: number) {
    super(`${problem} at character ${offset + 1}`);
    this.problem = problem;
    this.offset = offset;
  }
}

/** Line and column of a place in a text, both from 1; a column is one UTF-16 unit. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** Deeper nesting than this is refused, so that no document can exhaust the stack. */
export const MAX_DEPTH = 256;

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a text
const STRING_RUN = /[^"\\\u0000-\u001f]*/y;
// The same run with the quote that ends it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a text
const PLAIN_RUN = /[^"\\\u0000-\u001f]*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const HEX = /^[0-9a-fA-F]{4}$/;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Parses one JSON document (RFC 8259) strictly: no NaN, no comments, nothing after the value, no key twice in
 * one object, at most {@link MAX_DEPTH} levels.
 *
 * @throws {JsonError} with what was found and where.
 */
export function parseJson(text: string): Json {
  // One document at a time: nothing below waits, so plain variables do, and they are much faster than an object's fields.
  source = text;
  at = 0;
  try {
    if (text.charCodeAt(0) === 0xfeff) fail("expected a JSON value, found a byte order mark");
    const value = readValue(0);
    skipSpace();
    if (at < text.length) fail(`${here()} after the end of the JSON value`);
    return value;
  } finally {
    source = "";
  }
}

let source = "";
let at = 0;

function fail(problem: string): never {
  throw new JsonError(problem, at);
}

/** Refuses a list or an object that stands inside {@link MAX_DEPTH} others. */
function enter(depth: number): void {
  if (depth >= MAX_DEPTH) fail(`nested more than ${MAX_DEPTH} levels deep`);
  at += 1;
  skipSpace();
}

function here(): string {
  const point = source.codePointAt(at);
  return point === undefined ? "the end" : quoted(String.fromCodePoint(point));
}

function skipSpace(): void {
  for (;;) {
    const code = source.charCodeAt(at);
    if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return;
    at += 1;
  }
}

function readValue(depth: number): Json {
  skipSpace();
  switch (source.charCodeAt(at)) {
    case OPEN_BRACE:
      return readObject(depth);
    case OPEN_BRACKET:
      return readArray(depth);
    case QUOTE:
      return readString();
    case 0x74:
      return readWord("true", true);
    case 0x66:
      return readWord("false", false);
    case 0x6e:
      return readWord("null", null);
    default:
      return readNumber();
  }
}

function readWord<T>(word: string, value: T): T {
  if (!source.startsWith(word, at)) fail(`expected ${word}, found ${here()}`);
  at += word.length;
  return value;
}

function readNumber(): JsonNumber {
  NUMBER.lastIndex = at;
  if (!NUMBER.test(source)) fail(`expected a JSON value, found ${here()}`);
  const end = NUMBER.lastIndex;
  const text = source.slice(at, end);
  const next = source.charCodeAt(end);
  // "01", "1.", "1e" and "-" stop early; say so at the number, not one character later.
  if (
    next !== COMMA &&
    next !== CLOSE_BRACE &&
    next !== CLOSE_BRACKET &&
    /^[0-9.eE+-]/.test(source.charAt(end))
  ) {
    fail(`malformed number ${cutText(text + source.charAt(end), 40)}`);
  }
  at = end;
  return new JsonNumber(text);
}

function readString(): string {
  at += 1;
  // Nearly every text ends at the next quote and holds nothing that needs a second look.
  PLAIN_RUN.lastIndex = at;
  if (PLAIN_RUN.test(source)) {
    const plain = source.slice(at, PLAIN_RUN.lastIndex - 1);
    at = PLAIN_RUN.lastIndex;
    return plain;
  }
  let out = "";
  for (;;) {
    STRING_RUN.lastIndex = at;
    STRING_RUN.test(source);
    out += source.slice(at, STRING_RUN.lastIndex);
    at = STRING_RUN.lastIndex;
    const next = source[at];
    if (next === '"') {
      at += 1;
      return out;
    }
    if (next !== "\\") {
      fail(next === undefined ? "text that does not end" : `control character ${here()} in a text`);
    }
    const kind = source[at + 1] ?? "";
    const simple = Object.hasOwn(ESCAPES, kind) ? ESCAPES[kind] : undefined;
    if (simple !== undefined) {
      out += simple;
      at += 2;
    } else if (kind === "u" && HEX.test(source.slice(at + 2, at + 6))) {
      out += String.fromCharCode(Number.parseInt(source.slice(at + 2, at + 6), 16));
      at += 6;
    } else {
      fail("malformed escape in a text");
    }
  }
}

function readArray(depth: number): Json[] {
  const out: Json[] = [];
  enter(depth);
  if (source.charCodeAt(at) === CLOSE_BRACKET) {
    at += 1;
    return out;
  }
  do out.push(readValue(depth + 1));
  while (more("]", CLOSE_BRACKET));
  return out;
}

function readObject(depth: number): JsonObject {
  const out: JsonObject = new Map();
  enter(depth);
  if (source.charCodeAt(at) === CLOSE_BRACE) {
    at += 1;
    return out;
  }
  do {
    skipSpace();
    if (source.charCodeAt(at) !== QUOTE) fail(`expected a key in double quotes, found ${here()}`);
    const start = at;
    const key = readString();
    skipSpace();
    if (source.charCodeAt(at) !== COLON) fail(`expected ":" after a key, found ${here()}`);
    at += 1;
    const before = out.size;
    out.set(key, readValue(depth + 1));
    if (out.size === before) {
      at = start;
      fail(`the key ${quoteBriefly(key)} stands twice in one object`);
    }
  } while (more("}", CLOSE_BRACE));
  return out;
}

/** After an element: true when a comma promises another one, false at the closing bracket. */
function more(close: string, code: number): boolean {
  skipSpace();
  const next = source.charCodeAt(at);
  if (next !== COMMA && next !== code) fail(`expected "," or "${close}", found ${here()}`);
  at += 1;
  return next === COMMA;
}

/**
 * Writes one JSON document on one line, keys in the order in which they are given. A `Map` keeps any order and any
 * key; `undefined` members of plain objects are left out.
 *
 * @throws {TypeError} for NaN and infinities, which JSON does not have.
 */
export function stringifyJson(value: Writable): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`);
    return String(value);
  }
  if (value instanceof JsonNumber) return value.text;
  let out = "";
  if (Array.isArray(value)) {
    for (const item of value) out += out === "" ? stringifyJson(item) : `,${stringifyJson(item)}`;
    return `[${out}]`;
  }
  const add = (key: string, item: Writable): void => {
    if (item === undefined) return;
    if (out !== "") out += ",";
    out += `${JSON.stringify(key)}:${stringifyJson(item)}`;
  };
  if (value instanceof Map) for (const [key, item] of value) add(key, item);
  else for (const key of Object.keys(value)) add(key, (value as { readonly [key: string]: Writable })[key]);
  return `{${out}}`;
}

/** Plain JavaScript data for a parsed value: numbers as doubles, objects with own properties for every key. */
export function toPlain(value: Json): unknown {
  if (value instanceof JsonNumber) return value.value;
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof Map) {
    const out: Record<string, unknown> = {};
    for (const [key, item] of value) setOwn(out, key, toPlain(item));
    return out;
  }
  return value;
}

/** Sets a member of a plain object; the key "__proto__" stays data. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** True for a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return value instanceof Map;
}
