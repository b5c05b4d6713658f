// Reads the three ledgers of a run line by line, for an examination: which lines are damage, and what the others say
// that cannot be true.
import { join } from "node:path";
import type { CorpusRow } from "../corpus/schema.ts";
import { InterruptedError } from "../errors.ts";
import { type Bounds, judgeLine, judgeSelection } from "../ledgers/damage.ts";
import { type Flaw, flawText, type LedgerLine, readBatches, type TornTail } from "../ledgers/reader.ts";
import { RUN_FILES } from "../ledgers/schema.ts";
import { AttemptBook } from "./doctor-attempts.ts";
import { checkEvent, checkResult } from "./doctor-content.ts";
import { type Place, placeOf } from "./doctor-folder.ts";
import type { Action, Findings, LedgerState } from "./doctor-report.ts";

export type LedgerName = "selection" | "attempts" | "results";

/** Told from time to time how far something is with a file, from 0 to 1. */
export type OnProgress = (file: string, what: "read" | "mended", share: number) => void;

/** What an examination needs everywhere. */
export interface Examination {
  readonly runDir: string;
  readonly runId: string;
  readonly dryRun: boolean;
  readonly found: Findings;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
}

/** A ledger that was read, and what has to be done with it. */
export interface Scanned {
  readonly name: LedgerName;
  readonly path: string;
  /** As findings call it. */
  readonly file: string;
  readonly place: Place;
  readonly state: LedgerState;
  readonly torn: TornTail | null;
}

/** What becomes of damage in a file that stands in this place. */
function actionFor({ dryRun }: Examination, place: Place): Action {
  if (place.kind !== "file" || place.isLink) return "left";
  return dryRun ? "would_move" : "moved";
}

/** Reads a ledger; `each` says what is wrong with a line, or null. What is wrong with the file is told to the findings. */
async function scan(
  examination: Examination,
  name: LedgerName,
  each: (line: LedgerLine) => Flaw | null,
): Promise<Scanned> {
  const { found, signal } = examination;
  const path = join(examination.runDir, RUN_FILES[name]);
  const file = `runs/${examination.runId}/${RUN_FILES[name]}`;
  const place = await placeOf(path);
  const action = actionFor(examination, place);
  let lines = 0;
  let damaged = 0;
  let torn: TornTail | null = null;
  if (place.kind === "unusable") found.add({ file, line: null, field: "", message: place.why, action });
  if (place.kind === "file") {
    const onTorn = (tail: TornTail): void => {
      torn = tail;
      const message = `a line that was not finished (${tail.bytes} bytes)`;
      found.add({ file, line: tail.line, field: "", message, action });
    };
    for await (const batch of readBatches(path, { onTorn })) {
      if (signal.aborted) throw new InterruptedError("interrupted; nothing was changed");
      let end = 0;
      for (const line of batch) {
        lines += 1;
        end = line.offset + line.bytes;
        const flaw = each(line);
        if (flaw === null) continue;
        damaged += 1;
        found.add({ file, line: line.line, ...flaw, action });
      }
      if (end > 0) examination.onProgress(file, "read", end / place.bytes);
    }
    if (place.isLink && (damaged > 0 || torn !== null)) {
      const message = "is a link, and nothing is mended through one: put the file itself here";
      found.add({ file, line: null, field: "", message, action });
    }
  }
  const tornBytes = (torn as TornTail | null)?.bytes ?? 0;
  const state = { file, lines, whole: lines - damaged, damaged, tornBytes };
  return { name, path, file, place, state, torn };
}

/** Reads `selection.jsonl`; `ids` are those of its whole lines, in order. */
export async function scanSelection(
  examination: Examination,
): Promise<{ readonly scanned: Scanned; readonly ids: string[] }> {
  const ids: string[] = [];
  const scanned = await scan(examination, "selection", (line) => {
    const { record, flaw } = judgeSelection(line);
    if (flaw !== undefined) return flaw;
    ids.push(record.row_id);
    return null;
  });
  return { scanned, ids };
}

/** What the results of a run come to. */
export class RowBook {
  /** Latest status of every row with a whole result. */
  readonly statuses = new Map<string, string>();
  superseded = 0;
  /** Ids of the runs that the records name, the first few. */
  readonly runIds = new Set<string>();

  get errors(): number {
    let count = 0;
    for (const status of this.statuses.values()) if (status !== "ok") count += 1;
    return count;
  }

  seen(runId: string): void {
    if (this.runIds.size < 5) this.runIds.add(runId);
  }
}

/** Reads `attempts.jsonl` and then `results.jsonl`. */
export async function scanRecords(
  examination: Examination,
  bounds: Bounds,
  rows: ReadonlyMap<string, CorpusRow> | null,
): Promise<{
  readonly scanned: readonly [Scanned, Scanned];
  readonly calls: AttemptBook;
  readonly book: RowBook;
}> {
  const calls = new AttemptBook();
  const book = new RowBook();
  const teller = (name: LedgerName, line: number) => {
    const file = `runs/${examination.runId}/${RUN_FILES[name]}`;
    return (field: string, message: string): void =>
      examination.found.add({ file, line, field, message, action: "left" });
  };
  const attempts = await scan(examination, "attempts", (line) => {
    const { record, flaw } = judgeLine("attempts", line, bounds);
    if (flaw !== undefined) return flaw;
    const tell = teller("attempts", line.line);
    book.seen(record.run_id);
    if (bounds.selected?.(record.row_id) === false) {
      tell("row_id", `row ${JSON.stringify(record.row_id)} is not selected in this run; the call is counted`);
    }
    checkEvent(record, tell);
    calls.add(record, line.line, tell);
    return null;
  });
  const results = await scan(examination, "results", (line) => {
    const { record, flaw } = judgeLine("results", line, bounds);
    if (flaw !== undefined) return flaw;
    const tell = teller("results", line.line);
    book.seen(record.run_id);
    if (book.statuses.has(record.row_id)) book.superseded += 1;
    book.statuses.set(record.row_id, record.status === "ok" ? "ok" : record.status);
    checkResult(record, rows?.get(record.row_id), tell);
    for (const [index, event] of record.attempts.entries()) {
      calls.addFromResult(event, line.line, (field, message) =>
        tell(`attempts[${index}]${field === "" ? "" : `.${field}`}`, message),
      );
    }
    return null;
  });
  return { scanned: [attempts, results], calls, book };
}

/** The rows that whole lines of both ledgers are about, whatever the run selected. */
export async function rowsTold(examination: Examination, bounds: Bounds): Promise<ReadonlySet<string>> {
  const rows = new Set<string>();
  for (const name of ["attempts", "results"] as const) {
    const path = join(examination.runDir, RUN_FILES[name]);
    if ((await placeOf(path)).kind !== "file") continue;
    for await (const batch of readBatches(path)) {
      if (examination.signal.aborted) throw new InterruptedError("interrupted; nothing was changed");
      for (const line of batch) {
        const { record } = judgeLine(name, line, bounds);
        if (record !== undefined) rows.add(record.row_id);
      }
    }
  }
  return rows;
}

/** The reason that stands beside a moved line. */
export function reasonOf(flaw: Flaw | undefined): string | null {
  return flaw === undefined ? null : flawText(flaw);
}
