// For the commands about one run, which must not go on with damaged files: what is wrong is said with file and line.
import { join } from "node:path";
import { CheckError } from "../errors.ts";
import { firstDamage, firstDamagedPrediction } from "../ledgers/damage.ts";
import { readRunRecord } from "../ledgers/record.ts";
import { RUN_FILES } from "../ledgers/schema.ts";
import { isPublishedId, readPublishedFolder } from "../warehouse/published.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Workspace } from "../workspace.ts";

const MEND_PUBLISHED = "Bring the files back as they were published.";

/**
 * Accepts a run whose run.json, or metadata.json, can be read: without it the run is none for the views.
 *
 * @throws {CheckError} saying what is wrong with it; {@link UserError} when a ledger of a local run cannot be read.
 */
export function assertReadable(workspace: Workspace, run: string): void {
  if (isPublishedId(run)) {
    const folder = readPublishedFolder(workspace, run);
    if (typeof folder === "string") throw new CheckError(`${folder}. ${MEND_PUBLISHED}`);
    return;
  }
  const record = readRunRecord(join(workspace.runsDir, run, RUN_FILES.run));
  if (record === null || typeof record === "string") {
    throw new CheckError(
      `runs/${run}/${RUN_FILES.run} ${record ?? "is not there"}. Bring the file back, or begin a new run with --run-id.`,
    );
  }
}

/**
 * Accepts a run without a damaged line. A figure over a ledger with a hole in it would look like one over a whole ledger.
 *
 * @throws {CheckError} naming file and line of the first one.
 */
export async function assertWhole(warehouse: Warehouse, workspace: Workspace, run: string): Promise<void> {
  const damage = await damageOf(warehouse, workspace, run);
  if (damage !== null) throw new CheckError(damage);
}

/** What is damaged in a run, with file and line of the first one, and what to do about it; null when nothing is. */
export async function damageOf(
  warehouse: Warehouse,
  workspace: Workspace,
  run: string,
): Promise<string | null> {
  const [found] = await warehouse.rows("SELECT damaged_lines, current_corpus FROM runs WHERE run_id = $1", [
    run,
  ]);
  const count = Number(found?.damaged_lines ?? 0);
  if (count === 0) return null;
  const published = isPublishedId(run);
  const rows = found?.current_corpus === true ? await warehouse.rows("SELECT row_id FROM corpus_rows") : null;
  const ids = rows === null ? null : new Set(rows.map((row) => row.row_id));
  const known = (row: string): boolean => ids?.has(row) !== false;
  const damage = published
    ? await firstDamagedPrediction(join(workspace.resultsDir, run), known)
    : await firstDamage(join(workspace.runsDir, run), known);
  const place = damage === null ? "" : `/${damage.file}:${damage.line}`;
  return (
    `${published ? "results" : "runs"}/${run}${place} is damaged${damage === null ? "" : ` (${damage.message})`}; ` +
    `${count} damaged ${count === 1 ? "line" : "lines"} in this ${published ? "result" : "run"}. ` +
    (published ? MEND_PUBLISHED : `\`bench doctor ${run}\` moves what is broken aside.`)
  );
}
