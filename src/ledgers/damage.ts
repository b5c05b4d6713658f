// Finds the first broken line of a run's ledgers, for the commands that must not go on with one.
import { join } from "node:path";
import { readRecords } from "./reader.ts";
import { attemptEventSchema, RUN_FILES, resultSchema } from "./schema.ts";

export interface Damage {
  /** `results.jsonl` or `attempts.jsonl`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/**
 * The first terminated line of either ledger in a run folder that is not a record; null when all are.
 *
 * @throws {UserError} when a ledger is not a regular file or cannot be read.
 */
export async function firstDamage(folder: string): Promise<Damage | null> {
  return (
    (await firstIn(folder, RUN_FILES.results, resultSchema)) ??
    (await firstIn(folder, RUN_FILES.attempts, attemptEventSchema))
  );
}

async function firstIn(
  folder: string,
  file: string,
  schema: typeof resultSchema | typeof attemptEventSchema,
): Promise<Damage | null> {
  let found: Damage | null = null;
  const records = readRecords(join(folder, file), schema, {
    onDamaged: ({ line, message }) => {
      found ??= { file, line, message };
    },
  });
  for await (const _ of records) if (found !== null) break;
  return found;
}
