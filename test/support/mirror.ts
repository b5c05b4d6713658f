import type { Row } from "../../src/warehouse/warehouse.ts";

const SWAPPED: Readonly<Record<string, string>> = {
  run_a: "run_b",
  run_b: "run_a",
  a_only: "b_only",
  b_only: "a_only",
};
const NEGATED: Readonly<Record<string, string>> = {
  accuracy_difference: "accuracy_difference",
  bootstrap_low: "bootstrap_high",
  bootstrap_high: "bootstrap_low",
  jackknife_low: "jackknife_high",
  jackknife_high: "jackknife_low",
};

/** The row of compare(b, a) as the row of compare(a, b) says it must be. 0 - x: a difference of 0 has no sign. */
export function mirrored(row: Row): Row {
  const turned = Object.keys(row).map((column) => {
    const other = NEGATED[column];
    if (other !== undefined) return [column, row[other] === null ? null : 0 - (row[other] as number)];
    return [column, row[SWAPPED[column] ?? column]];
  });
  return Object.fromEntries(turned) as Row;
}
