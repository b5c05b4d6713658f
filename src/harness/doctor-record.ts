// run.json in an examination: whether it can be used, whether it is this folder's, and a status that the ledgers belie.
// It is never made up: the frozen settings of a run stand nowhere else.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readDocument } from "../documents.ts";
import { readRunRecord, Unreadable } from "../ledgers/record.ts";
import { RUN_FILES, type RunRecord } from "../ledgers/schema.ts";
import { quoted } from "../quote.ts";
import type { AttemptBook } from "./doctor-attempts.ts";
import { placeOf } from "./doctor-folder.ts";
import type { Examination, RowBook } from "./doctor-ledgers.ts";
import { replaceAside } from "./doctor-mend.ts";
import type { Moved } from "./doctor-report.ts";
import { runText } from "./folder.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** The record; null when there is none that can be used, which is told to the findings. */
export async function examineRecord(examination: Examination): Promise<RunRecord | null> {
  const { found, runDir, runId } = examination;
  const file = `runs/${runId}/${RUN_FILES.run}`;
  const tell = (field: string, message: string): void =>
    found.add({ file, line: null, field, message, action: "left" });
  const place = await placeOf(join(runDir, RUN_FILES.run));
  if (place.kind === "unusable") {
    tell("", place.why);
    return null;
  }
  const read = recordOrWhy(join(runDir, RUN_FILES.run));
  if (read === null || typeof read === "string") {
    tell("", `${read ?? "is not there"}: bring it back from a copy, it cannot be made again`);
    return null;
  }
  const { refusal } = await readDocument(join(runDir, RUN_FILES.run), MAX_BYTES);
  if (refusal !== undefined) tell("", refusal.message);
  if (read.id !== runId) {
    tell(
      "id",
      `is ${quoted(read.id)}, the folder is called ${quoted(runId)}: give the folder its name back, or bring back its own ${RUN_FILES.run}`,
    );
  }
  return read;
}

function recordOrWhy(path: string): RunRecord | string | null {
  try {
    return readRunRecord(path);
  } catch (error) {
    if (error instanceof Unreadable) return error.reason;
    throw error;
  }
}

/** What the ledgers tell of a run whose run.json is gone, and what nobody can tell any more. */
export function noteWhatIsKnown(
  examination: Examination,
  calls: AttemptBook,
  book: RowBook,
  selected: number,
  suite: string | null,
): void {
  const file = `runs/${examination.runId}`;
  const parts = [
    `${book.statuses.size} rows with a result`,
    `${selected} rows in ${RUN_FILES.selection}`,
    `${calls.calls} calls`,
  ];
  if (calls.firstStart !== null) parts.push(`begun from ${calls.firstStart} to ${calls.lastStart}`);
  if (calls.models.size > 0)
    parts.push(`answered by ${[...calls.models].map((name) => quoted(name)).join(", ")}`);
  if (book.runIds.size > 0)
    parts.push(`records of run ${[...book.runIds].map((id) => quoted(id)).join(", ")}`);
  if (suite !== null) parts.push(`every row is in the active corpus ${suite}`);
  examination.found.note(file, `the ledgers tell: ${parts.join("; ")}`);
  examination.found.note(
    file,
    `only ${RUN_FILES.run} tells, and it cannot be made again: the entry of the model, its request settings, prices, endpoint, ` +
      "prompt and corpus version, when the run was made and with which options",
  );
}

/**
 * The status that run.json should have, when it says that a run is done that is not, or the other way to be done; null
 * when it may stay. A run that never ended may say `running`: the same command goes on with it.
 */
export async function rightStatus(
  { runDir, runId }: Examination,
  record: RunRecord,
  book: RowBook,
): Promise<RunRecord["status"] | null> {
  if (record.status === "running" || record.status === "interrupted" || record.id !== runId) return null;
  const places = await Promise.all(
    [RUN_FILES.run, RUN_FILES.results].map((name) => placeOf(join(runDir, name))),
  );
  // Results that are away may come back, and then the status was right.
  if (places.some((place) => place.kind !== "file" || place.isLink)) return null;
  const isDone = book.statuses.size >= record.config.selected_rows.count;
  const right = !isDone ? "interrupted" : book.errors > 0 ? "completed_with_errors" : "completed";
  return right === record.status ? null : right;
}

/** Writes another status into run.json, after its text is safe beside it. */
export async function mendStatus(
  { runDir, runId }: Examination,
  status: RunRecord["status"],
  reason: string,
): Promise<Moved> {
  const path = join(runDir, RUN_FILES.run);
  const old = await readFile(path, "utf8");
  // As it stands, so that nothing gets lost that this version does not know.
  const record = JSON.parse(old) as RunRecord;
  const completed = status === "interrupted" ? null : record.completed_at;
  const text = runText({ ...record, status, completed_at: completed });
  return replaceAside(path, `runs/${runId}/${RUN_FILES.run}`, { old, text, reason });
}
