// How a place inside a document is named in messages (`models[2].request.temperature`), and what is said about it.
import type { z } from "zod";
import { JsonNumber } from "./answers/json.ts";
import { quoted } from "./quote.ts";

/** The path of a value as text; "" for the whole document. A key that is not a plain word stands in quotes. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => {
      if (typeof part === "number") return `[${part}]`;
      const key = String(part);
      return /^[\w-]{1,80}$/.test(key) ? `.${key}` : `[${quoted(key)}]`;
    })
    .join("")
    .replace(/^\./, "");
}

/** One problem that a schema found. */
export interface Issue {
  readonly field: string;
  readonly message: string;
  /** What `message` says was expected, and what was found: null when nothing is there, or the value was not reported. */
  readonly expected: string;
  readonly found: string | null;
}

/**
 * All problems that a schema found; `at` is where the checked value stands in its document.
 * A message says what was found if the value was parsed with `reportInput`.
 */
export function issuesOf(error: z.ZodError, at: readonly PropertyKey[] = []): Issue[] {
  return error.issues.map((issue) => ({ field: fieldPath([...at, ...issue.path]), ...describe(issue) }));
}

function describe(issue: z.core.$ZodIssue): Omit<Issue, "field"> {
  // zod's words without those that say nothing.
  const said = issue.message
    .replace(/^(?:Invalid input|Invalid option|Too small|Too big): /, "")
    .replaceAll('"|"', '", "');
  const expected = said.replace(/, received \w+$/, "");
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.slice(0, 5).map((key) => quoted(key, 40));
    const found = `${keys.join(", ")}${issue.keys.length > keys.length ? ", …" : ""}`;
    const message = expected.startsWith("Unrecognized") ? `unknown: ${found}` : `${expected}, found ${found}`;
    return { message, expected, found };
  }
  if (!("input" in issue)) return { message: said, expected, found: null };
  // The input of a union is the whole object; what is wrong is the field that tells its members apart.
  const found =
    issue.code === "invalid_union" && issue.discriminator !== undefined
      ? (issue.input as Record<string, unknown>)[issue.discriminator]
      : issue.input;
  return foundInstead(found, expected);
}

/** What is said of a value that is not what `expected` says; undefined: it is not there. */
export function foundInstead(value: unknown, expected: string): Omit<Issue, "field"> {
  if (value === undefined) return { message: `is missing: ${expected}`, expected, found: null };
  const found = valueText(value);
  return { message: `${expected}, found ${found}`, expected, found };
}

/** A value of a document inside a message: short, and on one line. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (value instanceof JsonNumber) return quoted(value.text).slice(1, -1);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/** True for a JSON object as JSON.parse gives it. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
