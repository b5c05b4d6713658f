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
  const place = (tick: number): number => (Math.log(tick / low) / Math.log(high / low)) * width;
  const ticks: number[] = [];
  for (const steps of STEPS) {
    for (const tick of powers.flatMap((power) =>
      steps.map((step) => Number(`${step.toFixed(2)}e${power}`)),
    )) {
      if (tick < low || tick > high) continue;
      if (ticks.every((other) => Math.abs(place(tick) - place(other)) >= LABEL)) ticks.push(tick);
    }
    if (ticks.length >= LEAST_LABELS) break;
  }
  return { domain: [low, high], ticks: ticks.sort((a, b) => a - b) };
}
