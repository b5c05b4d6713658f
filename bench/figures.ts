// What was measured, round by round, and what is said of it: median, least, most, and whether a limit is met.

/** One line of the table. */
export interface Line {
  readonly what: string;
  readonly unit: Unit;
  /** One figure a round, in the unit; none when the thing could not be measured here. */
  readonly values: readonly number[];
  readonly limit?: Limit;
  readonly memory?: Memory;
  /** What must hold besides, with what was found. */
  readonly besides?: readonly { readonly text: string; readonly ok: boolean }[];
  readonly detail?: string;
  /** Why there are no figures. */
  readonly skipped?: string;
}

/** × is one measure by another of the same round. */
export type Unit = "×" | "s" | "ms" | "MB" | "%" | "rows/s";

/** What the median is held to; with `every`, what each round is held to. */
export interface Limit {
  readonly least?: number;
  readonly most?: number;
  /** The figure itself is too much. */
  readonly below?: number;
  readonly every?: true;
}

/** Peak memory in MB, one figure a round; the largest one is held to the limit. */
export interface Memory {
  readonly mb: readonly number[];
  readonly most?: number;
  readonly below?: number;
}

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** The middle one in order of size; halfway between the two middle ones of an even number. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return (low + high) / 2;
}

/** NaN of no values. */
export function spread(values: readonly number[]): Spread {
  if (values.length === 0) return { median: Number.NaN, least: Number.NaN, most: Number.NaN };
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/**
 * The figures of one thing by those of another, round by round.
 *
 * @throws {Error} when there are not as many of both.
 */
export function ratios(of: readonly number[], by: readonly number[]): number[] {
  if (of.length !== by.length) throw new Error(`${of.length} rounds against ${by.length}`);
  return of.map((value, round) => value / (by[round] ?? Number.NaN));
}

/** Whether everything that a line is held to holds; null when it is held to nothing, or was not measured. */
export function isMet({ values, limit, memory, besides, skipped }: Line): boolean | null {
  if (skipped !== undefined) return null;
  const verdicts: boolean[] = (besides ?? []).map(({ ok }) => ok);
  if (limit !== undefined) {
    const held = limit.every ? values : [median(values)];
    verdicts.push(held.length > 0 && held.every((value) => isWithin(value, limit)));
  }
  if (memory?.most !== undefined || memory?.below !== undefined) {
    verdicts.push(isWithin(Math.max(...memory.mb), memory));
  }
  return verdicts.length === 0 ? null : verdicts.every(Boolean);
}

/** Never true of NaN when there is a limit. */
function isWithin(value: number, { least, most, below }: Limit): boolean {
  return (
    (least === undefined || value >= least) &&
    (most === undefined || value <= most) &&
    (below === undefined || value < below)
  );
}
