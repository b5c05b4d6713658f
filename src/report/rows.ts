// `rows/<number>.json`: everything about 32 rows of the corpus, with what every result says about them.
import { dirname, join } from "node:path";
import { stringifyJson, type Writable } from "../answers/json.ts";
import { plainRows } from "../warehouse/formats.ts";
import type { SnapshotFile } from "../warehouse/snapshot-file.ts";
import { type PictureNames, pictureNames } from "./pictures.ts";
import { RowTexts } from "./row-texts.ts";
import { type FileSource, writeWhole } from "./site-files.ts";

/** Rows of a file. The pages count on it. */
export const SHARD_ROWS = 32;
/** Characters of a model's own text; what is longer is cut. Published texts are shorter anyway. */
export const MAX_RAW_CHARACTERS = 50_000;

/** Rows that are asked for at once: many queries take time, and all at once would take memory. */
const QUERY_ROWS = 4 * SHARD_ROWS;

// Both are asked for with every query; the views behind them would be computed each time.
const PLACES =
  "CREATE OR REPLACE TEMP TABLE report_places AS SELECT row_id, row_number() OVER (ORDER BY row_id) - 1 AS place FROM corpus_rows";
const RUNS = "CREATE OR REPLACE TEMP TABLE report_runs AS SELECT run_id FROM runs WHERE current_corpus";
const CHOSEN = `(SELECT * FROM report_places WHERE place >= $first AND place < $first + ${QUERY_ROWS})`;

/** In the order of data/corpus.json. */
export const ROWS = `
  SELECT
    c.row_id, c.task, c.category, c.modality, c.title, c.gold, c.gold_position, c.options, c.source_kind, c.dataset,
    t.state, t.ask, t.instructions, t.rationale, t.note, t.summary, t.source, t.license, t.provenance, t.tags, t.images
  FROM ${CHOSEN} AS p
  JOIN corpus_rows AS c ON c.row_id = p.row_id
  LEFT JOIN corpus_texts AS t ON t.row_id = p.row_id
  ORDER BY p.place`;

export const ROW_ANSWERS = `
  SELECT
    a.row_id, a.run_id, a.status, a.error, a.label, a.correct, a.confidence, a.probabilities, a.probability_source,
    a.label_is_argmax, a.images_sent, left(a.output_text, ${MAX_RAW_CHARACTERS}) AS output_text,
    length(a.output_text) AS output_characters, a.latency_ms, a.cost_usd, a.input_tokens, a.output_tokens, a.attempts
  FROM ${CHOSEN} AS p
  JOIN answers AS a ON a.row_id = p.row_id
  JOIN report_runs AS r ON r.run_id = a.run_id
  ORDER BY p.place, a.run_id`;

type Row = Map<string, Writable>;

/**
 * Writes `{ first, rows }` a file, and the texts that are searched. The `answers` of a row are columns, by run. The pictures
 * must have been written before: a row names their files.
 */
export async function writeRows({ snapshot, signal }: FileSource, folder: string): Promise<void> {
  const pictures = pictureNames(join(dirname(folder), "pictures"));
  await run(snapshot, PLACES);
  await run(snapshot, RUNS);
  const texts = new RowTexts(folder);
  for (let first = 0; ; first += QUERY_ROWS) {
    signal.throwIfAborted();
    const ask = (sql: string): Promise<Row[]> => run(snapshot, sql.replaceAll("$first", String(first)));
    const rows = await ask(ROWS);
    const answers = new Map<Writable, Row[]>();
    for (const answer of await ask(ROW_ANSWERS)) {
      const id = answer.get("row_id");
      const known = answers.get(id);
      if (known === undefined) answers.set(id, [answer]);
      else known.push(answer);
    }
    for (const row of rows) {
      texts.add(row);
      row.set("images", withFiles(row.get("images"), pictures));
      row.set("answers", columnsOf(answers.get(row.get("row_id")) ?? [], labelsOf(row)));
    }
    for (let at = 0; at < rows.length; at += SHARD_ROWS) {
      const number = String((first + at) / SHARD_ROWS).padStart(4, "0");
      const content = { first: first + at, rows: rows.slice(at, at + SHARD_ROWS) };
      writeWhole(join(folder, `${number}.json`), stringifyJson(content));
    }
    if (rows.length < QUERY_ROWS) break;
  }
  texts.end();
  await run(snapshot, "DROP TABLE report_places");
  await run(snapshot, "DROP TABLE report_runs");
}

/** Labels of the options in shown order. */
function labelsOf(row: Row): readonly Writable[] {
  const options = row.get("options");
  if (!Array.isArray(options)) return [];
  return (options as readonly Writable[]).map((option) =>
    option instanceof Map ? option.get("label") : null,
  );
}

/**
 * Answers as a list a column; null without any. `probabilities` become lists in the order of the options, since names of an
 * object have an order of their own in a browser; what a result says of other labels follows as `other_probabilities`.
 */
function columnsOf(answers: readonly Row[], labels: readonly Writable[]): Writable {
  if (answers.length === 0) return null;
  const columns = new Map<string, Writable[]>();
  const add = (name: string, value: Writable): void => {
    const column = columns.get(name);
    if (column === undefined) columns.set(name, [value]);
    else column.push(value);
  };
  for (const answer of answers) {
    for (const [name, value] of answer) {
      if (name === "row_id") continue;
      if (name !== "probabilities") {
        add(name, value);
        continue;
      }
      const shares = value instanceof Map ? (value as ReadonlyMap<string, Writable>) : null;
      add(name, shares === null ? null : labels.map((label) => shares.get(label as string) ?? null));
      const others = [...(shares ?? [])].filter(([label]) => !labels.includes(label));
      add("other_probabilities", others.length === 0 ? null : others);
    }
  }
  return columns;
}

async function run(snapshot: SnapshotFile, sql: string): Promise<Map<string, Writable>[]> {
  const all: Map<string, Writable>[] = [];
  for await (const rows of plainRows(await snapshot.query(sql))) all.push(...rows);
  return all;
}

/** The pictures of a row, each with the name of its file in the site; null when it is not there. */
function withFiles(images: Writable, pictures: PictureNames): Writable {
  if (!Array.isArray(images)) return [];
  return (images as readonly Writable[]).map((image) => {
    if (!(image instanceof Map)) return image;
    const path = image.get("path");
    const file = typeof path === "string" && Object.hasOwn(pictures, path) ? pictures[path] : null;
    return new Map<string, Writable>([
      ["path", path],
      ["alt", image.get("alt")],
      ["file", file ?? null],
    ]);
  });
}
