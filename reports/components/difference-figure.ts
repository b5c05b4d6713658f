// The difference of two results with both intervals, on an axis around zero, and the table of what was tested.
import { html } from "npm:htl";
import { COLOR, Plot, plot } from "./chart.js";
import type { Comparison, PairLine } from "./compare-data.js";
import { figure } from "./figure.js";
import { count, NONE, points, pointsInterval, pValue, shortened } from "./format.js";
import { pointsAxis } from "./points-axis.js";

/** Characters of a name in a caption. */
const NAME = 60;
const MARGIN_LEFT = 84;
const MARGIN_RIGHT = 20;

interface Interval {
  readonly name: string;
  readonly low: number;
  readonly high: number;
}

export function differenceFigure({ a, b }: Comparison, pair: PairLine): HTMLElement {
  const intervals = intervalsOf(pair);
  return figure<Figure>({
    id: "difference",
    title: "Difference in accuracy, a − b",
    caption: caption(pair, intervals.length > 0),
    views: ["versus", "comparisons"],
    draw: (width) => drawing(width, pair, intervals, [a.name, b.name]),
    table: {
      caption: `${shortened(a.name, NAME)} (a) against ${shortened(b.name, NAME)} (b)`,
      columns: [
        {
          label: "Figure",
          heading: true,
          cell: ({ name, note }) => html`<span>${name}<div class="share">${note}</div></span>`,
        },
        { label: "Value", numeric: true, cell: ({ value }) => value },
        { label: "95 % interval", numeric: true, cell: ({ interval }) => interval ?? "" },
      ],
      rows: figuresOf(pair),
      key: ({ name }) => name,
    },
    open: true,
  });
}

/** Below two tasks there is no interval: that of the bootstrap would have no width. */
function intervalsOf(pair: PairLine): Interval[] {
  if (pair.tasks < 2) return [];
  return [
    { name: "Jackknife", low: pair.jackknife_low, high: pair.jackknife_high },
    { name: "Bootstrap", low: pair.bootstrap_low, high: pair.bootstrap_high },
  ].flatMap(({ name, low, high }) => (low === null || high === null ? [] : [{ name, low, high }]));
}

function drawing(
  width: number,
  { accuracy_difference: difference, mde80 }: PairLine,
  intervals: readonly Interval[],
  names: readonly [string, string],
): Element {
  const lines =
    intervals.length === 0 ? [{ name: "Difference", low: difference, high: difference }] : intervals;
  const band = mde80 === null || mde80 === 0 ? [] : [mde80];
  const ends = [
    difference,
    ...lines.flatMap(({ low, high }) => [low, high]),
    ...band.flatMap((m) => [-m, m]),
  ];
  const axis = pointsAxis(width - MARGIN_LEFT - MARGIN_RIGHT, ends, names);
  return plot(width, {
    height: 86 + lines.length * 30,
    marginLeft: MARGIN_LEFT,
    marginRight: MARGIN_RIGHT,
    marginTop: 34,
    marginBottom: 40,
    x: axis.x,
    y: { type: "band", domain: lines.map(({ name }) => name), label: null, tickSize: 0, padding: 0.1 },
    marks: [
      Plot.rect(band, { x1: (m: number) => -m, x2: (m: number) => m, fill: COLOR.faint, fillOpacity: 0.13 }),
      ...axis.marks,
      Plot.ruleY(intervals, {
        y: "name",
        x1: "low",
        x2: "high",
        stroke: difference < 0 ? COLOR.second : COLOR.main,
        strokeWidth: ({ name }: Interval) => (name === "Jackknife" ? 4 : 2),
      }),
      Plot.dot(lines, {
        y: "name",
        x: () => difference,
        r: 5,
        fill: difference < 0 ? COLOR.second : COLOR.main,
        stroke: "var(--theme-background)",
      }),
      Plot.tip(
        lines,
        Plot.pointerY({
          y: "name",
          x: () => difference,
          title: ({ name, low, high }: Interval) =>
            `${points(difference)} points\n${name} ${pointsInterval(low, high)}`,
          fontSize: 12,
        }),
      ),
    ],
  });
}

function caption({ rows, tasks, mde80 }: PairLine, drawn: boolean): string {
  return [
    `Accuracy of a minus that of b in percentage points, on the n = ${count(rows)} rows of ${count(tasks)} ${
      tasks === 1 ? "task" : "tasks"
    } that both have finished.`,
    drawn
      ? "Lines: 95 % intervals with whole tasks as the unit, by jackknife and by bootstrap; the latter is too narrow with few tasks."
      : "There is no interval, since whole tasks are its unit.",
    mde80 === null || mde80 === 0
      ? ""
      : `Grey: true differences of less than ${points(mde80).replace("+", "")} points, which such a test of one pair finds in fewer than 80 of 100 cases.`,
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** A line of the table. */
interface Figure {
  readonly name: string;
  readonly value: string;
  readonly interval?: string;
  readonly note: string;
}

function figuresOf(pair: PairLine): Figure[] {
  const unsigned = (share: number | null): string => points(share).replace("+", "");
  const difference = points(pair.accuracy_difference);
  return [
    {
      name: "Difference, jackknife",
      value: difference,
      interval: pointsInterval(pair.jackknife_low, pair.jackknife_high),
      note: "points; tasks as clusters",
    },
    {
      name: "Difference, task bootstrap",
      value: difference,
      interval: pointsInterval(pair.bootstrap_low, pair.bootstrap_high),
      note: pair.tasks < 2 ? "points; of one task it has no width" : "points; too narrow with few tasks",
    },
    { name: "Standard error", value: unsigned(pair.jackknife_se), note: "points; jackknife" },
    { name: "p", value: pValue(pair.p_jackknife), note: "two-sided, tasks as clusters, this pair alone" },
    {
      name: "p (Holm)",
      value: pValue(pair.p_holm),
      note:
        pair.p_holm === null
          ? "only for two full results of one prompt"
          : `adjusted for all ${count(pair.holm_pairs)} ${pair.holm_pairs === 1 ? "pair" : "pairs"} of full results of this prompt`,
    },
    { name: "p (McNemar)", value: pValue(pair.p_mcnemar), note: "mid-p; takes rows as independent" },
    {
      name: "Detectable difference",
      value: unsigned(pair.mde80),
      note: "points; the smallest true one that 80 of 100 such tests find, this pair alone",
    },
    { name: "Rows", value: count(pair.rows), note: "that both have finished" },
    { name: "Tasks", value: pair.tasks === 0 ? NONE : count(pair.tasks), note: "of these rows" },
  ];
}
