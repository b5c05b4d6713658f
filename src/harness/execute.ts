// Keeps a number of calls in flight, writes each row down as it ends, and decides when no new call may start.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Corpus } from "../corpus/load.ts";
import { wholeRow } from "../corpus/row-file.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { type FinishedEvent, RUN_FILES, type RunRecord } from "../ledgers/schema.ts";
import type { ModelConfig } from "../models/schema.ts";
import type { Provider } from "../providers/provider.ts";
import type { Redactor } from "../providers/redact.ts";
import type { Workspace } from "../workspace.ts";
import { runRow } from "./attempt.ts";
import type { Clock } from "./clock.ts";
import type { Repair } from "./folder.ts";
import { LedgerWriter, unwritable } from "./ledger.ts";
import { Pacer } from "./pace.ts";
import type { RunState } from "./resume.ts";
import type { Standing, Tally } from "./standing.ts";

/** So many rows in a row with one and the same failure end a run, unless it is told to keep going. */
export const FAILURES_IN_A_ROW = 20;
/** What calls in flight are given when a person stops the run, in ms. */
const GRACE_MS = 10_000;

export interface RunSettings {
  readonly jobs: number;
  readonly timeoutS: number;
  readonly maxAttempts: number;
  readonly rpm: number | null;
  readonly retryErrors: boolean;
  readonly maxCostUsd: number | null;
  readonly keepGoing: boolean;
}

export interface RunInput {
  readonly workspace: Workspace;
  readonly corpus: Corpus;
  /** Resolves when the corpus is known to be the frozen one; nothing is written or called before. */
  readonly verified: Promise<unknown>;
  readonly rows: readonly CorpusRow[];
  readonly model: ModelConfig;
  readonly apiModel: string;
  readonly provider: Provider;
  readonly redactor: Redactor;
  readonly runId: string | undefined;
  readonly settings: RunSettings;
  readonly clock: Clock;
  /** The person asks the run to end. */
  readonly interrupt: AbortSignal;
  readonly observer: RunObserver;
}

export interface RowNote extends Standing {
  readonly rowId: string;
  readonly status: string;
  readonly isCorrect: boolean;
  readonly error: string | null;
  readonly durationMs: number;
}

/** What a run tells while it works; all of it is for people. */
export interface RunObserver {
  begin(runId: string, standing: Standing, pending: number, repairs: readonly Repair[]): void;
  row(note: RowNote): void;
  notice(message: string): void;
  end(): void;
}

/** Why a run ended before its last row. */
export interface Stop {
  readonly why: "interrupted" | "failures" | "cost";
  readonly message: string;
}

/** Calls the model for every pending row. Resolves with why it stopped early, if it did. */
export async function execute(
  runDir: string,
  run: Pick<RunRecord, "id" | "pricing">,
  pending: readonly CorpusRow[],
  executionId: string,
  state: RunState,
  tally: Tally,
  input: RunInput,
): Promise<Stop | null> {
  const { settings, clock, observer } = input;
  const runId = run.id;
  const stopping = new AbortController();
  const giveUp = new AbortController();
  let stopped: Stop | null = null;
  const stop = (reason: Stop): void => {
    if (stopped !== null) return;
    stopped = reason;
    stopping.abort();
  };
  let grace: NodeJS.Timeout | undefined;
  const onInterrupt = (): void => {
    stop({ why: "interrupted", message: "interrupted" });
    observer.notice(`stopping: calls in flight have ${GRACE_MS / 1000} s to finish (again to end at once)`);
    grace = setTimeout(() => giveUp.abort(), GRACE_MS);
  };
  if (input.interrupt.aborted) onInterrupt();
  else input.interrupt.addEventListener("abort", onInterrupt, { once: true });

  const writers: LedgerWriter[] = [];
  const openWriter = async (file: string): Promise<LedgerWriter> => {
    const writer = await LedgerWriter.open(join(runDir, file), `runs/${runId}/${file}`);
    writers.push(writer);
    return writer;
  };
  try {
    await makeRawFolder(runDir, runId);
    const attempts = await openWriter(RUN_FILES.attempts);
    const results = await openWriter(RUN_FILES.results);
    const raw = await openWriter(`${RUN_FILES.raw}/${executionId}.jsonl`);
    const deps = {
      runId,
      provider: input.provider,
      // One run, one price list: a result names the prices that all its estimates were made with.
      pricing: run.pricing,
      redactor: input.redactor,
      attempts,
      raw,
      pacer: new Pacer(settings.rpm, clock),
      clock,
      timeoutMs: settings.timeoutS * 1000,
      maxAttempts: settings.maxAttempts,
      stopping: stopping.signal,
      abort: giveUp.signal,
      onAttempt: (event: FinishedEvent): void => {
        tally.addCost(event.cost_usd);
        const limit = settings.maxCostUsd;
        if (limit !== null && tally.knownCostUsd >= limit)
          stop({ why: "cost", message: costMessage(tally, limit) });
      },
    };
    let next = 0;
    const worker = async (): Promise<void> => {
      // The next row may begin while this one's line is on its way to the disk; it counts only when it is there.
      let written: Promise<void> = Promise.resolve();
      while (!stopping.signal.aborted) {
        const place = pending[next];
        if (place === undefined) break;
        next += 1;
        const row = wholeRow(place);
        const outcome = await runRow(row, state.earlier.get(row.id), deps);
        await written;
        if (outcome === null) break;
        written = results.append(outcome.line).then(() => {
          tally.addRow(row.id, outcome.status, outcome.correct);
          observer.row({
            rowId: row.id,
            status: outcome.status,
            isCorrect: outcome.correct,
            error: outcome.error,
            durationMs: outcome.durationMs,
            ...tally.standing(),
          });
          if (!settings.keepGoing && tally.failuresInARow >= FAILURES_IN_A_ROW) {
            stop({
              why: "failures",
              message: `${FAILURES_IN_A_ROW} rows in a row ended with ${outcome.status}${outcome.error === null ? "" : ` (${outcome.error})`}`,
            });
          }
        });
        // Whoever waits for it later gets the error; until then it is not an unhandled one.
        written.catch(() => {});
      }
      await written;
    };
    const workers = Array.from({ length: Math.min(settings.jobs, pending.length) }, () =>
      worker().catch((error: unknown) => {
        // A ledger that cannot be written: no call may go on that could not be recorded.
        stopping.abort();
        giveUp.abort();
        throw error;
      }),
    );
    const ends = await Promise.allSettled(workers);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return stopped;
  } finally {
    clearTimeout(grace);
    input.interrupt.removeEventListener("abort", onInterrupt);
    await closeAll(writers);
  }
}

/** An archive or git leaves an empty folder out, and a person may have deleted it to save space. */
async function makeRawFolder(runDir: string, runId: string): Promise<void> {
  try {
    await mkdir(join(runDir, RUN_FILES.raw), { recursive: true });
  } catch (error) {
    throw unwritable(`runs/${runId}/${RUN_FILES.raw}`, error);
  }
}

async function closeAll(writers: readonly LedgerWriter[]): Promise<void> {
  const ends = await Promise.allSettled(writers.map((writer) => writer.close()));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Why a run stops at `--max-cost`; `limit` in USD. */
export function costMessage(tally: Tally, limit: number): string {
  return `the known cost of ${tally.knownCostUsd.toFixed(4)} USD has reached --max-cost ${limit}`;
}
