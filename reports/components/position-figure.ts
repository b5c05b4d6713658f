// Whether a result prefers options by where they stand.
import { COLOR, Plot, plot } from "./chart.js";
import { figure, nothing } from "./figure.js";
import { count, interval, percent, shortened } from "./format.js";
import { shareColumns } from "./share-columns.js";
import type { PositionCell, TaskData } from "./task-data.js";

/** One result, in front of all that are ranked. */
export function positionFigure(data: TaskData, model: string): HTMLElement {
  const known = new Set(data.runs.map(({ run_id }) => run_id));
  const cells = data.positions.filter(({ run_id }) => known.has(run_id));
  if (cells.length === 0) return nothing("No result has finished rows of which the right place is known.");
  const ranked = new Set(
    data.runs
      .filter(({ run_id, standing }) => standing === "ranked" && run_id !== model)
      .map(({ run_id }) => run_id),
  );
  const own = cells.filter(({ run_id }) => run_id === model);
  const sizes = own.map(({ rows }) => rows);
  const places = Math.max(...cells.map(({ gold_position }) => gold_position));
  return figure<PositionCell>({
    id: "positions",
    title: `Accuracy by the place of the right option: ${shortened(data.nameOf(model), 60)}`,
    caption: [
      `Share of right answers by where the right option stood among the shown ones, with the 95 % Wilson interval${
        own.length === 0
          ? ""
          : `; n = ${count(Math.min(...sizes))} to ${count(Math.max(...sizes))} rows a place`
      }. Thin lines: the results that are ranked.`,
      "A result that falls or rises where the others do not prefers a place. Only rows with many options have late places, and tasks differ, so that lines need not be level.",
    ].join(" "),
    views: ["accuracy_by_gold_position"],
    draw: (width) =>
      drawing(width, data, [...own, ...cells.filter(({ run_id }) => ranked.has(run_id))], own, places),
    table: {
      caption: "Accuracy by the place of the right option, all results",
      columns: [
        {
          label: "Model",
          heading: true,
          cell: ({ run_id }) => data.nameOf(run_id),
          sort: ({ run_id }) => data.nameOf(run_id),
        },
        {
          label: "Place",
          numeric: true,
          cell: ({ gold_position }) => count(gold_position),
          sort: ({ gold_position }) => gold_position,
        },
        ...shareColumns(),
      ],
      // The chosen one comes first.
      rows: [...own, ...cells.filter(({ run_id }) => run_id !== model)],
      key: ({ run_id, gold_position }) => `${run_id} ${gold_position}`,
    },
  });
}

function drawing(
  width: number,
  data: TaskData,
  cells: readonly PositionCell[],
  own: readonly PositionCell[],
  places: number,
): Element {
  const x = "gold_position";
  return plot(Math.max(width, places * 14), {
    height: 320,
    marginLeft: 46,
    marginTop: 24,
    marginBottom: 46,
    x: {
      type: "linear",
      domain: [0.5, places + 0.5],
      ticks: Array.from({ length: places }, (_, i) => i + 1).filter(
        (place) => places <= 20 || place % 5 === 0,
      ),
      tickFormat: "d",
      label: "Place of the right option",
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: { label: "Accuracy (%)", percent: true, domain: [0, 100], grid: true, labelArrow: "none" },
    marks: [
      Plot.line(cells, {
        x,
        y: "accuracy",
        z: "run_id",
        stroke: COLOR.faint,
        strokeOpacity: 0.35,
        strokeWidth: 1,
      }),
      Plot.ruleX(own, { x, y1: "wilson_low", y2: "wilson_high", stroke: COLOR.main, strokeWidth: 1.5 }),
      Plot.line(own, { x, y: "accuracy", stroke: COLOR.main, strokeWidth: 1.5 }),
      Plot.dot(own, { x, y: "accuracy", r: 4.5, fill: COLOR.main }),
      Plot.tip(
        cells,
        Plot.pointer({
          x,
          y: "accuracy",
          title: (cell: PositionCell) =>
            [
              shortened(data.nameOf(cell.run_id), 60),
              `place ${cell.gold_position}: ${percent(cell.accuracy)} of ${count(cell.rows)} rows`,
              `Wilson ${interval(cell.wilson_low, cell.wilson_high)}`,
            ].join("\n"),
        }),
      ),
    ],
  });
}
