// Finds the first broken line of a run's ledgers, for the commands that must not go on with one.
import { join } from "node:path";
import { quoted } from "../quote.ts";
import { PUBLISHED_FILES, predictionSchema } from "./published.ts";
import { type Flaw, flawText, type LedgerLine, readLedger, recordOf } from "./reader.ts";
import {
  attemptEventSchema,
  type FinishedEvent,
  type ResultRecord,
  RUN_FILES,
  resultSchema,
  type StartedEvent,
  selectionSchema,
} from "./schema.ts";
import { parseLocal, parseStrictly } from "./strict.ts";

export interface Damage {
  /** `results.jsonl`, `attempts.jsonl` or `predictions.jsonl`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/**
 * The first terminated line of either ledger in a run folder that is not a record, or a result for a row that `known`
 * refuses; null when there is none.
 *
 * @throws {UserError} when a ledger is not a regular file or cannot be read.
 */
export async function firstDamage(folder: string, known: KnownRow = () => true): Promise<Damage | null> {
  return (
    (await firstIn(folder, RUN_FILES.results, resultSchema, known)) ??
    (await firstIn(folder, RUN_FILES.attempts, attemptEventSchema, () => true))
  );
}

/** Whether the corpus of a run has a row. */
export type KnownRow = (row: string) => boolean;

const unknownRow = (row: string): string => `row ${quoted(row)} is not in the corpus`;

/**
 * The first terminated line of `predictions.jsonl` in the folder of a published result that is not a record, is another
 * record of a row that an earlier line has, or one of a row that `known` refuses; null when there is none.
 *
 * @throws {UserError} when it is not a regular file or cannot be read.
 */
export async function firstDamagedPrediction(
  folder: string,
  known: KnownRow = () => true,
): Promise<Damage | null> {
  const file = PUBLISHED_FILES.predictions;
  const rows = new Set<string>();
  for await (const found of readLedger(join(folder, file))) {
    const { line } = found;
    const { record, flaw } = recordOf(found, predictionSchema, parseStrictly);
    if (flaw !== undefined) return { file, line, message: flawText(flaw) };
    const { row_id: row } = record;
    if (rows.has(row)) return { file, line, message: `row ${quoted(row)} again` };
    if (!known(row)) return { file, line, message: unknownRow(row) };
    rows.add(row);
  }
  return null;
}

/** What the lines of a run must agree with; null where nobody can say. */
export interface Bounds {
  /** The ids under which records count. */
  readonly runIds: readonly string[] | null;
  /** The rows of the run's corpus. */
  readonly known: KnownRow | null;
  /** The rows that the run selected. */
  readonly selected: KnownRow | null;
}

/** What a line of `results.jsonl` or `attempts.jsonl` holds, or why some reader of the run takes it for damage. */
export function judgeLine<Name extends "results" | "attempts">(
  name: Name,
  line: LedgerLine,
  bounds: Bounds,
): Judged<Name extends "results" ? ResultRecord : StartedEvent | FinishedEvent>;
export function judgeLine(
  name: "results" | "attempts",
  line: LedgerLine,
  { runIds, known, selected }: Bounds,
): Judged<ResultRecord | StartedEvent | FinishedEvent> {
  const judged = recordOf(line, name === "results" ? resultSchema : attemptEventSchema, parseLocal);
  if (judged.flaw !== undefined) return judged;
  const { run_id: run, row_id: row } = judged.record;
  if (runIds?.includes(run) === false) {
    return { flaw: { field: "run_id", message: `the record belongs to run ${quoted(run)}` } };
  }
  // A call about a row that does not count was made all the same, and is counted by every reader.
  if (name === "attempts") return judged;
  if (known?.(row) === false) return { flaw: { field: "row_id", message: unknownRow(row) } };
  if (selected?.(row) === false) {
    return { flaw: { field: "row_id", message: `row ${quoted(row)} is not selected in this run` } };
  }
  return judged;
}

/** What a line of `selection.jsonl` holds. */
export function judgeSelection(line: LedgerLine): Judged<{ readonly row_id: string }> {
  return recordOf(line, selectionSchema, parseLocal);
}

/** A record, or the flaw that makes its line damage. */
export type Judged<T> =
  | { readonly record: T; readonly flaw?: never }
  | { readonly record?: never; readonly flaw: Flaw };

async function firstIn(
  folder: string,
  file: string,
  schema: typeof resultSchema | typeof attemptEventSchema,
  known: KnownRow,
): Promise<Damage | null> {
  for await (const found of readLedger(join(folder, file))) {
    const { line } = found;
    const { record, flaw } = recordOf(found, schema, parseLocal);
    if (flaw !== undefined) return { file, line, message: flawText(flaw) };
    if (!known(record.row_id)) return { file, line, message: unknownRow(record.row_id) };
  }
  return null;
}
