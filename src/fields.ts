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

/**
 * All problems that a schema found, as field and message; `at` is where the checked value stands in its document.
 * A message says what was found if the value was parsed with `reportInput`.
 */
export function issuesOf(
  error: z.ZodError,
  at: readonly PropertyKey[] = [],
): { field: string; message: string }[] {
  return error.issues.map((issue) => ({
    field: fieldPath([...at, ...issue.path]),
    message: describe(issue),
  }));
}

function describe(issue: z.core.$ZodIssue): string {
  // zod's words without those that say nothing.
  const said = issue.message
    .replace(/^(?:Invalid input|Invalid option|Too small|Too big): /, "")
    .replaceAll('"|"', '", "');
  const expected = said.replace(/, received \w+$/, "");
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.slice(0, 5).map((key) => quoted(key, 40));
    const found = `${keys.join(", ")}${issue.keys.length > keys.length ? ", …" : ""}`;
    return expected.startsWith("Unrecognized") ? `unknown: ${found}` : `${expected}, found ${found}`;
  }
  if (!("input" in issue)) return said;
  // The input of a union is the whole object; what is wrong is the field that tells its members apart.
  const found =
    issue.code === "invalid_union" && issue.discriminator !== undefined
      ? (issue.input as Record<string, unknown>)[issue.discriminator]
      : issue.input;
  return found === undefined ? `is missing: ${expected}` : `${expected}, found ${describeValue(found)}`;
}

function describeValue(value: unknown): string {
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
