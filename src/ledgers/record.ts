// Reads run.json, for the harness that goes on with a run and for everybody who looks at one, and its like of a published
// result.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { z } from "zod";
import { errorCode, errorMessage, UserError } from "../errors.ts";
import { issuesOf } from "../fields.ts";
import { metadataSchema, type PublishedMetadata } from "./published.ts";
import { type RunRecord, runSchema } from "./schema.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The record of a `run.json`, or what is wrong with it in words that follow its name; null when it is not there.
 *
 * @throws {Unreadable} when it is not a regular file or cannot be read.
 */
export function readRunRecord(path: string): RunRecord | string | null {
  return readRecord(path, runSchema, "run");
}

/**
 * What a `metadata.json` says, or what is wrong with it in words that follow its name; null when it is not there.
 *
 * @throws {Unreadable} when it is not a regular file or cannot be read.
 */
export function readMetadata(path: string): PublishedMetadata | string | null {
  return readRecord(path, metadataSchema, "published result");
}

function readRecord<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  kind: string,
): z.output<Schema> | string | null {
  const file = openRegular(path);
  if (file === null) return null;
  let text: string;
  try {
    const { size } = fstatSync(file);
    if (size > MAX_BYTES) return `is larger than ${MAX_BYTES / (1024 * 1024)} MiB`;
    const bytes = Buffer.alloc(size);
    text = bytes.toString("utf8", 0, readSync(file, bytes, 0, size, 0));
  } finally {
    closeSync(file);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `is not JSON: ${errorMessage(error)}`;
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = issuesOf(parsed.error);
  const field = issue?.field ? `${issue.field}: ` : "";
  return `is no ${kind}: ${field}${issue?.message}`;
}

/** A path that cannot be read as a file; `reason` goes on after its name. */
export class Unreadable extends UserError {
  readonly reason: string;
  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
    this.reason = reason;
  }
}

/**
 * Opens a regular file for reading; null when there is none.
 *
 * @throws {Unreadable} when it is something else or cannot be opened.
 */
export function openRegular(path: string): number | null {
  let file: number;
  try {
    // A named pipe would be waited for without end.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return null;
    throw new Unreadable(path, `cannot be read (${errorCode(error) ?? errorMessage(error)})`);
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Unreadable(path, "is not a file");
}
