// Texts as mails carry them: `=41` for a byte, and lines that are broken behind an `=`.
import { HEX, Plain } from "./forms.ts";

const EQUALS = 0x3d;

/** Decoded bytes read as quoted-printable: with `=XX` decoded and without breaks of lines behind `=`; null when it has none of them. */
export function quotedPrintableBytes(decoded: Plain): Plain | null {
  const { bytes, escaped, starts, ends, length } = decoded;
  if (!bytes.subarray(0, length).includes(EQUALS)) return null;
  const plain = new Plain(length);
  const isBreak = (at: number): boolean => {
    const byte = bytes[at] as number;
    return (
      byte === 0x20 ||
      (byte >= 0x09 && byte <= 0x0d) ||
      (escaped[at] === 1 && (byte === 0x6e || byte === 0x72))
    );
  };
  for (let at = 0; at < length; at += 1) {
    const start = starts[at] as number;
    if (bytes[at] === EQUALS && at + 1 < length) {
      const high = HEX[bytes[at + 1] as number] as number;
      const low = at + 2 < length ? (HEX[bytes[at + 2] as number] as number) : -1;
      if (high >= 0 && low >= 0) {
        plain.add(16 * high + low, start, ends[at + 2] as number, 0);
        at += 2;
        continue;
      }
      if (isBreak(at + 1)) {
        while (at + 1 < length && isBreak(at + 1)) at += 1;
        continue;
      }
    }
    plain.add(bytes[at] as number, start, ends[at] as number, 0);
  }
  return plain.length === length ? null : plain;
}
