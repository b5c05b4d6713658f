// Where configured secrets stand in a text, in whatever form: one pass over the text's bytes for all of them at once.
import { listedBytes, SHORTEST_LISTED } from "./byte-lists.ts";
import { base64Bytes, base64Cores, decodedBytes, literalBytes, type Plain } from "./forms.ts";
import { quotedPrintableBytes } from "./quoted-printable.ts";

/** A text to be found. */
export interface Wanted {
  readonly text: string;
  /** What it is: lower numbers win where two begin at one place. */
  readonly kind: number;
  readonly ignoreCase?: boolean;
  /** What the characters before and behind it must not be, e.g. those of a longer name. */
  readonly notBefore?: RegExp;
  readonly notBehind?: RegExp;
  /** What must not stand inside of it. */
  readonly notWithin?: RegExp;
  /** Whether it may hold white space, at which a text can be cut. */
  readonly isPath?: boolean;
}

/** From `start` to `end`, in UTF-16 units. */
export interface Sighting {
  readonly start: number;
  readonly end: number;
  readonly kind: number;
}

interface Needle {
  readonly bytes: Uint8Array;
  readonly wanted: Wanted;
}

/** Work is done in parts of at least so many UTF-16 units, so that memory does not grow with the text. */
const PART = 256 * 1024;
/** A form with more units for each of a secret's bytes is not found where two parts meet. */
const WIDEST_FORM = 24;
/** Words in a row, read without the blanks between them, may by chance hold less of base64. */
const FEWEST_IN_WORDS = 12;
/** Blanks but for those that indent the line after a break. */
const BLANK_IN_LINE = /(?<!\s|\\[rn])[ \t]/;
/** How a text ends that was cut between two lines of base64; the last words of a sentence are shorter. */
const END_OF_BASE64 = /[A-Za-z0-9+/_-]{12}$/;
/** How far before a cut what was cut is looked for, in UTF-16 units. */
const BEFORE_CUT = 2048;
/** The beginning of a key that is shorter may be what all keys of its issuer begin with. */
const FEWEST_OF_KEY = 12;
/** Fewer decoded bytes than this are met by chance. */
const FEWEST_BYTES = 4;

/** Of decoded bytes, which have no backslashes any more. */
const HALF_ESCAPE = /(?:%+[0-9a-f]?|u[0-9a-f]{0,3}|&#?\w{0,8})$/i;

/** The beginning of an escape of one byte at the end of a text, without its backslashes. */
const HALF_BYTE = /\\(x[0-9a-f]?|[0-3][0-7]?)$/i;

const LOWER = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte,
);

/** Finds texts. Made once; its methods are pure. */
export class Sightings {
  readonly #literal: NeedleIndex;
  readonly #decoded: NeedleIndex;
  readonly #base64: NeedleIndex;
  readonly #listed: NeedleIndex;
  readonly #overlap: number;
  readonly #part: number;
  /** Only of these kinds what goes on behind another sighting counts: the rest of a folder's name is no secret. */
  readonly #extends: number;
  /** Keys of which a beginning can be told from other texts. */
  readonly #keys: readonly string[];
  /** What a cut between two words leaves of a folder. */
  readonly #firstWords: readonly Needle[];

  constructor(wanted: readonly Wanted[], extendingKind: number) {
    this.#literal = new NeedleIndex(wanted.map((one) => ({ bytes: literal(one.text), wanted: one })));
    this.#decoded = new NeedleIndex(wanted.flatMap(decodedNeedles));
    this.#base64 = new NeedleIndex(wanted.flatMap(base64Needles));
    this.#listed = new NeedleIndex(
      wanted.map((one) => ({ bytes: literal(one.text), wanted: one })).filter(isListed),
    );
    this.#firstWords = wanted.filter(({ isPath }) => isPath === true).flatMap(firstWords);
    const longest = Math.max(1, this.#literal.longest, this.#decoded.longest, this.#base64.longest);
    this.#overlap = longest * WIDEST_FORM;
    this.#part = Math.max(PART, this.#overlap);
    this.#extends = extendingKind;
    this.#keys = wanted
      .filter(({ kind, text }) => kind === extendingKind && text.length > FEWEST_OF_KEY)
      .map(({ text }) => text);
  }

