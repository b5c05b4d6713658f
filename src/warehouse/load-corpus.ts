// Fills the tables of the schema `ledger` that hold the active corpus, straight from its file.
import type { DuckDBConnection } from "@duckdb/node-api";
import { stringifyJson } from "../answers/json.ts";
import type { CorpusFile } from "../corpus/load.ts";
import { insert, insertQuery } from "./load.ts";
import { type Columns, type LedgerSet, objectBytesFor, readJson } from "./sources.ts";

/**
 * Puts the rows of the active corpus into `ledger.corpus` and `ledger.corpus_rows`.
 *
 * @param figuresOnly leaves out the texts on which no figure stands.
 */
export async function loadCorpusRows(
  connection: DuckDBConnection,
  corpus: CorpusFile,
  figuresOnly = false,
): Promise<void> {
  const { manifest, path, rowCount, longestBytes } = corpus;
  await insert(connection, "corpus", [
    { sha256: corpus.sha256, suite: corpus.suite, version: corpus.version, row_count: rowCount },
  ]);
  await makeNames(connection, "decision_bench_tasks", manifest.tasks);
  await makeNames(connection, "decision_bench_categories", manifest.categories);
  const ledger = { files: [path.replaceAll("\\", "/")], objectBytes: objectBytesFor(longestBytes) };
  await insertQuery(
    connection,
    "corpus_rows",
    readCorpusRows(ledger),
    figuresOnly ? ["options", "title", "dataset"] : [],
  );
  await connection.run("DROP TABLE decision_bench_tasks; DROP TABLE decision_bench_categories");
  const reader = await connection.runAndReadAll("SELECT count(*) FROM ledger.corpus_rows");
  const found = Number(reader.getRows()[0]?.[0]);
  if (found !== rowCount) throw new Error(`${found} of the ${rowCount} rows of the corpus were read`);
}

async function makeNames(
  connection: DuckDBConnection,
  table: "decision_bench_tasks" | "decision_bench_categories",
  entries: ReadonlyMap<string, { readonly name: string }>,
): Promise<void> {
  const names = Array.from(entries, ([id, { name }]) => ({ id, name }));
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT r.id, r.name FROM (SELECT unnest(from_json($1::JSON, $2)) AS r)`,
    [stringifyJson(names), '[{"id":"VARCHAR","name":"VARCHAR"}]'],
  );
}

/**
 * A query over the rows of a `cases.jsonl` whose every row was checked, with the columns of `ledger.corpus_rows` in file
 * order. Names that a row lacks come from two tables of `id` and `name`, whose
 * own names no table of a person in a session has.
 */
function readCorpusRows(ledger: LedgerSet): string {
  return `SELECT
  c.id AS row_id,
  task,
  coalesce(task_name, t.name) AS task_name,
  category,
  coalesce(category_name, g.name) AS category_name,
  source_kind,
  CASE WHEN json_type(source, '$.dataset') = 'VARCHAR' THEN source ->> '$.dataset' END AS dataset,
  modality,
  title,
  questions[1].gold AS gold,
  list_transform(
    coalesce(questions[1].option_order, map_keys(questions[1].options)),
    lambda label: {label: label, description: questions[1].options[label]}
  ) AS options,
  len(coalesce(questions[1].option_order, map_keys(questions[1].options))) AS option_count,
  list_position(coalesce(questions[1].option_order, map_keys(questions[1].options)), questions[1].gold) AS gold_position
FROM ${readJson(ledger, CORPUS_FIELDS)} AS c
LEFT JOIN decision_bench_tasks AS t ON t.id = c.task
LEFT JOIN decision_bench_categories AS g ON g.id = c.category
WHERE c.id IS NOT NULL`;
}

const CORPUS_FIELDS: Columns = {
  id: "VARCHAR",
  task: "VARCHAR",
  task_name: "VARCHAR",
  category: "VARCHAR",
  category_name: "VARCHAR",
  source_kind: "VARCHAR",
  source: "JSON",
  modality: "VARCHAR",
  title: "VARCHAR",
  questions: "STRUCT(gold VARCHAR, options MAP(VARCHAR, VARCHAR), option_order VARCHAR[])[]",
};
