// Turns what DuckDB throws into one line that says what is wrong and where in the query.
import { CheckError, errorMessage, InterruptedError, UserError } from "../errors.ts";

/**
 * The error of a query as a {@link CheckError}, or an {@link InterruptedError} when somebody stopped it.
 *
 * @param sql what the person wrote.
 * @param shift bytes from a place in the statement that DuckDB got to the same place in `sql`.
 */
export function queryError(error: unknown, sql: string, shift = 0): Error {
  if (error instanceof CheckError || error instanceof UserError || error instanceof InterruptedError) {
    return error;
  }
  const text = errorMessage(error);
  const found = /\{"exception_type".*\}\s*$/s.exec(text);
  let detail: Record<string, unknown> = {};
  if (found !== null) {
    try {
      detail = JSON.parse(found[0]) as Record<string, unknown>;
    } catch {
      // Not DuckDB's form of an error after all: the text is shown as it is.
      detail = {};
    }
  }
  if (/^interrupt$/i.test(String(detail.exception_type)) || /^INTERRUPT Error/i.test(text)) {
    return new InterruptedError("interrupted");
  }
  // The driver's words for no statement at all, and for a message of DuckDB's that is cut inside a character.
  if (text === "Error in native callback") {
    return new CheckError(
      "SQL: there is no statement in this, or it has a syntax error near a character outside ASCII",
    );
  }
  if (typeof detail.exception_message !== "string") return new CheckError(`SQL: ${oneLine(text)}`);
  const offset = Number(detail.position) + shift;
  // A place in what we put around the person's words says nothing.
  const place = offset >= 0 && offset <= Buffer.byteLength(sql) ? ` (${position(sql, offset)})` : "";
  return new CheckError(
    `SQL: ${String(detail.exception_type)} error: ${oneLine(detail.exception_message)}${place}`,
  );
}

/** Whether DuckDB had less memory than it needed. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof CheckError && /Out of Memory error/.test(error.message);
}

function oneLine(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("; ");
}

/** `line L, column C`, both from 1, for a byte offset in the UTF-8 text of a query. */
function position(sql: string, offset: number): string {
  const before = Buffer.from(sql, "utf8").subarray(0, offset).toString("utf8");
  const lines = before.split("\n");
  return `line ${lines.length}, column ${[...(lines.at(-1) ?? "")].length + 1}`;
}
