// Every result on every task, as a map of colours.
import { html } from "npm:htl";
import type { Choice } from "./controls.js";
import { figure } from "./figure.js";
import { count, interval, percent, shortened } from "./format.js";
import { type HeatName, heatLegend, heatMap } from "./heat-map.js";
import { shareColumns } from "./share-columns.js";
import type { Cell, TaskData, TaskLine } from "./task-data.js";

/** Characters of a name in a table and a tip. */
const NAME = 60;

/** How the tasks can be ordered. */
export const ORDERS: readonly Choice[] = [
  { value: "category", label: "by category" },
  { value: "hardest", label: "by category, hardest first" },
  { value: "hardest-all", label: "hardest first" },
  { value: "name", label: "by name" },
];

/** @param category only tasks of this one, or all when it is empty. */
export function taskFigure(data: TaskData, order: string, category: string): HTMLElement {
  const tasks = ordered(data, order).filter((task) => category === "" || task.category === category);
  const shown = new Set(tasks.map(({ task }) => task));
  const cells = data.cells.filter(({ task }) => shown.has(task));
  const places = new Map(tasks.map(({ task }, i) => [task, i]));
  const ranks = new Map(data.runs.map(({ run_id }, i) => [run_id, i]));
  const lines = [...cells].sort(
    (a, b) =>
      (places.get(a.task) ?? 0) - (places.get(b.task) ?? 0) ||
      (ranks.get(a.run_id) ?? 0) - (ranks.get(b.run_id) ?? 0),
  );
  const categoryOf = new Map(tasks.map((task) => [task.task, data.categoryName(task.category)]));
  const least = Math.floor(Math.min(...cells.map(({ accuracy }) => accuracy), 0.9) * 10) / 10;
  const label = "Accuracy (%)";
  return figure<Cell>({
    id: "map",
    title: "Accuracy by model and task",
    caption: caption(data, tasks, cells),
    views: ["accuracy_by_task", ...(order.startsWith("hardest") ? ["row_results"] : [])],
    draw: (width) => html`<div>
      ${heatLegend({ label, least })}
      ${heatMap(width, {
        label,
        least,
        columns: data.runs.map(({ run_id }) => ({ key: run_id, name: data.nameOf(run_id) })),
        rows: names(data, tasks, order),
        cells: cells.map((cell) => ({
          x: cell.run_id,
          y: key(cell.task),
          share: cell.accuracy,
          text: (cell.accuracy * 100).toFixed(0),
          title: described(data, cell),
        })),
      })}
    </div>`,
    table: {
      caption: "Accuracy by model and task",
      columns: [
        {
          label: "Task",
          heading: true,
          cell: ({ task }) => data.taskName(task),
          sort: ({ task }) => data.taskName(task),
        },
        {
          label: "Category",
          cell: ({ task }) => shortened(categoryOf.get(task) ?? "", NAME),
          sort: ({ task }) => categoryOf.get(task),
        },
        {
          label: "Model",
          cell: ({ run_id }) => shortened(data.nameOf(run_id), NAME),
          sort: ({ run_id }) => data.nameOf(run_id),
        },
        ...shareColumns(),
        { label: "Rows", numeric: true, cell: ({ rows }) => count(rows), sort: ({ rows }) => rows },
        {
          label: "No answer",
          numeric: true,
          cell: ({ errors }) => count(errors),
          sort: ({ errors }) => errors,
        },
      ],
      rows: lines,
      key: ({ run_id, task }) => `${run_id} ${task}`,
    },
  });
}

/** Of a task or of a category, which may be called the same. */
const key = (task: string): string => `task ${task}`;

function ordered({ tasks, taskName }: TaskData, order: string): TaskLine[] {
  const places = new Map<string, number>();
  for (const { category } of tasks) if (!places.has(category)) places.set(category, places.size);
  const category = (task: TaskLine): number => places.get(task.category) ?? 0;
  // What nobody has answered stands last.
  const share = (task: TaskLine): number => task.share_correct ?? 2;
  const name = (a: TaskLine, b: TaskLine): number => {
    const [x, y] = [taskName(a.task), taskName(b.task)];
    return x === y ? 0 : x < y ? -1 : 1;
  };
  const orders: Record<string, (a: TaskLine, b: TaskLine) => number> = {
    hardest: (a, b) => category(a) - category(b) || share(a) - share(b),
    "hardest-all": (a, b) => share(a) - share(b),
    name,
  };
  return [...tasks].sort(orders[order] ?? ((a, b) => category(a) - category(b)));
}

/** Rows of the map; by category, each has a heading. */
function names(data: TaskData, tasks: readonly TaskLine[], order: string): HeatName[] {
  const grouped = order === "category" || order === "hardest";
  return tasks.flatMap(({ task, category }, i) => {
    const line = { key: key(task), name: data.taskName(task) };
    return grouped && tasks[i - 1]?.category !== category
      ? [{ key: `category ${category}`, name: data.categoryName(category), heading: true }, line]
      : [line];
  });
}

function caption(data: TaskData, tasks: readonly TaskLine[], cells: readonly Cell[]): string {
  const sizes = cells.map(({ rows }) => rows);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return [
    `Share of right answers of ${count(data.runs.length)} ${data.runs.length === 1 ? "result" : "results"} on ${count(tasks.length)} ${
      tasks.length === 1 ? "task" : "tasks"
    }, models in the order of the leaderboard${
      data.runs.every(({ standing }) => standing === "ranked")
        ? ""
        : "; those that it does not rank with the others stand at the end, named as what they are"
    }.`,
    cells.length === 0
      ? ""
      : `n = ${least === most ? count(least) : `${count(least)} to ${count(most)}`} rows a cell: with so few, a cell is uncertain (95 % Wilson interval: point at it, or see the table).`,
    "Of many cells some differ by chance alone. An empty cell: no finished rows.",
  ]
    .filter((text) => text !== "")
    .join(" ");
}

function described(data: TaskData, cell: Cell): string {
  return [
    shortened(data.nameOf(cell.run_id), NAME),
    shortened(data.taskName(cell.task), NAME),
    `${percent(cell.accuracy)}, Wilson ${interval(cell.wilson_low, cell.wilson_high)}`,
    `n = ${count(cell.rows)} rows, ${count(cell.correct)} right, ${count(cell.errors)} without an answer`,
  ].join("\n");
}
