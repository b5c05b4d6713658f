// The random numbers of the bootstrap, in `ledger.draws`: a table that serves every pair and every number of tasks.
import { BIGINT, DOUBLE, type DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import seedrandom from "seedrandom";
import { CheckError, InterruptedError } from "../errors.ts";
import type { Bootstrap } from "./bootstrap.ts";

/** Numbers that are held at most: 100,000 repetitions over 200 tasks, or 2,000 over 10,000. */
const MAX_DRAWS = 20_000_000;
const CHUNK = 2048;

/**
 * Fills `ledger.draws` with as many slots as any run has tasks. Slot s has a stream of its own,
 * `seedrandom("<seed>:<s>")`, whose r-th number u (0 <= u < 1, slots and repetitions from 0) stands for task number
 * floor(u K) of K sorted task ids. So a pair's draws depend on nothing but the seed and its number of tasks.
 *
 * @throws {CheckError} when tasks times repetitions are too many to hold; {@link InterruptedError}.
 */
export async function loadDraws(
  connection: DuckDBConnection,
  { seed, repetitions }: Bootstrap,
  signal?: AbortSignal,
): Promise<void> {
  const slots = await mostTasks(connection);
  if (slots * repetitions > MAX_DRAWS) {
    throw new CheckError(
      `the bootstrap of ${slots} tasks with ${repetitions} repetitions needs ${slots * repetitions} random numbers, ` +
        `more than ${MAX_DRAWS}: ask for fewer repetitions (--reps)`,
    );
  }
  const appender = await connection.createAppender("draws", "ledger");
  try {
    for (let slot = 0; slot < slots; slot += 1) {
      if (signal?.aborted) throw new InterruptedError("interrupted");
      const random = seedrandom(`${seed}:${slot}`);
      for (let first = 0; first < repetitions; first += CHUNK) {
        const rows = Math.min(CHUNK, repetitions - first);
        const chunk = DuckDBDataChunk.create([BIGINT, BIGINT, DOUBLE]);
        chunk.setColumns([
          Array.from({ length: rows }, () => BigInt(slot)),
          Array.from({ length: rows }, (_, i) => BigInt(first + i)),
          Array.from({ length: rows }, () => random()),
        ]);
        appender.appendDataChunk(chunk);
      }
      // Lets a signal come through.
      await new Promise(setImmediate);
    }
  } finally {
    appender.closeSync();
  }
}

async function mostTasks(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll(`
    SELECT greatest(
      (SELECT count(DISTINCT task) FROM ledger.corpus_rows),
      (SELECT coalesce(max(tasks), 0) FROM (SELECT count(DISTINCT task) AS tasks FROM ledger.results GROUP BY run_id))
    )`);
  return Number(reader.getRows()[0]?.[0] ?? 0);
}
