// Holds what the ledgers say of every call against what the endpoint knows that it did. The other half of the judge: nothing
// here knows the program under test either.
import type { Entry, Say } from "./judge.ts";

/** What a call is to come to. */
export interface Due {
  readonly status: string;
  /** Undefined where a reset may overtake what was sent before it. */
  readonly httpStatus: number | null | undefined;
  /** Whether another attempt may follow. */
  readonly retried: boolean;
  /** Whether the answer carries its number where the ledgers keep it, as the count of its input tokens. */
  readonly marked: boolean;
  /** The endpoint never ends it: the time limit has to. */
  readonly stalls?: boolean;
}

/** A request that reached the endpoint. */
export interface Asked {
  /** Counts all requests of the endpoint, from 1. */
  readonly serial: number;
  readonly row: string;
  /** Which process asked. */
  readonly process: number;
  readonly due: Due;
}

/** What the judge has to know of how a run was made. */
export interface Rule {
  /** A process of it was ended without a word: calls may have no end. */
  readonly killed: boolean;
  /** It was asked to end before its last row: rows may have no result. */
  readonly isOpen: boolean;
  /** Ledgers lost their last records, as in a power cut. */
  readonly cut: boolean;
  /** Processes ran with `--retry-errors`. */
  readonly retriesErrors: boolean;
  /** The requests of this run in order; null where the endpoint is not to be heard. */
  readonly asked: readonly Asked[] | null;
  /** `--max-attempts`. */
  readonly maxAttempts: number;
  /** `--timeout`, in ms: a call of that length may have ended at it, whatever the endpoint did. */
  readonly timeoutMs: number;
  /** Other calls than those that stall may end at that limit, too: the process is held. */
  readonly mayBeLate: boolean;
  /** No duration may be longer, in ms. */
  readonly longestMs: number;
  /** Calls that ended before they reached the endpoint have this status; null: there are none. */
  readonly unsent: string | null;
}

/** Every ended call is one request's, with the status that the request was given; none is on record twice, or missing. */
export function checkCalls(union: ReadonlyMap<string, readonly Entry[]>, rule: Rule, say: Say): void {
  if (rule.asked === null) return;
  const byRow = new Map<string, Asked[]>();
  for (const asked of rule.asked) byRow.set(asked.row, [...(byRow.get(asked.row) ?? []), asked]);
  for (const [row, asked] of byRow) {
    const sent = (union.get(row) ?? []).filter((event) => !isUnsent(event, rule));
    const late = match(row, asked, sent, rule, say);
    checkRetries(row, asked, late, rule, say);
  }
  for (const [row, events] of union) {
    if (!byRow.has(row) && events.some((event) => !isUnsent(event, rule))) {
      say("wrong", `${row} has calls that never reached the endpoint`);
    }
  }
}

function isUnsent(event: Entry, { unsent }: Rule): boolean {
  return unsent !== null && event.status === unsent && event.http_status === null;
}

/**
 * The ended calls of a row are its requests, in order; of a process that was killed some have no end. Gives the requests whose
 * calls ended at the time limit.
 */
function match(
  row: string,
  asked: readonly Asked[],
  events: readonly Entry[],
  rule: Rule,
  say: Say,
): ReadonlySet<number> {
  const late = new Set<number>();
  let next = 0;
  for (const event of events) {
    const isLate = isTimeout(event, rule);
    const at = asked.findIndex(
      (one, index) => index >= next && (isLate || isDue(event, one.due, one.serial)),
    );
    if (at < 0) {
      const twice = asked.slice(0, next).some(({ due, serial }) => due.marked && isDue(event, due, serial));
      const { input_tokens: mark } = event.usage as { input_tokens: number | null };
      const listed = asked.slice(next).map(({ serial, due }) => `${serial} ${due.status} ${due.httpStatus}`);
      say(
        twice ? "doubled" : "wrong",
        `${row}: call ${event.number} ended ${event.status} (HTTP ${event.http_status}, answer ${mark}, ${event.error}), due: ${listed.join("; ")}`,
      );
      return late;
    }
    if (!rule.killed && at !== next) say("lost", `${row}: request ${asked[next]?.serial} is not on record`);
    if (isLate !== (asked[at]?.due.stalls === true) && !rule.mayBeLate) {
      say(
        "wrong",
        `${row}: request ${asked[at]?.serial} (${asked[at]?.due.status}) ended ${isLate ? "" : "before "}the time limit`,
      );
    }
    if (isLate) late.add(asked[at]?.serial ?? 0);
    next = at + 1;
  }
  if (!rule.killed && next < asked.length)
    say("lost", `${row}: request ${asked[next]?.serial} is not on record`);
  return late;
}

function isDue(event: Entry, due: Due, serial: number): boolean {
  const { input_tokens: mark } = event.usage as { input_tokens: number | null };
  if (mark !== (due.marked ? serial : null) || event.status !== due.status) return false;
  return due.httpStatus === undefined || event.http_status === due.httpStatus;
}

function isTimeout(event: Entry, { timeoutMs }: Rule): boolean {
  return (
    event.status === "transport_error" &&
    /^no complete answer within/.test(String(event.error)) &&
    // A timer may be a millisecond early.
    Number(event.duration_ms) >= timeoutMs - 2
  );
}

/** A process repeats a call only where it may, and as often as it may. */
function checkRetries(
  row: string,
  asked: readonly Asked[],
  late: ReadonlySet<number>,
  rule: Rule,
  say: Say,
): void {
  const byProcess = new Map<number, Asked[]>();
  for (const one of asked) byProcess.set(one.process, [...(byProcess.get(one.process) ?? []), one]);
  for (const calls of byProcess.values()) {
    const last = calls.at(-1);
    if (calls.length > rule.maxAttempts)
      say("doubled", `${row} was called ${calls.length} times by one process`);
    for (const { serial, due } of calls.slice(0, -1)) {
      if (!due.retried && !late.has(serial))
        say("doubled", `${row}: request ${serial} (${due.status}) was repeated`);
    }
    const isShort = last?.due.retried === true && calls.length < rule.maxAttempts;
    if (isShort && !rule.killed && !rule.isOpen && rule.unsent === null) {
      say("lost", `${row}: request ${last.serial} (${last.due.status}) was not repeated`);
    }
  }
}
