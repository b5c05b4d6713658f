// What accuracy costs, in money and in time.
import { html } from "npm:htl";
import { type Entry, entries } from "./board.js";
import { figure, nothing } from "./figure.js";
import { count, duration, interval, NONE, percent, shortened, UNKNOWN, usd, usdSum } from "./format.js";
import { site } from "./site.js";
import { marked } from "./standing.js";
import type { Column } from "./table.js";
import { type Point, tradeOffChart } from "./trade-off-chart.js";

/** Names that a sentence lists; the table has all. */
const LISTED = 12;
/** Characters of each. */
const NAME = 60;

/** The page below its heading. */
export async function costPage(): Promise<HTMLElement> {
  const [known, { corpus }] = await Promise.all([entries(), site()]);
  const all = known.map((entry) => ({ ...entry, name: marked(entry.name, entry.run) }));
  if (corpus === null) {
    return nothing(
      "This workspace has no corpus yet. Choose one with bench corpus use, and make the report again.",
    );
  }
  const finished = all.filter(({ line }) => line.accuracy !== null);
  if (finished.length === 0) {
    return nothing(
      "No result has finished rows on this corpus. Publish a run with bench publish, and make the report again.",
    );
  }
  return html`<div>${costFigure(finished)}${speedFigure(finished)}</div>`;
}

function costFigure(all: readonly Entry[]): HTMLElement {
  const models = all.filter(({ run }) => !run.baseline);
  const cost = ({ line }: Entry): number | null => line.cost_per_1000_rows_usd;
  const points = models.flatMap((entry): Point[] => {
    const amount = cost(entry);
    const whole = entry.line.cost_coverage === 1;
    return amount === null || amount <= 0
      ? []
      : [{ entry, amount, atLeast: !whole, onFront: entry.line.on_cost_front }];
  });
  return tradeOff({
    id: "cost",
    title: "Accuracy and cost",
    label: "USD per 1,000 rows, log scale",
    format: usd,
    short: (amount) => `$${Number(amount.toPrecision(3))}`,
    views: ["cost", "accuracy_overall", "fronts"],
    points,
    all,
    notes: [
      "Costs are those of all attempts, failed ones and repeated ones included.",
      said(
        "Unknown cost",
        models.filter((entry) => cost(entry) === null || isUnknown(entry)),
      ),
      said(
        "A cost of exactly zero, for which a log scale has no place",
        all.filter((entry) => cost(entry) === 0 && !isUnknown(entry)),
      ),
      points.some(({ atLeast }) => atLeast)
        ? "Triangles: the cost of some attempts is unknown, so that the true cost is higher; they are not compared."
        : "",
    ],
    columns: costColumns(),
    order: cost,
  });
}

/** Whether what is known of the cost is nothing, and something is not known. */
function isUnknown({ line }: Entry): boolean {
  return line.cost_usd === 0 && line.cost_coverage !== 1;
}

function speedFigure(all: readonly Entry[]): HTMLElement {
  const median = ({ line }: Entry): number | null => line.p50_ms;
  const points = all
    .filter(({ run }) => !run.baseline)
    .flatMap((entry): Point[] => {
      const amount = median(entry);
      return amount === null || amount <= 0
        ? []
        : [{ entry, amount, atLeast: false, onFront: entry.line.on_latency_front }];
    });
  return tradeOff({
    id: "speed",
    title: "Accuracy and speed",
    label: "Median time of a row, log scale",
    format: duration,
    short: duration,
    views: ["latency", "accuracy_overall", "fronts"],
    points,
    all,
    notes: [
      "Time is the wall clock of a row with its repeated attempts, without waiting for the pace; it depends on the endpoint and on the day.",
      said(
        "Unknown time",
        all.filter((entry) => median(entry) === null),
      ),
      said(
        "A median of exactly zero, for which a log scale has no place",
        all.filter((entry) => median(entry) === 0),
      ),
    ],
    columns: speedColumns(),
    order: median,
  });
}

interface Part {
  readonly id: string;
  readonly title: string;
  readonly label: string;
  readonly format: (amount: number) => string;
  readonly short: (amount: number) => string;
  readonly views: readonly string[];
  readonly points: readonly Point[];
  readonly all: readonly Entry[];
  readonly notes: readonly string[];
  readonly columns: readonly Column<Entry>[];
  readonly order: (entry: Entry) => number | null;
}

