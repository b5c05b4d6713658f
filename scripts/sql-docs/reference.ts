// Describes the views and macros of the analysis in Markdown, from what the database itself says about them.
import { type SqlFile, sqlFiles } from "../../src/warehouse/views.ts";
import type { Warehouse } from "../../src/warehouse/warehouse.ts";

/** Columns of table macros, which have no comments of their own; what is not here is called as in `comparisons`. */
const MACRO_COLUMNS: Readonly<Record<string, string>> = {
  run_a: "The first run, as asked",
  run_b: "The second run, as asked",
  task: "Id of the task",
  category: "Id of the category",
  correct_a: "Rows that A has right",
  correct_b: "Rows that B has right",
  difference: "Accuracy of A minus accuracy of B on these rows",
  p_holm: "Always NULL: two runs are no family",
};

interface ColumnRow {
  readonly [name: string]: string | null;
  readonly owner: string;
  readonly name: string;
  readonly type: string;
  readonly comment: string | null;
}

interface MacroRow {
  readonly [name: string]: string | null;
  readonly name: string;
  readonly kind: string;
  readonly parameters: string;
  readonly comment: string | null;
}

/** The sections about views, table macros and what they are built of. */
export async function reference(warehouse: Warehouse): Promise<string> {
  const files = sqlFiles();
  const columns = await warehouse.rows<ColumnRow>(
    `SELECT table_name AS owner, column_name AS name, data_type AS type, comment
     FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal ORDER BY table_name, column_index`,
  );
  const comments = new Map(
    (
      await warehouse.rows<{ name: string; comment: string | null }>(
        "SELECT view_name AS name, comment FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal",
      )
    ).map(({ name, comment }) => [name, comment]),
  );
  const macros = await warehouse.rows<MacroRow>(
    `SELECT function_name AS name, function_type AS kind, array_to_string(parameters, ', ') AS parameters, comment
     FROM duckdb_functions() WHERE schema_name = 'main' AND NOT internal ORDER BY function_name`,
  );
  const views = files.filter(({ kind }) => kind === "view");
  const sections = [
    "## Views\n",
    overview(views.map(({ name }) => [name, splitKey(comments.get(name) ?? "").text])),
    ...views.map((file) => viewSection(file, comments.get(file.name) ?? "", columns)),
    "## Table macros\n\nThey stand where a view would, with two run ids: `select * from compare('a', 'b')`.\n",
  ];
  const asked = macros.filter(({ kind, comment }) => kind === "table_macro" && comment !== null);
  for (const macro of asked) {
    sections.push(await macroSection(macro, fileOf(files, macro.name), columns, warehouse));
  }
  sections.push(await buildingBlocks(macros, files, warehouse));
  return sections.join("\n");
}

function overview(entries: readonly (readonly [name: string, text: string])[]): string {
  return table(
    ["View", "Holds"],
    entries.map(([name, text]) => [`[\`${name}\`](#${name})`, text]),
  );
}

function viewSection(file: SqlFile, comment: string, columns: readonly ColumnRow[]): string {
  const { text, key } = splitKey(comment);
  const rows = columns
    .filter(({ owner }) => owner === file.name)
    .map(({ name, type, comment: meaning }) => [`\`${name}\``, `\`${type}\``, plain(meaning ?? "")]);
  return `### ${file.name}\n\n${text}. Key: ${key}. Formula: ${link(file)}.\n\n${table(["Column", "Type", "Meaning"], rows)}`;
}

async function macroSection(
  macro: MacroRow,
  file: SqlFile,
  columns: readonly ColumnRow[],
  warehouse: Warehouse,
): Promise<string> {
  const known = new Map(
    columns.filter(({ owner }) => owner === "comparisons").map(({ name, comment }) => [name, comment]),
  );
  const rows = (await shapeOf(macro, warehouse)).map(({ column_name: name, column_type: type }) => {
    const meaning = MACRO_COLUMNS[name] ?? known.get(name);
    if (meaning == null) throw new Error(`say what ${macro.name}.${name} means, in scripts/sql-docs/`);
    return [`\`${name}\``, `\`${type}\``, plain(meaning)];
  });
  return `### ${macro.name}(${macro.parameters})\n\n${macro.comment}. Formula: ${link(file)}.\n\n${table(["Column", "Type", "Meaning"], rows)}`;
}

/** The columns of what a table macro gives. */
async function shapeOf(
  { name, parameters }: MacroRow,
  warehouse: Warehouse,
): Promise<{ column_name: string; column_type: string }[]> {
  const nobody = parameters.split(", ").map(() => "'nobody'");
  return warehouse.rows(`DESCRIBE SELECT * FROM ${name}(${nobody.join(", ")})`);
}

async function buildingBlocks(
  macros: readonly MacroRow[],
  files: readonly SqlFile[],
  warehouse: Warehouse,
): Promise<string> {
  const blocks = macros.filter(({ kind, comment }) => kind === "table_macro" && comment === null);
  const formulas = macros.filter(({ kind }) => kind === "macro");
  const call = ({ name, parameters }: MacroRow): string => `\`${name}(${parameters})\``;
  const rows: string[][] = [];
  for (const macro of blocks) {
    const names = (await shapeOf(macro, warehouse)).map((column) => `\`${column.column_name}\``);
    const file = fileOf(files, macro.name);
    rows.push([call(macro), grain(file), names.join(", "), link(file)]);
  }
  return [
    "## Building blocks\n",
    "What the views are made of. These are free to change between versions of the analysis; a query that is to last uses views.",
    "With NULL for both runs the table macros give all pairs of published results, with two run ids that pair.\n",
    table(["Table macro", "A row is", "Columns", "File"], rows),
    "Formulas, each in one place:\n",
    table(
      ["Macro", "File"],
      files
        .filter(({ kind }) => kind === "macros")
        .map((file) => [
          formulas
            .filter(({ name }) => file.sql.includes(`CREATE MACRO ${name}(`))
            .map(call)
            .join(", "),
          link(file),
        ]),
    ),
  ].join("\n");
}

/** Comments of views end in "; key: …". */
function splitKey(comment: string): { text: string; key: string } {
  const [text = "", key] = comment.split("; key: ");
  if (key === undefined) throw new Error(`a view's comment names no key: ${comment}`);
  // What stands in parentheses behind the names is no name.
  return { text, key: key.replace(/[a-z_]+(?![^(]*\))/g, "`$&`") };
}

/** The first sentence of a file's header, without its "Grain:". */
function grain({ name, sql }: SqlFile): string {
  const header = sql.slice(0, sql.indexOf("\nCREATE")).replaceAll(/\n?^-- /gm, " ");
  const found = /Grain: (.*?)\. /.exec(header)?.[1];
  if (found === undefined) throw new Error(`${name}.sql does not open with its grain`);
  return found;
}

function fileOf(files: readonly SqlFile[], name: string): SqlFile {
  const file = files.find((one) => one.name === name);
  if (file === undefined) throw new Error(`there is no file for ${name}`);
  return file;
}

function link({ name, stage }: SqlFile): string {
  return `[${stage}/${name}.sql](../sql/v1/${stage}/${name}.sql)`;
}

/** Text in which Markdown sees no tags and no emphasis. */
function plain(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("*", "\\*");
}

/** A Markdown table, ending in an empty line. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return `${[line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}
