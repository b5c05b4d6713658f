// Changes of bytes anywhere in a file, for properties: places and lengths are shares, so that one change fits every file.
import fc from "fast-check";

/** A part of a file that goes, and what comes in its place. */
export interface Splice {
  readonly start: number;
  readonly remove: number;
  readonly insert: Buffer;
}

const KINDS = ["flip", "insert", "delete", "cut", "duplicate", "digit"] as const;

/** A change of bytes that is not yet one of a certain file. */
export interface ByteChange {
  readonly kind: (typeof KINDS)[number];
  readonly at: number;
  readonly length: number;
  readonly bytes: Buffer;
}

/** Any change of bytes. */
export const byteChange: fc.Arbitrary<ByteChange> = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 1500 }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        "\n",
        "\r\n",
        '"',
        "{",
        "}",
        ",",
        "\\",
        "\0",
        "\ufeff",
        "0",
        "-",
        "e5",
        "\\ud800",
        "\n\n{}\n",
        " ",
      )
      .map((text) => Buffer.from(text)),
  ),
});

/** The change where it falls in these bytes. */
export function spliceOf(before: Buffer, { kind, at, length, bytes }: ByteChange): Splice {
  const start = Math.max(0, Math.min(before.length - 1, Math.floor(at * before.length)));
  switch (kind) {
    case "flip":
      return { start, remove: 1, insert: Buffer.from([(before[start] ?? 0) ^ (1 << (length % 8))]) };
    case "insert":
      return { start, remove: 0, insert: bytes };
    case "delete":
      return { start, remove: Math.min(length, before.length - start), insert: Buffer.alloc(0) };
    case "cut":
      return { start, remove: before.length - start, insert: Buffer.alloc(0) };
    case "duplicate":
      return { start, remove: 0, insert: before.subarray(Math.max(0, start - length), start) };
    default: {
      // Near misses: a digit that changes a number and leaves the shape.
      const digit = before.subarray(start).findIndex((byte) => byte >= 0x30 && byte <= 0x39);
      const place = digit < 0 ? start : start + digit;
      return { start: place, remove: 1, insert: Buffer.from(String(length % 10)) };
    }
  }
}

/** The bytes after the splice. */
export function spliced(before: Buffer, { start, remove, insert }: Splice): Buffer {
  return Buffer.concat([before.subarray(0, start), insert, before.subarray(start + remove)]);
}
