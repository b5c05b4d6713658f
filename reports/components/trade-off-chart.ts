// Accuracy against an amount that is better when it is small: money, or time.
import type { Entry } from "./board.js";
import { COLOR, Plot, plot } from "./chart.js";
import { count, interval, percent, shortened } from "./format.js";
import { logAxis } from "./log-axis.js";

/** A result of which the amount is known and above zero. */
export interface Point {
  readonly entry: Entry;
  readonly amount: number;
  /** Whether some of it is unknown, so that it is at least so much. */
  readonly atLeast: boolean;
  /** Null for what is not compared. */
  readonly onFront: boolean | null;
}

export interface TradeOff {
  readonly points: readonly Point[];
  /** Baselines, drawn as lines across: what they cost says nothing. */
  readonly floors: readonly Entry[];
  readonly label: string;
  readonly format: (amount: number) => string;
  /** For the places on the axis. */
  readonly short: (amount: number) => string;
}

/** Characters of a name in the drawing. */
const NAME = 22;
/** Pixels. */
const NAME_WIDTH = 150;
/** Of the axis of accuracies, which spans half of all shares or less. */
const NAME_HEIGHT = 0.025;

export function tradeOffChart(width: number, { points, floors, label, format, short }: TradeOff): Element {
  const margins = { marginLeft: 46, marginRight: 20 };
  const { domain, ticks } = logAxis(
    points.map(({ amount }) => amount),
    width - margins.marginLeft - margins.marginRight,
    short,
  );
  const x = "amount";
  const y = ({ entry }: Point): number | null => entry.line.accuracy;
  const front = points.filter(({ onFront }) => onFront === true);
  const line = [...front].sort((a, b) => a.amount - b.amount);
  const place = ({ amount }: Point): number => Math.log(amount / domain[0]) / Math.log(domain[1] / domain[0]);
  const isLeft = (point: Point): boolean => place(point) < 0.6;
  const named = withRoom(front, (point) => place(point) * width);
  return plot(width, {
    ...margins,
    height: Math.min(460, Math.max(320, width * 0.5)),
    marginTop: 24,
    marginBottom: 50,
    x: {
      type: "log",
      domain: [...domain],
      ticks: [...ticks],
      tickFormat: short,
      label,
      labelArrow: "none",
      labelAnchor: "center",
      grid: true,
    },
    y: { label: "Accuracy (%)", percent: true, grid: true, nice: true, labelArrow: "none" },
    marks: [
      Plot.ruleY(floors, {
        y: ({ line: { accuracy } }: Entry) => accuracy,
        stroke: COLOR.faint,
        strokeDasharray: "4 3",
      }),
      Plot.text(floors, {
        y: ({ line: { accuracy } }: Entry) => accuracy,
        text: ({ name }: Entry) => shortened(name, NAME),
        frameAnchor: "right",
        textAnchor: "end",
        dy: -6,
        fill: COLOR.faint,
      }),
      Plot.ruleX(points, {
        x,
        y1: ({ entry }: Point) => entry.line.jackknife_low,
        y2: ({ entry }: Point) => entry.line.jackknife_high,
        stroke: COLOR.main,
        strokeOpacity: 0.35,
        strokeWidth: 2,
      }),
      Plot.line(line, {
        x,
        y,
        z: ({ entry: { run } }: Point) => JSON.stringify([run.prompt_version, run.prompt_sha256]),
        curve: "step-after",
        stroke: COLOR.second,
        strokeWidth: 1.5,
      }),
      Plot.dot(points, {
        x,
        y,
        r: 4.5,
        symbol: ({ atLeast, entry: { run } }: Point) =>
          atLeast ? "triangle" : run.standing === "other prompt" ? "square" : "circle",
        stroke: ({ onFront }: Point) => (onFront === true ? COLOR.second : COLOR.main),
        fill: ({ onFront }: Point) =>
          onFront === null ? "var(--theme-background)" : onFront ? COLOR.second : COLOR.main,
        title: (point: Point) => described(point, format),
        tip: true,
      }),
      names(named.filter(isLeft), "start"),
      names(
        named.filter((point) => !isLeft(point)),
        "end",
      ),
    ],
    symbol: { type: "identity" },
    color: { type: "identity" },
  } as Plot.PlotOptions);
}

/** The points whose names do not lie on each other; of two that would, the more accurate one. */
function withRoom(points: readonly Point[], left: (point: Point) => number): Point[] {
  const kept: Point[] = [];
  const accuracy = ({ entry }: Point): number => entry.line.accuracy ?? 0;
  for (const point of [...points].sort((a, b) => accuracy(b) - accuracy(a))) {
    const free = kept.every(
      (other) =>
        Math.abs(left(point) - left(other)) > NAME_WIDTH ||
        Math.abs(accuracy(point) - accuracy(other)) > NAME_HEIGHT,
    );
    if (free) kept.push(point);
  }
  return kept;
}

/** Names on the side where there is room. */
function names(points: readonly Point[], anchor: "start" | "end"): Plot.Markish {
  return Plot.text(points, {
    x: "amount",
    y: ({ entry }: Point) => entry.line.accuracy,
    text: ({ entry }: Point) => shortened(entry.name, NAME),
    textAnchor: anchor,
    dx: anchor === "start" ? 8 : -8,
    dy: -9,
    fill: "currentColor",
    stroke: "var(--theme-background)",
    strokeWidth: 4,
  });
}

function described(
  { entry: { name, line }, amount, atLeast, onFront }: Point,
  format: TradeOff["format"],
): string {
  return [
    shortened(name, 60),
    `${atLeast ? "at least " : ""}${format(amount)}`,
    `${percent(line.accuracy)} of ${count(line.rows)} rows`,
    `jackknife ${interval(line.jackknife_low, line.jackknife_high)}`,
    ...(onFront === true ? ["on the front"] : []),
  ].join("\n");
}
