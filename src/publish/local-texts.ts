// Local runs leave the machine with no other texts than they would be published with: what a provider said stays here, and
// every other text that a ledger or run.json holds goes through the masks once more, since keys and hosts may have been
// configured since, and publishing would refuse what stands in some of them. What the corpus itself says stays as it is.
import { SOURCE_TABLES } from "../warehouse/sources.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { publishedError } from "./error-text.ts";
import { publishedOutput } from "./output-text.ts";
import type { SecretScan } from "./secret-scan.ts";

const TABLES = ["results", "attempts", "runs"] as const;
type Table = (typeof TABLES)[number];

const LOCAL = "run_id IN (SELECT run_id FROM ledger.runs WHERE source = 'local')";
/** On the active corpus: what its rows are called and what can be answered is known. */
const HERE =
  "run_id IN (SELECT run_id FROM ledger.runs WHERE source = 'local' AND corpus_sha256 IN (SELECT sha256 FROM ledger.corpus))";
const ELSEWHERE = `${LOCAL} AND NOT ${HERE}`;

/** Texts of the active corpus, which no run has to hide. */
const CORPUS = `
  SELECT row_id AS text FROM ledger.corpus_rows
  UNION ALL SELECT o.label FROM (SELECT unnest(options) AS o FROM ledger.corpus_rows)
  UNION ALL SELECT unnest([sha256, suite, version]) FROM ledger.corpus`;

/** The name of a run, in that order: the tables of the others are asked whose run is local. */
const RUN_IDS = ["results.run_id", "attempts.run_id", "runs.run_id"];
/** Columns that hold the same texts of a corpus. Of another corpus than the active one nobody can say whether it has them. */
const OF_A_CORPUS: readonly (readonly string[])[] = [
  ["results.row_id", "attempts.row_id"],
  ["results.label", "results.gold", "results.probabilities"],
];
/** What people call a model and its maker. */
const NAMES = new Set(["runs.label", "runs.vendor"]);
/** An error becomes one of a few fixed texts, and an output is a model's own. */
const APART = new Set([...RUN_IDS, "results.error", "attempts.error", "results.output_text"]);

/**
 * Puts the texts of all local runs that the warehouse holds into the form that is published, before any view is asked. Texts
 * that differed still do, so that no figure changes.
 *
 * @returns what the local runs whose own ids were masked are called from now on.
 */
export async function publishLocalTexts(
  warehouse: Warehouse,
  scan: SecretScan,
): Promise<ReadonlyMap<string, string>> {
  await replaceErrors(warehouse);
  await maskOutputs(warehouse, scan);
  for (const columns of columnGroups()) {
    const [first = ""] = columns;
    if (OF_A_CORPUS.includes(columns)) {
      await maskColumns(warehouse, columns, HERE, scan.maskOurs);
      await maskColumns(warehouse, columns, ELSEWHERE, scan.mask);
    } else {
      await maskColumns(warehouse, columns, LOCAL, NAMES.has(first) ? scan.maskName : scan.maskOurs);
    }
  }
  // By these all others are found.
  return await maskColumns(warehouse, RUN_IDS, LOCAL, scan.maskOurs);
}

/** All other columns with texts, as `table.column`, those together that are masked together. */
function columnGroups(): readonly (readonly string[])[] {
  const apart = new Set([...APART, ...OF_A_CORPUS.flat()]);
  const alone = TABLES.flatMap((table) =>
    Object.entries(SOURCE_TABLES[table])
      .filter(([, type]) => type.includes("VARCHAR"))
      .map(([column]) => `${table}.${column}`),
  ).filter((column) => !apart.has(column));
  return [...OF_A_CORPUS, ...alone.map((column) => [column])];
}

async function replaceErrors(warehouse: Warehouse): Promise<void> {
  for (const table of ["results", "attempts"]) {
    // An attempt that a result brings along may lack its status.
    await warehouse.rows(`UPDATE ledger.${table} SET error = NULL WHERE ${LOCAL}`);
    const found = await warehouse.rows(
      `SELECT DISTINCT status FROM ledger.${table} WHERE ${LOCAL} AND status <> ''`,
    );
    for (const { status } of found) {
      await warehouse.rows(`UPDATE ledger.${table} SET error = $1 WHERE ${LOCAL} AND status = $2`, [
        publishedError(status as string),
        status as string,
      ]);
    }
  }
}

