// What each result can do and cannot do: by task, row, label and place of the right option.
import { html } from "npm:htl";
import { confusionSection } from "./confusion-section.js";
import { controls, select } from "./controls.js";
import { nothing, sqlLinks } from "./figure.js";
import { count, NONE, percent, shortened } from "./format.js";
import { positionFigure } from "./position-figure.js";
import { categoriesOf } from "./site.js";
import { pageLink, pageState } from "./state.js";
import { dataTable } from "./table.js";
import { type HardRow, type TaskData, taskData } from "./task-data.js";
import { ORDERS, taskFigure } from "./task-figure.js";

const DEFAULTS = { sort: "category", category: "", model: "", task: "" };
export type TaskValues = typeof DEFAULTS;

/** The hardest rows that are shown; the loader has as many of each category. */
const HARDEST = 40;
/** Characters of a title. */
const TITLE = 90;

/** The page below its heading. */
export async function tasksPage(): Promise<HTMLElement> {
  const data = await taskData();
  if (data.site.corpus === null) {
    return nothing(
      "This workspace has no corpus yet. Choose one with bench corpus use, and make the report again.",
    );
  }
  if (data.runs.length === 0) {
    return nothing(
      "No result has finished rows on this corpus. Publish a run with bench publish, and make the report again.",
    );
  }
  const state = pageState(DEFAULTS);
  const upper = html`<div></div>`;
  const lower = html`<div></div>`;
  let shown: TaskValues | null = null;
  const draw = async (): Promise<void> => {
    const values = checked(state.get(), data);
    const before = shown;
    shown = values;
    if (before?.sort !== values.sort || before.category !== values.category) {
      upper.replaceChildren(taskFigure(data, values.sort, values.category), hardest(data, values.category));
    }
    if (before?.model !== values.model || before.task !== values.task) {
      const confusion = await confusionSection(data, values.model, values.task);
      // Another choice was made while this one was loaded; another order of the tasks above is none.
      if (shown?.model !== values.model || shown.task !== values.task) return;
      lower.replaceChildren(confusion, positionFigure(data, values.model));
    }
  };
  state.listen(() => void draw());
  await draw();
  return html`<div>
    ${controls(
      select(state, "sort", "Order of the tasks", ORDERS),
      select(state, "category", "Category", [
        { value: "", label: "all" },
        ...categoriesOf(data.tasks).map(({ category, name, rows }) => ({
          value: category,
          label: `${name} (${count(rows)} rows)`,
        })),
      ]),
    )}
    ${upper}
    ${controls(
      select(
        state,
        "model",
        "Model",
        data.runs.map(({ run_id }) => ({ value: run_id, label: shortened(data.nameOf(run_id), TITLE) })),
      ),
      select(
        state,
        "task",
        "Task",
        data.tasks.map(({ task, rows }) => ({
          value: task,
          label: `${shortened(data.taskName(task), TITLE)} (${count(rows)} rows)`,
        })),
      ),
    )}
    ${lower}
  </div>`;
}

/** The values, with the first of a list for what is not in it, as the controls show them. */
function checked(values: TaskValues, { runs, tasks }: TaskData): TaskValues {
  const known = (value: string, all: readonly string[]): string =>
    all.includes(value) ? value : (all[0] ?? "");
  return {
    sort: known(
      values.sort,
      ORDERS.map(({ value }) => value),
    ),
    category: known(values.category, ["", ...tasks.map(({ category }) => category)]),
    model: known(
      values.model,
      runs.map(({ run_id }) => run_id),
    ),
    task: known(
      values.task,
      tasks.map(({ task }) => task),
    ),
  };
}

/** The rows that most reference results have wrong, as a table. */
function hardest(data: TaskData, category: string): HTMLElement {
  const rows = data.hardest.filter((row) => category === "" || row.category === category).slice(0, HARDEST);
  if (rows.length === 0) return nothing("No row here was answered wrongly by any result that is compared.");
  const results = Math.max(...rows.map((row) => row.results));
  return html`<figure class="card" id="hardest">
    <h2>Hardest rows</h2>
    ${dataTable<HardRow>({
      caption: `The ${count(rows.length)} rows that the smallest share of results has right${
        category === "" ? "" : `, of ${data.categoryName(category)}`
      }`,
      columns: [
        {
          label: "Row",
          heading: true,
          cell: (row) =>
            html`<a href=${pageLink("rows", { row: row.row_id })}>${shortened(row.title ?? row.row_id, TITLE)}</a>`,
          sort: (row) => row.title ?? row.row_id,
        },
        {
          label: "Right",
          numeric: true,
          cell: (row) => `${count(row.correct)} of ${count(row.results)}`,
          sort: (row) => row.share_correct,
        },
        {
          label: "Share",
          numeric: true,
          cell: (row) => percent(row.share_correct, 0),
          sort: (row) => row.share_correct,
        },
        { label: "Right label", cell: (row) => shortened(row.gold, 30), sort: (row) => row.gold },
        {
          label: "Most given wrong label",
          cell: (row) =>
            row.wrong_label === null
              ? NONE
              : `${shortened(row.wrong_label, 30)} (${count(row.wrong_label_results)} ${row.wrong_label_results === 1 ? "result" : "results"})`,
          sort: (row) => row.wrong_label_results,
        },
        { label: "No answer", numeric: true, cell: (row) => count(row.errors), sort: (row) => row.errors },
        {
          label: "Task",
          cell: (row) => shortened(data.taskName(row.task), 40),
          sort: (row) => data.taskName(row.task),
        },
        {
          label: "Category",
          cell: (row) => shortened(data.categoryName(row.category), 30),
          sort: (row) => data.categoryName(row.category),
        },
      ],
      rows,
      limit: HARDEST,
      key: (row) => row.row_id,
    })}
    <figcaption>
      n = up to ${count(results)} results a row: the full published ones, of whatever prompt, without baselines where there are
      models. Of so few, a share is uncertain, and the hardest of many rows are partly so by chance. A row that everybody has wrong may also have a wrong label. ${sqlLinks(["row_results", "reference_results"])}
    </figcaption>
  </figure>`;
}
