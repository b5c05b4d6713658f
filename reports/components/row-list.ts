// The rows that are left by the filters, a page of them at a time.
import { html } from "npm:htl";
import { sqlLinks } from "./figure.js";
import { count, NONE, percent, shortened } from "./format.js";
import { type Chosen, DEFAULTS, isFiltered, type RowValues } from "./row-filter.js";
import { OUTCOMES, outcomeAt, type RowEntry, type RowIndex } from "./row-index.js";
import type { State } from "./state.js";
import { stateLink } from "./state-link.js";
import { type Column, dataTable } from "./table.js";

/** Rows of a page: more would make a browser wait. */
export const PAGE_ROWS = 100;
/** Characters of a label. */
const LABEL = 40;

/** The page of the list that has the row at so many places from its beginning, as the address says it. */
export function pageOf(position: number): string {
  const page = Math.floor(position / PAGE_ROWS) + 1;
  return page <= 1 ? "" : String(page);
}

/** The list, or why it is empty. */
export function rowList(
  index: RowIndex,
  chosen: Chosen,
  values: RowValues,
  state: State<RowValues>,
  modelName: string,
): HTMLElement {
  const { rows } = chosen;
  if (rows.length === 0) return nothingFound(values, state);
  const pages = Math.ceil(rows.length / PAGE_ROWS);
  const page = Math.min(pages, Math.max(1, Math.floor(Number(values.page)) || 1));
  const first = (page - 1) * PAGE_ROWS;
  const shown = rows.slice(first, first + PAGE_ROWS);
  const order =
    values.sort === "hardest" ? "those that the smallest share of results has right first" : "by id";
  return html`<div class="card row-list">
    ${pager(state, page, pages, "above")}
    ${dataTable<RowEntry>({
      caption: `Rows ${count(first + 1)} to ${count(first + shown.length)} of ${count(rows.length)}${
        isFiltered(values) ? ` that fit, of ${count(index.rows.length)}` : ""
      }, ${order}`,
      columns: columns(index, chosen, state, modelName),
      rows: shown,
      limit: PAGE_ROWS,
      key: (row) => row.row_id,
    })}
    ${pager(state, page, pages, "below")}
    <p class="remark">
      Right: of the full published results, without baselines where there are others.
      ${sqlLinks(["corpus_rows", "row_results", "answers"])}
    </p>
  </div>`;
}

function columns(
  index: RowIndex,
  { answers }: Chosen,
  state: State<RowValues>,
  modelName: string,
): Column<RowEntry>[] {
  return [
    {
      label: "Row",
      heading: true,
      cell: (row) => {
        const title = html`<bdi>${row.title === "" ? row.row_id : row.title}</bdi>`;
        return html.fragment`${stateLink(state, DEFAULTS, { row: row.row_id }, title)} <small class="id">${row.row_id}</small>`;
      },
    },
    ...(answers === null
      ? []
      : [
          {
            label: `Answer of ${shortened(modelName, LABEL)}`,
            cell: (row: RowEntry) => {
              const outcome = outcomeAt(answers, row.place);
              const label = answers.label[row.place] ?? null;
              return html`<span class="cell"><span class=${`outcome ${outcome}`}>${OUTCOMES[outcome]}</span>
                ${label === null ? "" : html`<bdi>${shortened(label, LABEL)}</bdi>`}</span>`;
            },
          },
        ]),
    { label: "Right option", cell: (row) => html`<bdi>${shortened(row.gold, LABEL)}</bdi>` },
    {
      label: "Right",
      numeric: true,
      title: "Share of the results that have it right",
      cell: (row) =>
        row.results === 0
          ? NONE
          : `${count(row.correct)} of ${count(row.results)} (${percent(row.share_correct, 0)})`,
    },
    { label: "Task", cell: (row) => html`<bdi>${shortened(index.taskName(row.task), LABEL)}</bdi>` },
    {
      label: "Category",
      cell: (row) => html`<bdi>${shortened(index.categoryName(row.category), LABEL)}</bdi>`,
    },
    { label: "Options", numeric: true, cell: (row) => count(row.option_count) },
    { label: "Picture", cell: (row) => (row.modality === "image" ? "yes" : NONE) },
  ];
}

function pager(state: State<RowValues>, page: number, pages: number, where: string): HTMLElement | string {
  if (pages === 1) return "";
  const button = (label: string, name: string, to: number): HTMLElement => {
    const element =
      html`<button type="button" data-go=${name} aria-label=${`${label} page`}>${label}</button>` as HTMLButtonElement;
    element.disabled = to < 1 || to > pages || to === page;
    element.addEventListener("click", () => state.visit({ page: pageOf((to - 1) * PAGE_ROWS) }));
    return element;
  };
  return html`<nav class="pager" aria-label=${`Pages of the list (${where})`}>
    ${button("First", "first", 1)} ${button("Previous", "previous", page - 1)}
    <span>Page ${count(page)} of ${count(pages)}</span>
    ${button("Next", "next", page + 1)} ${button("Last", "last", pages)}
  </nav>`;
}

function nothingFound(values: RowValues, state: State<RowValues>): HTMLElement {
  const clear = html`<button type="button">Clear all filters</button>`;
  clear.addEventListener("click", () => state.set({ ...DEFAULTS, sort: values.sort }));
  if (values.q === "" || values.evidence === "1")
    return html`<div class="card nothing">No row fits these filters. ${clear}</div>`;
  const wider = html`<button type="button">Search the evidence too</button>`;
  wider.addEventListener("click", () => state.set({ evidence: "1" }));
  return html`<div class="card nothing">
    No row has these words in its id, title, right option or task. ${wider} ${clear}
  </div>`;
}
