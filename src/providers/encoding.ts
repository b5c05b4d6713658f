// Bodies that come compressed although none was asked for. They are decoded within the same size limit: a few kilobytes
// of gzip can hold gigabytes.
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { errorCode } from "../errors.ts";
import type { HttpFailure } from "./http.ts";

const DECODERS = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** The decoded bytes, or why there are none. One encoding is decoded, a chain of them is refused. */
export async function decodeBody(
  bytes: Buffer,
  encoding: string | readonly string[],
  maxBytes: number,
): Promise<{ readonly bytes: Buffer } | { readonly failure: HttpFailure }> {
  const name = String(encoding).trim().toLowerCase();
  if (name === "" || name === "identity") return { bytes };
  const failed = (status: HttpFailure["status"], error: string, retryable: boolean) => ({
    failure: { status, error, retryable },
  });
  if (!Object.hasOwn(DECODERS, name)) {
    return failed("invalid_transport_output", "the answer has an encoding that was not asked for", true);
  }
  try {
    return { bytes: await DECODERS[name as keyof typeof DECODERS](bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") {
      const size = maxBytes / (1024 * 1024);
      return failed("invalid_transport_output", `the answer is larger than ${size} MiB`, false);
    }
    if (errorCode(error) === "Z_BUF_ERROR") {
      return failed("transport_error", "the compressed answer was cut before its end", true);
    }
    return failed("invalid_transport_output", "the compressed answer is damaged", true);
  }
}
