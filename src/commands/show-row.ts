// What `bench show` does: finds the latest record of the row in the ledger, and beside it what the model was sent.
import { join } from "node:path";
import { JsonError, parseJson, type Writable } from "../answers/json.ts";
import { inputDigest, publicInput } from "../corpus/input.ts";
import { loadCorpus } from "../corpus/load.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { CheckError, UserError } from "../errors.ts";
import { readRecords } from "../ledgers/reader.ts";
import { readRunRecord } from "../ledgers/record.ts";
import { type ResultRecord, RUN_FILES, resultSchema, selectionSchema } from "../ledgers/schema.ts";
import type { Row } from "../warehouse/warehouse.ts";
import type { Context } from "./context.ts";
import { findLocalRun, offer } from "./find-run.ts";
import { writeJson } from "./output.ts";
import { printRow } from "./show-text.ts";
import { withWarehouse } from "./warehouse.ts";

/** A row of a run with everything that is known about it. */
export interface ShownRow {
  readonly runId: string;
  readonly rowId: string;
  readonly modelId: string;
  readonly modelLabel: string | null;
  /** The row of the active corpus; null when the run was made on another one. */
  readonly row: CorpusRow | null;
  /** Whether the digest in the ledger is that of the input shown here; null without a result or a row. */
  readonly inputMatches: boolean | null;
  /** The latest record; null while the row is not finished. */
  readonly result: ResultRecord | null;
  /** The same record with its keys in the order of the ledger. */
  readonly record: Writable;
  /** Earlier records of the row. */
  readonly superseded: number;
  /** Rows of the view `attempts`, in order. */
  readonly attempts: readonly Row[];
}

/**
 * Prints one row of one run, the latest result if there are several.
 *
 * @throws {UserError} when there is no such run, or the run has no such row; {@link CheckError} when run.json is damaged.
 */
export async function showRow(
  runName: string,
  rowId: string,
  context: Context,
  json: boolean,
): Promise<void> {
  const workspace = await context.workspace();
  const runId = findLocalRun(workspace, runName, "shown row by row");
  const folder = join(workspace.runsDir, runId);
  const run = readRunRecord(join(folder, RUN_FILES.run));
  if (run === null || typeof run === "string") {
    throw new CheckError(
      `runs/${runId}/${RUN_FILES.run} ${run ?? "is not there"}. Bring the file back, or begin a new run with --run-id.`,
    );
  }
  const { result, text, superseded } = await latestResult(join(folder, RUN_FILES.results), rowId);
  const corpus = await loadCorpus(workspace);
  const row =
    corpus.sha256 === run.config.corpus_sha256
      ? (corpus.rows.find((candidate) => candidate.id === rowId) ?? null)
      : null;
  if (result === null) await refuseUnknown(folder, runId, rowId);
  const attempts = await withWarehouse(context, { runs: [runId], upTo: "2_rows" }, (warehouse) =>
    warehouse.rows(
      "SELECT * EXCLUDE (run_id, row_id) FROM attempts WHERE row_id = $1 ORDER BY number, attempt_id",
      [rowId],
    ),
  );
  const shown: ShownRow = {
    runId,
    rowId,
    modelId: run.config.model_id,
    modelLabel: run.model.label,
    row,
    inputMatches: result === null || row === null ? null : result.input_sha256 === inputDigest(row),
    result,
    record: text === null ? null : inOrder(text),
    superseded,
    attempts,
  };
  if (json) await writeJson(context, document(shown));
  else await printRow(context, shown);
}

/** The last record of the row in the ledger, and how many stand before it. */
async function latestResult(
  path: string,
  rowId: string,
): Promise<{ result: ResultRecord | null; text: string | null; superseded: number }> {
  let text: string | null = null;
  let current = "";
  let result: ResultRecord | null = null;
  let found = 0;
  const parse = (line: string): unknown => {
    current = line;
    return JSON.parse(line);
  };
  for await (const { record } of readRecords(path, resultSchema, { parse })) {
    if (record.row_id !== rowId) continue;
    found += 1;
    result = record;
    text = current;
  }
  return { result, text, superseded: Math.max(0, found - 1) };
}

/** A row that is selected may still be without a result; another one is a mistake. */
async function refuseUnknown(folder: string, runId: string, rowId: string): Promise<void> {
  const ids: string[] = [];
  for await (const { record } of readRecords(join(folder, RUN_FILES.selection), selectionSchema)) {
    if (record.row_id === rowId) return;
    ids.push(record.row_id);
  }
  throw new UserError(`run ${runId} has no row ${JSON.stringify(rowId)}. ${offer("row", ids, rowId)}`);
}

/** Plain objects would put labels such as "10" and "2" into another order. */
function inOrder(text: string): Writable {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return JSON.parse(text) as Writable;
    throw error;
  }
}

function document(shown: ShownRow): Record<string, Writable> {
  const { row } = shown;
  return {
    run_id: shown.runId,
    row_id: shown.rowId,
    model_id: shown.modelId,
    task: row?.task ?? null,
    category: row?.category ?? null,
    title: row?.title ?? null,
    sent: row === null ? null : publicInput(row),
    pictures:
      row === null ? null : row.assets.map(({ path, media_type, alt }) => ({ path, media_type, alt })),
    input_matches: shown.inputMatches,
    result: shown.record,
    superseded_results: shown.superseded,
    attempts: shown.attempts.map((attempt) => new Map(Object.entries(attempt))),
  };
}
