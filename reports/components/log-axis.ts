// Axes of amounts that differ by powers of ten. They have no place for zero.

/** Pixels that a character of a label takes, about. */
const CHARACTER = 7;
/** Pixels between two labels. */
const GAP = 14;
/** Room beyond the outermost amounts. */
const PAD = 1.12;
/** Places within a power of ten, from fine to coarse. */
const WITHIN = [[1, 2, 5], [1, 3], [1]] as const;
/** Fewer labels do not show the scale. */
const LEAST_LABELS = 3;

/**
 * Ends and labelled places of an axis for amounts, all above zero. The labels have room beside each other, and no two
 * read alike.
 * @param text the label of a place.
 */
export function logAxis(
  amounts: readonly number[],
  width: number,
  text: (amount: number) => string,
): { readonly domain: readonly [number, number]; readonly ticks: readonly number[] } {
  const low = Math.min(...amounts) / PAD;
  const high = Math.max(...amounts) * PAD;
  const place = (tick: number): number => (Math.log(tick / low) / Math.log(high / low)) * width;
  const room = (tick: number): number => ([...text(tick)].length * CHARACTER + GAP) / 2;
  const fits = (ticks: readonly number[]): boolean =>
    ticks.every((tick, i) => {
      const before = ticks[i - 1];
      return (
        before === undefined ||
        (place(tick) - place(before) >= room(tick) + room(before) && text(tick) !== text(before))
      );
    });
  const fitting = [...inPowers(low, high), ...inSteps(low, high)].filter(fits);
  const most = Math.max(...fitting.map(({ length }) => length));
  const ticks = fitting.find(({ length }) => length >= Math.min(most, LEAST_LABELS));
  return { domain: [low, high], ticks: ticks ?? [] };
}

/** Choices of places at round shares of powers of ten, from fine to coarse; the last ones leave powers out. */
function inPowers(low: number, high: number): number[][] {
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, i) => first + i);
  const within = WITHIN.map((shares) =>
    powers.flatMap((power) => shares.map((share) => Number(`${share}e${power}`))),
  );
  const sparse = [2, 3, 4].map((every) =>
    powers.filter((power) => power % every === 0).map((power) => Number(`1e${power}`)),
  );
  return [...within, ...sparse].map((ticks) => ticks.filter((tick) => tick >= low && tick <= high));
}

/** Choices of places at equal steps, for amounts that are much alike; from fine to coarse. */
function inSteps(low: number, high: number): number[][] {
  const power = Math.floor(Math.log10(low));
  return [-2, -1, 0].flatMap((finer) =>
    [1, 2, 5].map((share) => {
      const digits = (count: number): number => Number(`${count * share}e${power + finer}`);
      const step = digits(1);
      const from = Math.ceil(low / step);
      // Far more than have room.
      const steps = Math.min(200, Math.floor(high / step) - from + 1);
      return Array.from({ length: Math.max(0, steps) }, (_, i) => digits(from + i));
    }),
  );
}
