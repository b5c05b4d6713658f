// Bodies that come compressed although none was asked for. They are decoded within the same size limit: a few kilobytes
// of gzip can hold gigabytes.
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { errorCode } from "../errors.ts";
import type { HttpFailure } from "./http.ts";

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const inflateWrapped: Decoder = promisify(inflate);
const inflateBare: Decoder = promisify(inflateRaw);

/** "deflate" is zlib's format by the standard, and from some servers the bare stream inside it. */
const inflateEither: Decoder = (bytes, options) =>
  hasZlibHeader(bytes) ? inflateWrapped(bytes, options) : inflateBare(bytes, options);

/** RFC 1950: method 8, a window of at most 32 KiB, and a check over the first two bytes. */
function hasZlibHeader(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0;
}

const DECODERS = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: inflateEither,
  br: promisify(brotliDecompress),
} as const satisfies Readonly<Record<string, Decoder>>;

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
