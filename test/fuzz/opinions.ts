// A second opinion on JSON and on answers: simple, slow, and without a line of the program's own readers.

/** What a text of JSON says, and the texts of the numbers that stand in its top object. */
export interface Said {
  readonly value: unknown;
  readonly numbers: ReadonlyMap<string, string>;
  /** Whether a number with a point or an exponent is too large for a double. */
  readonly overflows: boolean;
}

/**
 * Reads RFC 8259 with JSON.parse, and refuses what docs/decisions/0002 refuses: a key twice in one object, more than 256 levels.
 *
 * @returns null for what is refused.
 */
export function jsonOf(text: string): Said | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const numbers = new Map<string, string>();
  /** Of every open bracket the keys so far; null for a list. */
  const open: (Set<string> | null)[] = [];
  let overflows = false;
  let key: string | null = null;
  let expectKey = false;
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    if (character === '"') {
      let end = at + 1;
      while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
      if (expectKey) {
        key = JSON.parse(text.slice(at, end + 1)) as string;
        const keys = open.at(-1) as Set<string>;
        if (keys.has(key)) return null;
        keys.add(key);
        expectKey = false;
      }
      at = end + 1;
    } else if (character === "{" || character === "[") {
      if (open.length >= 256) return null;
      open.push(character === "{" ? new Set() : null);
      expectKey = character === "{";
      at += 1;
    } else if (character === "}" || character === "]") {
      open.pop();
      expectKey = false;
      at += 1;
    } else if (character === ",") {
      expectKey = open.at(-1) !== null;
      at += 1;
    } else if (/[-0-9]/.test(character)) {
      let end = at;
      while (end < text.length && /[-+.0-9eE]/.test(text[end] as string)) end += 1;
      const number = text.slice(at, end);
      if (/[.eE]/.test(number) && !Number.isFinite(Number(number))) overflows = true;
      if (open.length === 1 && open[0] !== null && key !== null) numbers.set(key, number);
      at = end;
    } else at += 1;
  }
  return { value, numbers, overflows };
}

export type Plain = Readonly<Record<string, unknown>>;

/** An object as JSON has them. */
export function isObject(value: unknown): value is Plain {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** A member that stands in the object itself. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}

/** Whether two values of JSON are the same, whatever their keys are. */
export function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => same(item, b[at]))
    );
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && same(own(a, key), own(b, key)))
    );
  }
  return Object.is(a, b);
}

/** An answer that is valid by the table of edge cases. */
export interface Answer {
  readonly label: string | null;
  readonly probabilities: readonly (readonly [string, number])[] | null;
  readonly sum: number | null;
}

/** `open`: the sum is so near its limit that noise decides, and the table says nothing. */
export type Opinion = { readonly answer: Answer | null | "open"; readonly fenced: boolean };

/** What a text is as an answer to the question `question` with these labels. */
export function answerOf(
  text: string,
  {
    question,
    labels,
    strict,
    native,
  }: { question: string; labels: readonly string[]; strict: boolean; native: boolean },
): Opinion {
  const inner = strict ? null : fenceless(text);
  const read = jsonOf(inner ?? text);
  return {
    fenced: inner !== null,
    answer: read === null ? null : judged(read.value, question, labels, native),
  };
}

function judged(
  document: unknown,
  question: string,
  labels: readonly string[],
  native: boolean,
): Answer | null | "open" {
  const decision = own(own(document, "answers"), question);
  if (!isObject(decision)) return null;
  const label = own(decision, native ? "choice" : "label");
  if (native && label === null) return { label: null, probabilities: null, sum: null };
  if (typeof label !== "string" || !labels.includes(label)) return null;
  const stated = own(decision, "probabilities");
  if (!isObject(stated)) return null;
  const keys = Object.keys(stated);
  if (keys.length !== labels.length || !labels.every((one) => keys.includes(one))) return null;
  const shares = labels.map((one) => own(stated, one));
  if (!shares.every((share): share is number => typeof share === "number" && share >= 0 && share <= 1))
    return null;
  // Least first, which loses little.
  const sum = [...shares].sort((a, b) => a - b).reduce((total, share) => total + share, 0);
  const off = Math.abs(sum - 1);
  const isOnLimit = Math.abs(off - 0.02) < 1e-12;
  if (!isOnLimit && Math.abs(off - 0.02) < 1e-8) return "open";
  if (!isOnLimit && off > 0.02) return null;
  return {
    label,
    sum,
    probabilities: labels.map((one, at) => [one, Math.min(1, (shares[at] as number) / sum)]),
  };
}

/** What stands inside the one fence around a whole text; null when there is none. */
function fenceless(text: string): string | null {
  const lines = text.replace(/^[ \t\r\n]*/, "").split("\n");
  while (lines.length > 0 && /^[ \t\r]*$/.test(lines.at(-1) ?? "")) lines.pop();
  const [first = "", ...rest] = lines;
  const last = rest.pop();
  if (last === undefined || rest.length === 0) return null;
  if (!/^```[ \t\r]*(?:json)?[ \t\r]*$/i.test(first) || !/^[ \t\r]*```[ \t\r]*$/.test(last)) return null;
  return rest.join("\n");
}

/** Whether a text, a key or a text of a key inside the value holds half of a character. */
export function hasHalf(value: unknown): boolean {
  if (typeof value === "string") return /[\ud800-\udfff]/u.test(value);
  if (Array.isArray(value)) return value.some(hasHalf);
  return isObject(value) && Object.keys(value).some((key) => hasHalf(key) || hasHalf(own(value, key)));
}

/** The lines of a file: a line ends at a line feed and nowhere else; `ended` is false for what stands behind the last one. */
export function linesOf(bytes: Buffer): { readonly bytes: Buffer; readonly ended: boolean }[] {
  const lines: { bytes: Buffer; ended: boolean }[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0x0a) continue;
    lines.push({ bytes: bytes.subarray(start, at), ended: true });
    start = at + 1;
  }
  if (start < bytes.length) lines.push({ bytes: bytes.subarray(start), ended: false });
  return lines;
}

/** The text of bytes that come out as they went in. */
export function textOf(bytes: Buffer): string | null {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : null;
}

type Is = (value: unknown) => boolean;
export const isText: Is = (value) => typeof value === "string";
export const isFullText: Is = (value) => typeof value === "string" && value.length > 0;
export const isFlag: Is = (value) => value === true || value === false;
export const isNumber: Is = (value) => typeof value === "number" && Number.isFinite(value);
export const isAmount: Is = (value) => isNumber(value) && (value as number) >= 0;
export const isCount: Is = (value) => isAmount(value) && Number.isSafeInteger(value);
export const isHex64: Is = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
export const isListOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);
export const isOneOf =
  (...values: readonly unknown[]): Is =>
  (value) =>
    values.includes(value);
/** May be absent, or null. */
export const maybe =
  (is: Is): Is =>
  (value) =>
    value === undefined || value === null || is(value);
/** An object whose members are as the table says; other members may stand there. */
export const hasMembers =
  (table: Readonly<Record<string, Is>>): Is =>
  (value) =>
    isObject(value) && Object.keys(table).every((key) => table[key]?.(own(value, key)) === true);
