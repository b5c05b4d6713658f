// What a command printed: one JSON event a line. Lines that are none are kept as they are.
import { isUtf8 } from "node:buffer";
import { cutBetweenWords, makeWellFormed, wholeWords } from "../../answers/text.ts";
import { member, serverMessage, tryJson } from "../response.ts";
import { idsInText } from "../trace.ts";
import type { ChildEnd } from "./child.ts";

/** How much of standard error, and of output that was too much, is kept for the raw file, in UTF-16 units. */
const MAX_KEPT = 64 * 1024;

/** What came out of a command, in a form that can be read and written down. */
export interface Output {
  /** Plain JSON data, in order. */
  readonly events: readonly unknown[];
  /** The line of each event, for those who need its numbers and keys as they were written. */
  readonly lines: readonly string[];
  /** Lines of standard output that are no JSON object; of very many the first and the last. */
  readonly otherLines: readonly string[];
  /** How many such lines there are. */
  readonly unreadableLines: number;
  readonly stderr: string;
  readonly isUtf8: boolean;
  /** Whether it has more events than are read: the first ones and the last are there. */
  readonly isTooMuch: boolean;
  /** Numbers of requests and sessions, which stand in the middle of sentences and lines. */
  readonly traceIds: readonly string[];
  /** For the raw file. */
  readonly raw: unknown;
}

/** So many events, and lines that are none, are read; reading stops everything else. */
const MAX_EVENTS = 20_000;
const MAX_OTHER_LINES = 1000;
const BYTE_ORDER_MARK = 0xfeff;
/** How far from the end of the output the last lines are looked for, in UTF-16 units. */
const TAIL = 4096;

/** Reads what a command printed, in time that its bytes bound and not its lines. */
export function readOutput(end: ChildEnd): Output {
  const stdout = Buffer.from(end.stdout);
  // Who was ended may have been in the middle of a word, and a half of a key is nobody's any more.
  const isCut = end.how !== "exit" || end.exitSignal !== null;
  const whole = (said: string): string =>
    isCut && tryJson(said.slice(said.lastIndexOf("\n") + 1)) === undefined ? wholeWords(said) : said;
  const text = whole(stdout.toString("utf8"));
  const stderr = whole(makeWellFormed(Buffer.from(end.stderr).toString("utf8")));
  const events: unknown[] = [];
  const lines: string[] = [];
  const otherLines: string[] = [];
  const add = (line: string): boolean => {
    const event = tryJson(line);
    if (typeof event !== "object" || event === null || Array.isArray(event)) return false;
    events.push(event);
    lines.push(line);
    return true;
  };
  let tried = 0;
  let others = 0;
  let last = "";
  let isTooMuch = false;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const stop = found < 0 ? text.length : found;
    while (start < stop && isBlank(text.charCodeAt(start))) start += 1;
    const line = text.slice(start, stop);
    const isLike = line.startsWith("{");
    if (isLike) tried += 1;
    if (isLike && tried > MAX_EVENTS) {
      // A line that only begins like an event takes time as well.
      isTooMuch = true;
      last = line;
    } else if (line !== "" && !(isLike && add(line))) {
      others += 1;
      if (otherLines.length < MAX_OTHER_LINES) otherLines.push(line);
    }
    start = stop + 1;
  }
  // The last event says what the call took.
  if (isTooMuch) add(last);
  if (others > MAX_OTHER_LINES) {
    const tail = wholeLines(text.slice(-TAIL));
    otherLines.push(...tail.filter((line) => line.trim() !== "" && !line.startsWith("{")).slice(-20));
  }
  const head = { exit_code: end.exitCode, exit_signal: end.exitSignal };
  const tail = { stderr: stderr === "" ? undefined : cutBetweenWords(stderr, MAX_KEPT) };
  const said = { events, other_lines: otherLines.length === 0 ? undefined : otherLines };
  return {
    events,
    lines,
    otherLines,
    unreadableLines: others,
    stderr,
    isUtf8: isUtf8(stdout),
    isTooMuch,
    traceIds: [...idsInText(text), ...idsInText(stderr)],
    raw: {
      ...head,
      ...(end.how === "too_large" ? { text: cutBetweenWords(text, MAX_KEPT) } : said),
      ...tail,
    },
  };
}

/** What may stand before an event on its line: spaces, tabs, a carriage return, and the mark that a text may begin with. */
function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0d || unit === BYTE_ORDER_MARK;
}

/** The lines of the end of a text, without the first, which may be half of one. */
function wholeLines(tail: string): string[] {
  return tail.split("\n").slice(1);
}

/** The last event of a type; undefined when there is none. */
export function lastOf(events: readonly unknown[], type: string): unknown {
  return events.findLast((event) => member(event, "type") === type);
}

/** The end of what a command said on standard error or beside its events, on one line; null when it said nothing. */
export function lastWords(output: Output): string | null {
  const said = [...output.otherLines, ...output.stderr.split("\n")].filter((line) => line.trim() !== "");
  const last = said.findLast((line) => /error/i.test(line)) ?? said.at(-1);
  return last === undefined ? null : serverMessage(last);
}
