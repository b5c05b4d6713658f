// The canonical JSON of a line straight from its text, for lines of the usual kind, which are nearly all: a corpus of a
// million rows is digested each time it is loaded, and building the values only to write them again is most of that.
import { canonicalNumber } from "./canonical.ts";

// A text with an escape, with half or whole surrogate pairs, or with a control character is for the strict parser.
const UNUSUAL = /[^ -[\]-\ud7ff\ue000-\uffff]/;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?/y;
const MOST_DEPTH = 50;

/** What is known of objects whose keys begin in this order: one step of the tree a key. */
interface Step {
  readonly next: Map<string, Step>;
  /** Places of the keys by code point; null when a key is repeated. */
  order: readonly number[] | null | undefined;
}

// Objects of a document are alike, so the order of the keys of one serves the next. The tree is bounded.
const MOST_STEPS = 10_000;
const root: Step = { next: new Map(), order: undefined };
let steps = 0;

let text = "";
let at = 0;

/**
 * The text that `canonicalJson(parseJson(line))` gives.
 *
 * @returns null for a line that is not of the usual kind, sound or not: that is for the strict parser to say.
 */
export function canonicalLine(line: string): string | null {
  if (UNUSUAL.test(line)) return null;
  text = line;
  at = 0;
  const out = value(0);
  skip();
  return at === line.length ? out : null;
}

function skip(): void {
  while (text.charCodeAt(at) === 32) at += 1;
}

/** Reads a value; null when something is not as usual. */
function value(depth: number): string | null {
  skip();
  switch (text[at]) {
    case '"':
      return quoted();
    case "{":
      return depth < MOST_DEPTH ? object(depth + 1) : null;
    case "[":
      return depth < MOST_DEPTH ? array(depth + 1) : null;
    case "t":
      return word("true");
    case "f":
      return word("false");
    case "n":
      return word("null");
    default:
      return number();
  }
}

function word(expected: string): string | null {
  if (!text.startsWith(expected, at)) return null;
  at += expected.length;
  return expected;
}

/** A text with its quotes: without escapes it is its own JSON. */
function quoted(): string | null {
  const end = text.indexOf('"', at + 1);
  if (end < 0) return null;
  const found = text.slice(at, end + 1);
  at = end + 1;
  return found;
}

function number(): string | null {
  NUMBER.lastIndex = at;
  if (!NUMBER.test(text)) return null;
  const found = text.slice(at, NUMBER.lastIndex);
  at = NUMBER.lastIndex;
  // A longer one may overflow; so may one with an exponent, whose "e" is no end of a value.
  return found.length > 300 ? null : canonicalNumber(found);
}

function array(depth: number): string | null {
  at += 1;
  skip();
  if (text[at] === "]") {
    at += 1;
    return "[]";
  }
  let out = "[";
  for (;;) {
    const item = value(depth);
    if (item === null) return null;
    out += item;
    skip();
    const next = text[at];
    at += 1;
    if (next === "]") return `${out}]`;
    if (next !== ",") return null;
    out += ",";
  }
}

function object(depth: number): string | null {
  at += 1;
  skip();
  if (text[at] === "}") {
    at += 1;
    return "{}";
  }
  const keys: string[] = [];
  const values: string[] = [];
  for (;;) {
    skip();
    if (text[at] !== '"') return null;
    const key = quoted();
    if (key === null) return null;
    skip();
    if (text[at] !== ":") return null;
    at += 1;
    const item = value(depth);
    if (item === null) return null;
    keys.push(key);
    values.push(item);
    skip();
    const next = text[at];
    at += 1;
    if (next === "}") break;
    if (next !== ",") return null;
  }
  const order = orderOf(keys);
  if (order === null) return null;
  let out = "";
  for (const place of order) out += `${out === "" ? "{" : ","}${keys[place]}:${values[place]}`;
  return `${out}}`;
}

function orderOf(keys: readonly string[]): readonly number[] | null {
  let step: Step = root;
  for (const key of keys) {
    let next = step.next.get(key);
    if (next === undefined) {
      if (steps >= MOST_STEPS || key.length > 100) return sortedOrder(keys);
      next = { next: new Map(), order: undefined };
      step.next.set(key, next);
      steps += 1;
    }
    step = next;
  }
  if (step.order === undefined) step.order = sortedOrder(keys);
  return step.order;
}

/** Without surrogates the order of UTF-16 units is that of code points. The quotes are not part of a key. */
function sortedOrder(keys: readonly string[]): readonly number[] | null {
  if (new Set(keys).size < keys.length) return null;
  const inner = keys.map((key) => key.slice(1, -1));
  return [...inner.keys()].sort((a, b) => ((inner[a] ?? "") < (inner[b] ?? "") ? -1 : 1));
}
