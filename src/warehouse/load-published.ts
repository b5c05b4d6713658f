// Fills the tables of the schema `ledger` from the published results of a workspace.
import type { DuckDBConnection } from "@duckdb/node-api";
import { canonicalLine } from "../answers/canonical-line.ts";
import { JsonError, parseJson, type Writable } from "../answers/json.ts";
import type { Workspace } from "../workspace.ts";
import { isObject } from "./folders.ts";
import {
  counts,
  damage,
  insert,
  insertQuery,
  type LoadOptions,
  leftOut,
  readable,
  readFolders,
} from "./load.ts";
import { attemptsIn, readPredictions } from "./predictions.ts";
import { isPublishedId, type PublishedFolder, publishedIds, readPublishedFolder } from "./published.ts";

/** What was read of the predictions, until it is in the tables where it belongs. */
const HELD = "ledger.held_predictions";

/** Reads `results/` into `ledger.runs`, `ledger.results` and `ledger.attempts`. */
export async function loadPublished(
  connection: DuckDBConnection,
  workspace: Workspace,
  options: LoadOptions,
): Promise<void> {
  const ids = options.runs?.filter(isPublishedId) ?? publishedIds(workspace, options.notify);
  const read = (id: string): PublishedFolder | string => readPublishedFolder(workspace, id);
  const folders = readFolders(ids, read, "published result", options);
  if (folders.length === 0) return;
  const left = leftOut(options);
  const predictions = await readable(
    folders.map(({ id, predictions: file }) => ({ id, file })),
    isSound,
  );
  try {
    for (const set of predictions.sets) {
      // Parsing and checking the lines is most of the work: done once, for both tables.
      await connection.run(`CREATE OR REPLACE TABLE ${HELD} AS ${readPredictions(set)}`);
      await insertQuery(connection, "results", `FROM ${HELD}`, left.results);
      await insertQuery(connection, "attempts", attemptsIn(HELD), left.attempts);
    }
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${HELD}`);
    predictions.clean();
  }
  // A row has one line: those beyond it are damage, and the last of them is the row's.
  const good = await counts(connection, "(SELECT DISTINCT run_id, row_id FROM ledger.results)");
  await insert(
    connection,
    "runs",
    folders.map((folder) =>
      publishedRow(
        folder,
        damage("results", folder.id, folder.predictions, good, options.notify),
        options.analysisVersion,
      ),
    ),
  );
}

/** DuckDB takes the first of two equal keys, other readers the last: a line with both is no record. */
function isSound(line: string): boolean {
  if (!isObject(line)) return false;
  if (canonicalLine(line) !== null) return true;
  try {
    parseJson(line);
    return true;
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}

function publishedRow(
  { id, metadata }: PublishedFolder,
  damagedLines: number,
  analysisVersion: string,
): Record<string, Writable> {
  return {
    run_id: id,
    source: "published",
    source_run_id: metadata.run.run_id,
    model_id: metadata.model.id,
    label: metadata.model.label,
    vendor: metadata.model.vendor,
    provider: metadata.model.provider,
    api_model: metadata.model.api_model,
    suite: metadata.suite,
    corpus_version: metadata.corpus.version,
    corpus_sha256: metadata.corpus.sha256,
    prompt_version: metadata.prompt_version,
    prompt_sha256: metadata.prompt_sha256,
    status: metadata.run.status,
    rows_in_corpus: metadata.coverage.rows_in_corpus,
    rows_selected: metadata.coverage.rows_selected,
    damaged_lines: damagedLines,
    created_at: metadata.run.created_at,
    completed_at: metadata.run.completed_at,
    published_at: metadata.run.published_at,
    git_commit: metadata.harness?.git_commit ?? null,
    git_dirty: metadata.harness?.git_dirty ?? null,
    harness_version: metadata.harness?.version ?? null,
    analysis_version: metadata.analysis_version ?? analysisVersion,
  };
}
