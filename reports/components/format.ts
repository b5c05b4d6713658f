// Numbers as people read them. What is not known is said; it is never shown as zero.

export const UNKNOWN = "unknown";
/** Where a figure has no meaning, such as an interval of nothing. */
export const NONE = "–";

/** A share as `23.5 %`; one that is not there as {@link NONE}. */
export function percent(share: number | null | undefined, digits = 1): string {
  return share == null ? NONE : `${(share * 100).toFixed(digits)} %`;
}

/** `[21.0, 26.2]`, in percent. */
export function interval(
  low: number | null | undefined,
  high: number | null | undefined,
  digits = 1,
): string {
  return low == null || high == null
    ? NONE
    : `[${(low * 100).toFixed(digits)}, ${(high * 100).toFixed(digits)}]`;
}

/** A difference of shares in points with its sign: `+4.2`. */
export function points(difference: number | null | undefined, digits = 1): string {
  if (difference == null) return NONE;
  const text = (difference * 100).toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : `${difference > 0 ? "+" : ""}${text}`.replace("-", "−");
}

/** `[+1.2, +7.9]`, in points. */
export function pointsInterval(
  low: number | null | undefined,
  high: number | null | undefined,
  digits = 1,
): string {
  return low == null || high == null ? NONE : `[${points(low, digits)}, ${points(high, digits)}]`;
}

/** A whole number with separators: `1,043`. */
export function count(value: number | null | undefined): string {
  return value == null ? NONE : value.toLocaleString("en-US");
}

/** `$0.42`, small ones with more digits; {@link UNKNOWN} when nobody said. */
export function usd(value: number | null | undefined): string {
  if (value == null) return UNKNOWN;
  if (value === 0) return "$0.00";
  return value < 0.01
    ? `$${value.toPrecision(2)}`
    : `$${value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** A sum of which a part may be unknown, as `at least $0.42`; `coverage` is the share of what it is a sum that is known. */
export function usdSum(value: number | null | undefined, coverage: number | null | undefined): string {
  return value == null || coverage == null || coverage >= 1 ? usd(value) : `at least ${usd(value)}`;
}

/** A size: `1.0 MB`, `12 kB`. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  return value < 999_500 ? `${(value / 1000).toFixed(0)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}

/** A time: `850 ms`, `1.24 s`. */
export function duration(ms: number | null | undefined): string {
  if (ms == null) return UNKNOWN;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** Below it a p-value is the rounding of its sum: one minus a number close to one. */
const LEAST_P = 1e-12;

/** A p-value: three decimals, `1.2e-7` below a thousandth; never zero. */
export function pValue(p: number | null | undefined): string {
  if (p == null) return NONE;
  if (p < LEAST_P) return "< 1e-12";
  return p < 0.001 ? p.toExponential(1) : p.toFixed(3);
}

/** A score without unit, such as Brier's. */
export function score(value: number | null | undefined, digits = 3): string {
  return value == null ? NONE : value.toFixed(digits);
}

/** Marks that change the direction of writing: of a name within a sentence, they would turn the sentence around. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name as it stands within other text, with such marks written out: `\u202e`. */
export function inline(name: string): string {
  return name.replace(TURNING, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A name that fits into so many characters, {@link inline}. */
export function shortened(name: string, characters: number): string {
  const text = inline(name);
  const all = [...text];
  return all.length <= characters ? text : `${all.slice(0, Math.max(1, characters - 1)).join("")}…`;
}

/**
 * Names that fit into so many characters, each by its whole one. Where two would read alike, they lose their middle and
 * not their end: models of one family differ there.
 */
export function shortNames(names: readonly string[], characters: number): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of new Set(names)) {
    const short = shortened(name, characters);
    counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  return new Map(
    names.map((name) => {
      const short = shortened(name, characters);
      return [name, counts.get(short) === 1 ? short : withoutMiddle(name, characters)];
    }),
  );
}

function withoutMiddle(text: string, characters: number): string {
  const all = [...text];
  if (all.length <= characters) return text;
  const end = Math.floor((characters - 1) / 2);
  return `${all.slice(0, Math.max(1, characters - 1 - end)).join("")}…${all.slice(all.length - end).join("")}`;
}

/** Letters of tied groups from the numbers of the first and last one: `ab`. */
export function letters(first: number | null, last: number | null): string {
  if (first == null || last == null) return NONE;
  const names = [];
  for (let group = first; group <= last; group += 1) names.push(letter(group));
  return names.join(last > 26 ? " " : "");
}

function letter(group: number): string {
  return group <= 26 ? String.fromCharCode(96 + group) : `a${group - 26}`;
}
