// The text of a ledger's line as JSON that every reader takes for the same thing: JSON.parse and DuckDB differ about keys
// that stand twice, halves of surrogate pairs, and counts that are not written in plain digits.
import { isJsonObject, type Json, JsonNumber, MAX_DEPTH, parseJson } from "../answers/json.ts";

/** Fields of a local run's records that DuckDB takes as plain digits only, where they decide whether a line is a record. */
const COUNTS = ["number", "images_sent"];

/**
 * Reads a line as JSON.parse does, and refuses what readers would disagree about.
 *
 * @throws {Error} when it is not JSON, or not the same JSON for all of them.
 */
export function parseStrictly(line: string): unknown {
  return parse(line, () => {});
}

/**
 * {@link parseStrictly} for a line of a local run, whose counts are written in plain digits.
 *
 * @throws {Error} when it is not JSON, or not the same JSON for all readers.
 */
export function parseLocal(line: string): unknown {
  return parse(line, (tree) => {
    if (!isJsonObject(tree)) return;
    for (const field of COUNTS) {
      const count = tree.get(field);
      if (count instanceof JsonNumber && !/^\d+$/.test(count.text)) {
        throw new Error(`${field} is ${count.text.slice(0, 40)}, expected plain digits`);
      }
    }
  });
}

function parse(line: string, check: (tree: Json) => void): unknown {
  const value: unknown = JSON.parse(line);
  if (mayBeDeep(line)) parseJson(line);
  const again = JSON.stringify(value);
  // JSON.stringify writes half a pair as an escape, and every other character as it is.
  const half = again.includes("\\ud") ? /(?<!\\)(?:\\\\)*\\u(d[89a-f][0-9a-f]{2})/.exec(again) : null;
  if (half !== null) throw new Error(`half a surrogate pair (\\u${half[1]}) in a text`);
  // A line that comes out as it went in has every key once and its numbers in plain form. Few do not.
  if (again !== line) check(parseJson(line));
  return value;
}

/** Whether a line has brackets enough to be nested too deeply for JSON.stringify's stack and for other readers. */
function mayBeDeep(line: string): boolean {
  let count = 0;
  for (const bracket of ["{", "["]) {
    for (let at = line.indexOf(bracket); at >= 0; at = line.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > MAX_DEPTH) return true;
    }
  }
  return false;
}
