// Dots with both intervals, a line a result; floors as lines across.
import type { Accuracy, Entry } from "./board.js";
import { COLOR, nameAxis, Plot, plot } from "./chart.js";
import { count, interval, letters, percent } from "./format.js";

/** A result with the accuracy that is drawn: of all rows, or of some. */
export interface Drawn {
  readonly entry: Entry;
  readonly accuracy: Accuracy;
}

/** Pixels a letter of a group takes, about. */
const LETTER = 8;

/**
 * @param drawn in the order in which they stand, from the top.
 * @param floors baselines, whether they are among these or not.
 * @param grouped whether the letters of tied groups stand beside them.
 */
export function accuracyChart(
  width: number,
  drawn: readonly Drawn[],
  floors: readonly Drawn[],
  grouped: boolean,
): Element {
  const groups = drawn.map(({ entry: { line } }) => letters(line.first_group, line.last_group));
  const beside =
    grouped && drawn.length > 1 ? Math.max(...groups.map((text) => text.length)) * LETTER + 8 : 0;
  const { margin, short } = nameAxis(
    drawn.map(({ entry }) => entry.name),
    width,
  );
  const names = new Map(drawn.map(({ entry }) => [entry.run.run_id, short(entry.name)]));
  const y = ({ entry }: Drawn): string => entry.run.run_id;
  return plot(width, {
    height: 56 + drawn.length * 24,
    marginLeft: margin,
    marginRight: 16 + beside,
    marginTop: 10,
    marginBottom: 42,
    x: { label: "Accuracy (%)", labelOffset: 36, percent: true, grid: true, nice: true, labelArrow: "none" },
    y: {
      type: "band",
      domain: drawn.map(y),
      label: null,
      tickSize: 0,
      tickFormat: (run: string) => names.get(run) ?? run,
    },
    marks: [
      Plot.ruleX(floors, {
        x: ({ accuracy }: Drawn) => accuracy.accuracy,
        stroke: COLOR.faint,
        strokeDasharray: "4 3",
      }),
      Plot.ruleY(drawn, {
        y,
        x1: ({ accuracy }: Drawn) => accuracy.jackknife_low,
        x2: ({ accuracy }: Drawn) => accuracy.jackknife_high,
        stroke: COLOR.main,
        strokeOpacity: 0.28,
        strokeWidth: 9,
      }),
      Plot.ruleY(drawn, {
        y,
        x1: ({ accuracy }: Drawn) => accuracy.wilson_low,
        x2: ({ accuracy }: Drawn) => accuracy.wilson_high,
        stroke: COLOR.main,
        strokeWidth: 1.5,
      }),
      Plot.dot(drawn, {
        y,
        x: ({ accuracy }: Drawn) => accuracy.accuracy,
        r: 4.5,
        stroke: COLOR.main,
        fill: ({ entry }: Drawn) => (entry.run.baseline ? "var(--theme-background)" : COLOR.main),
        channels: { name: ({ entry }: Drawn) => entry.name },
        title: described,
        tip: true,
      }),
      ...(beside > 0
        ? [
            Plot.text(drawn, {
              y,
              text: (_: Drawn, i: number) => groups[i] ?? "",
              frameAnchor: "right",
              textAnchor: "start",
              dx: 10,
              fontFamily: "var(--monospace)",
            }),
          ]
        : []),
    ],
  });
}

function described({ entry, accuracy }: Drawn): string {
  return [
    entry.name,
    `${percent(accuracy.accuracy)} of ${count(accuracy.rows)} rows`,
    `jackknife ${interval(accuracy.jackknife_low, accuracy.jackknife_high)}`,
    `Wilson ${interval(accuracy.wilson_low, accuracy.wilson_high)}`,
  ].join("\n");
}
