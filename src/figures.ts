// Figures for people: one look for a share, an interval, a cost or a time wherever it is shown, on a terminal or in a
// published file. Nothing here depends on the locale of the machine.

/** What is shown for a value that is not known; in JSON it is null. */
export const UNKNOWN = "–";

/** `91.2 %`. */
export function percent(share: number | null): string {
  return share === null ? UNKNOWN : `${(share * 100).toFixed(1)} %`;
}

/** `[88.7, 93.1]`, in per cent. */
export function interval(low: number | null, high: number | null): string {
  return low === null || high === null ? UNKNOWN : `[${(low * 100).toFixed(1)}, ${(high * 100).toFixed(1)}]`;
}

/** `0.0461`: four digits behind the point. */
export function decimal(value: number | null): string {
  return value === null ? UNKNOWN : value.toFixed(4);
}

/** `+9.8`, `0.0`, `-1.2`: a difference of shares in percentage points. */
export function points(share: number | null): string {
  if (share === null) return UNKNOWN;
  const text = (share * 100).toFixed(1);
  if (Number(text) === 0) return "0.0";
  return share > 0 ? `+${text}` : text;
}

/** `[-1.0, +15.4]`, in percentage points. */
export function pointsInterval(ends: readonly [number, number] | null): string {
  return ends === null ? UNKNOWN : `[${points(ends[0])}, ${points(ends[1])}]`;
}

/** `0.042`, `6.2e-4`: two significant digits; what is below 1e-10 is not told apart from it. */
export function probability(p: number | null): string {
  if (p === null) return UNKNOWN;
  if (p < 1e-10) return "< 1e-10";
  return p < 0.001 ? p.toExponential(1) : String(Number(p.toPrecision(2)));
}

/** `$12.30`, `$0.00123`: cents at least, and three significant digits, so that small sums do not vanish. */
export function usd(value: number | null): string {
  if (value === null) return UNKNOWN;
  const digits = value === 0 ? 2 : Math.min(12, Math.max(2, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return `$${value.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}

/** {@link usd} of a sum of which only a share is known: it is at least so much. */
export function usdAtLeast(value: number | null, coverage: number | null): string {
  return value !== null && coverage !== null && coverage < 1 ? `≥ ${usd(value)}` : usd(value);
}

/** `1,071`. */
export function whole(value: number | null): string {
  return value === null ? UNKNOWN : value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** `418 ms`, `2.13 s`. */
export function milliseconds(value: number | null): string {
  if (value === null) return UNKNOWN;
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(2)} s`;
}

/** `2026-11-01 10:00` in UTC. */
export function minute(time: string | null): string {
  return time === null ? UNKNOWN : time.slice(0, 16).replace("T", " ");
}
