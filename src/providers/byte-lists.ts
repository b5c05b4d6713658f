// Texts as lists of the numbers of their bytes: `77, 65, 82`, `[0x4d,0x41]`, `4d:41:52`, the groups of a dump. What prints a
// buffer writes one of them.
import { Plain } from "./forms.ts";

/** Shorter texts are not looked for: so few numbers may be any. */
export const SHORTEST_LISTED = 8;

/** Whether a text may hold such a list, long enough; one that is itself encoded has other signs. */
export const LISTED_BYTES =
  /(?<![0-9a-z.])(?:0x)?[0-9a-f]{1,8}(?:(?:[^0-9a-z.]|\\[nr]){1,8}(?:0x)?[0-9a-f]{1,8}(?![0-9a-z.])){3}/i;

const NUMBER = /(?<![0-9a-z.])(0x)?([0-9a-f]{1,8})(?![0-9a-z.])/gi;
/** What stands between two numbers of one list. */
const BETWEEN = /^[\s,;:|"'_-]{1,40}$/;

interface Listed {
  readonly byte: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The bytes that numbers in a text stand for, read as decimal ones and as hexadecimal ones, and where they stood. A 0 is put where
 * a list ends. Zeros of the text are left out, so that UTF-16 reads as what it stands for.
 */
export function listedBytes(decoded: Plain): Plain[] {
  const text = readable(decoded);
  if (!LISTED_BYTES.test(text)) return [];
  const decimal: Listed[] = [];
  const hex: Listed[] = [];
  let last = 0;
  for (const { 0: whole, 1: prefix, 2: digits = "", index } of text.matchAll(NUMBER)) {
    const start = decoded.starts[index] as number;
    const end = decoded.ends[index + whole.length - 1] as number;
    const ends = !BETWEEN.test(text.slice(last, Math.min(index, last + 41)));
    last = index + whole.length;
    for (const list of [decimal, hex]) if (ends) list.push({ byte: 0, start, end: start });
    const isByte = prefix === undefined && /^\d{1,3}$/.test(digits) && Number(digits) <= 0xff;
    const bytes = isByte ? [Number(digits)] : [];
    push(decimal, bytes, start, end);
    push(hex, bytesOf(digits), start, end);
  }
  return [decimal, hex].map(toPlain);
}

/** What is no byte ends the list. */
function push(list: Listed[], bytes: readonly number[], start: number, end: number): void {
  if (bytes.length === 0) list.push({ byte: 0, start, end });
  for (const byte of bytes) if (byte !== 0) list.push({ byte, start, end });
}

/** Of one digit, or of whole bytes. */
function bytesOf(digits: string): number[] {
  if (digits.length === 1) return [Number.parseInt(digits, 16)];
  return digits.length % 2 === 1 ? [] : [...Buffer.from(digits, "hex")];
}

function toPlain(list: readonly Listed[]): Plain {
  const plain = new Plain(list.length);
  for (const { byte, start, end } of list) plain.add(byte, start, end, 0);
  return plain;
}

/** One character a byte; escaped line ends as blanks. */
function readable({ bytes, escaped, length }: Plain): string {
  const copy = Buffer.from(bytes.subarray(0, length));
  for (let at = 0; at < length; at += 1) {
    if (escaped[at] === 1 && (copy[at] === 0x6e || copy[at] === 0x72)) copy[at] = 0x20;
  }
  return copy.toString("latin1");
}

/** Whether plain JSON data is a list of bytes that could hold a text. */
export function isByteList(value: readonly unknown[]): value is readonly number[] {
  return (
    value.length >= SHORTEST_LISTED &&
    value.every((item) => Number.isInteger(item) && (item as number) >= 0 && (item as number) <= 0xff)
  );
}
