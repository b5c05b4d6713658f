// Canonical JSON: the text that Python's json.dumps(value, ensure_ascii=False, sort_keys=True,
// separators=(",", ":")) gives for the same document, so that a digest made here and one made there agree.
import { quoted } from "../quote.ts";
import { type Json, JsonNumber } from "./json.ts";

/** A value that has no canonical form: a number that overflows, or a lone surrogate. */
export class CanonicalError extends Error {
  override readonly name = "CanonicalError";
}

/**
 * The canonical text of a parsed JSON value: keys in code point order, integers digit by digit, floats as Python
 * prints them, no white space.
 *
 * @throws {CanonicalError} for numbers that overflow a double and for lone surrogates.
 */
export function canonicalJson(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "string") return quote(value);
  if (value instanceof JsonNumber) return canonicalNumber(value.text);
  let out = "";
  if (Array.isArray(value)) {
    for (const item of value) out += out === "" ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `[${out}]`;
  }
  for (const { key, quoted: name } of shapeOf(value)) {
    if (out !== "") out += ",";
    out += `${name}:${canonicalJson(value.get(key) as Json)}`;
  }
  return `{${out}}`;
}

/** The keys of an object in code point order, with their JSON. */
type Shape = readonly { readonly key: string; readonly quoted: string }[];

/** What was found out about objects with the same keys in the same order: one step of the tree a key. */
interface Known {
  readonly next: Map<string, Known>;
  shape: Shape | null;
}

// Objects of a document are alike, so what is known of the keys of one serves the next. The tree is bounded; objects that
// do not fit into it any more are sorted each time.
const root: Known = { next: new Map(), shape: null };
const MOST_STEPS = 10_000;
let steps = 0;

function shapeOf(object: ReadonlyMap<string, Json>): Shape {
  let known: Known = root;
  for (const key of object.keys()) {
    let next = known.next.get(key);
    if (next === undefined) {
      if (steps >= MOST_STEPS || key.length > 100) return sortedShape(object);
      next = { next: new Map(), shape: null };
      known.next.set(key, next);
      steps += 1;
    }
    known = next;
  }
  known.shape ??= sortedShape(object);
  return known.shape;
}

function sortedShape(object: ReadonlyMap<string, Json>): Shape {
  return [...object.keys()].sort(compareCodePoints).map((key) => ({ key, quoted: quote(key) }));
}

// Printable text without quotes, backslashes, surrogates and non-characters is its own JSON.
const PLAIN = /^[ !#-[\]-~\u00a0-\ud7ff]*$/;

function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) {
    throw new CanonicalError(`a lone surrogate (half a character) in the text ${quoted(text, 60)}`);
  }
  return JSON.stringify(text);
}

// Up to 15 digits come back from a double as they went in, and without zeros at the end they are its shortest form.
const SHORT_FLOAT = /^-?(?:[1-9][0-9]*\.[0-9]*[1-9]|0\.(?!000)[0-9]*[1-9])$/;

/** An integer keeps its digits; a float becomes Python's `repr` (shortest digits, exponent from 1e-05 and 1e+16 on). */
export function canonicalNumber(text: string): string {
  if (!text.includes(".") && !/[eE]/.test(text)) return text === "-0" ? "0" : text;
  if (text.length <= 16 && SHORT_FLOAT.test(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new CanonicalError(`the number ${quoted(text, 60).slice(1, -1)} is too large for a double`);
  }
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e16) {
    // Here JavaScript's shortest form is Python's, but for the ".0" of a whole number.
    const shortest = String(value);
    return shortest.includes(".") ? shortest : `${shortest}.0`;
  }
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace("-", "").replace(".", "");
  const exponent = Number(power);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  const places = String(Math.abs(exponent)).padStart(2, "0");
  return `${sign}${digits[0]}${fraction}e${exponent < 0 ? "-" : "+"}${places}`;
}

/** Orders texts by code point, as Python and DuckDB do (JavaScript's default order is by UTF-16 unit). */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // A surrogate stands for a code point above every other unit.
    const high = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
    return high(x) - high(y);
  }
  return a.length - b.length;
}
