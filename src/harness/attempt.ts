// One row: calls the model, again where the protocol says so, and writes down every call.
import { randomUUID } from "node:crypto";
import { stringifyJson, type Writable } from "../answers/json.ts";
import { cutExactly } from "../answers/text.ts";
import { inputDigest } from "../corpus/input.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { errorMessage } from "../errors.ts";
import type { FinishedEvent, Pricing, StartedEvent } from "../ledgers/schema.ts";
import { costOf } from "../models/prices.ts";
import { type CallOutcome, NO_OUTCOME, type Provider } from "../providers/provider.ts";
import type { Redactor } from "../providers/redact.ts";
import { type Clock, isoTime } from "./clock.ts";
import type { LedgerWriter } from "./ledger.ts";
import type { Pacer } from "./pace.ts";
import type { EarlierAttempts } from "./resume.ts";

/** Waits before the second, third and every later attempt, in ms; up to a quarter is added at random. */
const BACKOFF_MS = [2000, 4000, 8000] as const;
/** A longer wait than this, asked for by a server, ends the row instead. */
const LONGEST_WAIT_MS = 60_000;
/** Longest texts that are kept, in UTF-16 units. DuckDB reads lines of up to 64 MiB; escapes can take six bytes a unit. */
const OUTPUT_LIMIT = 4_000_000;
const TEXT_LIMIT = 2000;
const RAW_LIMIT = 8_000_000;

export interface RowDeps {
  readonly runId: string;
  readonly provider: Provider;
  readonly pricing: Pricing | null;
  readonly redactor: Redactor;
  readonly attempts: LedgerWriter;
  readonly raw: LedgerWriter;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** Aborted: no new call starts, and waits end. */
  readonly stopping: AbortSignal;
  /** Aborted: calls in flight are given up. */
  readonly abort: AbortSignal;
  /** Told about every call that ended, before it is on disk. */
  readonly onAttempt: (event: FinishedEvent) => void;
}

/** What a row came to, ready to be written. */
export interface RowOutcome {
  readonly line: string;
  readonly status: string;
  readonly correct: boolean;
  readonly error: string | null;
  readonly durationMs: number;
}

/**
 * Asks the model about one row until there is a result. Resolves null when the run stopped before: then the row is
 * as unfinished as it was, and its calls stand in `attempts.jsonl`.
 */
export async function runRow(
  row: CorpusRow,
  earlier: EarlierAttempts | undefined,
  deps: RowDeps,
): Promise<RowOutcome | null> {
  const { clock } = deps;
  const begun = clock.steady();
  const startedAt = isoTime(clock.now());
  const events = [...(earlier?.finished.values() ?? [])].sort((a, b) => a.number - b.number);
  let number = earlier?.highest ?? 0;
  let queuedMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const queued = await deps.pacer.turn(deps.stopping);
    queuedMs += queued;
    if (deps.stopping.aborted) return null;
    number += 1;
    const call = await callOnce(row, number, queued, deps);
    if (call === null) return null;
    events.push(call.event);
    const wait = attempt < deps.maxAttempts ? retryWait(call.outcome, attempt, clock) : null;
    if (wait === null) {
      const duration = Math.max(0, clock.steady() - begun - queuedMs);
      return resultOf(row, call, events, startedAt, duration, deps);
    }
    await clock.sleep(wait, deps.stopping);
    if (deps.stopping.aborted) return null;
  }
}

/** How long to wait before the next attempt, in ms; null when there is to be none. */
export function retryWait(outcome: CallOutcome, attempt: number, clock: Clock): number | null {
  if (!outcome.retryable) return null;
  const asked = outcome.retryAfterMs ?? 0;
  if (asked > LONGEST_WAIT_MS) return null;
  const base = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length) - 1] ?? 0;
  return Math.max(asked, base * (1 + clock.random() / 4));
}

interface Call {
  readonly event: FinishedEvent;
  readonly outcome: CallOutcome;
}

