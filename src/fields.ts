// How a place inside a document is named in messages: `models[2].request.temperature`.
import type { z } from "zod";

/** The path of a value as text; "" for the whole document. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}

/** All problems that a schema found, as field and message. */
export function issuesOf(error: z.ZodError): { field: string; message: string }[] {
  return error.issues.map((issue) => ({ field: fieldPath(issue.path), message: issue.message }));
}

/** True for a JSON object as JSON.parse gives it. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
