// The columns of a table whose lines are shares of rows.
import { count, interval, percent } from "./format.js";
import type { Column } from "./table.js";
import type { Share } from "./task-data.js";

/** Accuracy, its interval, and the counts that it stands on. */
export function shareColumns(): Column<Share>[] {
  return [
    {
      label: "Accuracy",
      numeric: true,
      cell: ({ accuracy }) => percent(accuracy),
      sort: ({ accuracy }) => accuracy,
    },
    {
      label: "Wilson 95 %",
      numeric: true,
      cell: ({ wilson_low, wilson_high }) => interval(wilson_low, wilson_high),
    },
    {
      label: "Right",
      numeric: true,
      cell: ({ correct, rows }) => `${count(correct)} of ${count(rows)}`,
      sort: ({ correct }) => correct,
    },
  ];
}
