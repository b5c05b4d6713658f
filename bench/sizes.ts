// How much is measured: the sizes that the table is about, or small ones for trying the programs themselves.

/** Whether figures are of small sizes or few rounds, which no table should hold. */
export const trying = process.env.DECISION_BENCH_TRY === "1";

/** Rows, calls, results: `full`, or `small` when only trying. */
export function sized(full: number, small: number): number {
  return trying ? small : full;
}

/** How often a measure is repeated, one way after the other. */
export function rounds(full = 5): number {
  return trying ? Math.min(full, 2) : full;
}

/** 10,000 as `10⁴`; other numbers as they are. */
export function power(rows: number): string {
  const digits = Math.log10(rows);
  if (!Number.isInteger(digits)) return rows.toLocaleString("en-US");
  return `10${[...String(digits)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}
