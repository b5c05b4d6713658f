// A chart with everything that belongs to it: what it shows, n and how uncertain, the SQL behind it, and the same
// numbers as a table.
import { html } from "npm:htl";
import { pageLink } from "./state.js";
import { dataTable, type TableOptions } from "./table.js";

export interface FigureOptions<T> {
  /** Stands in the page's address as `#id`. */
  readonly id: string;
  readonly title: string;
  /** What is shown, n and how uncertain. */
  readonly caption: string | Node;
  /** Views and macros of sql/ that its numbers come from. */
  readonly views: readonly string[];
  /** Draws into so many pixels; called again when the width changes. */
  readonly draw: (width: number) => Element;
  readonly table: TableOptions<T>;
  /** Whether the table is open from the start. */
  readonly open?: boolean;
}

/** Whether somebody has opened or closed the table of a figure: it stays so when the figure is drawn anew. */
const opened = new Map<string, boolean>();
/** Narrower than this a drawing scrolls. */
const LEAST_WIDTH = 280;

/** Makes the figure. Its drawing follows the width that it gets. */
export function figure<T>(options: FigureOptions<T>): HTMLElement {
  const { id, title, caption, views, draw, table } = options;
  const drawing = html`<div class="drawing" role="img" aria-label=${`${title}. The same numbers follow as a table.`}></div>`;
  let width = 0;
  const observer = new ResizeObserver((entries) => {
    const now = Math.max(LEAST_WIDTH, Math.floor(entries[0]?.contentRect.width ?? 0));
    if (now === width) return;
    width = now;
    const drawn = draw(width);
    // The drawing is one picture to a screen reader; its numbers stand in the table.
    drawn.setAttribute("aria-hidden", "true");
    drawing.replaceChildren(drawn);
    // What scrolls must be reachable by keyboard.
    if (drawing.scrollWidth > drawing.clientWidth) drawing.tabIndex = 0;
    else drawing.removeAttribute("tabindex");
  });
  observer.observe(drawing);
  const details = html`<details>
    <summary>As a table</summary>
  </details>` as HTMLDetailsElement;
  const fill = (): void => {
    if (details.open && details.childElementCount === 1) details.append(dataTable(table));
  };
  details.addEventListener("toggle", () => {
    opened.set(id, details.open);
    fill();
  });
  details.open = opened.get(id) ?? options.open ?? false;
  fill();
  return html`<figure class="card" id=${id}>
    <h2>${title}</h2>
    ${drawing}
    <figcaption>${caption} ${sqlLinks(views)}</figcaption>
    ${details}
  </figure>`;
}

/** Links to the files behind some numbers. */
export function sqlLinks(views: readonly string[]): HTMLElement {
  const links = views.flatMap((view, i) => [
    i === 0 ? "" : ", ",
    html`<a href=${`${pageLink("protocol")}#sql-${view}`}>${view}</a>`,
  ]);
  return html`<span class="sql">SQL: ${links}</span>`;
}

/** What stands in the place of a figure for which there is nothing. */
export function nothing(message: string | Node): HTMLElement {
  return html`<div class="card nothing">${message}</div>`;
}
