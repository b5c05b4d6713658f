// Values of an Arrow table as texts, exact to the last digit.

/** The part of an Arrow type that is used here. */
export interface Type {
  /** Such as `Int64`, `Decimal[18e+3]`, `List<Utf8>`. */
  toString(): string;
  /** Digits behind the point of a decimal. */
  readonly scale?: number;
  readonly children?: readonly { readonly name: string; readonly type: Type }[] | null;
}

/** What Arrow hands out as bare numbers and bytes. */
const UNREADABLE = /^(Interval|Duration|Time\d|Binary|FixedSizeBinary)/;

/** Null for NULL; times as ISO 8601 in UTC; lists, structs and maps as JSON. Throws for what has no text here. */
export function textOf(value: unknown, type: Type | undefined): string | null {
  const plain = plainOf(value, type);
  if (plain === null) return null;
  return typeof plain === "object" ? JSON.stringify(plain) : String(plain);
}

/** A value that JSON can hold; whole numbers and decimals that a double cannot hold become texts. */
function plainOf(value: unknown, type: Type | undefined): unknown {
  const kind = type?.toString() ?? "";
  // What is streamed lacks the words of an ENUM: every value would look like NULL.
  if (kind.startsWith("Dictionary")) throw new TypeError(`${kind} has no text`);
  if (value === null || value === undefined) return null;
  if (UNREADABLE.test(kind)) throw new TypeError(`${kind} has no text`);
  const children = type?.children ?? [];
  if (kind.startsWith("Decimal")) return decimalText(value as Uint32Array, type?.scale ?? 0);
  if (/^(Timestamp|Date)/.test(kind) && (typeof value === "number" || value instanceof Date)) {
    const time = new Date(Math.floor(Number(value)));
    if (Number.isNaN(time.getTime())) return String(value);
    if (kind.startsWith("Date32")) return time.toISOString().slice(0, 10);
    return time.toISOString().replace("Z", `${microseconds(Number(value))}Z`);
  }
  if (kind.startsWith("Map")) {
    const [key, item] = children[0]?.type.children ?? [];
    const entries = [...(value as Iterable<[unknown, unknown]>)];
    return Object.fromEntries(
      entries.map(([k, v]) => [textOf(k, key?.type) ?? "", plainOf(v, item?.type)] as const),
    );
  }
  if (kind.startsWith("Struct")) {
    const fields = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      children.map(({ name, type: of }) => [name, plainOf(fields[name], of)] as const),
    );
  }
  if (/^(List|FixedSizeList)/.test(kind)) {
    return [...(value as Iterable<unknown>)].map((item) => plainOf(item, children[0]?.type));
  }
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value)))
    return value.toString();
  return typeof value === "object"
    ? JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}` : v))
    : value;
}

/** The three digits behind those of the milliseconds; nothing where they are zero. */
function microseconds(ms: number): string {
  const rest = Math.round((ms - Math.floor(ms)) * 1000);
  return rest > 0 && rest < 1000 ? String(rest).padStart(3, "0") : "";
}

/** Words of 32 bits, the lowest first, in two's complement. */
function decimalText(words: Uint32Array, scale: number): string {
  let whole = 0n;
  words.forEach((word, i) => {
    whole |= BigInt(word) << BigInt(32 * i);
  });
  whole = BigInt.asIntN(32 * words.length, whole);
  const digits = (whole < 0n ? -whole : whole).toString().padStart(scale + 1, "0");
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return whole < 0n ? `-${text}` : text;
}
