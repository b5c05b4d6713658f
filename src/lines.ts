// JSONL as bytes: a line ends at \n and nowhere else, and it is UTF-8 or it is refused.

/** One line of a file, without its end. `number` counts from 1. */
export interface Line {
  readonly number: number;
  readonly bytes: Uint8Array;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The lines of a whole file in memory; a text that ends with \n has no empty last line. */
export function* splitLines(bytes: Uint8Array): Generator<Line> {
  let start = 0;
  for (let number = 1; start < bytes.length; number += 1) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end === -1 ? bytes.length : end;
    yield { number, bytes: bytes.subarray(start, stop) };
    start = stop + 1;
  }
}

/** The text of UTF-8 bytes; null when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
