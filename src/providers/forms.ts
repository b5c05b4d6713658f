// The forms in which a text could come back from a server or a command: percent-encoded, escaped as JSON or HTML do, as
// UTF-16, or inside base64. Instead of looking for every form, a text is brought back to its plain bytes, which remember
// where they stood; one pass, whatever is nested in it.

/** The bytes of a text, and for each of them where in the text it stood, in UTF-16 units. */
export class Plain {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1 for a byte that backslashes stood before. */
  readonly escaped: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.escaped = new Uint8Array(capacity);
  }

  add(byte: number, start: number, end: number, escaped: number): void {
    this.bytes[this.length] = byte;
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.escaped[this.length] = escaped;
    this.length += 1;
  }
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const LETTER_U = 0x75;
const LETTER_X = 0x78;
const OPENING = 0x7b;
const CLOSING = 0x7d;
/** The value of a byte that is a hex digit, -1 for every other. */
export const HEX = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

/** The UTF-8 bytes of `text` from `from` to `to`, as they stand. */
export function literalBytes(text: string, from = 0, to = text.length): Plain {
  const plain = new Plain(3 * (to - from));
  eachCodePoint(text, from, to, (codePoint, start, end) => {
    utf8(codePoint, (byte) => plain.add(byte, start, end, 0));
  });
  return plain;
}

/**
 * The same with everything decoded that looks encoded, to the last: `%XX`, `\uXXXX`, `\u{XX}`, `\xXX`, `\NNN` (octal), `&#NN;`,
 * `&#xNN;` and the names of ASCII characters, also of what another decoding has left (`%2525XX`, `&amp;#NN;`). Backslashes and NULs are left out, so that
 * escapes of JSON in JSON and UTF-16 read as what they stand for.
 *
 * A text and any encoding of it character by character have the same bytes; beside others its first and last could be read as
 * part of an escape, so a search also wants {@link literalBytes}.
 */
export function decodedBytes(text: string, from = 0, to = text.length): Plain {
  const decoder = new Decoder(3 * (to - from));
  eachCodePoint(text, from, to, (codePoint, start, end) => decoder.write(codePoint, start, end));
  return decoder.plain;
}

class Decoder {
  readonly plain: Plain;
  /** Where the backslashes begin that stand before the next byte; -1 for none. */
  #slash = -1;

  constructor(capacity: number) {
    this.plain = new Plain(capacity);
  }

  write(codePoint: number, start: number, end: number): void {
    if (codePoint < 0x80) this.#push(codePoint, start, end);
    else utf8(codePoint, (byte) => this.#push(byte, start, end));
  }

  /** Adds a byte. What it completes takes the place of its parts, and may in turn complete something. */
  #push(given: number, start: number, end: number): void {
    const { plain } = this;
    let byte = given;
    let begin = start;
    for (;;) {
      if (byte === 0) return;
      if (byte === BACKSLASH) {
        if (this.#slash < 0) this.#slash = begin;
        return;
      }
      const escaped = this.#slash < 0 ? 0 : 1;
      plain.add(byte, escaped ? this.#slash : begin, end, escaped);
      this.#slash = -1;
      const value = this.#completed(byte);
      if (value < 0) return;
      begin = plain.starts[plain.length] as number;
      if (value > 0x7f) {
        this.#finish(value, begin, end);
        return;
      }
      byte = value;
    }
  }

  #completed(byte: number): number {
    if (byte === SEMICOLON) return this.#entity();
    if (byte === CLOSING) return this.#braced();
    return HEX[byte] === -1 ? -1 : this.#hex();
  }

  /** Takes a complete `%XX`, `\xXX`, `\NNN` or `\uXXXX` off the end; -1 when there is none. A byte above 0x7f is told as 0x110000 more. */
  #hex(): number {
    const { bytes, escaped, starts } = this.plain;
    const { length } = this.plain;
    // A digit that a backslash stands before begins something of its own.
    if (escaped[length - 1] === 1) return -1;
    const isPair = length >= 3 && escaped[length - 2] === 0;
    if (isPair && bytes[length - 3] === PERCENT) {
      const high = HEX[bytes[length - 2] as number] as number;
      if (high < 0) return -1;
      const value = 16 * high + (HEX[bytes[length - 1] as number] as number);
      this.plain.length -= 3;
      // A backslash before it stands before what it means.
      if (escaped[length - 3] === 1) this.#slash = starts[length - 3] as number;
      return value > 0x7f ? RAW_BYTE + value : value;
    }
    const value = isPair && escaped[length - 3] === 1 ? escapedByte(bytes, length) : -1;
    if (value >= 0) {
      this.plain.length -= 3;
      return value > 0x7f ? RAW_BYTE + value : value;
    }
    if (length < 5 || bytes[length - 5] !== LETTER_U || escaped[length - 5] !== 1) return -1;
    let unit = 0;
    for (let at = length - 4; at < length; at += 1) {
      const digit = HEX[bytes[at] as number] as number;
      if (digit < 0 || escaped[at] === 1) return -1;
      unit = 16 * unit + digit;
    }
    this.plain.length -= 5;
    return unit;
  }

