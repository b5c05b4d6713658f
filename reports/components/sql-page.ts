// A console for the report's views.
import { html } from "npm:htl";
import { FileAttachment } from "observablehq:stdlib";
import { type Answer, type Console, csvText, Ended, openConsole, READ_ROWS } from "./console.js";
import { nothing } from "./figure.js";
import { count, duration, NONE } from "./format.js";
import { type Site, site } from "./site.js";
import { sqlErrorText } from "./sql-error.js";
import { pageLink, pageState } from "./state.js";
import { dataTable } from "./table.js";

/** Rows that the page shows at most. */
const SHOWN_ROWS = 1000;
/** A longer statement is not put into the address: servers and mail programs cut it. */
const ADDRESS_CHARACTERS = 6000;

interface Example {
  readonly name: string;
  readonly title: string;
  readonly sql: string;
}

const FIRST: Example = {
  name: "leaderboard",
  title: "The leaderboard",
  sql: "SELECT rank, model_id, accuracy, wilson_low, wilson_high, rows, errors\nFROM leaderboard\nORDER BY rank NULLS LAST, model_id",
};
const OWN: readonly Example[] = [
  FIRST,
  {
    name: "tasks",
    title: "Accuracy by task",
    sql: "SELECT *\nFROM accuracy_by_task\nORDER BY task, accuracy DESC",
  },
  { name: "comparisons", title: "All pairs of results", sql: "SELECT *\nFROM comparisons\nORDER BY p_holm" },
  {
    name: "views",
    title: "Which views are there?",
    sql: "SELECT view_name AS name, comment\nFROM duckdb_views()\nWHERE database_name = 'bench' AND NOT internal\nUNION ALL\nSELECT table_name, comment\nFROM duckdb_tables()\nWHERE database_name = 'bench' AND schema_name = 'main'\nORDER BY name",
  },
];

