// The commands of a session that are not SQL: what views there are, what is in one, how results are shown.
import { CheckError } from "../errors.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { offer } from "./find-run.ts";
import { isTextFormat, TEXT_FORMATS, type TextFormat } from "./sql.ts";
import { renderTable } from "./table.ts";

const HELP = `A statement ends with a semicolon.
.tables          views, table macros and tables, with what a row of each is
.schema NAME     columns of a view or table, parameters of a macro
.format NAME     ${TEXT_FORMATS.join(", ")}
.help            this
.quit            leaves, as do .exit and Ctrl-D
Ctrl-C stops a running statement, or drops what is typed.
`;

/** What a dot command answers. */
export interface Answer {
  readonly text?: string;
  /** The form of results from now on. */
  readonly format?: TextFormat;
}

/**
 * Runs a line that begins with a dot.
 *
 * @throws {CheckError} when there is no such command, view or format.
 */
export async function runDotCommand(line: string, warehouse: Warehouse): Promise<Answer | "quit"> {
  const [command = "", ...words] = line
    .replace(/;\s*$/, "")
    .split(/\s+/)
    .filter((word) => word !== "");
  const name = words.join(" ");
  switch (command) {
    case ".quit":
    case ".exit":
      return "quit";
    case ".help":
      return { text: HELP };
    case ".tables":
      return { text: await tables(warehouse) };
    case ".schema":
      return { text: await schema(unquoted(name), warehouse) };
    case ".format":
      if (isTextFormat(name)) return { format: name };
      throw new CheckError(`.format takes ${TEXT_FORMATS.join(", ")}`);
    default:
      throw new CheckError(`there is no command ${JSON.stringify(command)}; .help shows them`);
  }
}

function unquoted(name: string): string {
  return /^".+"$/.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name;
}

interface Thing {
  readonly [field: string]: string | null;
  readonly name: string;
  readonly kind: string;
  readonly comment: string | null;
}

// The names of the things are values here, not words of the query: nothing is read for them.
const THINGS = `SELECT view_name AS name, 'view' AS kind, comment FROM duckdb_views()
  WHERE NOT internal AND schema_name = 'main'
UNION ALL
SELECT table_name, 'table', comment FROM duckdb_tables() WHERE NOT internal AND schema_name = 'main'
UNION ALL
SELECT function_name, 'macro(' || array_to_string(parameters, ', ') || ')', comment FROM duckdb_functions()
  WHERE function_type = 'table_macro' AND NOT internal AND schema_name = 'main'`;

async function tables(warehouse: Warehouse): Promise<string> {
  const things = await warehouse.rows<Thing>(`SELECT * FROM (${THINGS}) ORDER BY name, kind`);
  return renderTable(
    [{ head: "name" }, { head: "kind" }, { head: "comment" }],
    things.map(({ name, kind, comment }) => [name, kind, comment ?? ""]),
  );
}

async function schema(name: string, warehouse: Warehouse): Promise<string> {
  if (name === "") throw new CheckError(".schema needs a name; .tables lists them");
  const things = await warehouse.rows<Thing>(`SELECT * FROM (${THINGS}) ORDER BY name, kind`);
  const found = things.filter((thing) => thing.name.toLowerCase() === name.toLowerCase());
  if (found.length === 0) {
    const names = [...new Set(things.map((thing) => thing.name))];
    throw new CheckError(`there is no view ${JSON.stringify(name)}. ${offer("view", names, name)}`);
  }
  const parts: string[] = [];
  for (const thing of found) {
    const head = `${thing.name} (${thing.kind})${thing.comment === null ? "" : `: ${thing.comment}`}`;
    const columns = thing.kind.startsWith("macro") ? [] : await columnsOf(thing.name, warehouse);
    const list = renderTable(
      [{ head: "column" }, { head: "type" }, { head: "comment" }],
      columns.map(({ column, type, comment }) => [column, type, comment ?? ""]),
    );
    parts.push(`${head}\n${columns.length === 0 ? "" : list}`);
  }
  return parts.join("\n");
}

interface ColumnRow {
  readonly [field: string]: string | null;
  readonly column: string;
  readonly type: string;
  readonly comment: string | null;
}

async function columnsOf(name: string, warehouse: Warehouse): Promise<ColumnRow[]> {
  return warehouse.rows<ColumnRow>(
    `SELECT column_name AS "column", data_type AS type, comment FROM duckdb_columns()
      WHERE schema_name = 'main' AND table_name = $1 ORDER BY database_name, column_index`,
    [name],
  );
}
