// A run from its first row to its last: takes the lock, finds what is left to do, keeps a number of calls in flight, and
// knows when to stop. Every way out leaves ledgers that the same command goes on from.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { CorpusRow } from "../corpus/schema.ts";
import { CheckError, errorCode, UserError } from "../errors.ts";
import { assertFileOrNothing, replaceFile } from "../files.ts";
import { type Execution, type FrozenConfig, RUN_FILES, type RunRecord } from "../ledgers/schema.ts";
import { acquireLock } from "../lock.ts";
import { packageVersion } from "../workspace.ts";
import { type Clock, isoTime } from "./clock.ts";
import { costMessage, execute, type RunInput, type RunObserver, type Stop } from "./execute.ts";
import { createRunFolder, type Repair, readRun, repairTail, saveRun, selectionPieces } from "./folder.ts";
import { assertSameConfig, checkRunId, defaultRunId, freezeConfig } from "./freeze.ts";
import { type GitState, gitState } from "./git.ts";
import { writing } from "./ledger.ts";
import { readState } from "./resume.ts";
import { RowStates } from "./row-states.ts";
import { type Standing, Tally } from "./standing.ts";

export interface RunReport extends Standing {
  readonly runId: string;
  readonly status: RunRecord["status"];
  /** Rows that this invocation was to call and did not finish. */
  readonly left: number;
  /** Why it ended before its last row; null when it did not. */
  readonly stopped: Stop | null;
}

/**
 * Evaluates one model over the selected rows, or goes on with what an earlier invocation left.
 *
 * @throws {UserError} for a locked run or changed settings; nothing is touched then.
 * @throws {CheckError} for a damaged ledger, or one that cannot be written.
 */
export async function runModel(input: RunInput): Promise<RunReport> {
  const config = freezeConfig({
    corpus: input.corpus,
    model: input.model,
    apiModel: input.apiModel,
    endpointId: input.provider.endpointId,
    rows: input.rows,
  });
  const runId =
    input.runId === undefined ? defaultRunId(config, input.corpus.rows.length) : checkRunId(input.runId);
  const runDir = join(input.workspace.runsDir, runId);
  await openFolder(runDir, runId, config, input);
  const lock = await acquireLock(join(runDir, "lock"), { what: `run ${runId}`, place: `runs/${runId}/lock` });
  try {
    return await runLocked(runDir, runId, config, input);
  } finally {
    await lock.release();
  }
}

async function openFolder(
  runDir: string,
  runId: string,
  config: FrozenConfig,
  input: RunInput,
): Promise<void> {
  let found = readRun(runDir, runId);
  if (found === null) {
    await input.verified;
    const fresh = newRun(runId, config, input);
    const ids = input.rows.map((row) => row.id);
    if (await createRunFolder(input.workspace.runsDir, fresh, ids)) return;
    // Somebody was faster, or the folder holds something else.
    found = readRun(runDir, runId);
    if (found === null) {
      throw new UserError(
        `runs/${runId} is there, but holds no run.json. Move it away, or use another --run-id.`,
      );
    }
  }
  assertSameConfig(runId, found.config, config);
}

function newRun(runId: string, config: FrozenConfig, input: RunInput): RunRecord {
  const { model, clock } = input;
  return {
    schema_version: 1,
    id: runId,
    created_at: isoTime(clock.now()),
    completed_at: null,
    status: "running",
    config,
    model: {
      id: model.id,
      label: model.label,
      short_label: model.short_label ?? null,
      vendor: model.vendor ?? null,
      color: model.color ?? null,
    },
    pricing: model.pricing ?? null,
    harness: { version: packageVersion() },
    platform: { os: process.platform, node: process.version },
    executions: [],
  };
}