export async function sqlPage(): Promise<HTMLElement> {
  const known = await site();
  if (!known.about.console) {
    return nothing(html`<p>This site was built without the SQL console: the package @duckdb/duckdb-wasm was not installed
      where it was made. <code>bench sql</code> asks the same views on the command line, and every file stands under
      <a href=${`${pageLink("protocol")}#downloads`}>Downloads</a>.</p>`);
  }
  const { queries } = (await FileAttachment("../data/protocol.json").json()) as {
    queries: readonly Example[];
  };
  return consolePage([...OWN, ...adapted(queries, known)]);
}

/** The examples of the documentation with results and tasks of this report in the place of theirs. */
function adapted(queries: readonly Example[], { runs, tasks }: Site): Example[] {
  return queries.flatMap((query) => {
    const names = [...new Set(query.sql.match(/'oracle-1\/[^']+'/g))];
    const task = tasks[0]?.task;
    if (names.length > runs.length || task === undefined) return [];
    const sql = names.reduce(
      (text, name, i) => text.replaceAll(name, () => literal(runs[i]?.run_id ?? "")),
      query.sql.replaceAll("'LEG-1'", () => literal(task)),
    );
    return [{ ...query, sql }];
  });
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function consolePage(examples: readonly Example[]): HTMLElement {
  const state = pageState({ q: "" });
  const box =
    html`<textarea name="q" spellcheck="false" autocomplete="off" autocapitalize="off"></textarea>` as HTMLTextAreaElement;
  const choice = html`<select name="example">
    <option value="">Choose …</option>
    ${examples.map(({ name, title }) => html`<option value=${name}>${title}</option>`)}
  </select>` as HTMLSelectElement;
  const run = html`<button type="submit">Run</button>` as HTMLButtonElement;
  const cancel = html`<button type="button" disabled>Cancel</button>` as HTMLButtonElement;
  const status = html`<span class="status" role="status"></span>`;
  const output = html`<div class="output"></div>`;
  let engine: Promise<Console> | null = null;
  let open: Console | null = null;
  let turn = 0;

  const say = (mode: string, text: string): void => {
    status.dataset.state = mode;
    status.textContent = text;
    run.disabled = mode === "loading" || mode === "running";
    cancel.disabled = mode !== "running";
  };

  async function ready(): Promise<Console> {
    if (engine === null) {
      say("loading", "Loading DuckDB and the report's database …");
      engine = openConsole();
    }
    open = await engine;
    return open;
  }

  function drop(): void {
    engine = null;
    open = null;
  }

  async function start(): Promise<void> {
    turn += 1;
    const mine = turn;
    const sql = box.value;
    if (sql.trim() === "") {
      output.replaceChildren();
      say(open === null ? "closed" : "ready", "There is no statement to run.");
      return;
    }
    state.set({ q: sql.length <= ADDRESS_CHARACTERS ? sql : "" });
    output.replaceChildren();
    try {
      const console = await ready();
      say("running", "Running …");
      const answer = await console.run(sql);
      if (mine !== turn) return;
      say(
        "ready",
        `Ready. ${count(answer.rows.length)} ${answer.rows.length === 1 ? "row" : "rows"} in ${duration(answer.ms)}.`,
      );
      output.replaceChildren(result(answer));
    } catch (error) {
      // What was ended, or could not be loaded, is loaded anew by the next statement.
      if (error instanceof Ended || open === null) drop();
      say(open === null ? "closed" : "ready", open === null ? "Not loaded." : "Ready.");
      output.replaceChildren(html`<pre class="text error" role="alert">${sqlErrorText(error)}</pre>`);
    }
  }

  const form = html`<form class="console">
    <div class="controls"><label class="control"><span>Examples</span>${choice}</label></div>
    <label class="control"><span>SQL</span>${box}</label>
    <div class="buttons">${run}${cancel}${status}</div>
    ${output}
  </form>`;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void start();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!run.disabled) void start();
  });
  cancel.addEventListener("click", () => open?.close("Cancelled."));
  choice.addEventListener("change", () => {
    const example = examples.find(({ name }) => name === choice.value);
    if (example !== undefined) box.value = example.sql;
  });
  const { q } = state.get();
  box.value = q === "" ? FIRST.sql : q;
  say(
    "closed",
    "Not loaded: the first statement loads DuckDB (about 35 MB, 8 MB where the server compresses) and the database.",
  );
  // Whoever follows a link to a statement wants to see what it gives.
  if (q !== "") void start();
  return form;
}

/** Long texts are broken, so that the next column can still be found. */
function cell(text: string | null | undefined): string | Node {
  if (text == null) return NONE;
  return text.length > 60 ? html`<div class="text cell">${text}</div>` : text;
}

function result(answer: Answer): HTMLElement {
  const { columns, rows, more } = answer;
  const total = `${more ? "more than " : ""}${count(rows.length)}`;
  const shown =
    rows.length > SHOWN_ROWS
      ? `The first ${count(SHOWN_ROWS)} of ${total} rows`
      : `${total} ${rows.length === 1 ? "row" : "rows"}`;
  const save = html`<button type="button">Download as CSV</button>`;
  save.addEventListener("click", () => {
    const url = URL.createObjectURL(new Blob([csvText(answer)], { type: "text/csv;charset=utf-8" }));
    html`<a href=${url} download="result.csv"></a>`.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
  return html`<div>
    ${dataTable({
      caption: `${shown}.`,
      columns: columns.map(({ name, numeric }, i) => ({
        label: name,
        numeric,
        cell: (row: readonly (string | null)[]) => cell(row[i]),
        sort: (row: readonly (string | null)[]) => (numeric && row[i] != null ? Number(row[i]) : row[i]),
      })),
      rows: rows.slice(0, SHOWN_ROWS),
      limit: SHOWN_ROWS,
    })}
    <div class="buttons">${save} <span class="status">${more ? `The file holds the first ${count(READ_ROWS)} rows.` : ""}</span></div>
  </div>`;
}
