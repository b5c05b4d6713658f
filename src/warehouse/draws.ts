// The random numbers of the bootstrap, in `ledger.draws`: a table that serves every pair and every number of tasks.
import { BIGINT, DOUBLE, type DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import seedrandom from "seedrandom";
import { InterruptedError } from "../errors.ts";
import type { Bootstrap } from "./bootstrap.ts";

/** Random numbers that are held at most: 2,000 repetitions over 2,000 tasks. */
const MAX_DRAWS = 4_000_000;
const CHUNK = 2048;

/** How many tasks a pair may have to get an interval from so many repetitions; from more the bootstrap has none. */
export function mostDrawnTasks(repetitions: number): number {
  return Math.floor(MAX_DRAWS / repetitions);
}

/**
 * Fills `ledger.draws` with as many slots as any run has tasks, see {@link mostDrawnTasks}. Slot s has a stream of its own,
 * `seedrandom("<seed>:<s>")`, whose r-th number u (0 <= u < 1, slots and repetitions from 0) stands for task number
 * floor(u K) of K sorted task ids. So a pair's draws depend on nothing but the seed and its number of tasks.
 *
 * @throws {InterruptedError} when it was stopped.
 */
export async function loadDraws(
  connection: DuckDBConnection,
  { seed, repetitions }: Bootstrap,
  signal?: AbortSignal,
): Promise<void> {
  const slots = Math.min(await mostTasks(connection), mostDrawnTasks(repetitions));
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
