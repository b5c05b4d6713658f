// Examines the folder of a run whose disk was full, whose machine lost power, or whose files were edited: says what is
// whole, and moves what no reader accepts to files beside, so that the same command goes on. Nothing is deleted.
import { join } from "node:path";
import type { Corpus } from "../corpus/load.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { replaceFile } from "../files.ts";
import { type Bounds, judgeLine, judgeSelection } from "../ledgers/damage.ts";
import type { LedgerLine } from "../ledgers/reader.ts";
import { RUN_FILES, type RunRecord } from "../ledgers/schema.ts";
import { acquireLock, assertUnlocked } from "../lock.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import type { AttemptBook } from "./doctor-attempts.ts";
import { noteLeftovers } from "./doctor-folder.ts";
import {
  type Examination,
  type OnProgress,
  type RowBook,
  reasonOf,
  type Scanned,
  scanRecords,
  scanSelection,
} from "./doctor-ledgers.ts";
import { moveAside } from "./doctor-mend.ts";
import { examineRecord, mendStatus, noteWhatIsKnown, rightStatus } from "./doctor-record.ts";
import { type Diagnosis, Findings, type Moved } from "./doctor-report.ts";
import { type FoundSelection, findSelection, selectionLine } from "./doctor-selection.ts";
import { repairTail } from "./folder.ts";
import { writing } from "./ledger.ts";

export interface DoctorInput {
  readonly workspace: Workspace;
  readonly runId: string;
  /** The active corpus; a text says why it cannot be read. */
  readonly corpus: Corpus | string;
  /** Writes nothing. */
  readonly dryRun: boolean;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
}

/**
 * Examines a run and mends it, unless it is a dry run.
 *
 * @throws {UserError} when a living process writes the run; {@link CheckError} when a file cannot be written;
 * {@link InterruptedError} when it was stopped. Every ledger is then as it was, or mended.
 */
export async function examineRun(input: DoctorInput): Promise<Diagnosis> {
  const { runId } = input;
  const runDir = join(input.workspace.runsDir, runId);
  const locked = { what: `run ${runId}`, place: `runs/${runId}/lock` };
  if (input.dryRun) {
    await assertUnlocked(join(runDir, "lock"), locked);
    return examineLocked(runDir, input);
  }
  const lock = await acquireLock(join(runDir, "lock"), locked);
  try {
    return await examineLocked(runDir, input);
  } finally {
    await lock.release();
  }
}

async function examineLocked(runDir: string, input: DoctorInput): Promise<Diagnosis> {
  const { runId, dryRun, signal, onProgress } = input;
  const found = new Findings();
  const examination: Examination = { runDir, runId, dryRun, found, signal, onProgress };
  const record = await examineRecord(examination);
  const corpus = corpusOf(record, input.corpus, runId, found);
  const rows = corpus === null ? null : new Map(corpus.rows.map((row) => [row.id, row]));
  const written = await scanSelection(examination);
  const known = rows === null ? null : (row: string): boolean => rows.has(row);
  const runIds = record === null ? null : [runId, record.id];
  const open: Bounds = { runIds, known, selected: null };
  // A run.json of another run would say which rows of this one do not count.
  const isOwn = record?.id === runId;
  const selection: FoundSelection =
    record === null || !isOwn
      ? { ids: null, isLost: false }
      : await findSelection(examination, written, record.config.selected_rows, corpus, open);
  if (record !== null) tellSelection(examination, written, selection, record);
  const ids = selection.ids === null ? null : new Set(selection.ids);
  const bounds: Bounds = { ...open, selected: ids === null ? null : (row) => ids.has(row) };
  const { scanned, calls, book } = await scanRecords(examination, bounds, rows);
  for (const { place, file } of scanned) {
    if (place.kind !== "nothing") continue;
    const message = "is not there: bring it back, or its records are lost; `bench run` begins it anew";
    found.add({ file, line: null, field: "", message, action: "left" });
  }
  const status = record === null ? null : await statusToMend(examination, record, book);
  const all = [written.scanned, ...scanned];
  const moved = dryRun ? [] : await mend(examination, all, bounds, selection, status);
  await noteAll(input, examination, record, calls, book, written.ids, scanned);
  return {
    runId,
    dryRun,
    record,
    selection: selection.ids,
    findings: found.findings,
    findingsLeftOut: found.leftOut,
    notes: found.notes,
    files: all.map(({ state }) => state),
    moved,
    rows: {
      selected: record?.config.selected_rows.count ?? null,
      finished: book.statuses.size,
      errors: book.errors,
      superseded: book.superseded,
    },
    attempts: { calls: calls.calls, incomplete: calls.incomplete },
  };
}

/** The corpus of the run, if it is the active one. */
function corpusOf(
  record: RunRecord | null,
  active: Corpus | string,
  runId: string,
  found: Findings,
): Corpus | null {
  const unchecked = "rows and right answers were not checked";
  if (typeof active === "string") {
    found.note(`runs/${runId}`, `the active corpus cannot be read (${active}): ${unchecked}`);
    return null;
  }
  if (record === null) return null;
  if (record.config.corpus_sha256 === active.sha256) return active;
  found.note(
    `runs/${runId}`,
    `the run is about ${quoted(record.config.suite)} ${quoted(record.config.corpus_version)}, not about the active corpus: ${unchecked}`,
  );
  return null;
}