async function runLocked(
  runDir: string,
  runId: string,
  config: FrozenConfig,
  input: RunInput,
): Promise<RunReport> {
  const { rows, settings, clock, observer } = input;
  // Read again under the lock: another invocation may have ended a moment ago.
  const run = readRun(runDir, runId);
  if (run === null) throw new CheckError(`runs/${runId}/${RUN_FILES.run} went away while the run began`);
  assertSameConfig(runId, run.config, config);
  for (const file of [RUN_FILES.attempts, RUN_FILES.results, RUN_FILES.selection]) {
    await assertFileOrNothing(join(runDir, file), `runs/${runId}/${file}`);
  }
  const states = new RowStates(rows.map((row) => row.id));
  // Asked for now, needed when the calls begin: git answers while the ledgers are read.
  const git = gitState();
  git.catch(() => {});
  const state = await readState(runDir, runId, states, settings.retryErrors);
  // Until here everything was only read.
  await input.verified;
  const repairs: Repair[] = [];
  for (const file of [RUN_FILES.attempts, RUN_FILES.results]) {
    const repair = await repairTail(join(runDir, file), `runs/${runId}/${file}`);
    if (repair !== null) repairs.push(repair);
  }
  await writing(`runs/${runId}/${RUN_FILES.selection}`, () => restoreSelection(runDir, rows, observer));
  const tally = new Tally(state);
  const pending = rows.filter((row) => {
    const status = states.status(row.id);
    return status === undefined || (settings.retryErrors && status !== "ok");
  });
  observer.begin(runId, tally.standing(), pending.length, repairs);
  try {
    if (pending.length === 0) {
      const status = tally.finalStatus();
      // A process that died between its last row and its last word left "running" behind.
      if (run.status !== status) await saveRun(runDir, finished(run, status, clock));
      return { runId, status, left: 0, stopped: null, ...tally.standing() };
    }
    if (settings.maxCostUsd !== null && tally.knownCostUsd >= settings.maxCostUsd) {
      if (run.status === "running") await saveRun(runDir, finished(run, "interrupted", clock));
      const stopped = { why: "cost", message: costMessage(tally, settings.maxCostUsd) } as const;
      return { runId, status: "interrupted", left: pending.length, stopped, ...tally.standing() };
    }
    if (!isDeepStrictEqual(run.pricing, input.model.pricing ?? null)) {
      observer.notice(
        "config/models.json has other prices by now; this run goes on with those that it began with.",
      );
    }
    const before = run.executions.at(-1)?.cli_version ?? null;
    const now = input.provider.commandVersion ?? null;
    if (before !== null && now !== null && before !== now) {
      observer.notice(`the command is version ${now} now; this run was begun with ${before}.`);
    }
    const execution = newExecution(pending.length, input, await git);
    run.executions.push(execution);
    run.status = "running";
    run.completed_at = null;
    await saveRun(runDir, run);
    let stopped: Stop | null;
    try {
      stopped = await execute(runDir, run, pending, execution.id, state, tally, input);
    } catch (error) {
      await saveInterrupted(runDir, run, execution, clock, observer);
      throw error;
    }
    const left = pending.length - tally.added;
    // With --retry-errors every row may have a result, and rows that were to be called are left all the same.
    const status = left > 0 ? "interrupted" : tally.finalStatus();
    execution.ended_at = isoTime(clock.now());
    await saveRun(runDir, finished(run, status, clock));
    return { runId, status, left, stopped: left > 0 ? stopped : null, ...tally.standing() };
  } finally {
    observer.end();
  }
}

/** Says in `run.json` that the run ended early. The ledgers are what counts: a disk that is full may refuse this too. */
async function saveInterrupted(
  runDir: string,
  run: RunRecord,
  execution: Execution,
  clock: Clock,
  observer: RunObserver,
): Promise<void> {
  execution.ended_at = isoTime(clock.now());
  try {
    await saveRun(runDir, finished(run, "interrupted", clock));
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    observer.notice(`${RUN_FILES.run} still says "running": ${error.message}`);
  }
}

function finished(run: RunRecord, status: RunRecord["status"], clock: Clock): RunRecord {
  return { ...run, status, completed_at: status === "interrupted" ? null : isoTime(clock.now()) };
}

/** The configuration froze the digest of these ids, so a file that says otherwise is the one that is wrong. */
async function restoreSelection(
  runDir: string,
  rows: readonly CorpusRow[],
  observer: RunObserver,
): Promise<void> {
  const path = join(runDir, RUN_FILES.selection);
  const ids = rows.map((row) => row.id);
  try {
    if (holds(await readFile(path), selectionPieces(ids))) return;
    observer.notice(`${RUN_FILES.selection} was not the run's own; it is written anew.`);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    observer.notice(`${RUN_FILES.selection} was missing; it is written anew.`);
  }
  await replaceFile(path, [...selectionPieces(ids)].join(""));
}

/** Whether the bytes are exactly these texts one after another. */
function holds(bytes: Buffer, pieces: Iterable<string>): boolean {
  let at = 0;
  for (const piece of pieces) {
    const expected = Buffer.from(piece, "utf8");
    if (!bytes.subarray(at, at + expected.length).equals(expected)) return false;
    at += expected.length;
  }
  return at === bytes.length;
}

function newExecution(pendingRows: number, input: RunInput, git: GitState): Execution {
  const { settings, clock, provider } = input;
  const startedAt = isoTime(clock.now());
  return {
    id: `${startedAt.replace(/[-:]|\.\d+/g, "")}-${randomBytes(3).toString("hex")}`,
    started_at: startedAt,
    ended_at: null,
    git_commit: git.commit,
    git_dirty: git.dirty,
    jobs: settings.jobs,
    timeout_s: settings.timeoutS,
    max_attempts: settings.maxAttempts,
    rpm: settings.rpm,
    retry_errors: settings.retryErrors,
    pending_rows: pendingRows,
    // Only what is run as a command has one.
    ...(provider.commandVersion === undefined ? {} : { cli_version: provider.commandVersion }),
  };
}
