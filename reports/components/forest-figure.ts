// The difference of two results task by task, each with its interval, around a line at zero.
import { html } from "npm:htl";
import { COLOR, nameAxis, Plot, plot } from "./chart.js";
import type { CompareData, Comparison, PairTask } from "./compare-data.js";
import type { Choice } from "./controls.js";
import { figure } from "./figure.js";
import { count, points, pointsInterval, shortened } from "./format.js";
import { pointsAxis } from "./points-axis.js";

/** How the tasks can be ordered. */
export const ORDERS: readonly Choice[] = [
  { value: "difference", label: "by difference" },
  { value: "task", label: "by category and task" },
  { value: "rows", label: "by rows" },
];

/** Characters of a name in a table and a tip. */
const NAME = 60;
const LINE = 20;

/** A task, or the heading over the tasks of a category. */
interface Line {
  readonly key: string;
  readonly name: string;
  readonly task: PairTask | null;
}

/** @param showRows lists the rows of a task on which the two differ. */
export function forestFigure(
  data: CompareData,
  comparison: Comparison,
  order: string,
  showRows: (task: string) => void,
): HTMLElement {
  const { a, b } = comparison;
  const tasks = ordered(data, comparison.tasks, order);
  const lines = linesOf(data, tasks, order);
  return figure<PairTask>({
    id: "tasks",
    title: "Difference by task, a − b",
    caption: caption(tasks),
    views: ["versus_by_task"],
    draw: (width) => drawing(width, lines, [a.name, b.name], (task) => described(data, task, comparison)),
    table: {
      caption: `Accuracy of ${shortened(a.name, NAME)} (a) minus that of ${shortened(b.name, NAME)} (b), by task`,
      columns: [
        {
          label: "Task",
          heading: true,
          cell: ({ task }) => shortened(data.taskName(task), NAME),
          sort: ({ task }) => data.taskName(task),
        },
        {
          label: "Category",
          cell: ({ task }) => shortened(data.categoryOf(task), NAME),
          sort: ({ task }) => data.categoryOf(task),
        },
        { label: "Rows", numeric: true, cell: ({ rows }) => count(rows), sort: ({ rows }) => rows },
        {
          label: "Difference",
          numeric: true,
          title: "In points",
          cell: ({ difference }) => points(difference),
          sort: ({ difference }) => difference,
        },
        {
          label: "95 % interval",
          numeric: true,
          cell: (task) => pointsInterval(task.difference_low, task.difference_high),
        },
        {
          label: "a right",
          numeric: true,
          cell: (task) => count(task.correct),
          sort: (task) => task.correct,
        },
        {
          label: "b right",
          numeric: true,
          cell: (task) => count(task.correct_other),
          sort: (task) => task.correct_other,
        },
        {
          label: "Only a",
          numeric: true,
          cell: (task) => count(task.only_run),
          sort: (task) => task.only_run,
        },
        {
          label: "Only b",
          numeric: true,
          cell: (task) => count(task.only_other),
          sort: (task) => task.only_other,
        },
        {
          label: "Rows that differ",
          cell: ({ task }) => {
            const button = html`<button type="button" aria-label=${`Show the rows of ${data.taskName(task)}`}>show</button>`;
            button.addEventListener("click", () => showRows(task));
            return button;
          },
        },
      ],
      rows: tasks,
      key: ({ task }) => task,
    },
  });
}

function ordered({ placeOf }: CompareData, tasks: readonly PairTask[], order: string): PairTask[] {
  const place = (x: PairTask, y: PairTask): number => placeOf(x.task) - placeOf(y.task);
  const orders: Record<string, (x: PairTask, y: PairTask) => number> = {
    difference: (x, y) => y.difference - x.difference || place(x, y),
    rows: (x, y) => y.rows - x.rows || place(x, y),
  };
  return [...tasks].sort(orders[order] ?? place);
}

