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
import { marked } from "./standing.js";
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
  const showRows = (task: string): void => {
    state.set({ task, show: DEFAULTS.show });
    filters.scrollIntoView();
    filters.querySelector<HTMLElement>("[name=task]")?.focus();
  };
  /** What each part shows, so that nothing is drawn twice. */
  const done = new Map<HTMLElement, string>();
  let turn = 0;
  const draw = async (): Promise<void> => {
    turn += 1;
    const mine = turn;
    const { a, b, sort, show, task } = state.get();
    const steps: [part: HTMLElement, key: readonly string[], make: (found: Found) => HTMLElement[]][] = [
      [upper, [a, b], above],
      [
        forest,
        [a, b, sort],
        ({ comparison }) => {
          order.hidden = comparison.tasks.length === 0;
          return order.hidden ? [] : [forestFigure(data, comparison, sort, showRows)];
        },
      ],
      [
        rows,
        [a, b, show, task],
        ({ comparison, differing }) => {
          filters.hidden = differing.rows.length === 0;
          return [differingRows(data, comparison, differing, { show, task })];
        },
      ],
    ];
    try {
      const found = await foundOf(data, a, b);
      for (const [part, values, make] of steps) {
        const key = JSON.stringify(values);
        if (done.get(part) === key) continue;
        // Each part in a task of its own, so that the page answers in between; another choice may have been made by then.
        await new Promise((resolve) => setTimeout(resolve));
        if (mine !== turn) return;
        if (found === null) order.hidden = filters.hidden = true;
        const twice = part === upper ? [chosenTwice(data, a)] : [];
        part.replaceChildren(...(found === null ? twice : make(found)));
        done.set(part, key);
      }
    } catch (error) {
      if (mine !== turn) return;
      // The next choice draws all anew.
      done.clear();
      order.hidden = filters.hidden = true;
      for (const part of [forest, rows]) part.replaceChildren();
      upper.replaceChildren(nothing(error instanceof Error ? error.message : String(error)));
    }
  };
  order.hidden = filters.hidden = true;
  state.listen(() => void draw());
  void draw();
  return html`<div>${chooser(state, data)}${upper}${order}${forest}${filters}${rows}</div>`;
}

/** Two results, and on which rows they differ. */
interface Found {
  readonly comparison: Comparison;
  readonly differing: Differences;
}

let last: { readonly key: string; readonly found: Promise<Found> } | null = null;

/** Loads both, once as long as they stay chosen; null for one result twice. */
async function foundOf(data: CompareData, a: string, b: string): Promise<Found | null> {
  const [one, other] = [runOf(data, a), runOf(data, b)];
  if (one === undefined || other === undefined || one === other) return null;
  const key = JSON.stringify([a, b]);
  if (last?.key !== key) {
    const found = comparisonOf(data, one, other).then((comparison) => ({
      comparison,
      differing: differences(comparison),
    }));
    last = { key, found };
    // A connection that broke may hold the next time.
    found.catch(() => {
      if (last?.found === found) last = null;
    });
  }
  return last.found;
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
  const whole = (changes: Partial<Values>): Partial<Values> => {
    const { a, b } = get();
    return "a" in changes || "b" in changes ? { a, b, ...changes } : changes;
  };
  return {
    get,
    set: (changes) => state.set(whole(changes)),
    visit: (changes) => state.visit(whole(changes)),
    listen: (listener) => state.listen(() => listener(get())),
  };
}

function chooser(state: State<Values>, data: CompareData): HTMLElement {
  const choices = data.runs.map((run) => ({
    value: run.run_id,
    label: shortened(marked(data.nameOf(run.run_id), run), NAME),
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
function above({ comparison, differing }: Found): HTMLElement[] {
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

function chosenTwice(data: CompareData, run: string): HTMLElement {
  return html`<div class="card nothing" role="status">
    ${shortened(data.nameOf(run), NAME)} is chosen twice: a result does not differ from itself. Choose another one as a or b.
  </div>`;
}

function runOf({ runs }: CompareData, id: string): Run | undefined {
  return runs.find(({ run_id }) => run_id === id);
}
