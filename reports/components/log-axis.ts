// Axes of amounts that differ by powers of ten. They have no place for zero.

/** Pixels that a label of such an axis takes, about. */
const LABEL = 64;
/** Room beyond the outermost amounts. */
const PAD = 1.12;
/** Steps within a power of ten, from coarse to fine. */
const STEPS = [
  [1],
  [1, 2, 5],
  [1, 2, 3, 4, 5, 6, 7, 8, 9],
  Array.from({ length: 90 }, (_, i) => 1 + i / 10),
  Array.from({ length: 900 }, (_, i) => 1 + i / 100),
] as const;
/** Fewer labels do not show the scale. */
const LEAST_LABELS = 3;

/** Ends and labelled places of an axis for amounts, all above zero. */
export function logAxis(
  amounts: readonly number[],
  width: number,
): { readonly domain: readonly [number, number]; readonly ticks: readonly number[] } {
  const low = Math.min(...amounts) / PAD;
  const high = Math.max(...amounts) * PAD;
  const powers = Array.from(
    { length: Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 },
    (_, i) => Math.floor(Math.log10(low)) + i,
  );
  const room = Math.max(2, Math.floor(width / LABEL));
  let ticks: number[] = [];
  for (const steps of STEPS) {
    ticks = powers
      .flatMap((power) => steps.map((step) => Number(`${step.toFixed(2)}e${power}`)))
      .filter((tick) => tick >= low && tick <= high);
    if (ticks.length >= LEAST_LABELS) break;
  }
  const every = Math.ceil(ticks.length / room);
  return { domain: [low, high], ticks: ticks.filter((_, i) => i % every === 0) };
}
