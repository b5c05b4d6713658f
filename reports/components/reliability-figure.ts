// How often one result is right at which confidence.
import { html } from "npm:htl";
import type { Bin, CalibrationLine } from "./calibration-data.js";
import { COLOR, Plot, plot } from "./chart.js";
import { figure } from "./figure.js";
import { count, interval, percent } from "./format.js";

/** Pixels. Both drawings have the same, so that they share the axis of confidences. */
const MARGINS = { marginLeft: 52, marginRight: 18 };
/** Wider than this a square would not fit on a screen. */
const WIDEST = 720;
/** Pixels that a digit of a count takes, about. */
const DIGIT = 7;

export function reliabilityFigure(name: string, line: CalibrationLine, bins: readonly Bin[]): HTMLElement {
  const filled = bins.filter(({ rows }) => rows > 0);
  const fewest = Math.min(...filled.map(({ rows }) => rows));
  return figure<Bin>({
    id: "reliability",
    title: `Reliability: ${name}`,
    caption: [
      `Share of right answers by confidence, n = ${count(line.valid_rows)} rows with a label and probabilities in ten bins of equal width, ${
        filled.length === bins.length ? "none of them empty" : `${count(filled.length)} of them with rows`
      } (the smallest: ${count(fewest)} ${fewest === 1 ? "row" : "rows"}). A dot stands at the mean confidence of its bin.`,
      "Line: 95 % Wilson interval; it takes rows as independent, and is too narrow where rows of one task are alike.",
      "On the diagonal confidence is as it should be; below it the result is too sure, above it too modest. Bars: rows of each bin.",
    ].join(" "),
    views: ["reliability", "wilson"],
    draw: (width) => {
      const size = Math.min(width, WIDEST);
      return html`<div>${diagram(size, filled)}${histogram(size, bins)}</div>`;
    },
    table: {
      caption: `Bins of confidence: ${name}`,
      columns: [
        {
          label: "Confidence",
          heading: true,
          cell: (bin) => rangeOf(bin),
          sort: ({ low }) => low,
        },
        { label: "Rows", numeric: true, cell: ({ rows }) => count(rows), sort: ({ rows }) => rows },
        {
          label: "Mean confidence",
          numeric: true,
          cell: (bin) => percent(bin.mean_confidence),
          sort: (bin) => bin.mean_confidence,
        },
        {
          label: "Accuracy",
          numeric: true,
          cell: (bin) => percent(bin.accuracy),
          sort: (bin) => bin.accuracy,
        },
        { label: "Wilson 95 %", numeric: true, cell: (bin) => interval(bin.accuracy_low, bin.accuracy_high) },
      ],
      rows: bins,
      key: ({ bin }) => String(bin),
    },
  });
}

/** `30 to 40 %`: the upper end belongs to the next bin, but for the last. */
function rangeOf({ low, high }: Bin): string {
  return `${(low * 100).toFixed(0)} to ${high === 1 ? "" : "below "}${(high * 100).toFixed(0)} %`;
}

function diagram(width: number, filled: readonly Bin[]): Element {
  return plot(width, {
    ...MARGINS,
    height: Math.round(width * 0.66),
    marginTop: 26,
    marginBottom: 8,
    x: { domain: [0, 100], percent: true, axis: null },
    y: { domain: [0, 100], percent: true, label: "Right (%)", labelArrow: "none", grid: true },
    marks: [
      Plot.gridX({ ticks: 10 }),
      Plot.line([0, 1], {
        x: (end: number) => end,
        y: (end: number) => end,
        stroke: COLOR.faint,
        strokeDasharray: "4 3",
      }),
      Plot.ruleX(filled, {
        x: "mean_confidence",
        y1: "accuracy_low",
        y2: "accuracy_high",
        stroke: COLOR.main,
        strokeWidth: 1.5,
      }),
      Plot.dot(filled, {
        x: "mean_confidence",
        y: "accuracy",
        r: 5,
        fill: COLOR.main,
        title: described,
        tip: true,
      }),
    ],
  });
}

function histogram(width: number, bins: readonly Bin[]): Element {
  const bar = (width - MARGINS.marginLeft - MARGINS.marginRight) / Math.max(1, bins.length);
  const fits = bins.every(({ rows }) => count(rows).length * DIGIT <= bar);
  return plot(width, {
    ...MARGINS,
    height: 150,
    marginTop: 26,
    marginBottom: 42,
    x: {
      domain: [0, 100],
      percent: true,
      ticks: width < 400 ? 5 : 10,
      label: "Confidence (%)",
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: { label: "Rows", labelArrow: "none", ticks: 3, grid: true, nice: true },
    marks: [
      Plot.rectY(bins, {
        x1: "low",
        x2: "high",
        y: "rows",
        inset: 1,
        fill: COLOR.main,
        fillOpacity: 0.45,
        title: described,
        tip: true,
      }),
      ...(fits
        ? [
            Plot.text(
              bins.filter(({ rows }) => rows > 0),
              {
                x: ({ low, high }: Bin) => (low + high) / 2,
                y: "rows",
                text: ({ rows }: Bin) => count(rows),
                dy: -7,
                fontSize: 11,
                fill: "currentColor",
              },
            ),
          ]
        : []),
      Plot.ruleY([0]),
    ],
  });
}

function described(bin: Bin): string {
  return [
    `confidence ${rangeOf(bin)}`,
    `n = ${count(bin.rows)} rows`,
    ...(bin.rows === 0
      ? []
      : [
          `mean confidence ${percent(bin.mean_confidence)}`,
          `right ${percent(bin.accuracy)}, Wilson ${interval(bin.accuracy_low, bin.accuracy_high)}`,
        ]),
  ].join("\n");
}
