// The digest of a whole cases.jsonl. It is as much work as reading the rows, and needs nothing of it: a large file is
// digested on a thread of its own, beside the reading.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { open, stat } from "node:fs/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { CanonicalError } from "../answers/canonical.ts";
import { JsonError } from "../answers/json.ts";
import { InterruptedError } from "../errors.ts";
import { readBatches } from "../ledgers/reader.ts";
import { DigestWriter } from "./digest.ts";

export interface FileDigest {
  /** Lower-case hex, of all rows; null when a line is not JSON or has no canonical form. */
  readonly sha256: string | null;
  /** Lower-case hex, of the bytes; null for a small file, which is read again as fast. */
  readonly rawSha256: string | null;
  /** The lines (from 1) that are no JSON, or JSON without a canonical form, and why. */
  readonly refusals: readonly Refusal[];
}

interface Refusal {
  readonly line: number;
  readonly message: string;
  /** False when a reader of the rows stumbles at the line as well. */
  readonly isJson: boolean;
}

/** What is said of a line that is not JSON. */
export function notJson(error: JsonError): string {
  return `is not JSON: ${error.message}`;
}

/** From this size on, in bytes, a cases.jsonl is large: a thread costs less than it saves. */
export const LARGE_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Digests the rows of a file that can be read.
 *
 * @throws {InterruptedError} when it was stopped.
 */
export async function digestFile(path: string, signal?: AbortSignal): Promise<FileDigest> {
  // Straight from the sources (in tests) there is no script that a thread could run.
  const isLarge = (await stat(path)).size >= LARGE_BYTES;
  if (import.meta.url.endsWith(".ts") || !isLarge) return await digestLines(path, isLarge);
  const worker = new Worker(new URL(import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
    workerData: { digest: path },
  });
  try {
    // Rejects with the worker's own error, if it has one.
    const [digest] = (await once(worker, "message", signal === undefined ? {} : { signal })) as [FileDigest];
    return digest;
  } catch (error) {
    if (signal?.aborted) throw new InterruptedError("interrupted");
    throw error;
  } finally {
    await worker.terminate();
  }
}

/** So many lines without a digest are told; there is none for the file from the first one on. */
const MOST_REFUSALS = 1000;

async function digestLines(path: string, isLarge: boolean): Promise<FileDigest> {
  const digest = new DigestWriter();
  const refusals: Refusal[] = [];
  let whole = true;
  for await (const batch of readBatches(path, { wholeTail: true })) {
    if (refusals.length >= MOST_REFUSALS) break;
    for (const { line, text, problem } of batch) {
      if (refusals.length >= MOST_REFUSALS) break;
      if (problem === null && isBlank(text)) continue;
      try {
        if (problem === null) digest.addLine(text);
        else whole = false;
      } catch (error) {
        whole = false;
        if (error instanceof CanonicalError) refusals.push({ line, message: error.message, isJson: true });
        else if (error instanceof JsonError) refusals.push({ line, message: notJson(error), isJson: false });
        else throw error;
      }
    }
  }
  return {
    sha256: whole ? digest.hex() : null,
    rawSha256: isLarge ? await digestBytes(path) : null,
    refusals,
  };
}

/**
 * Lower-case hex SHA-256 of the bytes of a file that can be read.
 *
 * @throws {InterruptedError} when it was stopped.
 */
export async function digestBytes(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      if (signal?.aborted) throw new InterruptedError("interrupted");
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** An empty line is no row, in Python's reader as here. */
export function isBlank(text: string): boolean {
  return /^[ \t\r]*$/.test(text);
}

// This very module is what the thread runs; another thread that only imports it has other data.
if (!isMainThread && parentPort !== null && typeof workerData?.digest === "string") {
  parentPort.postMessage(await digestLines(workerData.digest, true));
}
