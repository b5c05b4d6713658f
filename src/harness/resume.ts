// What an earlier invocation has left: which rows are finished, how each ended, and what the calls have cost so far.
import { join } from "node:path";
import { CheckError } from "../errors.ts";
import { isRecord } from "../fields.ts";
import { readBatches } from "../ledgers/reader.ts";
import { type FinishedEvent, RUN_FILES } from "../ledgers/schema.ts";
import { AttemptCosts } from "./attempt-costs.ts";
import type { RowStates } from "./row-states.ts";

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

  await eachRecord(runDir, runId, RUN_FILES.results, (record, fail) => {
    const { row_id: row, status, correct, attempts } = record;
    if (typeof row !== "string" || typeof status !== "string" || typeof correct !== "boolean") {
      return fail("expected a result with status and correct");
    }
    if (!states.has(row)) fail(`row ${JSON.stringify(row)} is not selected in this run`);
    states.set(row, status, correct);
    // A row that will not be called again needs no history.
    const settled = status === "ok" || !retryErrors;
    if (settled) earlier.delete(row);
    if (!Array.isArray(attempts)) return;
    for (const event of attempts) {
      if (!isRecord(event)) continue;
      addCost(event);
      if (!settled) history(row).add(event);
    }
  });

  const mayBeCalled = (row: string): boolean => {
    const status = states.status(row);
    return status === undefined || (retryErrors && status !== "ok");
  };
  const isSettled = (text: string): boolean => {
    const [, run, row] = STARTED_LINE.exec(text) ?? [];
    if (row !== undefined) return run === runId && !mayBeCalled(row);
    const [, id = "", ofRun, ofRow, cost = ""] = FINISHED_LINE.exec(text) ?? [];
    if (ofRow === undefined || ofRun !== runId || mayBeCalled(ofRow)) return false;
    if (cost !== "null") costs.add(id, Number(cost));
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

// Exactly what the harness writes when a call begins and when it ends, with plain names. A line of this form is a whole
// record, of which a row that is not called again needs the names and the cost only: it need not be parsed, as every other
// line is.
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const NAMES = `"run_id":"([A-Za-z0-9._-]*)","row_id":"([A-Za-z0-9._/ -]*)","number":[1-9][0-9]{0,8}`;
const TIME = `"[0-9TZ:.-]*"`;
const COUNT = "(?:null|0|[1-9][0-9]{0,14})";
const NUMBER = String.raw`(?:null|-?(?:0|[1-9][0-9]{0,19})(?:\.[0-9]{1,20})?(?:e[+-][0-9]{1,2})?)`;
const TEXT = String.raw`(?:null|"[ !#-\[\]-~]*")`;
const STARTED_LINE = new RegExp(
  `^\\{"event":"started","attempt_id":"${UUID}",${NAMES},"started_at":${TIME}\\}$`,
);
const FINISHED_LINE = new RegExp(
  `^\\{"event":"finished","attempt_id":"(${UUID})",${NAMES},"started_at":${TIME},"ended_at":${TIME},` +
    `"status":"[ !#-\\[\\]-~]+","error":${TEXT},"duration_ms":${NUMBER},"queued_ms":${NUMBER},"provider_duration_ms":${NUMBER},` +
    `"usage":\\{"input_tokens":${COUNT},"output_tokens":${COUNT},"cached_input_tokens":${COUNT},` +
    `"reasoning_output_tokens":${COUNT},"cache_creation_input_tokens":${COUNT}\\},` +
    `"cost_usd":(${NUMBER}),"cost_basis":"[a-z_]+","cost_source":${TEXT},"resolved_model":${TEXT},` +
    `"http_status":${COUNT},"images_sent":${COUNT}\\}$`,
);

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