async function callOnce(
  row: CorpusRow,
  number: number,
  queuedMs: number,
  deps: RowDeps,
): Promise<Call | null> {
  const { clock } = deps;
  const started: StartedEvent = {
    event: "started",
    attempt_id: randomUUID(),
    run_id: deps.runId,
    row_id: row.id,
    number,
    started_at: isoTime(clock.now()),
  };
  // On record before anything leaves this machine, so that no call can be paid for and forgotten.
  deps.attempts.write(JSON.stringify(started));
  const begun = clock.steady();
  const found = await callSafely(row, deps);
  const durationMs = clock.steady() - begun;
  // A call that was given up has no end: its start stays alone in the ledger, an attempt of unknown cost.
  if (found.status === "incomplete" || (deps.abort.aborted && found.status !== "ok")) return null;
  const outcome = deps.redactor.outcome(found, row);
  const cost = costOf({ ...outcome, pricing: deps.pricing });
  const event: FinishedEvent = {
    ...started,
    event: "finished",
    ended_at: isoTime(clock.now()),
    status: outcome.status,
    error: short(outcome.error),
    duration_ms: durationMs,
    queued_ms: queuedMs,
    provider_duration_ms: outcome.providerDurationMs,
    usage: outcome.usage,
    cost_usd: cost.costUsd,
    cost_basis: cost.basis,
    cost_source: cost.source,
    resolved_model: short(outcome.resolvedModel),
    http_status: outcome.httpStatus,
    images_sent: outcome.imagesSent,
  };
  deps.onAttempt(event);
  // The row's result carries it too, synced; only a call that is to be repeated stands here alone for a while.
  deps.attempts.write(JSON.stringify(event));
  if (outcome.raw !== undefined && outcome.raw !== null) deps.raw.write(rawLine(event, outcome.raw));
  return { event, outcome };
}

async function callSafely(row: CorpusRow, deps: RowDeps): Promise<CallOutcome> {
  try {
    return await deps.provider.call(row, { timeoutMs: deps.timeoutMs, signal: deps.abort });
  } catch (error) {
    // A provider does not reject; if it does all the same, the row must say so and the run must go on.
    return { ...NO_OUTCOME, status: "runner_error", error: errorMessage(error) };
  }
}

/** A short text for a ledger. It was redacted before: a cut through a key would leave a part that nothing recognises. */
function short(text: string | null): string | null {
  return text === null ? null : cutExactly(text, TEXT_LIMIT);
}

function rawLine(event: FinishedEvent, raw: unknown): string {
  const head = { attempt_id: event.attempt_id, row_id: event.row_id, number: event.number };
  const text = JSON.stringify(raw) ?? "null";
  if (text.length <= RAW_LIMIT) return `${JSON.stringify(head).slice(0, -1)},"raw":${text}}`;
  return JSON.stringify({ ...head, raw_truncated: true, raw_text: cutExactly(text, RAW_LIMIT) });
}

function resultOf(
  row: CorpusRow,
  call: Call,
  events: readonly FinishedEvent[],
  startedAt: string,
  durationMs: number,
  deps: RowDeps,
): RowOutcome {
  const { outcome } = call;
  const { answer } = outcome;
  const output = outcome.outputText === null ? null : cutExactly(outcome.outputText, OUTPUT_LIMIT);
  const correct = answer !== null && answer.label === row.question.gold;
  const line = stringifyJson({
    run_id: deps.runId,
    row_id: row.id,
    status: outcome.status,
    error: call.event.error,
    started_at: startedAt,
    ended_at: call.event.ended_at,
    duration_ms: durationMs,
    input_sha256: inputDigest(row),
    answer:
      answer === null
        ? null
        : {
            label: answer.label,
            // A map keeps the shown order whatever the labels look like.
            probabilities: answer.probabilities,
            raw_probability_sum: answer.rawProbabilitySum,
            label_is_argmax: answer.labelIsArgmax,
            probability_source: answer.probabilitySource,
          },
    gold: row.question.gold,
    correct,
    output_text: output,
    output_truncated: output === outcome.outputText ? undefined : true,
    output_wrapper: outcome.outputText === null ? null : outcome.outputWrapper,
    finish_reason: short(outcome.finishReason),
    images_sent: outcome.imagesSent,
    attempts: events as unknown as Writable[],
  });
  return {
    line,
    status: outcome.status,
    correct,
    error: call.event.error,
    durationMs,
  };
}
