// Finds the first broken line of a run's ledgers, for the commands that must not go on with one.
import { join } from "node:path";
import { quoted } from "../quote.ts";
import { PUBLISHED_FILES, parsePrediction, predictionSchema } from "./published.ts";
import { readRecords } from "./reader.ts";
import { attemptEventSchema, RUN_FILES, resultSchema } from "./schema.ts";

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
  let found: Damage | null = null;
  const rows = new Set<string>();
  const records = readRecords(join(folder, file), predictionSchema, {
    parse: parsePrediction,
    onDamaged: ({ line, message }) => {
      found ??= { file, line, message };
    },
  });
  for await (const { line, record } of records) {
    if (rows.has(record.row_id)) found ??= { file, line, message: `row ${quoted(record.row_id)} again` };
    if (!known(record.row_id)) found ??= { file, line, message: unknownRow(record.row_id) };
    if (found !== null) break;
    rows.add(record.row_id);
  }
  return found;
}

async function firstIn(
  folder: string,
  file: string,
  schema: typeof resultSchema | typeof attemptEventSchema,
  known: KnownRow,
): Promise<Damage | null> {
  let found: Damage | null = null;
  const records = readRecords(join(folder, file), schema, {
    onDamaged: ({ line, message }) => {
      found ??= { file, line, message };
    },
  });
  for await (const { line, record } of records) {
    if (found === null && !known(record.row_id)) found = { file, line, message: unknownRow(record.row_id) };
    if (found !== null) break;
  }
  return found;
}
