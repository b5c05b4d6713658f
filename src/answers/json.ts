// JSON that keeps what JavaScript objects lose: the order of keys (also of keys like "10"), keys like
// "__proto__", repeated keys (refused) and the digits of a number. Corpus rows and models' answers are read
// with it; our own ledgers, which hold nothing of that kind, are read with JSON.parse.
import { quoted } from "../quote.ts";

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
  const parser = new Parser(text);
  return parser.document();
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    if (this.#text.charCodeAt(0) === 0xfeff) this.#fail("expected a JSON value, found a byte order mark");
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) this.#fail(`${this.#here()} after the end of the JSON value`);
    return value;
  }

  #fail(problem: string): never {
    throw new JsonError(problem, this.#at);
  }

  /** Refuses a list or an object that stands inside {@link MAX_DEPTH} others. */
  #enter(depth: number): void {
    if (depth >= MAX_DEPTH) this.#fail(`nested more than ${MAX_DEPTH} levels deep`);
    this.#at += 1;
    this.#space();
  }

  #here(): string {
    const point = this.#text.codePointAt(this.#at);
    return point === undefined ? "the end" : quoted(String.fromCodePoint(point));
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #value(depth: number): Json {
    this.#space();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail(`expected ${word}, found ${this.#here()}`);
    this.#at += word.length;
    return value;
  }

  #number(): JsonNumber {
    const start = this.#at;
    NUMBER.lastIndex = start;
    if (!NUMBER.test(this.#text)) this.#fail(`expected a JSON value, found ${this.#here()}`);
    const end = NUMBER.lastIndex;
    const text = this.#text.slice(start, end);
    const next = this.#text[end];
    // "01", "1.", "1e" and "-" stop early; say so at the number, not one character later.
    if (next !== undefined && next !== "," && next !== "}" && /[0-9.eE+-]/.test(next)) {
      this.#fail(`malformed number ${text}${next}`);
    }
    this.#at = end;
    return new JsonNumber(text);
  }

  #string(): string {
    let out = "";
    this.#at += 1;
    // Nearly every text ends at the next quote and holds nothing that needs a second look.
    const end = this.#text.indexOf('"', this.#at);
    if (end !== -1) {
      PLAIN_RUN.lastIndex = this.#at;
      if (PLAIN_RUN.test(this.#text) && PLAIN_RUN.lastIndex > end) {
        const plain = this.#text.slice(this.#at, end);
        this.#at = end + 1;
        return plain;
      }
    }
    for (;;) {
      STRING_RUN.lastIndex = this.#at;
      const run = STRING_RUN.exec(this.#text)?.[0] ?? "";
      out += run;
      this.#at += run.length;
      const next = this.#text[this.#at];
      if (next === '"') {
        this.#at += 1;
        return out;
      }
      if (next !== "\\") {
        this.#fail(
          next === undefined ? "text that does not end" : `control character ${this.#here()} in a text`,
        );
      }
      const kind = this.#text[this.#at + 1] ?? "";
      const simple = Object.hasOwn(ESCAPES, kind) ? ESCAPES[kind] : undefined;
      if (simple !== undefined) {
        out += simple;
        this.#at += 2;
      } else if (kind === "u" && HEX.test(this.#text.slice(this.#at + 2, this.#at + 6))) {
        out += String.fromCharCode(Number.parseInt(this.#text.slice(this.#at + 2, this.#at + 6), 16));
        this.#at += 6;
      } else {
        this.#fail("malformed escape in a text");
      }
    }
  }

  #array(depth: number): Json[] {
    const out: Json[] = [];
    this.#enter(depth);
    if (this.#text[this.#at] === "]") {
      this.#at += 1;
      return out;
    }
    for (;;) {
      out.push(this.#value(depth + 1));
      if (this.#more("]")) continue;
      return out;
    }
  }

  #object(depth: number): JsonObject {
    const out: JsonObject = new Map();
    this.#enter(depth);
    if (this.#text[this.#at] === "}") {
      this.#at += 1;
      return out;
    }
    for (;;) {
      this.#space();
      if (this.#text[this.#at] !== '"') this.#fail(`expected a key in double quotes, found ${this.#here()}`);
      const start = this.#at;
      const key = this.#string();
      if (out.has(key)) {
        this.#at = start;
        this.#fail(`the key ${quoted(key, 60)} stands twice in one object`);
      }
      this.#space();
      if (this.#text[this.#at] !== ":") this.#fail(`expected ":" after a key, found ${this.#here()}`);
      this.#at += 1;
      out.set(key, this.#value(depth + 1));
      if (this.#more("}")) continue;
      return out;
    }
  }

  /** After an element: true when a comma promises another one, false at the closing bracket. */
  #more(close: string): boolean {
    this.#space();
    const next = this.#text[this.#at];
    if (next !== "," && next !== close) this.#fail(`expected "," or "${close}", found ${this.#here()}`);
    this.#at += 1;
    return next === ",";
  }
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
  // fromEntries defines own properties, so a key "__proto__" stays data.
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
  return value;
}

/** True for a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return value instanceof Map;
}
