// Files of a workspace that a person may have written: whatever stands under the name, it is read or refused with a
// message, never waited for.
import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { type Json, JsonError, lineAndColumn, parseJson } from "./answers/json.ts";
import { errorCode } from "./errors.ts";
import { decodeUtf8 } from "./utf8.ts";

/** Why a file cannot be used; `message` continues a sentence that begins with the file's name. */
export interface Refusal {
  readonly message: string;
  /** From 1; null where the problem is in no line. */
  readonly line: number | null;
}

/** The content, or why there is none. */
export type Outcome<T> =
  | { readonly value: T; readonly refusal?: never }
  | { readonly value?: never; readonly refusal: Refusal };

/** Why a path is no regular file of at most `maxBytes` that can be read; null when it is one. */
export async function refusalOf(path: string, maxBytes: number): Promise<Refusal | null> {
  const refuse = (message: string): Refusal => ({ message, line: null });
  try {
    const info = await stat(path);
    // A folder cannot be read, and a named pipe would be waited for without end.
    if (!info.isFile()) return refuse("is not a file");
    if (info.size > maxBytes) return refuse(`is larger than ${maxBytes / (1024 * 1024)} MiB`);
    await access(path, constants.R_OK);
    return null;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return refuse("is not there");
    if (code === undefined) throw error;
    return refuse(`cannot be read (${code})`);
  }
}

/** The bytes of a regular file of at most `maxBytes`. */
export async function readBytes(path: string, maxBytes: number): Promise<Outcome<Buffer>> {
  const refusal = await refusalOf(path, maxBytes);
  return refusal === null ? { value: await readFile(path) } : { refusal };
}

/** The JSON document in a regular file of at most `maxBytes`. */
export async function readDocument(path: string, maxBytes: number): Promise<Outcome<Json>> {
  const bytes = await readBytes(path, maxBytes);
  if (bytes.refusal !== undefined) return bytes;
  const text = decodeUtf8(bytes.value);
  if (text === null) return { refusal: { message: "is not UTF-8", line: null } };
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { line, column } = lineAndColumn(text, error.offset);
    return { refusal: { message: `is not JSON: ${error.problem} on line ${line}, column ${column}`, line } };
  }
}
