// Every row of the corpus: a list to search and filter, and each row with all that was answered.
import { html } from "npm:htl";
import { type Choice, controls, search, select, tick } from "./controls.js";
import { nothing } from "./figure.js";
import { count, percent, shortened } from "./format.js";
import { rowData } from "./row-data.js";
import { type Chosen, checked, choose, DEFAULTS, ORDERS, type RowValues } from "./row-filter.js";
import { type RowIndex, rowIndex } from "./row-index.js";
import { pageOf, rowList } from "./row-list.js";
import { inlineText } from "./row-text.js";
import { rowView } from "./row-view.js";
import { categoriesOf, markedNames, runNames } from "./site.js";
import { pageState, type State } from "./state.js";
import { stateLink } from "./state-link.js";

/** Characters of a name in a list of choices. */
const NAME = 70;
const ALL: Choice = { value: "", label: "all" };

/** Ends a search that nobody waits for any more. */
class Outdated extends Error {}

/** The page below its heading. */
export async function rowsPage(): Promise<HTMLElement> {
  const index = await rowIndex();
  if (index.site.corpus === null || index.rows.length === 0) {
    return nothing(
      "This workspace has no corpus yet. Choose one with bench corpus use, and make the report again.",
    );
  }
  const state = pageState(DEFAULTS);
  const form = filters(state, index);
  const status = html`<p class="rows-status" role="status"></p>`;
  const content = html`<div></div>`;
  const title = document.title;
  let shown: RowValues | null = null;

  const draw = async (): Promise<void> => {
    const raw = state.get();
    const values = checked(raw, index);
    const current = (): boolean => raw === state.get();
    try {
      const progress = (share: number): void => {
        if (!current()) throw new Outdated();
        status.textContent = `Searching the evidence: ${percent(share, 0)} read`;
      };
      const [chosen, view] = await Promise.all([
        choose(index, values, progress),
        values.row === "" ? null : viewOf(index, values.row),
      ]);
      if (!current()) return;
      form.hidden = view !== null;
      const focused = document.activeElement;
      const before = shown;
      shown = values;
      if (view === null) {
        document.title = title;
        status.textContent = `${count(chosen.rows.length)} of ${count(index.rows.length)} rows`;
        content.replaceChildren(rowList(index, chosen, values, state, nameOf(index, values.model)));
        if (before !== null) returnTo(content, before, values, focused);
      } else {
        document.title = `${index.byId.get(values.row)?.title || values.row} | ${title}`;
        status.textContent = "";
        content.replaceChildren(neighbours(state, values, chosen, index), view);
        if (before !== null && before.row !== values.row) arrive(content, focused);
      }
    } catch (error) {
      if (error instanceof Outdated || !current()) return;
      form.hidden = values.row !== "";
      status.textContent = "";
      content.replaceChildren(nothing(error instanceof Error ? error.message : String(error)));
    }
  };
  state.listen(() => void draw());
  // Drawing the list is work enough for a stretch of its own.
  await new Promise((resolve) => setTimeout(resolve));
  await draw();
  return html`<div>${form}${status}${content}</div>`;
}

async function viewOf(index: RowIndex, id: string): Promise<HTMLElement> {
  const entry = index.byId.get(id);
  if (entry === undefined)
    return nothing(
      html`<p>The corpus has no row with the id ${inlineText(id)}. It may be of another version.</p>`,
    );
  return rowView(index, entry, await rowData(entry));
}

function nameOf({ site }: RowIndex, model: string): string {
  return runNames(site.runs).get(model) ?? model;
}