function linesOf(data: CompareData, tasks: readonly PairTask[], order: string): Line[] {
  let category: string | null = null;
  return tasks.flatMap((task) => {
    const line = { key: `task ${task.task}`, name: data.taskName(task.task), task };
    const name = data.categoryOf(task.task);
    if (order !== "task" || name === category) return [line];
    category = name;
    return [{ key: `category ${task.task}`, name, task: null }, line];
  });
}

function drawing(
  width: number,
  lines: readonly Line[],
  pair: readonly [string, string],
  title: (task: PairTask) => string,
): Element {
  const tasks = lines.flatMap(({ key, name, task }) => (task === null ? [] : [{ ...task, key, name }]));
  const { margin: least, short } = nameAxis(
    tasks.map(({ name }) => name),
    width,
  );
  // Wide letters take more than the axis reckons with.
  const margin = least + 14;
  const names = new Map(lines.map(({ key, name }) => [key, short(name)]));
  const marginRight = 48;
  const axis = pointsAxis(
    width - margin - marginRight,
    tasks.flatMap((task) => [task.difference_low, task.difference_high]),
    pair,
  );
  const color = ({ difference_low, difference_high }: PairTask): string =>
    difference_low > 0 ? COLOR.main : difference_high < 0 ? COLOR.second : COLOR.faint;
  return plot(width, {
    height: 84 + lines.length * LINE,
    marginLeft: margin,
    marginRight,
    marginTop: 40,
    marginBottom: 42,
    x: axis.x,
    y: { type: "band", domain: lines.map(({ key }) => key), axis: null },
    marks: [
      Plot.axisY(
        tasks.map(({ key }) => key),
        { tickSize: 0, label: null, tickFormat: (key: string) => names.get(key) ?? key },
      ),
      Plot.text(
        lines.filter(({ task }) => task === null),
        {
          y: "key",
          text: ({ name }: Line) => shortened(name, Math.floor(width / 9)),
          frameAnchor: "left",
          dx: -margin + 4,
          textAnchor: "start",
          fontWeight: "bold",
          fill: "currentColor",
        },
      ),
      ...axis.marks,
      Plot.ruleY(tasks, {
        y: "key",
        x1: "difference_low",
        x2: "difference_high",
        stroke: color,
        strokeWidth: 2,
      }),
      Plot.dot(tasks, {
        y: "key",
        x: "difference",
        r: 4,
        fill: color,
        stroke: "var(--theme-background)",
      }),
      Plot.text(["rows"], {
        frameAnchor: "top-right",
        lineAnchor: "bottom",
        dx: marginRight - 4,
        dy: -4,
        textAnchor: "end",
      }),
      Plot.text(tasks, {
        y: "key",
        text: ({ rows }: PairTask) => count(rows),
        frameAnchor: "right",
        dx: marginRight - 4,
        textAnchor: "end",
      }),
      Plot.tip(tasks, Plot.pointerY({ x: "difference", y: "key", title, fontSize: 12 })),
    ],
  });
}

function caption(tasks: readonly PairTask[]): string {
  const sizes = tasks.map(({ rows }) => rows);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return [
    `Accuracy of a minus that of b in percentage points on ${count(tasks.length)} ${tasks.length === 1 ? "task" : "tasks"}, n = ${
      least === most ? count(least) : `${count(least)} to ${count(most)}`
    } rows that both have finished (on the right). Lines: 95 % intervals for rows like these (Agresti and Min).`,
    "In colour: the interval leaves zero out.",
    tasks.length > 1
      ? "Of so many tasks some do by chance alone; nothing is adjusted for that."
      : "It says nothing about other tasks.",
  ].join(" ");
}

function described(data: CompareData, task: PairTask, { a, b }: Comparison): string {
  return [
    shortened(data.taskName(task.task), NAME),
    shortened(data.categoryOf(task.task), NAME),
    `${points(task.difference)} points ${pointsInterval(task.difference_low, task.difference_high)}`,
    `${shortened(a.name, 30)} (a): ${count(task.correct)} of ${count(task.rows)}`,
    `${shortened(b.name, 30)} (b): ${count(task.correct_other)} of ${count(task.rows)}`,
  ].join("\n");
}
