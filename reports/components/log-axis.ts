// Axes of amounts that differ by powers of ten. They have no place for zero.

/** Pixels that a label of such an axis takes, about. */
const LABEL = 64;

/** Ends and labelled places of an axis for amounts above zero, so that at least two are labelled. */
export function logAxis(
  amounts: readonly number[],
  width: number,
): { readonly domain: readonly [number, number]; readonly ticks: readonly number[] } {
  const least = Math.min(...amounts);
  const most = Math.max(...amounts);
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(least)) - 1; 10 ** power <= most * 10; power += 1) {
    for (const step of [1, 2, 5]) all.push(Number(`${step}e${power}`));
  }
  const low = all.findLast((tick) => tick < least) ?? least;
  const high = all.find((tick) => tick > most) ?? most;
  const inside = all.filter((tick) => tick >= low && tick <= high);
  const room = Math.max(2, Math.floor(width / LABEL));
  const powers = inside.filter((tick) => isPower(tick));
  const candidates = inside.length <= room || powers.length < 2 ? inside : powers;
  const every = Math.ceil(candidates.length / room);
  return { domain: [low, high], ticks: candidates.filter((_, i) => i % every === 0) };
}

function isPower(tick: number): boolean {
  return Number.isInteger(Math.round(Math.log10(tick) * 1e6) / 1e6);
}