function filters(state: State<RowValues>, index: RowIndex): HTMLElement {
  const { site } = index;
  // Another filter begins with the first page.
  const first: State<RowValues> = { ...state, set: (changes) => state.set({ ...changes, page: "" }) };
  const positions = [...new Set(index.rows.map(({ gold_position }) => gold_position))].sort((a, b) => a - b);
  const names = markedNames(site.runs);
  const outcome = select(first, "outcome", "Its answer", [
    { value: "", label: "any" },
    { value: "right", label: "right" },
    { value: "wrong", label: "wrong" },
    { value: "none", label: "no valid answer" },
    { value: "unfinished", label: "row not finished" },
  ]);
  const box = outcome.querySelector("select");
  const allow = (): void => {
    if (box !== null) box.disabled = checked(state.get(), index).model === "";
  };
  allow();
  state.listen(allow);
  return controls(
    search(first, "q", "Words in id, title, right option or task", "all of them"),
    tick(first, "evidence", "Search the evidence too"),
    select(first, "category", "Category", [
      ALL,
      ...categoriesOf(site.tasks).map(({ category, name, rows }) => ({
        value: category,
        label: `${shortened(name, NAME)} (${count(rows)})`,
      })),
    ]),
    select(first, "task", "Task", [
      ALL,
      ...site.tasks.map(({ task, task_name, rows }) => ({
        value: task,
        label: `${shortened(task_name ?? task, NAME)} (${count(rows)})`,
      })),
    ]),
    select(first, "modality", "Modality", [
      ALL,
      { value: "text", label: "text" },
      { value: "image", label: "with picture" },
    ]),
    select(first, "position", "Place of the right option", [
      ALL,
      ...positions.map((position) => ({ value: String(position), label: String(position) })),
    ]),
    ...(site.runs.length === 0
      ? []
      : [
          select(first, "model", "Model", [
            { value: "", label: "none" },
            ...site.runs.map(({ run_id }) => ({
              value: run_id,
              label: shortened(names.get(run_id) ?? run_id, NAME),
            })),
          ]),
          outcome,
        ]),
    select(first, "sort", "Order", ORDERS),
  );
}

/** Links to the list, and to the rows before and after in it. */
function neighbours(
  state: State<RowValues>,
  values: RowValues,
  { rows }: Chosen,
  index: RowIndex,
): HTMLElement {
  const at = rows.findIndex(({ row_id }) => row_id === values.row);
  const link = (place: number, name: string, label: string): HTMLElement | string => {
    if (at === -1) return "";
    const row = rows[place];
    if (row === undefined) return html`<span class="nowhere" aria-hidden="true">${label}</span>`;
    const element = stateLink(state, DEFAULTS, { row: row.row_id }, label);
    element.dataset.go = name;
    element.title = row.title || row.row_id;
    element.setAttribute("rel", name);
    return element;
  };
  const all = rows.length === index.rows.length;
  const where =
    at === -1
      ? index.byId.has(values.row)
        ? "not among the rows that fit the filters"
        : ""
      : `row ${count(at + 1)} of ${count(rows.length)}${all ? "" : " that fit the filters"}`;
  return html`<nav class="pager" aria-label="Rows of the list">
    ${stateLink(state, DEFAULTS, { row: "", page: pageOf(at) }, all ? "All rows" : "Back to the list")}
    ${link(at - 1, "prev", "← Previous")}
    ${link(at + 1, "next", "Next →")}
    <span role="status">${where}</span>
  </nav>`;
}

/** After a row was opened: its heading, or the same link again for who goes from row to row. */
function arrive(content: HTMLElement, focused: Element | null): void {
  const name = focused instanceof HTMLElement ? focused.dataset.go : undefined;
  const again =
    name === "prev" || name === "next" ? content.querySelector<HTMLElement>(`nav [data-go="${name}"]`) : null;
  (again ?? content.querySelector<HTMLElement>("h2"))?.focus({ preventScroll: true });
  content.scrollIntoView({ block: "start" });
}

/** After the list has come back: the row that was open, or the button of another page again. */
function returnTo(content: HTMLElement, before: RowValues, values: RowValues, focused: Element | null): void {
  if (before.row !== "") {
    const line = [...content.querySelectorAll<HTMLElement>("tr[data-key]")].find(
      ({ dataset }) => dataset.key === before.row,
    );
    line?.querySelector("a")?.focus({ preventScroll: true });
    (line ?? content).scrollIntoView({ block: line === undefined ? "start" : "center" });
    return;
  }
  if (before.page === values.page) return;
  const name = focused instanceof HTMLElement ? focused.dataset.go : undefined;
  const again = content.querySelector<HTMLButtonElement>(`nav [data-go="${name ?? ""}"]`);
  (again?.disabled === false ? again : content.querySelector<HTMLElement>(".table"))?.focus({
    preventScroll: true,
  });
  content.scrollIntoView({ block: "start" });
}