  /** Takes a complete `\u{…}` or `\x{…}` off the end; -1 when there is none. */
  #braced(): number {
    const { bytes, escaped, length } = this.plain;
    let value = 0;
    let at = length - 2;
    for (; at > 0 && length - at < LONGEST_BRACED; at -= 1) {
      const digit = HEX[bytes[at] as number] as number;
      if (digit < 0) break;
      value += digit * 16 ** (length - 2 - at);
    }
    const letter = bytes[at - 1];
    if (at < 1 || at === length - 2 || bytes[at] !== OPENING || escaped[at - 1] !== 1) return -1;
    if ((letter !== LETTER_U && letter !== LETTER_X) || value > 0x10ffff) return -1;
    this.plain.length = at - 1;
    return value;
  }

  /** Takes a complete character reference of HTML off the end; -1 when there is none. */
  #entity(): number {
    const { bytes, escaped, starts, length } = this.plain;
    const first = Math.max(0, length - LONGEST_ENTITY);
    let at = length - 2;
    while (at >= first && bytes[at] !== AMPERSAND) at -= 1;
    if (at < first) return -1;
    const value = characterNamed(String.fromCharCode(...bytes.subarray(at + 1, length - 1)));
    if (value < 0) return -1;
    this.plain.length = at;
    if (escaped[at] === 1) this.#slash = starts[at] as number;
    return value;
  }

  /** Adds what completes nothing any more: a byte of UTF-8, or a character beyond ASCII. */
  #finish(value: number, start: number, end: number): void {
    const { plain } = this;
    this.#slash = -1;
    if (value >= RAW_BYTE) {
      plain.add(value - RAW_BYTE, start, end, 0);
      return;
    }
    let codePoint = value;
    let begin = start;
    if (value >= 0xdc00 && value <= 0xdfff) {
      // The second half of a character whose first half was escaped before it.
      const [a, b, c] = plain.bytes.subarray(Math.max(0, plain.length - 3), plain.length);
      if (a === 0xed && b !== undefined && b >= 0xa0 && b < 0xb0 && c !== undefined) {
        const high = ((b & 0x3f) << 6) | (c & 0x3f);
        plain.length -= 3;
        begin = plain.starts[plain.length] as number;
        codePoint = 0x10000 + ((high & 0x3ff) << 10) + (value & 0x3ff);
      }
    }
    utf8(codePoint, (byte) => plain.add(byte, begin, end, 0));
  }
}

/** What the last three bytes stand for behind a backslash, `xXX` or `NNN`; -1 for nothing. */
function escapedByte(bytes: Uint8Array, length: number): number {
  const [first = 0, second = 0, third = 0] = bytes.subarray(length - 3, length);
  const [a, b, c] = [HEX[first] as number, HEX[second] as number, HEX[third] as number];
  if (first === LETTER_X) return b < 0 ? -1 : 16 * b + c;
  const isOctal = a >= 0 && a <= 3 && b >= 0 && b <= 7 && c <= 7;
  return isOctal ? 64 * a + 8 * b + c : -1;
}

