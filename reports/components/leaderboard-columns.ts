// The columns of the leaderboard's tables.
import type { Drawn } from "./accuracy-chart.js";
import type { Entry } from "./board.js";
import { count, duration, interval, letters, NONE, percent, UNKNOWN, usdSum } from "./format.js";
import type { Column } from "./table.js";

/** @param ranked whether places among the results mean something. */
export function leaderboardColumns(ranked: boolean): Column<Drawn>[] {
  const rank: Column<Drawn>[] = [
    {
      label: "Rank",
      numeric: true,
      cell: ({ entry }) => (entry.line.rank === null ? NONE : String(entry.line.rank)),
      sort: ({ entry }) => entry.line.rank,
    },
  ];
  const standing: Column<Drawn>[] = [
    {
      label: "Ranks possible",
      numeric: true,
      title: "Places that the data allow: two models are called different only at p (Holm) < 0.05",
      cell: ({ entry: { line } }) =>
        line.rank_low === null ? NONE : `${line.rank_low} to ${line.rank_high}`,
      sort: ({ entry }) => entry.line.rank_low,
    },
    {
      label: "Tied",
      title: "Neighbours that share a letter are not told apart by the data",
      cell: ({ entry: { line } }) => letters(line.first_group, line.last_group),
      sort: ({ entry }) => entry.line.first_group,
    },
  ];
  return [
    ...(ranked ? rank : []),
    { label: "Model", heading: true, cell: ({ entry }) => entry.name, sort: ({ entry }) => entry.name },
    {
      label: "Accuracy",
      numeric: true,
      cell: ({ accuracy }) => percent(accuracy.accuracy),
      sort: ({ accuracy }) => accuracy.accuracy,
    },
    {
      label: "Jackknife 95 %",
      numeric: true,
      cell: ({ accuracy: a }) => interval(a.jackknife_low, a.jackknife_high),
    },
    { label: "Wilson 95 %", numeric: true, cell: ({ accuracy: a }) => interval(a.wilson_low, a.wilson_high) },
    ...(ranked ? standing : []),
    {
      label: "Right",
      numeric: true,
      cell: ({ accuracy }) => `${count(accuracy.correct)} of ${count(accuracy.rows)}`,
      sort: ({ accuracy }) => accuracy.correct,
    },
    {
      label: "Errors",
      numeric: true,
      title: "Rows without a valid answer; they count as wrong",
      cell: ({ accuracy }) => count(accuracy.errors),
      sort: ({ accuracy }) => accuracy.errors,
    },
    {
      label: "Cost per 1,000 rows",
      numeric: true,
      cell: ({ entry: { line } }) => usdSum(line.cost_per_1000_rows_usd, line.cost_coverage),
      sort: ({ entry }) => entry.line.cost_per_1000_rows_usd,
    },
    {
      label: "Median latency",
      numeric: true,
      cell: ({ entry }) => duration(entry.line.p50_ms),
      sort: ({ entry }) => entry.line.p50_ms,
    },
    {
      label: "Tokens in",
      numeric: true,
      cell: ({ entry }) => (entry.line.input_tokens === null ? UNKNOWN : count(entry.line.input_tokens)),
      sort: ({ entry }) => entry.line.input_tokens,
    },
    {
      label: "Tokens out",
      numeric: true,
      cell: ({ entry }) => (entry.line.output_tokens === null ? UNKNOWN : count(entry.line.output_tokens)),
      sort: ({ entry }) => entry.line.output_tokens,
    },
    // Texts stand behind the numbers: they need the room that those of a screen have.
    { label: "Cost basis", cell: ({ entry }) => basis(entry) },
    {
      label: "Provider",
      cell: ({ entry }) => entry.run.provider ?? UNKNOWN,
      sort: ({ entry }) => entry.run.provider,
    },
  ];
}

/** How the cost is known, and of which part of the calls, when it is not all of them. */
function basis({ line }: Entry): string {
  const names = (line.cost_basis ?? []).map((name) => name.replaceAll("_", " ")).join(", ");
  if (line.cost_usd === null || line.cost_coverage === null) return names || UNKNOWN;
  return line.cost_coverage === 1
    ? names
    : `${names} (known for ${percent(line.cost_coverage)} of the calls)`;
}
