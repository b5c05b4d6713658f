// A table that a screen reader can read and a reader can sort.
import { html } from "npm:htl";

export interface Column<T> {
  readonly label: string;
  /** What the cell shows; a text is shown as it is, whatever it holds. */
  readonly cell: (row: T) => string | Node;
  /** What the column is sorted by; it cannot be sorted without. Unknown ones stand last either way. */
  readonly sort?: (row: T) => number | string | null | undefined;
  /** Numbers stand right. */
  readonly numeric?: boolean;
  /** Says what the heading means. */
  readonly title?: string;
  /** Whether the column names the row. */
  readonly heading?: boolean;
}

export interface TableOptions<T> {
  /** Said before the table, also to a screen reader. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Rows that are shown before somebody asks for more. */
  readonly limit?: number;
  /** A name for the row in the page (`data-key`), by which tests and links find it. */
  readonly key?: (row: T) => string;
  /** Marks rows of another kind, such as floors. */
  readonly mark?: (row: T) => string | undefined;
}

/** Makes the table, in a box that scrolls sideways where it does not fit. */
export function dataTable<T>(options: TableOptions<T>): HTMLElement {
  const { caption, columns, limit = 100 } = options;
  let shown = limit;
  let order: { readonly column: Column<T>; readonly down: boolean } | null = null;
  const body = html`<tbody></tbody>`;
  const heads = columns.map((column) => head(column));
  const more = html`<button type="button" class="more"></button>`;
  more.addEventListener("click", () => {
    shown += limit * 5;
    fill();
  });

  function head(column: Column<T>): HTMLElement {
    const cell = html`<th scope="col" class=${column.numeric ? "number" : ""} title=${column.title ?? ""}></th>`;
    if (column.sort === undefined) {
      cell.append(heading(column));
      return cell;
    }
    const button = html`<button type="button">${heading(column)}</button>`;
    button.addEventListener("click", () => {
      // Numbers begin with the largest, texts with the first.
      const usual = column.numeric === true;
      order = { column, down: order?.column === column ? !order.down : usual };
      fill();
    });
    cell.append(button);
    return cell;
  }

  function fill(): void {
    const rows = order === null ? options.rows : sorted(options.rows, order.column, order.down);
    body.replaceChildren(...rows.slice(0, shown).map((row) => line(options, row)));
    heads.forEach((cell, i) => {
      if (columns[i] === order?.column)
        cell.setAttribute("aria-sort", order?.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    more.hidden = rows.length <= shown;
    more.textContent = `Show more (${Math.max(0, rows.length - shown).toLocaleString("en-US")} left)`;
  }

  fill();
  return html`<div class="table" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <caption>${caption}</caption>
      <thead><tr>${heads}</tr></thead>
      ${body}
    </table>
    ${more}
  </div>`;
}

/** Its words may break into lines; a number stays with its unit. */
function heading<T>({ label }: Column<T>): string {
  return label.replaceAll(" %", "\u00a0%");
}

function line<T>({ columns, key, mark }: TableOptions<T>, row: T): HTMLElement {
  const cells = columns.map((column) => {
    const content = column.cell(row);
    return column.heading
      ? html`<th scope="row"><span class="name">${content}</span></th>`
      : html`<td class=${column.numeric ? "number" : ""} data-label=${column.label}>${content}</td>`;
  });
  const element = html`<tr class=${mark?.(row) ?? ""}>${cells}</tr>`;
  if (key !== undefined) element.dataset.key = key(row);
  return element;
}

function sorted<T>(rows: readonly T[], { sort }: Column<T>, down: boolean): readonly T[] {
  if (sort === undefined) return rows;
  const sign = down ? -1 : 1;
  return rows
    .map((row) => ({ row, by: sort(row) }))
    .sort((a, b) => {
      if (a.by == null || b.by == null) return Number(a.by == null) - Number(b.by == null);
      if (typeof a.by === "number" && typeof b.by === "number") return sign * (a.by - b.by);
      const [x, y] = [String(a.by), String(b.by)];
      return x === y ? 0 : sign * (x < y ? -1 : 1);
    })
    .map(({ row }) => row);
}