  /** Where they stand, from left to right, none over another. */
  *in(text: string): Generator<Sighting> {
    let last: { start: number; end: number; kind: number } | null = null;
    for (let from = 0; from < text.length; from += this.#part) {
      const own = from + this.#part;
      for (const next of this.#inPart(text, from, Math.min(text.length, own + this.#overlap))) {
        // What begins later is found again, and whole, in the next part.
        if (next.start >= own) break;
        if (last !== null && next.start < last.end) {
          if (next.kind === this.#extends && next.end > last.end) {
            last.end = next.end;
            last.kind = next.kind;
          }
          continue;
        }
        if (last !== null) yield last;
        last = { ...next };
      }
    }
    if (last !== null) yield last;
  }

  /**
   * What a cut, at the end or before the last `…`, has left of something: the first words of a folder, the first lines of
   * base64; and of a key its beginning, where whoever wrote it stopped in the middle.
   */
  cutOff(text: string): Sighting | null {
    for (const cut of new Set([text.length, text.lastIndexOf("…")])) {
      const end = endOfWord(text, cut);
      const key = this.#keyAtEnd(text, end);
      if (key !== null) return key;
      const mayBeBase64 = END_OF_BASE64.test(
        text.slice(Math.max(0, end - FEWEST_IN_WORDS), Math.max(0, end)),
      );
      if (end <= 0 || (this.#firstWords.length === 0 && !mayBeBase64)) continue;
      const decoded = decodedBytes(text, Math.max(0, end - BEFORE_CUT), end);
      const found = this.#folderAtEnd(decoded) ?? (mayBeBase64 ? this.#base64AtEnd(decoded) : null);
      if (found !== null) return { ...found, end };
    }
    return null;
  }

  #keyAtEnd(text: string, end: number): Sighting | null {
    for (const key of this.#keys) {
      const head = key.slice(0, FEWEST_OF_KEY);
      const from = Math.max(0, end - key.length);
      // The longest first.
      for (let at = text.indexOf(head, from); at >= 0 && at < end; at = text.indexOf(head, at + 1)) {
        const isMost = end - at >= Math.max(FEWEST_OF_KEY, key.length / 2);
        if (isMost && key.startsWith(text.slice(at, end))) return { start: at, end, kind: this.#extends };
      }
    }
    return null;
  }

  #folderAtEnd(decoded: Plain): Omit<Sighting, "end"> | null {
    for (const needle of this.#firstWords) {
      const at = decoded.length - needle.bytes.length;
      if (at < 0 || !standsAt(needle, decoded, at)) continue;
      return { start: decoded.starts[at] as number, kind: needle.wanted.kind };
    }
    return null;
  }

  #base64AtEnd(decoded: Plain): Omit<Sighting, "end"> | null {
    const joined = base64Bytes(decoded);
    const bytes = Buffer.from(joined.bytes.buffer, 0, joined.length);
    for (const needle of this.#base64.needles) {
      const head = needle.bytes.subarray(0, FEWEST_IN_WORDS);
      const from = Math.max(0, bytes.length - needle.bytes.length + 1);
      for (let at = bytes.indexOf(head, from); at >= 0; at = bytes.indexOf(head, at + 1)) {
        const tail = bytes.subarray(at);
        if (head.length < FEWEST_IN_WORDS || !tail.equals(needle.bytes.subarray(0, tail.length))) continue;
        return { start: joined.starts[at] as number, kind: needle.wanted.kind };
      }
    }
    return null;
  }

