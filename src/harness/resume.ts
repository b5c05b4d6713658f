// What an earlier invocation has left: which rows are finished, how each ended, and what the calls have cost so far.
import { join } from "node:path";
import { CheckError } from "../errors.ts";
import { isRecord } from "../fields.ts";
import { readLedger } from "../ledgers/reader.ts";
import { type FinishedEvent, RUN_FILES } from "../ledgers/schema.ts";

export interface RunState {
  /** Latest status of every row that has a result. */
  readonly statuses: Map<string, string>;
  /** Rows whose latest result is right. */
  readonly correct: number;
  /** Attempts of the rows that will be called again: their finished events and the highest number given out. */
  readonly earlier: ReadonlyMap<string, EarlierAttempts>;
  /** Sum of the known costs of all attempts, in USD. */
  readonly knownCostUsd: number;
}

export interface EarlierAttempts {
  readonly finished: FinishedEvent[];
  highest: number;
}

/**
 * Reads both ledgers of a run, line by line.
 *
 * @throws {CheckError} with file and line, for a terminated line that is not a record of this run.
 */
export async function readState(
  runDir: string,
  runId: string,
  selected: ReadonlySet<string>,
  retryErrors: boolean,
): Promise<RunState> {
  const statuses = new Map<string, string>();
  const rightRows = new Set<string>();
  // Costs by attempt, since one attempt may stand in both ledgers.
  const costs = new Map<string, number>();
  const addCost = (attempt: { attempt_id?: unknown; cost_usd?: unknown }): void => {
    if (typeof attempt.cost_usd === "number" && typeof attempt.attempt_id === "string") {
      costs.set(attempt.attempt_id, attempt.cost_usd);
    }
  };

  for await (const { record, fail } of records(runDir, runId, RUN_FILES.results)) {
    const { row_id: row, status, correct, attempts } = record;
    if (typeof status !== "string" || typeof correct !== "boolean")
      fail("expected a result with status and correct");
    if (!selected.has(row as string)) fail(`row ${JSON.stringify(row)} is not selected in this run`);
    statuses.set(row as string, status as string);
    if (correct === true) rightRows.add(row as string);
    else rightRows.delete(row as string);
    if (Array.isArray(attempts)) for (const attempt of attempts) if (isRecord(attempt)) addCost(attempt);
  }

  const earlier = new Map<string, EarlierAttempts>();
  for await (const { record, fail } of records(runDir, runId, RUN_FILES.attempts)) {
    const { row_id: row, event, attempt_id: id, number } = record;
    if (typeof id !== "string" || typeof number !== "number")
      fail("expected an attempt with attempt_id and number");
    if (event !== "started" && event !== "finished") fail("expected the event started or finished");
    if (event === "finished") addCost(record);
    const status = statuses.get(row as string);
    const pending = status === undefined || (retryErrors && status !== "ok");
    if (!pending) continue;
    const attempts = earlier.get(row as string) ?? { finished: [], highest: 0 };
    earlier.set(row as string, attempts);
    attempts.highest = Math.max(attempts.highest, number as number);
    if (event === "finished") attempts.finished.push(record as unknown as FinishedEvent);
  }

  let knownCostUsd = 0;
  for (const cost of costs.values()) knownCostUsd += cost;
  return { statuses, correct: rightRows.size, earlier, knownCostUsd };
}

interface Found {
  readonly record: Record<string, unknown>;
  readonly fail: (message: string) => never;
}

/** Cheap on purpose: a million lines are read before the first call. `doctor` checks every field. */
async function* records(runDir: string, runId: string, file: string): AsyncGenerator<Found> {
  for await (const { line, text, problem } of readLedger(join(runDir, file))) {
    const fail = (message: string): never => {
      throw new CheckError(
        `runs/${runId}/${file}:${line}: ${message}. The line is damaged; nothing was changed. ` +
          "Begin a new run with --run-id, or mend the line.",
      );
    };
    if (problem !== null) fail(problem);
    let record: unknown;
    try {
      record = JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      fail("not JSON");
    }
    if (!isRecord(record) || typeof record.row_id !== "string") fail("expected a record with row_id");
    if ((record as { run_id?: unknown }).run_id !== runId) fail("the record belongs to another run");
    yield { record: record as Record<string, unknown>, fail };
  }
}
