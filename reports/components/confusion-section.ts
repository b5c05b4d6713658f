// What one result answered where what was right, in one task.
import { html } from "npm:htl";

import { figure, nothing } from "./figure.js";
import { count, percent, shortened } from "./format.js";
import { type HeatName, heatLegend, heatMap } from "./heat-map.js";
import { shard } from "./site.js";
import type { Confusion, TaskData } from "./task-data.js";

/** With more labels nothing could be read in a matrix. */
const DRAWN_LABELS = 40;
/** Characters of a label. */
const LABEL = 60;
const NO_ANSWER = "no answer";
/** Stands for it; a label may be called the same. */
const NO_ANSWER_KEY = "none";

/** Loads the task's file. */
export async function confusionSection(data: TaskData, model: string, task: string): Promise<HTMLElement> {
  const line = data.tasks.find((one) => one.task === task);
  if (line === undefined) return nothing("The corpus has no tasks.");
  let confusion: Confusion;
  try {
    confusion = await shard<Confusion>(`confusions/${line.file}.json`);
  } catch (error) {
    return nothing(String(error instanceof Error ? error.message : error));
  }
  const cells = confusion.cells.filter(({ run_id }) => run_id === model);
  const title = `Confusion: ${shortened(data.nameOf(model), 60)} on ${shortened(data.taskName(task), 80)}`;
  if (cells.length === 0) return nothing(`${title}. This result has no finished rows of this task.`);
  const rows = data.cells.find((cell) => cell.run_id === model && cell.task === task)?.rows;
  const labels = allLabels(confusion.labels, cells);
  const key = (label: string | null): string => (label === null ? NO_ANSWER_KEY : `label ${label}`);
  const right: HeatName[] = labels
    .filter((label) => cells.some(({ gold }) => gold === label))
    .map((label) => ({ key: key(label), name: label }));
  const given: HeatName[] = [
    ...labels.map((label) => ({ key: key(label), name: label })),
    ...(cells.some(({ label }) => label === null) ? [{ key: NO_ANSWER_KEY, name: NO_ANSWER }] : []),
  ];
  const named = (label: string | null): string => shortened(label ?? NO_ANSWER, LABEL);
  const tooMany = labels.length > DRAWN_LABELS;
  const label = "Share of the rows with this right label (%)";
  return figure({
    id: "confusion",
    title,
    caption: [
      `How often which label (columns) was given where which was right (rows), n = ${count(rows)} rows; the number in a cell is its rows, the colour their share of the line.`,
      "The diagonal is right. Lines of few rows say little.",
    ].join(" "),
    views: ["confusion"],
    draw: (width) =>
      tooMany
        ? nothing(
            `The task has ${count(labels.length)} labels, too many to be drawn; the table has them all.`,
          )
        : html`<div>${heatLegend({ label, least: 0 })}<p class="axes">Lines: right label. Columns: given label.</p>${heatMap(
            width,
            {
              label,
              least: 0,
              columns: given,
              rows: right,
              cells: cells.map((cell) => ({
                x: key(cell.label),
                y: key(cell.gold),
                share: cell.share,
                text: count(cell.n),
                title: `right: ${shortened(cell.gold, LABEL)}\ngiven: ${named(cell.label)}\n${count(cell.n)} of ${count(cell.gold_rows)} rows (${percent(cell.share)})`,
              })),
            },
          )}</div>`,
    table: {
      caption: title,
      columns: [
        {
          label: "Right label",
          heading: true,
          cell: ({ gold }) => shortened(gold, LABEL),
          sort: ({ gold }) => gold,
        },
        { label: "Given label", cell: ({ label: given }) => named(given), sort: ({ label: given }) => given },
        { label: "Rows", numeric: true, cell: ({ n }) => count(n), sort: ({ n }) => n },
        {
          label: "Of rows with this right label",
          numeric: true,
          cell: ({ share, gold_rows }) => `${percent(share)} of ${count(gold_rows)}`,
          sort: ({ share }) => share,
        },
      ],
      rows: cells,
    },
  });
}

/** Those of the corpus, then what else a published result has. */
function allLabels(known: readonly string[], cells: Confusion["cells"]): string[] {
  const used = cells.flatMap(({ gold, label }) => (label === null ? [gold] : [gold, label]));
  return [...new Set([...known, ...used])];
}
