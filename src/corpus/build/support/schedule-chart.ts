// The support schedule of some release lines as a Gantt chart, with the day of a ticket as a line across it.
import { drawing, FAINT, HUES, INK, line, rect, text } from "../pictures/svg.ts";
import type { Picture } from "../task.ts";

/** Days of one release line; `lts` is null for a line that never becomes long-term. */
export interface ReleaseLine {
  readonly id: string;
  readonly start: string;
  readonly lts: string | null;
  readonly maintenance: string;
  readonly end: string;
}

const WIDTH = 900;
const LEFT = 80;
const RIGHT = 870;
const TOP = 108;
const ROW = 64;
const PHASES = [
  ["Current", HUES[4]],
  ["Active LTS", HUES[2]],
  ["Maintenance", HUES[3]],
] as const;

const DAY = 86_400_000;
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;

/**
 * Draws the lines one below the other, oldest first.
 *
 * @param customer id of the line that is marked.
 * @param ticket day of the ticket, within the years of the lines.
 * @param days from the ticket to the delivery of a fix.
 */
export function scheduleChart(
  lines: readonly ReleaseLine[],
  customer: string,
  ticket: string,
  days: number,
): Picture {
  const years = [...lines.flatMap(({ start, end }) => [start, end]), ticket].map((d) =>
    Number(d.slice(0, 4)),
  );
  const first = Math.min(...years);
  const last = Math.max(...years) + 1;
  const from = dayNumber(`${first}-01-01`);
  const scale = (RIGHT - LEFT) / (dayNumber(`${last}-01-01`) - from);
  const x = (date: string): number => LEFT + (dayNumber(date) - from) * scale;
  const bottom = TOP + lines.length * ROW;
  const grid = Array.from({ length: last - first + 1 }, (_, index) => {
    const day = `${first + index}-01-01`;
    return [
      line(x(day), TOP - 8, x(day), bottom, { color: FAINT }),
      text(x(day), bottom + 20, String(first + index), { anchor: "middle", size: 13 }),
    ].join("");
  });
  const legend = PHASES.map(
    ([name, hue], index) =>
      rect(LEFT + index * 150, 44, 18, 14, hue) + text(LEFT + index * 150 + 26, 56, name, { size: 13 }),
  );
  const ticketSide = x(ticket) > (LEFT + RIGHT) / 2 ? "end" : "start";
  return {
    svg: drawing(WIDTH, bottom + 34, [
      text(LEFT, 28, "Support schedule", { size: 18, bold: true }),
      ...legend,
      ...grid,
      ...lines.map((entry, index) => bar(entry, TOP + index * ROW, entry.id === customer, x)),
      line(x(ticket), TOP - 8, x(ticket), bottom, { color: HUES[1], width: 2 }),
      text(x(ticket), TOP - 14, `Ticket ${ticket}, fix ${days} days later`, {
        anchor: ticketSide,
        color: "#aa2233",
        bold: true,
        size: 13,
      }),
      ...lines.map((entry, index) => caption(entry, TOP + index * ROW, x)),
    ]),
    alt:
      `Gantt chart of the support schedule of ${lines.length} release lines, ${lines.map(({ id }) => id).join(", ")}: a bar ` +
      `for each, coloured by its phases, with the days written below it. The ` +
      `customer's line ${customer} is framed; a vertical line marks the ticket of ${ticket}, with the note that a fix takes ` +
      `${days} days.`,
  };
}

type Place = (date: string) => number;

function bar(
  { id, start, lts, maintenance, end }: ReleaseLine,
  top: number,
  marked: boolean,
  x: Place,
): string {
  const starts = [start, lts ?? maintenance, maintenance];
  const parts = PHASES.map(([, hue], index) => {
    const left = starts[index] ?? end;
    const right = starts[index + 1] ?? end;
    return left === right ? "" : rect(x(left), top + 6, x(right) - x(left), 22, hue);
  });
  const frame = rect(x(start) - 1, top + 5, x(end) - x(start) + 2, 24, "#ffffff", { color: INK, width: 4 });
  const name = text(LEFT - 12, top + 23, id, { anchor: "end", bold: marked, size: 16 });
  return [name, marked ? frame : "", ...parts].join("");
}

function caption({ start, lts, maintenance, end }: ReleaseLine, top: number, x: Place): string {
  const days = [start, lts, maintenance, end].filter((day) => day !== null).join(" > ");
  // Mono letters of size 12 are 7.23 pixels wide.
  const width = days.length * 7.23;
  const left = Math.max(LEFT, Math.min(x(start), RIGHT - width));
  return (
    rect(left - 3, top + 33, width + 6, 17, "#ffffff") + text(left, top + 46, days, { mono: true, size: 12 })
  );
}
