// A line chart of an index over months, with a grid that can be read to about half a unit.
import type { Picture } from "../task.ts";
import { drawing, FAINT, HUES, line, polyline, text } from "./svg.ts";

const WIDTH = 800;
const HEIGHT = 460;
const PLOT = { left: 64, right: 780, top: 44, bottom: 412 };

/** Distances of grid lines, from which the smallest is taken that gives at most nine. */
const STEPS = [1, 2, 5, 10, 20, 50];

/**
 * One line over months at equal distances.
 *
 * @param months as YYYY-MM; a January gets a grid line and its year.
 * @param values index values, one a month.
 */
export function indexChart(months: readonly string[], values: readonly number[]): Picture {
  const span = Math.max(...values) - Math.min(...values);
  const step = STEPS.find((size) => span / size <= 7) ?? 100;
  const low = Math.floor(Math.min(...values) / step) * step;
  const high = Math.ceil(Math.max(...values) / step) * step;
  const x = (i: number): number =>
    PLOT.left + ((PLOT.right - PLOT.left) * i) / Math.max(1, months.length - 1);
  const y = (value: number): number =>
    PLOT.bottom - ((PLOT.bottom - PLOT.top) * (value - low)) / Math.max(step, high - low);
  const parts = [text(PLOT.left, 26, `Employees, ${months[0]} = 100`, { size: 16, bold: true })];
  for (let value = low; value <= high; value += step) {
    parts.push(line(PLOT.left, y(value), PLOT.right, y(value), { color: value === 100 ? "#8a8a8a" : FAINT }));
    parts.push(text(PLOT.left - 8, y(value) + 5, String(value), { anchor: "end" }));
  }
  months.forEach((month, i) => {
    if (!month.endsWith("-01")) return;
    parts.push(line(x(i), PLOT.top, x(i), PLOT.bottom, { color: FAINT }));
    parts.push(text(x(i), PLOT.bottom + 24, month.slice(0, 4), { anchor: "middle" }));
  });
  parts.push(line(PLOT.left, PLOT.bottom, PLOT.right, PLOT.bottom));
  parts.push(
    polyline(
      values.map((value, i) => [x(i), y(value)]),
      { color: HUES[0], width: 3 },
    ),
  );
  return {
    svg: drawing(WIDTH, HEIGHT, parts),
    alt: `Line chart of a quarterly index of employees from ${months[0]} to ${months.at(-1)}, first value 100; lowest ${Math.min(...values)}, highest ${Math.max(...values)}, last ${values.at(-1)}.`,
  };
}