const RAW_BYTE = 0x110000;
/** Up to eight digits between two braces. */
const LONGEST_BRACED = 10;
/** `&`, up to eight characters and `;`, zeros before a number included. */
const LONGEST_ENTITY = 14;
/** HTML's names of the characters of ASCII that are no letters or digits. */
const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  Tab: "\t",
  NewLine: "\n",
  excl: "!",
  quot: '"',
  QUOT: '"',
  num: "#",
  dollar: "$",
  percnt: "%",
  amp: "&",
  AMP: "&",
  apos: "'",
  lpar: "(",
  rpar: ")",
  ast: "*",
  plus: "+",
  comma: ",",
  period: ".",
  sol: "/",
  colon: ":",
  semi: ";",
  lt: "<",
  LT: "<",
  equals: "=",
  gt: ">",
  GT: ">",
  quest: "?",
  commat: "@",
  lsqb: "[",
  lbrack: "[",
  bsol: "\\",
  rsqb: "]",
  rbrack: "]",
  Hat: "^",
  lowbar: "_",
  grave: "`",
  lcub: "{",
  lbrace: "{",
  verbar: "|",
  vert: "|",
  rcub: "}",
  rbrace: "}",
};

/** The code point that `&<name>;` stands for; -1 for a name that is none. */
function characterNamed(name: string): number {
  if (name.charCodeAt(0) !== 0x23) {
    return Object.hasOwn(NAMED_CHARACTERS, name) ? (NAMED_CHARACTERS[name]?.charCodeAt(0) ?? -1) : -1;
  }
  const digits = /^#(?:(\d{1,12})|[xX]([0-9a-fA-F]{1,12}))$/.exec(name);
  if (digits === null) return -1;
  const value = digits[1] === undefined ? Number.parseInt(digits[2] ?? "", 16) : Number(digits[1]);
  return value > 0x10ffff ? -1 : value;
}

/**
 * Decoded bytes as base64 wants them read: in its first alphabet and without white space. Some put a line break after every 64
 * or 76 characters, some indent the next line, and a text on one line has blanks in their place.
 */
export function base64Bytes(decoded: Plain): Plain {
  const joined = new Plain(decoded.length);
  for (let at = 0; at < decoded.length; at += 1) {
    const byte = decoded.bytes[at] as number;
    const isBreak = decoded.escaped[at] === 1 && (byte === 0x6e || byte === 0x72);
    if (isBreak || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) continue;
    const standard = byte === 0x2d ? 0x2b : byte === 0x5f ? 0x2f : byte;
    joined.add(standard, decoded.starts[at] as number, decoded.ends[at] as number, 0);
  }
  return joined;
}

/**
 * What the base64 of any text around `text` must contain, for each of the three places at which it can begin, in the
 * standard alphabet. The characters at the ends also depend on the neighbours and are left out; short ones, which would be
 * met by chance, too.
 */
export function base64Cores(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  const cores = [0, 1, 2].map((offset) => {
    const base64 = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const bits = (offset + bytes.length) * 8;
    return base64.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
  });
  return cores.filter((core) => core.length > 3);
}

function eachCodePoint(
  text: string,
  from: number,
  to: number,
  visit: (codePoint: number, start: number, end: number) => void,
): void {
  for (let at = from; at < to; ) {
    const unit = text.charCodeAt(at);
    const isHigh = unit >= 0xd800 && unit <= 0xdbff && at + 1 < to;
    const codePoint = isHigh ? (text.codePointAt(at) as number) : unit;
    const end = at + (codePoint > 0xffff ? 2 : 1);
    visit(codePoint, at, end);
    at = end;
  }
}

/** The bytes of a code point; half a surrogate pair is treated like a character. */
function utf8(codePoint: number, visit: (byte: number) => void): void {
  const more = codePoint < 0x80 ? 0 : codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
  visit(more === 0 ? codePoint : (LEADS[more] as number) | (codePoint >> (6 * more)));
  for (let left = more - 1; left >= 0; left -= 1) visit(0x80 | ((codePoint >> (6 * left)) & 0x3f));
}

/** The marks of the first byte of a character with so many more. */
const LEADS = [0, 0xc0, 0xe0, 0xf0] as const;
