// Compares a published document with the one that is computed again: every leaf, every list by position.
import { isJsonObject, type Json, JsonNumber, type Writable } from "../answers/json.ts";
import { fieldPath, isRecord } from "../fields.ts";
import { quoted } from "../quote.ts";
import { differs, type Said } from "./problem.ts";
import { isSameNumber } from "./same-number.ts";

/** Takes one difference: where, and what is said. Numbers also as they are, for who knows another definition. */
export type Differ = (field: string, said: Said, numbers?: { found: number; expected: number }) => void;

/**
 * Tells of every leaf of `expected` that `found` lacks or has otherwise, and of elements too many or too few. Keys that only
 * `found` has pass: a later version may add some.
 */
export function compareDocuments(
  found: Json | undefined,
  expected: Writable,
  differ: Differ,
  path: readonly PropertyKey[] = [],
  group = "",
): void {
  const field = fieldPath(path);
  if (Array.isArray(expected)) {
    if (Array.isArray(found)) compareLists(found, expected, differ, path, group);
    else differ(field, differs(found, expected, group));
  } else if (isRecord(expected)) {
    if (!isJsonObject(found)) {
      differ(field, differs(found, expected, group));
      return;
    }
    for (const [key, value] of Object.entries(expected)) {
      if (value === undefined) continue;
      compareDocuments(found.get(key), value as Writable, differ, [...path, key], group);
    }
  } else if (found instanceof JsonNumber && typeof expected === "number") {
    const numbers = { found: found.value, expected };
    if (!isSameNumber(found.value, expected)) differ(field, differs(found, expected, group), numbers);
  } else if (found !== expected) {
    differ(field, differs(found, expected, group));
  }
}

function compareLists(
  found: readonly Json[],
  expected: readonly Writable[],
  differ: Differ,
  path: readonly PropertyKey[],
  group: string,
): void {
  const byId = new Map(expected.map((element) => [idOf(element), element]));
  if (found.length !== expected.length) {
    const there = new Set(found.map(idOf));
    const missing = expected.map(idOf).filter((id) => id !== null && !there.has(id));
    const names =
      missing
        .slice(0, 5)
        .map((id) => quoted(id ?? ""))
        .join(", ") + (missing.length > 5 ? ", …" : "");
    const said = differs(found, expected, group);
    differ(fieldPath(path), {
      ...said,
      message: `${said.message}${names === "" ? "" : `: ${names} is missing`}`,
    });
  }
  for (const [index, element] of found.entries()) {
    const id = idOf(element);
    const place = expected[index];
    // In a list with a hole, or in another order, an element is held against its own.
    const own = id === null || found.length === expected.length ? place : byId.get(id);
    if (own === undefined) {
      if (id !== null)
        differ(fieldPath([...path, index, idKey(element)]), {
          message: `${quoted(id)} does not belong here`,
          found: quoted(id),
        });
      continue;
    }
    if (id !== null && found.length === expected.length && idOf(place) !== id) {
      differ(fieldPath([...path, index, idKey(element)]), differs(id, idOf(place)));
      continue;
    }
    compareDocuments(element, own, differ, [...path, index], id === null ? group : `of ${quoted(id)}`);
  }
}

/** The id of an element, which names it in a message; null for elements without one. */
function idOf(element: Json | Writable | undefined): string | null {
  const id = memberOf(element, idKey(element));
  return typeof id === "string" ? id : null;
}

/** Entries of a leaderboard have a `model_id`, groups of rows an `id`. */
function idKey(element: Json | Writable | undefined): string {
  return memberOf(element, "model_id") === undefined ? "id" : "model_id";
}

function memberOf(element: Json | Writable | undefined, key: string): unknown {
  return isJsonObject(element) ? element.get(key) : isRecord(element) ? element[key] : undefined;
}
