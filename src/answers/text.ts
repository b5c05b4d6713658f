// Texts that come from outside, made safe to write: well-formed Unicode, and short where they only explain something.
import { quoted } from "../quote.ts";

/** The text with every lone surrogate replaced by U+FFFD, so that any reader of UTF-8 accepts it. */
export function makeWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/**
 * At most `units` UTF-16 units of a text, then `…` (not counted) if something was left out. A cut never splits a
 * character: half a surrogate pair is dropped with the rest.
 */
export function cutText(text: string, units: number): string {
  return text.length <= units ? text : `${cutExactly(text, units)}…`;
}

/** {@link cutText} without the mark: at most `units` UTF-16 units, whole characters only. */
export function cutExactly(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  const next = text.charCodeAt(units);
  const splits = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return text.slice(0, splits ? units - 1 : units);
}

/**
 * {@link cutText} that cuts between words, if need be down to nothing: half a key in what is left would be recognised by
 * nobody any more, and no key holds white space.
 */
export function cutBetweenWords(text: string, units: number): string {
  if (text.length <= units) return text;
  return `${/^\s/.test(text.slice(units)) ? text.slice(0, units) : wholeWords(text.slice(0, units))}…`;
}

/** A text that may have been cut anywhere, without its last word. */
export function wholeWords(text: string): string {
  let end = text.length;
  while (end > 0 && /\S/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Longest foreign text inside a message of ours, in UTF-16 units. */
const BRIEF = 60;

/** A foreign text inside a message of ours: quoted, on one line, short, and cut between words. */
export function quoteBriefly(text: string): string {
  // One more for the mark of the cut.
  return quoted(cutBetweenWords(makeWellFormed(text), BRIEF), BRIEF + 1);
}
