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
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const keys = [...value.keys()].sort(compareCodePoints);
  return `{${keys.map((key) => `${quote(key)}:${canonicalJson(value.get(key) as Json)}`).join(",")}}`;
}

function quote(text: string): string {
  if (!text.isWellFormed()) {
    throw new CanonicalError(`a lone surrogate (half a character) in the text ${quoted(text, 60)}`);
  }
  return JSON.stringify(text);
}

/** An integer keeps its digits; a float becomes Python's `repr` (shortest digits, exponent from 1e-05 and 1e+16 on). */
export function canonicalNumber(text: string): string {
  if (/^-?[0-9]+$/.test(text)) return text === "-0" ? "0" : text;
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new CanonicalError(`the number ${quoted(text, 60).slice(1, -1)} is too large for a double`);
  }
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace("-", "").replace(".", "");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return `${sign}${digits}${"0".repeat(exponent + 1 - digits.length)}.0`;
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
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
