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

// Both are asked for with every file; the views behind them would be computed each time.
const PLACES =
  "CREATE OR REPLACE TEMP TABLE report_places AS SELECT row_id, row_number() OVER (ORDER BY row_id) - 1 AS place FROM corpus_rows";
const RUNS = "CREATE OR REPLACE TEMP TABLE report_runs AS SELECT run_id FROM runs WHERE current_corpus";

/**
 * The rows of a file, in the order of data/corpus.json; their answers are columns, by run. `probabilities` are in the
 * order of the options; what a result says of labels that are no options is in `other_probabilities`.
 */
const ROWS = `
  WITH chosen AS (
    SELECT p.place, c.* FROM report_places AS p JOIN corpus_rows AS c ON c.row_id = p.row_id
    WHERE p.place >= $first AND p.place < $first + ${SHARD_ROWS}
  ),
  given AS (
    SELECT
      a.*,
      CASE WHEN a.probabilities IS NOT NULL THEN
        list_transform(c.options, lambda o: map_extract(a.probabilities, o.label)[1])
      END AS shares,
      CASE WHEN a.probabilities IS NOT NULL THEN
        list_filter(map_entries(a.probabilities), lambda e: NOT list_contains(list_transform(c.options, lambda o: o.label), e.key))
      END AS others
    FROM chosen AS c
    JOIN answers AS a ON a.row_id = c.row_id
    JOIN report_runs AS r ON r.run_id = a.run_id
  ),
  answered AS (
    SELECT
      row_id,
      {
        run_id: list(run_id ORDER BY run_id),
        status: list(status ORDER BY run_id),
        error: list(error ORDER BY run_id),
        label: list(label ORDER BY run_id),
        correct: list(correct ORDER BY run_id),
        confidence: list(confidence ORDER BY run_id),
        probabilities: list(shares ORDER BY run_id),
        other_probabilities: list(CASE WHEN len(others) > 0 THEN others END ORDER BY run_id),
        probability_source: list(probability_source ORDER BY run_id),
        label_is_argmax: list(label_is_argmax ORDER BY run_id),
        images_sent: list(images_sent ORDER BY run_id),
        output_text: list(left(output_text, ${MAX_RAW_CHARACTERS}) ORDER BY run_id),
        output_characters: list(length(output_text) ORDER BY run_id),
        latency_ms: list(latency_ms ORDER BY run_id),
        cost_usd: list(cost_usd ORDER BY run_id),
        input_tokens: list(input_tokens ORDER BY run_id),
        output_tokens: list(output_tokens ORDER BY run_id),
        attempts: list(attempts ORDER BY run_id)
      } AS answers
    FROM given
    GROUP BY row_id
  )
  SELECT
    c.row_id, c.task, c.category, c.modality, c.title, c.gold, c.gold_position, c.options, c.source_kind, c.dataset,
    t.state, t.ask, t.instructions, t.rationale, t.note, t.summary, t.source, t.license, t.provenance, t.tags, t.images,
    a.answers
  FROM chosen AS c
  LEFT JOIN corpus_texts AS t ON t.row_id = c.row_id
  LEFT JOIN answered AS a ON a.row_id = c.row_id
  ORDER BY c.place`;

/**
 * Writes `{ first, rows }` a file, one after the other, so that only one of them is held; and the texts that are searched.
 * The pictures must have been written: a row names their files.
 */
export async function writeRows({ snapshot, signal }: FileSource, folder: string): Promise<void> {
  const pictures = pictureNames(join(dirname(folder), "pictures"));
  await run(snapshot, PLACES);
  await run(snapshot, RUNS);
  const texts = new RowTexts(folder);
  for (let number = 0; ; number += 1) {
    signal.throwIfAborted();
    const first = number * SHARD_ROWS;
    const rows = await run(snapshot, ROWS.replaceAll("$first", String(first)));
    if (rows.length === 0) break;
    for (const row of rows) {
      texts.add(row);
      row.set("images", withFiles(row.get("images"), pictures));
    }
    writeWhole(join(folder, `${String(number).padStart(4, "0")}.json`), stringifyJson({ first, rows }));
    if (rows.length < SHARD_ROWS) break;
  }
  texts.end();
  await run(snapshot, "DROP TABLE report_places");
  await run(snapshot, "DROP TABLE report_runs");
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
