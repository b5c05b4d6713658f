// What a command printed: one JSON event a line. Lines that are none are kept as they are.
import { isUtf8 } from "node:buffer";
import { cutBetweenWords, makeWellFormed } from "../../answers/text.ts";
import { member, serverMessage, tryJson } from "../response.ts";
import type { ChildEnd } from "./child.ts";

/** How much of standard error, and of output that was too much, is kept for the raw file, in UTF-16 units. */
const MAX_KEPT = 64 * 1024;

/** What came out of a command, in a form that can be read and written down. */
export interface Output {
  /** Plain JSON data, in order. */
  readonly events: readonly unknown[];
  /** The line of each event, for those who need its numbers and keys as they were written. */
  readonly lines: readonly string[];
  /** Lines of standard output that are no JSON object. */
  readonly otherLines: readonly string[];
  readonly stderr: string;
  readonly isUtf8: boolean;
  /** For the raw file. */
  readonly raw: unknown;
}

export function readOutput(end: ChildEnd): Output {
  const stdout = Buffer.from(end.stdout);
  const text = stdout.toString("utf8");
  const stderr = makeWellFormed(Buffer.from(end.stderr).toString("utf8"));
  const events: unknown[] = [];
  const lines: string[] = [];
  const otherLines: string[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const event = tryJson(line);
    if (typeof event === "object" && event !== null && !Array.isArray(event)) {
      events.push(event);
      lines.push(line);
    } else otherLines.push(line);
  }
  const head = { exit_code: end.exitCode, exit_signal: end.exitSignal };
  const tail = { stderr: stderr === "" ? undefined : cutBetweenWords(stderr, MAX_KEPT) };
  const said = { events, other_lines: otherLines.length === 0 ? undefined : otherLines };
  return {
    events,
    lines,
    otherLines,
    stderr,
    isUtf8: isUtf8(stdout),
    raw: {
      ...head,
      ...(end.how === "too_large" ? { text: cutBetweenWords(text, MAX_KEPT) } : said),
      ...tail,
    },
  };
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