async function maskOutputs(warehouse: Warehouse, scan: SecretScan): Promise<void> {
  await warehouse.rows(`UPDATE ledger.results SET output_text = NULL WHERE ${LOCAL} AND status <> 'ok'`);
  const changes: { readonly place: bigint; readonly text: string }[] = [];
  const rows = warehouse.plainRows(
    `SELECT rowid AS place, output_text AS text FROM ledger.results WHERE ${LOCAL} AND output_text <> ''`,
  );
  // Most texts need no change: they were masked when they were written.
  for await (const row of rows) {
    const { text } = publishedOutput(scan.mask(row.text as string));
    if (text !== row.text) changes.push({ place: BigInt(row.place as number), text });
  }
  for (const { place, text } of changes) {
    await warehouse.rows("UPDATE ledger.results SET output_text = $1 WHERE rowid = $2", [text, place]);
  }
}

/** Masks the texts of columns alike, where `where` holds, and says which texts became what. */
async function maskColumns(
  warehouse: Warehouse,
  columns: readonly string[],
  where: string,
  mask: (text: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const texts = columns
    .map((name) => {
      const [table, column, isMap] = columnOf(name);
      return `SELECT ${isMap ? `unnest(map_keys(${column}))` : column} AS text FROM ledger.${table} WHERE ${where}`;
    })
    .join(" UNION ALL ");
  const query = `
    SELECT DISTINCT text FROM (${texts}) AS t
    WHERE text <> '' AND text NOT IN (SELECT text FROM (${CORPUS}) AS c WHERE text IS NOT NULL)
    ORDER BY text`;
  const changes: [text: string, masked: string][] = [];
  for await (const { text } of warehouse.plainRows(query)) {
    const masked = mask(text as string);
    if (masked !== text) changes.push([text as string, masked]);
  }
  if (changes.length === 0) return new Map();
  const taken = new Set<string>();
  for await (const { text } of warehouse.plainRows(`SELECT DISTINCT text FROM (${texts}) AS t`)) {
    taken.add(text as string);
  }
  const masks = new Map<string, string>();
  for (const [text, masked] of changes) {
    let name = masked;
    for (let number = 2; taken.has(name); number += 1) name = `${masked} (${number})`;
    taken.add(name);
    masks.set(text, name);
  }
  await warehouse.rows(
    "CREATE OR REPLACE TEMP TABLE decision_bench_masks AS SELECT unnest($1) AS text, unnest($2) AS masked",
    [[...masks.keys()], [...masks.values()]],
  );
  for (const name of columns) await put(warehouse, name, where);
  await warehouse.rows("DROP TABLE decision_bench_masks");
  return masks;
}

async function put(warehouse: Warehouse, name: string, where: string): Promise<void> {
  const [table, column, isMap] = columnOf(name);
  if (!isMap) {
    await warehouse.rows(
      `UPDATE ledger.${table} SET ${column} = m.masked FROM decision_bench_masks AS m
       WHERE ${table}.${column} = m.text AND ${where}`,
    );
    return;
  }
  // An update of a map would put the row at the end of the table, and the order of the rows is that of the ledger.
  await warehouse.rows(`
    CREATE OR REPLACE TABLE ledger.${table} AS
    SELECT r.* REPLACE (
      CASE WHEN ${where} THEN
        map_from_entries(list_transform(
          map_entries(r.${column}),
          lambda e: {key: coalesce(map_extract(m.masks, e.key)[1], e.key), value: e.value}
        ))
      ELSE r.${column} END AS ${column}
    )
    FROM ledger.${table} AS r, (SELECT map(list(text), list(masked)) AS masks FROM decision_bench_masks) AS m
    ORDER BY r.rowid`);
}

function columnOf(name: string): [table: Table, column: string, isMap: boolean] {
  const [table, column] = name.split(".") as [Table, string];
  const types: Readonly<Record<string, string>> = SOURCE_TABLES[table];
  return [table, column, types[column]?.startsWith("MAP") === true];
}