function tellSelection(
  { found, runId, dryRun }: Examination,
  { scanned, ids }: { readonly scanned: Scanned; readonly ids: readonly string[] },
  selection: FoundSelection,
  record: RunRecord,
): void {
  if (!selection.isLost) return;
  const { place } = scanned;
  const what =
    place.kind === "nothing"
      ? "is not there"
      : `holds ${ids.length} whole lines that are not the ${record.config.selected_rows.count} rows of ${RUN_FILES.run}`;
  const canWrite =
    selection.ids !== null && (place.kind === "nothing" || (place.kind === "file" && !place.isLink));
  found.add({
    file: `runs/${runId}/${RUN_FILES.selection}`,
    line: null,
    field: "",
    message: canWrite
      ? `${what}; the digest there proves which they are`
      : `${what}; \`bench run\` with the options of the first time writes it anew`,
    action: !canWrite ? "left" : dryRun ? "would_mend" : "mended",
  });
}

interface StatusMend {
  readonly status: RunRecord["status"];
  readonly reason: string;
}

async function statusToMend(
  examination: Examination,
  record: RunRecord,
  book: RowBook,
): Promise<StatusMend | null> {
  const status = await rightStatus(examination, record, book);
  if (status === null) return null;
  const { count } = record.config.selected_rows;
  const reason =
    `is ${quoted(record.status)}, but ${book.statuses.size} of ${count} selected rows have a result ` +
    `and ${book.errors} of these are errors, so it has to be ${quoted(status)}`;
  examination.found.add({
    file: `runs/${examination.runId}/${RUN_FILES.run}`,
    line: null,
    field: "status",
    message: reason,
    action: examination.dryRun ? "would_mend" : "mended",
  });
  return { status, reason: `status ${reason}` };
}

/** Moves and writes what the examination found. Every step leaves whole files, and may be repeated. */
async function mend(
  examination: Examination,
  all: readonly Scanned[],
  bounds: Bounds,
  selection: FoundSelection,
  status: StatusMend | null,
): Promise<Moved[]> {
  const { signal } = examination;
  const moved: Moved[] = [];
  for (const { name, path, file, place, state, torn } of all) {
    if (place.kind === "unusable" || (place.kind === "file" && place.isLink)) continue;
    if (torn !== null) {
      await repairTail(path, file);
      moved.push({ file, to: `${file}.torn`, lines: 1, bytes: torn.bytes });
    }
    const onProgress = (share: number): void => examination.onProgress(file, "mended", share);
    if (name === "selection" && selection.isLost && selection.ids !== null) {
      const replacement = selection.ids.map((id) => `${selectionLine(id)}\n`).join("");
      if (place.kind === "nothing") await writing(file, () => replaceFile(path, replacement));
      else moved.push(await moveAside(path, file, { reason: keepOnce(selection.ids), replacement, signal }));
    } else if (state.damaged > 0) {
      const reason = (line: LedgerLine): string | null =>
        reasonOf((name === "selection" ? judgeSelection(line) : judgeLine(name, line, bounds)).flaw);
      moved.push(await moveAside(path, file, { reason, onProgress, signal }));
    }
  }
  if (status !== null) moved.push(await mendStatus(examination, status.status, status.reason));
  return moved.filter(({ lines }) => lines > 0);
}

/** Lines that the new selection holds byte for byte need not be kept beside it. */
function keepOnce(ids: readonly string[]): (line: LedgerLine) => string | null {
  const left = new Set(ids.map(selectionLine));
  return (line) => {
    if (line.problem === null && left.delete(line.text)) return null;
    return reasonOf(judgeSelection(line).flaw) ?? "the run did not select it, or it stands here twice";
  };
}

async function noteAll(
  { workspace, corpus, runId }: DoctorInput,
  examination: Examination,
  record: RunRecord | null,
  calls: AttemptBook,
  book: RowBook,
  selected: readonly string[],
  [attempts, results]: readonly [Scanned, Scanned],
): Promise<void> {
  const { found } = examination;
  const count = (number: number, one: string, many: string): string =>
    number === 1 ? `1 ${one}` : `${number} ${many}`;
  if (record?.status === "running") {
    found.note(
      `runs/${runId}/${RUN_FILES.run}`,
      "says running, and no process is at it: `bench run` goes on with it",
    );
  }
  if (book.superseded > 0) {
    const text = count(
      book.superseded,
      "result is replaced by a later one",
      "results are replaced by later ones",
    );
    found.note(results.file, `${text} of the same row, as --retry-errors does`);
  }
  if (calls.repeated > 0) {
    const text = count(calls.repeated, "event stands here a second time", "events stand here a second time");
    found.note(attempts.file, `${text}, word for word; each is counted once`);
  }
  if (calls.startless > 0) {
    const text = count(calls.startless, "finished call has", "finished calls have");
    found.note(attempts.file, `${text} no started event; they are counted`);
  }
  if (calls.onlyInResults > 0) {
    const text = count(calls.onlyInResults, "call stands", "calls stand");
    found.note(results.file, `${text} here and not in ${RUN_FILES.attempts}; the union of both is counted`);
  }
  if (record === null) {
    const suite = typeof corpus === "string" || book.statuses.size === 0 ? null : corpus.suite;
    const rows = typeof corpus === "string" ? null : new Set(corpus.rows.map((row: CorpusRow) => row.id));
    const areAllThere = rows !== null && [...book.statuses.keys()].every((row) => rows.has(row));
    noteWhatIsKnown(examination, calls, book, selected.length, areAllThere ? suite : null);
  }
  await noteLeftovers(workspace.runsDir, runId, record !== null, found);
}
