// Two results against each other: how large the difference is, how sure, and where it lies.
import { html } from "npm:htl";
import { agreementTable, sidesTable } from "./agreement-table.js";
import {
  type CompareData,
  type Comparison,
  compareData,
  comparisonOf,
  type Differences,
  differences,
} from "./compare-data.js";
import { controls, select } from "./controls.js";
import { differenceFigure } from "./difference-figure.js";
import { verdictOf, whyNoPair } from "./difference-verdict.js";
import { differingRows, SHOWN } from "./differing-rows.js";
import { nothing } from "./figure.js";
import { forestFigure, ORDERS } from "./forest-figure.js";
import { count, shortened } from "./format.js";
import type { Run } from "./site.js";
import { pageState, type State } from "./state.js";

const DEFAULTS = { a: "", b: "", sort: "difference", show: "", task: "" };
type Values = typeof DEFAULTS;

/** Characters of a name in a list. */
const NAME = 90;

/** The page below its heading. */
export async function comparePage(): Promise<HTMLElement> {
  const data = await compareData();
  const [first] = data.runs;
  if (data.site.corpus === null) {
    return nothing(
      "This workspace has no corpus yet. Choose one with bench corpus use, and make the report again.",
    );
  }
  if (first === undefined) {
    return nothing(
      "Nothing is published on this corpus yet. Publish two runs with bench publish, and make the report again.",
    );
  }
  if (data.runs.length === 1) {
    return nothing(
      `There is one result on this corpus, ${shortened(data.nameOf(first.run_id), NAME)}, and nothing to compare it with. Publish another run with bench publish, and make the report again.`,
    );
  }
  const state = checkedState(pageState(DEFAULTS), data);
  const upper = html`<div></div>`;
  const forest = html`<div></div>`;
  const rows = html`<div></div>`;
  const order = controls(select(state, "sort", "Order of the tasks", ORDERS));
  const filters = controls(
    select(state, "show", "Rows", SHOWN),
    select(state, "task", "Task", [
      { value: "", label: "all" },
      ...data.site.tasks.map(({ task, rows: n }) => ({
        value: task,
        label: `${shortened(data.taskName(task), NAME)} (${count(n)} rows)`,
      })),
    ]),
  );
  let shown: Values | null = null;
  let loaded: { readonly comparison: Comparison; readonly differing: Differences } | null = null;
  const draw = async (): Promise<void> => {
    const values = state.get();
    const before = shown;
    shown = values;
    const anew = before?.a !== values.a || before.b !== values.b;
    if (anew) {
      loaded = null;
      const [a, b] = [runOf(data, values.a), runOf(data, values.b)];
      if (a === undefined || b === undefined) return;
      const comparison = a === b ? null : await comparisonOf(data, a, b);
      // Another choice was made while this one was loaded.
      if (shown.a !== values.a || shown.b !== values.b) return;
      loaded = comparison === null ? null : { comparison, differing: differences(comparison) };
      upper.replaceChildren(...(loaded === null ? [twice(data, a)] : above(loaded)));
    }
    const { sort, show, task } = shown;
    order.hidden = loaded === null || loaded.comparison.tasks.length === 0;
    forest.hidden = order.hidden;
    filters.hidden = loaded === null || loaded.differing.rows.length === 0;
    rows.hidden = loaded === null;
    if (loaded === null) return;
    const { comparison, differing } = loaded;
    if (!order.hidden && (anew || before?.sort !== sort))
      forest.replaceChildren(forestFigure(data, comparison, sort));
    if (anew || before?.show !== show || before.task !== task)
      rows.replaceChildren(differingRows(data, comparison, differing, { show, task }));
  };
  const drawn = (): Promise<void> =>
    draw().catch((error: unknown) => {
      // The next choice loads anew.
      shown = null;
      upper.replaceChildren(nothing(error instanceof Error ? error.message : String(error)));
      for (const part of [order, forest, filters, rows]) part.hidden = true;
    });
  state.listen(() => void drawn());
  await drawn();
  return html`<div>${chooser(state, data)}${upper}${order}${forest}${filters}${rows}</div>`;
}

/**
 * The state with results in it that are there: what is not known is replaced by the best one that is not the other one.
 * A choice writes both into the address, so that the one that was not chosen stays.
 */
function checkedState(state: State<Values>, data: CompareData): State<Values> {
  const known = (run: string): string | undefined => runOf(data, run)?.run_id;
  const other = (run: string | undefined): string =>
    data.runs.find(({ run_id }) => run_id !== run)?.run_id ?? "";
  const get = (): Values => {
    const { a, b, sort, show, task } = state.get();
    const first = known(a) ?? other(known(b));
    return {
      a: first,
      b: known(b) ?? other(first),
      sort: ORDERS.some(({ value }) => value === sort) ? sort : DEFAULTS.sort,
      show: SHOWN.some(({ value }) => value === show) ? show : DEFAULTS.show,
      task: data.site.tasks.some((one) => one.task === task) ? task : DEFAULTS.task,
    };
  };
  return {
    get,
    set: (changes) => {
      const { a, b } = get();
      state.set("a" in changes || "b" in changes ? { a, b, ...changes } : changes);
    },
    listen: (listener) => state.listen(() => listener(get())),
  };
}

function chooser(state: State<Values>, data: CompareData): HTMLElement {
  const choices = data.runs.map((run) => ({
    value: run.run_id,
    label: `${shortened(data.nameOf(run.run_id), NAME)}${run.source === "published" && !run.full_coverage ? " (partial)" : ""}`,
  }));
  const swap = html`<button type="button" class="swap">Swap a and b</button>`;
  swap.addEventListener("click", () => {
    const { a, b } = state.get();
    state.set({ a: b, b: a });
  });
  const [a, b] = [select(state, "a", "Model a", choices), select(state, "b", "Model b", choices)];
  a.classList.add("side-a");
  b.classList.add("side-b");
  return controls(a, b, swap);
}

/** The verdict, and what holds for the pair as a whole. */
function above({
  comparison,
  differing,
}: {
  readonly comparison: Comparison;
  readonly differing: Differences;
}): HTMLElement[] {
  const { pair } = comparison;
  if (pair === null) {
    return [
      html`<div class="card verdict" role="status">${whyNoPair(comparison, differing.shared)}</div>`,
      sidesTable(comparison),
    ];
  }
  const { verdict, notes } = verdictOf(comparison, pair);
  return [
    html`<div class="card verdict" role="status">
      <div>${verdict}</div>
      ${notes.map((note) => html`<div class="remark">${note}</div>`)}
    </div>`,
    differenceFigure(comparison, pair),
    agreementTable(comparison, pair),
    sidesTable(comparison),
  ];
}

function twice(data: CompareData, { run_id }: Run): HTMLElement {
  return html`<div class="card nothing" role="status">
    ${shortened(data.nameOf(run_id), NAME)} is chosen twice: a result does not differ from itself. Choose another one as a or b.
  </div>`;
}

function runOf({ runs }: CompareData, id: string): Run | undefined {
  return runs.find(({ run_id }) => run_id === id);
}
