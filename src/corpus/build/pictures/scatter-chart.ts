// Points in groups on a plane, each group with a colour and a shape of its own, and one point that is asked about.
import { circle, drawing, FAINT, HUES, INK, line, rect, text } from "./svg.ts";

export type Point = readonly [x: number, y: number];

export interface ScatterAxis {
  /** What is measured and in which unit. */
  readonly name: string;
  /** Ends of the axis; `step` is the distance of its grid lines. */
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

const WIDTH = 800;
const HEIGHT = 560;
const PLOT = { left: 76, right: 780, top: 56, bottom: 490 };

/** How much longer than the upright axis the other one is drawn. */
export const SCATTER_STRETCH = (PLOT.right - PLOT.left) / (PLOT.bottom - PLOT.top);

const COLORS = [HUES[0], HUES[1], HUES[2]] as const;

/** The shapes of the first, second and third group, in words for texts beside the picture. */
export const SCATTER_SHAPES = ["blue discs", "red squares", "green rings"] as const;

function mark(group: number, x: number, y: number): string {
  const color = COLORS[group] ?? INK;
  if (group === 0) return circle(x, y, 6, color);
  if (group === 1) return rect(x - 5.5, y - 5.5, 11, 11, color);
  return circle(x, y, 5.5, "#ffffff", { color, width: 3 });
}

/**
 * @param groups at most three: name and points, drawn in order.
 * @param asked the point in question, drawn above all others as a black cross.
 */
export function scatterChart(
  x: ScatterAxis,
  y: ScatterAxis,
  groups: readonly (readonly [name: string, points: readonly Point[]])[],
  asked: Point,
): string {
  const across = (value: number): number =>
    PLOT.left + ((PLOT.right - PLOT.left) * (value - x.from)) / (x.to - x.from);
  const up = (value: number): number =>
    PLOT.bottom - ((PLOT.bottom - PLOT.top) * (value - y.from)) / (y.to - y.from);
  const parts: string[] = [];
  for (let value = x.from; value <= x.to; value += x.step) {
    parts.push(line(across(value), PLOT.top, across(value), PLOT.bottom, { color: FAINT }));
    parts.push(text(across(value), PLOT.bottom + 22, String(value), { anchor: "middle" }));
  }
  for (let value = y.from; value <= y.to; value += y.step) {
    parts.push(line(PLOT.left, up(value), PLOT.right, up(value), { color: FAINT }));
    parts.push(text(PLOT.left - 8, up(value) + 5, String(value), { anchor: "end" }));
  }
  parts.push(text(PLOT.left, PLOT.top - 10, y.name, { size: 15, bold: true }));
  parts.push(text(PLOT.right, HEIGHT - 18, x.name, { size: 15, bold: true, anchor: "end" }));
  groups.forEach(([name, points], group) => {
    for (const [px, py] of points) parts.push(mark(group, across(px), up(py)));
    const left = PLOT.left + 210 + group * 130;
    parts.push(mark(group, left, 21), text(left + 14, 26, name, { size: 15 }));
  });
  const [cx, cy] = [across(asked[0]), up(asked[1])];
  for (const [color, width] of [
    ["#ffffff", 7],
    [INK, 3],
  ] as const) {
    parts.push(line(cx - 9, cy - 9, cx + 9, cy + 9, { color, width }));
    parts.push(line(cx - 9, cy + 9, cx + 9, cy - 9, { color, width }));
  }
  parts.push(text(PLOT.left + 600, 26, "× in question", { size: 15, bold: true }));
  return drawing(WIDTH, HEIGHT, parts);
}