  #inPart(text: string, from: number, to: number): Sighting[] {
    const found: Sighting[] = [];
    const literal = literalBytes(text, from, to);
    const decoded = decodedBytes(text, from, to);
    for (const [plain, index] of [[literal, this.#literal] as const, [decoded, this.#decoded] as const]) {
      index.search(plain, text, found);
      const unquoted = quotedPrintableBytes(plain);
      if (unquoted !== null)
        for (const any of [this.#literal, this.#decoded]) any.search(unquoted, text, found);
    }
    this.#base64.search(base64Bytes(decoded), text, found);
    for (const list of listedBytes(decoded)) this.#listed.search(list, text, found);
    return found.sort((a, b) => a.start - b.start || a.kind - b.kind || b.end - a.end);
  }
}

/** Needles by their first two bytes. */
class NeedleIndex {
  readonly needles: readonly Needle[];
  readonly longest: number;
  readonly #known = new Uint8Array(1 << 16);
  readonly #byPair = new Map<number, Needle[]>();

  constructor(needles: readonly Needle[]) {
    this.needles = needles;
    for (const needle of needles) {
      const pair = pairAt(needle.bytes, 0);
      this.#known[pair] = 1;
      this.#byPair.set(pair, [...(this.#byPair.get(pair) ?? []), needle]);
    }
    this.longest = needles.reduce((most, { bytes }) => Math.max(most, bytes.length), 0);
  }

  search(plain: Plain, text: string, found: Sighting[]): void {
    /** How far a needle was found already: it does not begin within itself. */
    const done = new Map<Needle, number>();
    const last = plain.length - 1;
    for (let at = 0; at < last; at += 1) {
      const pair = pairAt(plain.bytes, at);
      if (this.#known[pair] === 0) continue;
      for (const needle of this.#byPair.get(pair) ?? []) {
        if (!standsAt(needle, plain, at) || (done.get(needle) ?? 0) > at) continue;
        const { kind, notBefore, notBehind, notWithin } = needle.wanted;
        const start = plain.starts[at] as number;
        const end = plain.ends[at + needle.bytes.length - 1] as number;
        if (notBefore?.test(text.charAt(start - 1)) || notBehind?.test(text.charAt(end))) continue;
        if (notWithin?.test(text.slice(start, end))) continue;
        done.set(needle, at + needle.bytes.length);
        found.push({ start, end, kind });
      }
    }
  }
}

function pairAt(bytes: Uint8Array, at: number): number {
  return ((LOWER[bytes[at] as number] as number) << 8) | (LOWER[bytes[at + 1] as number] as number);
}

function standsAt({ bytes, wanted }: Needle, plain: Plain, at: number): boolean {
  if (at + bytes.length > plain.length) return false;
  for (let index = 0; index < bytes.length; index += 1) {
    const want = bytes[index] as number;
    const have = plain.bytes[at + index] as number;
    if (want !== have && !(wanted.ignoreCase === true && LOWER[want] === LOWER[have])) return false;
  }
  return true;
}

function literal(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

function decodedNeedles(wanted: Wanted): Needle[] {
  const { bytes, length } = decodedBytes(wanted.text);
  const whole = bytes.slice(0, length);
  // What follows could complete an escape that begins at the end.
  const trimmed = Buffer.from(whole).toString("latin1").replace(HALF_ESCAPE, "");
  const half = HALF_BYTE.exec(wanted.text)?.[1]?.length ?? 0;
  // Its own backslashes, escaped in turn, may stand before nothing any more.
  const bare = decodedBytes(wanted.text.replaceAll("\\", ""));
  return [
    whole,
    whole.subarray(0, trimmed.length),
    whole.subarray(0, whole.length - half),
    bare.bytes.slice(0, bare.length),
  ]
    .filter((part, at, all) => all.findIndex((other) => Buffer.compare(part, other) === 0) === at)
    .filter((part) => part.length >= Math.min(FEWEST_BYTES, wanted.text.length))
    .map((part) => ({ bytes: part, wanted }));
}

/** Masks are none: a list of their bytes tells nothing. */
function isListed({ bytes, wanted }: Needle): boolean {
  return bytes.length >= SHORTEST_LISTED && wanted.kind > 0;
}

function base64Needles({ text, kind }: Wanted): Needle[] {
  // Alone or not, in base64 nobody would speak of it by chance.
  return base64Cores(text).map((core) => {
    const wanted = { text: core, kind };
    const isShort = core.length < FEWEST_IN_WORDS;
    return { bytes: literal(core), wanted: isShort ? { ...wanted, notWithin: BLANK_IN_LINE } : wanted };
  });
}

/** A text up to each of its blanks, decoded; the longest first. */
function firstWords(wanted: Wanted): Needle[] {
  const parts = [...wanted.text.matchAll(/(?<=\S)\s+/g)].map(({ index }) => wanted.text.slice(0, index));
  return parts.reverse().map((part) => {
    const { bytes, length } = decodedBytes(part);
    return { bytes: bytes.slice(0, length), wanted };
  });
}

/** Where the last word before `cut` ends. */
function endOfWord(text: string, cut: number): number {
  let end = cut;
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
