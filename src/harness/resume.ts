// What an earlier invocation has left: which rows are finished, how each ended, and what the calls have cost so far.
import { join } from "node:path";
import { CheckError } from "../errors.ts";
import { isRecord } from "../fields.ts";
import { readBatches } from "../ledgers/reader.ts";
import { type FinishedEvent, RUN_FILES } from "../ledgers/schema.ts";
import { AttemptCosts } from "./attempt-costs.ts";
import type { RowStates } from "./row-states.ts";
import { usualAttempt, usualResult } from "./usual-line.ts";

export interface RunState {
  /** How every selected row stands. */
  readonly states: RowStates;
  /** Attempts of the rows that will be called again: their finished events and the highest number given out. */
  readonly earlier: ReadonlyMap<string, EarlierAttempts>;
  /** Sum of the known costs of all attempts, in USD. */
  readonly knownCostUsd: number;
}

export interface EarlierAttempts {
  /** By attempt id, in the order of their numbers. */
  readonly finished: ReadonlyMap<string, FinishedEvent>;
  readonly highest: number;
}

/**
 * Reads both ledgers of a run, line by line.
 *
 * @param states the selected rows, none of which has a result yet.
 * @throws {CheckError} with file and line, for a terminated line that is not a record of this run.
 */
export async function readState(
  runDir: string,
  runId: string,
  states: RowStates,
  retryErrors: boolean,
): Promise<RunState> {
  const costs = new AttemptCosts();
  const addCost = (attempt: { attempt_id?: unknown; cost_usd?: unknown }): void => {
    if (typeof attempt.cost_usd === "number" && typeof attempt.attempt_id === "string") {
      costs.add(attempt.attempt_id, attempt.cost_usd);
    }
  };

  const earlier = new Map<string, History>();
  const history = (row: string): History => {
    const known = earlier.get(row);
    if (known !== undefined) return known;
    const fresh = new History();
    earlier.set(row, fresh);
    return fresh;
  };

  /** The usual result; a later result of a row with a history is for the reader below. */
  const isUsual = (text: string): boolean => {
    const usual = usualResult(text);
    if (usual === null || usual.runId !== runId || earlier.has(usual.row)) return false;
    if (!states.set(usual.row, "ok", usual.correct)) return false;
    costs.add(usual.attemptId, usual.costUsd);
    return true;
  };
  const readResult = (record: Record<string, unknown>, fail: Fail): void => {
    const { row_id: row, status, correct, attempts } = record;
    if (typeof row !== "string" || typeof status !== "string" || typeof correct !== "boolean") {
      fail("expected a result with status and correct");
    }
    if (!states.set(row, status, correct)) fail(`row ${JSON.stringify(row)} is not selected in this run`);
    // A row that will not be called again needs no history.
    const settled = status === "ok" || !retryErrors;
    if (settled) earlier.delete(row);
    if (!Array.isArray(attempts)) return;
    for (const event of attempts) {
      if (!isRecord(event)) continue;
      addCost(event);
      if (!settled) history(row).add(event);
    }
  };
  await eachRecord(runDir, runId, RUN_FILES.results, readResult, isUsual);

  const mayBeCalled = (row: string): boolean => {
    const status = states.status(row);
    return status === undefined || (retryErrors && status !== "ok");
  };
  const isSettled = (text: string): boolean => {
    const usual = usualAttempt(text);
    if (usual === null || usual.runId !== runId || mayBeCalled(usual.row)) return false;
    costs.add(usual.attemptId, usual.costUsd);
    return true;
  };
  const readAttempt = (record: Record<string, unknown>, fail: Fail): void => {
    const { row_id: row, event, attempt_id: id, number } = record;
    if (typeof id !== "string" || typeof number !== "number") {
      fail("expected an attempt with attempt_id and number");
    }
    if (event !== "started" && event !== "finished") fail("expected the event started or finished");
    if (event === "finished") addCost(record);
    if (mayBeCalled(row as string)) history(row as string).add(record);
  };
  await eachRecord(runDir, runId, RUN_FILES.attempts, readAttempt, isSettled);
  return { states, earlier, knownCostUsd: costs.sum };
}

/** The union of a row's attempts in both ledgers, by attempt id: after a power cut either may hold more. */
class History implements EarlierAttempts {
  readonly finished = new Map<string, FinishedEvent>();
  highest = 0;

  add(record: Record<string, unknown>): void {
    const { attempt_id: id, number } = record;
    if (typeof id !== "string" || typeof number !== "number") return;
    this.highest = Math.max(this.highest, number);
    if (record.event === "finished") this.finished.set(id, record as unknown as FinishedEvent);
  }
}

type Fail = (message: string) => never;

/** Cheap on purpose: a million lines are read before the first call. */
async function eachRecord(
  runDir: string,
  runId: string,
  file: string,
  use: (record: Record<string, unknown>, fail: Fail) => void,
  skip?: (text: string) => boolean,
): Promise<void> {
  let at = 0;
  const fail: Fail = (message) => {
    throw new CheckError(
      `runs/${runId}/${file}:${at}: ${message}. The line is damaged; nothing was changed. ` +
        `\`bench doctor ${runId}\` moves such lines aside; or begin a new run with --run-id.`,
    );
  };
  for await (const batch of readBatches(join(runDir, file))) {
    for (const { line, text, problem } of batch) {
      at = line;
      if (skip?.(text) === true) continue;
      if (problem !== null) fail(problem);
      const record = parseRecord(text) ?? fail("not JSON");
      if (!isRecord(record) || typeof record.row_id !== "string") fail("expected a record with row_id");
      else if (record.run_id !== runId) fail("the record belongs to another run");
      else use(record, fail);
    }
  }
}

function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