function tradeOff({
  id,
  title,
  label,
  format,
  short,
  views,
  points,
  all,
  notes,
  columns,
  order,
}: Part): HTMLElement {
  // A floor of some rows only is none, and a local run is not compared.
  const floors = all.filter(
    ({ run }) => run.baseline && run.standing !== "partial" && run.standing !== "local",
  );
  const rows = [...all].sort((a, b) => (order(a) ?? Infinity) - (order(b) ?? Infinity) || 0);
  return figure({
    id,
    title,
    caption: [caption(points, floors), ...notes].filter((text) => text !== "").join(" "),
    views,
    draw: (width) =>
      points.length === 0
        ? nothing("Of no model the amount is known and above zero; the table has what there is.")
        : tradeOffChart(width, { points, floors, label, format, short }),
    table: {
      caption: `${title}, all results`,
      columns,
      rows,
      key: ({ run }) => run.run_id,
      mark: ({ run }) => (run.baseline ? "floor" : undefined),
    },
  });
}

function caption(points: readonly Point[], floors: readonly Entry[]): string {
  const sizes = points.map(({ entry }) => entry.line.rows ?? 0);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const without = points.some(({ entry }) => entry.line.jackknife_low === null);
  return [
    points.length === 0
      ? ""
      : `Share of right answers (dot) of ${count(points.length)} ${points.length === 1 ? "result" : "results"}, n = ${
          least === most
            ? `${count(least)} rows${points.length === 1 ? "" : " each"}`
            : `${count(least)} to ${count(most)} rows`
        }, with the 95 % interval that takes whole tasks as the unit (jackknife)${without ? "; there is none below two tasks" : ""}.`,
    points.some(({ onFront }) => onFront === true)
      ? "Line: the front, on which no other full published result with the same prompt is at least as accurate for less. The front knows no uncertainty: neighbours whose intervals overlap may change places."
      : "",
    points.some(({ entry }) => entry.run.standing === "other prompt")
      ? "Squares: results of another prompt, compared among themselves."
      : "",
    said(
      "Hollow, and not compared, since the result is partial or local, or the amount is not wholly known",
      points.filter(({ onFront }) => onFront === null).map(({ entry }) => entry),
    ),
    floors.length === 0 || points.length === 0 ? "" : "Dashed lines: the accuracy of the floors.",
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** `Unknown cost: a, b.`; nothing when there is none. */
function said(what: string, which: readonly Entry[]): string {
  if (which.length === 0) return "";
  const names = which.slice(0, LISTED).map(({ name }) => shortened(name, NAME));
  const rest = which.length - names.length;
  return `${what}: ${names.join(", ")}${rest === 0 ? "" : ` and ${count(rest)} more`}.`;
}

function common(): Column<Entry>[] {
  return [
    { label: "Model", heading: true, cell: ({ name }) => name, sort: ({ name }) => name },
    {
      label: "Accuracy",
      numeric: true,
      cell: ({ line }) => percent(line.accuracy),
      sort: ({ line }) => line.accuracy,
    },
    {
      label: "Jackknife 95 %",
      numeric: true,
      cell: ({ line }) => interval(line.jackknife_low, line.jackknife_high),
    },
    { label: "Rows", numeric: true, cell: ({ line }) => count(line.rows), sort: ({ line }) => line.rows },
  ];
}

/** `yes`, `no`, or that it was not compared. */
function onFront(value: boolean | null): string {
  return value === null ? "not compared" : value ? "yes" : "no";
}

function costColumns(): Column<Entry>[] {
  return [
    ...common(),
    {
      label: "Cost per 1,000 rows",
      numeric: true,
      cell: ({ line }) => usdSum(line.cost_per_1000_rows_usd, line.cost_coverage),
      sort: ({ line }) => line.cost_per_1000_rows_usd,
    },
    {
      label: "Cost per right answer",
      numeric: true,
      cell: ({ line }) => (line.correct === 0 ? NONE : usdSum(line.cost_per_correct_usd, line.cost_coverage)),
      sort: ({ line }) => line.cost_per_correct_usd,
    },
    {
      label: "Cost in all",
      numeric: true,
      cell: ({ line }) => usdSum(line.cost_usd, line.cost_coverage),
      sort: ({ line }) => line.cost_usd,
    },
    {
      label: "Cost basis",
      cell: ({ line }) =>
        (line.cost_basis ?? []).map((name) => name.replaceAll("_", " ")).join(", ") || UNKNOWN,
    },
    {
      label: "Coverage",
      numeric: true,
      title: "Share of the attempts whose cost is known",
      cell: ({ line }) => percent(line.cost_coverage),
      sort: ({ line }) => line.cost_coverage,
    },
    { label: "On the front", cell: ({ line }) => onFront(line.on_cost_front) },
  ];
}

function speedColumns(): Column<Entry>[] {
  return [
    ...common(),
    {
      label: "Median",
      numeric: true,
      cell: ({ line }) => duration(line.p50_ms),
      sort: ({ line }) => line.p50_ms,
    },
    {
      label: "95 % quantile",
      numeric: true,
      cell: ({ line }) => duration(line.p95_ms),
      sort: ({ line }) => line.p95_ms,
    },
    { label: "On the front", cell: ({ line }) => onFront(line.on_latency_front) },
  ];
}
