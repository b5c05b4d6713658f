// Bars of the births from Monday to Friday, three weeks side by side.
import { drawing, FAINT, INK, line, rect, text } from "../pictures/svg.ts";

const WIDTH = 800;
const HEIGHT = 400;
const LEFT = 70;
const BOTTOM = 340;
/** Births at the top line. */
const TOP = 16_000;
const BAR = 40;
const COLORS = ["#bbbbbb", "#4477aa", "#777777"] as const;

const place = (births: number): number => BOTTOM - (births / TOP) * 280;

/**
 * @param days names under the groups of bars.
 * @param weeks name of each week with its births by day, at most three.
 */
export function birthsChart(
  days: readonly string[],
  weeks: readonly (readonly [name: string, births: readonly number[]])[],
): string {
  const parts: string[] = [];
  for (let births = 0; births <= TOP; births += 4_000) {
    parts.push(line(LEFT, place(births), WIDTH - 20, place(births), { color: FAINT }));
    parts.push(text(LEFT - 8, place(births) + 5, String(births), { size: 13, anchor: "end" }));
  }
  days.forEach((day, group) => {
    const left = LEFT + 10 + group * 142;
    weeks.forEach(([, births], week) => {
      const value = births[group] ?? 0;
      const x = left + week * (BAR + 2);
      parts.push(rect(x, place(value), BAR, BOTTOM - place(value), COLORS[week] ?? INK));
      parts.push(text(x + BAR / 2, place(value) - 5, String(value), { size: 12, anchor: "middle" }));
    });
    parts.push(text(left + (weeks.length * (BAR + 2)) / 2, BOTTOM + 20, day, { anchor: "middle" }));
  });
  parts.push(line(LEFT, BOTTOM, WIDTH - 20, BOTTOM));
  weeks.forEach(([name], week) => {
    parts.push(rect(LEFT + 10 + week * 200, HEIGHT - 28, 14, 14, COLORS[week] ?? INK));
    parts.push(text(LEFT + 30 + week * 200, HEIGHT - 16, name));
  });
  parts.push(text(LEFT, 24, "Births per day", { size: 15, bold: true }));
  return drawing(WIDTH, HEIGHT, parts);
}
