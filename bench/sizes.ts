// How much is measured: the sizes that the table is about, or small ones for trying the programs themselves.

const small = process.env.DECISION_BENCH_TRY === "1";
/** Rounds of everything, in place of its own; none when not given. */
const asked = Number(process.env.DECISION_BENCH_ROUNDS || Number.NaN);

/** Whether figures are of small sizes or of other rounds, which no table should hold. */
export const trying = small || !Number.isNaN(asked);

/** Rows, calls, results: `full`, or `few` when only trying. */
export function sized(full: number, few: number): number {
  return small ? few : full;
}

/** How often a measure is repeated, one way after the other. */
export function rounds(full = 5): number {
  if (!Number.isNaN(asked)) return asked;
  return small ? Math.min(full, 2) : full;
}

/** 10,000 as `10⁴`; other numbers as they are. */
export function power(rows: number): string {
  const digits = Math.log10(rows);
  if (!Number.isInteger(digits)) return rows.toLocaleString("en-US");
  return `10${[...String(digits)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}
