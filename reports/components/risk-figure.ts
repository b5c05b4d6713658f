// What is gained when the answers of which a result is unsure are left to somebody else.
import type { CalibrationLine, RiskPoint } from "./calibration-data.js";
import { COLOR, Plot, plot } from "./chart.js";
import { figure } from "./figure.js";
import { count, percent } from "./format.js";

/** Parts of the curve, of each of which the highest and the lowest point is drawn. */
const PARTS = 150;
/** Points of a table before somebody asks for more. */
const LIMIT = 25;
/** With more points dots would be a line. */
const DOTS = 60;

/** @param all by falling threshold. */
export function riskFigure(name: string, line: CalibrationLine, all: readonly RiskPoint[]): HTMLElement {
  const drawn = thinned(all);
  return figure<RiskPoint>({
    id: "risk",
    title: `Risk and coverage: ${name}`,
    caption: [
      `Share of wrong answers among those accepted, when only answers of at least some confidence are accepted: from few and sure ones on the left to all with probabilities on the right, n = ${count(line.valid_rows)} of ${count(line.rows)} finished rows.`,
      line.valid_rows === line.rows
        ? ""
        : `The curve ends at ${percent(line.coverage)}: the other rows have no probabilities and are never accepted.`,
      `Dashed: the error rate of all finished rows, ${percent(line.error_rate)}; a row without a valid answer counts as wrong.`,
      "A useful confidence makes the curve rise from left to right. On the left it stands on few rows and jumps by chance; no interval is drawn.",
      drawn.length === all.length
        ? ""
        : `Of ${count(all.length)} thresholds ${count(drawn.length)} are drawn and listed, the extremes of every stretch among them; the view has all.`,
    ]
      .filter((text) => text !== "")
      .join(" "),
    views: ["risk_coverage", "accuracy_overall"],
    draw: (width) => drawing(width, line, drawn),
    table: {
      caption: `Thresholds of confidence: ${name}`,
      columns: [
        {
          label: "Confidence of at least",
          heading: true,
          numeric: true,
          cell: ({ threshold }) => percent(threshold, 2),
          sort: ({ threshold }) => threshold,
        },
        {
          label: "Accepted",
          numeric: true,
          cell: ({ accepted }) => count(accepted),
          sort: ({ accepted }) => accepted,
        },
        {
          label: "Share of all rows",
          numeric: true,
          cell: ({ coverage }) => percent(coverage),
          sort: ({ coverage }) => coverage,
        },
        { label: "Wrong", numeric: true, cell: ({ errors }) => count(errors), sort: ({ errors }) => errors },
        { label: "Error rate", numeric: true, cell: ({ risk }) => percent(risk), sort: ({ risk }) => risk },
      ],
      rows: drawn,
      limit: LIMIT,
      key: ({ threshold }) => String(threshold),
    },
  });
}

/** Few enough points to be drawn; of every stretch of the curve the lowest, the highest and the last. */
function thinned(all: readonly RiskPoint[]): readonly RiskPoint[] {
  if (all.length <= 2 * PARTS) return all;
  const parts = new Map<number, { low: RiskPoint; high: RiskPoint }>();
  for (const point of all) {
    const part = Math.floor(point.coverage * PARTS);
    const found = parts.get(part);
    if (found === undefined) parts.set(part, { low: point, high: point });
    else {
      if (point.risk < found.low.risk) found.low = point;
      if (point.risk > found.high.risk) found.high = point;
    }
  }
  const kept = new Set([...parts.values()].flatMap(({ low, high }) => [low, high]));
  return all.filter((point, i) => i === 0 || i === all.length - 1 || kept.has(point));
}

function drawing(width: number, line: CalibrationLine, points: readonly RiskPoint[]): Element {
  return plot(width, {
    height: Math.min(400, Math.max(280, width * 0.45)),
    marginLeft: 52,
    marginRight: 18,
    marginTop: 26,
    marginBottom: 44,
    x: {
      domain: [0, 100],
      percent: true,
      ticks: width < 400 ? 5 : 10,
      grid: true,
      label: "Accepted, of all finished rows (%)",
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: {
      percent: true,
      zero: true,
      nice: true,
      grid: true,
      label: "Wrong among the accepted (%)",
      labelArrow: "none",
    },
    marks: [
      Plot.ruleY([line.error_rate], { stroke: COLOR.faint, strokeDasharray: "4 3" }),
      Plot.line(points, { x: "coverage", y: "risk", stroke: COLOR.main, strokeWidth: 1.5 }),
      ...(points.length <= DOTS
        ? [Plot.dot(points, { x: "coverage", y: "risk", r: points.length === 1 ? 4 : 2.5, fill: COLOR.main })]
        : []),
      Plot.ruleY([0]),
      Plot.tip(points, Plot.pointer({ x: "coverage", y: "risk", title: described })),
    ],
  });
}

function described({ threshold, coverage, risk, accepted, errors }: RiskPoint): string {
  return [
    `confidence of at least ${percent(threshold, 2)}`,
    `${count(accepted)} rows accepted (${percent(coverage)})`,
    `${count(errors)} of them wrong (${percent(risk)})`,
  ].join("\n");
}
