// Characters that nobody sees: what no cell may hold, and what makes two texts look alike that are not the same.
import { isJsonObject, type Json } from "../answers/json.ts";
import { fieldPath } from "../fields.ts";
import { quoted } from "../quote.ts";
import type { Report } from "./row.ts";

/** Control characters but for tab, line feed and carriage return, which are how texts are laid out. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** What is wrong with a text that holds a control character; null when it holds none. */
export function controlIn(text: string): string | null {
  const found = CONTROL.exec(text)?.[0];
  if (found === undefined) return null;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `holds the control character U+${code}: expected text; only tab and line end may stand in it`;
}

/** Reports every text and every key of a record that holds a control character. */
export function checkControls(fields: Iterable<readonly [string, Json]>, report: Report): void {
  for (const { path, text } of textsOf(fields)) {
    const message = controlIn(text);
    if (message !== null) report(path.length === 1 ? String(path[0]) : fieldPath(path), message);
  }
}

function* textsOf(
  fields: Iterable<readonly [string, Json]>,
  at: readonly PropertyKey[] = [],
): Generator<{ path: readonly PropertyKey[]; text: string }> {
  for (const [key, value] of fields) {
    yield { path: [...at, key], text: key };
    yield* textsIn(value, [...at, key]);
  }
}

function* textsIn(
  value: Json,
  path: readonly PropertyKey[],
): Generator<{ path: readonly PropertyKey[]; text: string }> {
  if (typeof value === "string") yield { path, text: value };
  else if (isJsonObject(value)) yield* textsOf(value, path);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  }
}

/** Blanks that are not the usual one, marks that show nothing by themselves, accents that stand apart from their letter. */
const UNSEEN = /[^\P{Z} ]|[\p{Cf}\p{M}]/gu;

/**
 * Says how a text differs from the one of `others` that looks the same; null when none does.
 *
 * @param noun what one of the others is called.
 */
export function unseenDifference(text: string, others: Iterable<string>, noun: string): string | null {
  const look = lookOf(text);
  for (const other of others) {
    if (other === text || lookOf(other) !== look) continue;
    return `${exact(text)} looks like the ${noun} ${exact(other)} and is another text: write both alike`;
  }
  return null;
}

function lookOf(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}

function exact(text: string): string {
  return quoted(text).replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
