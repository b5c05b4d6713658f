// Reads a run folder without a line of the program under test, and says what in it breaks the promises of the ledgers. It
// reads every byte at once: what it is for are runs of some hundred rows.
import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { checkCalls, type Rule } from "./calls.ts";

/** What was broken: a record that is gone, one that is there twice, two on one line, or anything else. */
export interface Breach {
  readonly kind: "lost" | "doubled" | "glued" | "wrong";
  readonly text: string;
}

export type Entry = Readonly<Record<string, unknown>>;

/** A row of the corpus as the judge itself reads it. */
export interface Truth {
  readonly gold: string;
  readonly labels: readonly string[];
}

/** The rows of a corpus file, in order. */
export function readTruth(casesFile: string): Map<string, Truth> {
  const rows = new Map<string, Truth>();
  for (const line of readFileSync(casesFile, "utf8").trimEnd().split("\n")) {
    const row = JSON.parse(line);
    const [question] = row.questions;
    rows.set(row.id, { gold: question.gold, labels: Object.keys(question.options) });
  }
  return rows;
}

export interface Judged {
  readonly breaches: readonly Breach[];
  /** Latest results by status, and attempts by status; `incomplete` never ended. What `bench sql` has to count as well. */
  readonly answers: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<string, number>>;
  readonly status: string;
}

const LEDGERS = ["selection.jsonl", "attempts.jsonl", "results.jsonl"] as const;
const TIME = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Judges a run that has come to its end. `truth` are the rows that it selected. */
export function judge(folder: string, truth: ReadonlyMap<string, Truth>, rule: Rule): Judged {
  const breaches: Breach[] = [];
  const say = (kind: Breach["kind"], text: string): void => void breaches.push({ kind, text });
  const [selection, attempts, results] = LEDGERS.map((name) => readLines(folder, name, say));
  const rawFiles = existsSync(join(folder, "raw")) ? readdirSync(join(folder, "raw")) : [];
  const raw = rawFiles.flatMap((name) => readLines(folder, `raw/${name}`, say, rule.killed));
  if (selection === undefined || attempts === undefined || results === undefined)
    throw new Error("no ledger");

  const chosen = selection.map((entry) => String(entry.row_id));
  if (!isDeepStrictEqual(chosen, [...truth.keys()])) say("wrong", "selection.jsonl is not the selection");
  const runId = folder.split("/").at(-1);
  for (const entry of [...attempts, ...results]) {
    if (entry.run_id !== runId) say("wrong", `a record of run ${entry.run_id}`);
    if (!truth.has(String(entry.row_id)))
      say("wrong", `a record of row ${entry.row_id}, which is not selected`);
    checkFigures(entry, rule, say);
  }

  const union = unionOf(attempts, results, say);
  for (const [row, events] of union) checkNumbers(row, attempts, events, say);
  const latest = latestOf(results, rule, say);
  for (const [row, { gold, labels }] of truth) {
    const result = latest.get(row);
    if (result !== undefined) checkResult(result, gold, labels, union.get(row) ?? [], say);
    else if (!rule.isOpen) say("lost", `${row} has no result`);
  }
  checkRaw(raw, union, rule, say);
  checkCalls(union, rule, say);
  const status = checkRun(folder, latest, truth, rule, say);
  checkLeftovers(folder, rule, say);

  const starts = attempts.filter((event) => event.event === "started");
  const ended = [...union.values()].flat();
  const endedIds = new Set(ended.map((event) => event.attempt_id));
  const open = starts.filter((event) => !endedIds.has(event.attempt_id));
  if (!rule.killed && open.length > 0) say("lost", `${open.length} calls have no end`);
  return {
    breaches,
    answers: countBy([...latest.values()].map((result) => String(result.status))),
    attempts: countBy([...ended.map((event) => String(event.status)), ...open.map(() => "incomplete")]),
    status,
  };
}

export type Say = (kind: Breach["kind"], text: string) => void;

/** The records of a ledger that has ended well: UTF-8, a line feed behind every record, one object a line. */
function readLines(folder: string, name: string, say: Say, mayBeTorn = false): Entry[] {
  const path = join(folder, name);
  if (!existsSync(path)) {
    say("lost", `${name} is not there`);
    return [];
  }
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(10) + 1;
  if (end !== bytes.length && !mayBeTorn) say("wrong", `${name} ends in the middle of a record`);
  const whole = bytes.subarray(0, end);
  if (!isUtf8(whole)) say("wrong", `${name} is not UTF-8`);
  const lines = end === 0 ? [] : whole.toString("utf8", 0, end - 1).split("\n");
  return lines.flatMap((line, at) => {
    const entry = readEntry(line);
    if (typeof entry !== "string") return [entry];
    say(entry === "glued" ? "glued" : "wrong", `${name}:${at + 1} ${entry}: ${line.slice(0, 200)}`);
    return [];
  });
}

/** One object, or what is wrong with the line. */
export function readEntry(line: string): Entry | string {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return /.\{"(?:run_id|event|row_id|attempt_id)":/.test(line) ? "glued" : "is not JSON";
  }
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return "is no object";
  if (!isWellFormed(entry)) return "holds half a surrogate pair";
  // Two halves of records can be JSON together only with a key that stands twice, which does not come out as it went in.
  return JSON.stringify(entry) === line ? (entry as Entry) : "glued";
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item));
}

/** Every time can be read, and every duration is one. */
function checkFigures(entry: Entry, rule: Rule, say: Say): void {
  const id = entry.attempt_id ?? entry.row_id;
  for (const name of ["started_at", "ended_at"]) {
    const time = entry[name];
    if (time === undefined && entry.event === "started" && name === "ended_at") continue;
    if (typeof time !== "string" || !TIME.test(time) || Number.isNaN(Date.parse(time))) {
      say("wrong", `${id}: ${name} is ${time}`);
    }
  }
  for (const name of ["duration_ms", "queued_ms"]) {
    const ms = entry[name];
    if (ms === undefined && (entry.event === "started" || name === "queued_ms")) continue;
    if (typeof ms !== "number" || !Number.isFinite(ms) || ms < 0 || ms > rule.longestMs) {
      say("wrong", `${id}: ${name} is ${ms}`);
    }
  }
}

/** The finished attempts of every row in both ledgers, by number; where both have one they have to be alike. */
function unionOf(attempts: readonly Entry[], results: readonly Entry[], say: Say): Map<string, Entry[]> {
  const starts = new Map<unknown, Entry>();
  const ends = new Map<unknown, Entry>();
  for (const event of attempts) {
    const known = event.event === "started" ? starts : ends;
    if (event.event !== "started" && event.event !== "finished") say("wrong", `event ${event.event}`);
    if (known.has(event.attempt_id)) say("doubled", `${event.event} ${event.attempt_id}`);
    known.set(event.attempt_id, event);
  }
  for (const result of results) {
    const listed = result.attempts as readonly Entry[];
    if (new Set(listed.map((event) => event.attempt_id)).size !== listed.length) {
      say("doubled", `the result of ${result.row_id} names an attempt twice`);
    }
    for (const event of listed) {
      const known = ends.get(event.attempt_id) ?? event;
      if (!isDeepStrictEqual(known, event)) say("wrong", `two ends of ${event.attempt_id}`);
      if (event.row_id !== result.row_id)
        say("wrong", `${result.row_id} names an attempt of ${event.row_id}`);
      ends.set(event.attempt_id, event);
    }
  }
  const rows = new Map<string, Entry[]>();
  for (const event of ends.values()) {
    const start = starts.get(event.attempt_id);
    const isSame = (["run_id", "row_id", "number", "started_at"] as const).every(
      (name) => start?.[name] === event[name],
    );
    if (start === undefined) say("lost", `${event.attempt_id} has an end and no start`);
    else if (!isSame) say("wrong", `${event.attempt_id} ends as another one than it began`);
    const row = String(event.row_id);
    rows.set(row, [...(rows.get(row) ?? []), event]);
  }
  for (const events of rows.values()) events.sort((a, b) => Number(a.number) - Number(b.number));
  return rows;
}

/** The calls for a row count on from 1. */
function checkNumbers(row: string, attempts: readonly Entry[], events: readonly Entry[], say: Say): void {
  const numbers = attempts
    .filter((event) => event.event === "started" && event.row_id === row)
    .map((event) => event.number);
  if (
    !isDeepStrictEqual(
      numbers,
      Array.from(numbers, (_, at) => at + 1),
    )
  ) {
    say("wrong", `${row} counts its calls ${numbers.join(", ")} (${events.length} have ended)`);
  }
}

function latestOf(results: readonly Entry[], rule: Rule, say: Say): Map<string, Entry> {
  const latest = new Map<string, Entry>();
  for (const result of results) {
    const row = String(result.row_id);
    const before = latest.get(row);
    if (before !== undefined && (!rule.retriesErrors || before.status === "ok")) {
      say("doubled", `${row} has another result`);
    }
    latest.set(row, result);
  }
  return latest;
}

function checkResult(
  result: Entry,
  gold: string,
  labels: readonly string[],
  events: readonly Entry[],
  say: Say,
): void {
  const row = result.row_id;
  const answer = result.answer as { label: string; probabilities: Record<string, number> } | null;
  if (!isDeepStrictEqual(result.attempts, events)) {
    const listed = (result.attempts as readonly Entry[]).length;
    say("lost", `the result of ${row} names ${listed} of ${events.length} attempts`);
  }
  if (result.status !== events.at(-1)?.status)
    say("wrong", `${row} is ${result.status}, its last call is not`);
  if (result.gold !== gold) say("wrong", `${row}: gold ${result.gold}`);
  if (result.correct !== (answer?.label === gold)) say("wrong", `${row}: correct is ${result.correct}`);
  if ((result.status === "ok") !== (answer !== null)) say("wrong", `${row}: ${result.status} and its answer`);
  if ((result.status === "ok") !== (result.error === null))
    say("wrong", `${row}: ${result.status} and its error`);
  if (answer === null) return;
  const shares = Object.values(answer.probabilities);
  const sum = shares.reduce((total, share) => total + share, 0);
  if (!labels.includes(answer.label) || Math.abs(sum - 1) > 1e-9) say("wrong", `${row}: its answer`);
  if (!isDeepStrictEqual(Object.keys(answer.probabilities).sort(), [...labels].sort())) {
    say("wrong", `${row}: its options`);
  }
}

/** What came back is kept once a call, and for no call that did not end. */
function checkRaw(raw: readonly Entry[], union: ReadonlyMap<string, Entry[]>, rule: Rule, say: Say): void {
  const ids = raw.map((entry) => entry.attempt_id);
  if (new Set(ids).size !== ids.length) say("doubled", "raw/ has an attempt twice");
  const ended = new Set([...union.values()].flat().map((event) => event.attempt_id));
  // A power cut may take the end of a call and leave its raw answer, which is another file.
  if (!rule.cut) for (const id of ids) if (!ended.has(id)) say("wrong", `raw/ has ${id}, which has no end`);
  if (rule.killed) return;
  const kept = new Set(ids);
  for (const event of [...union.values()].flat()) {
    const isKept = kept.has(event.attempt_id);
    if (event.http_status !== null && !isKept) say("lost", `raw/ has nothing of ${event.attempt_id}`);
  }
}

function checkRun(
  folder: string,
  latest: ReadonlyMap<string, Entry>,
  truth: ReadonlyMap<string, Truth>,
  rule: Rule,
  say: Say,
): string {
  const run = JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));
  const isClean = [...latest.values()].every((result) => result.status === "ok");
  const due = latest.size < truth.size ? "interrupted" : isClean ? "completed" : "completed_with_errors";
  if (run.status !== due) say("wrong", `run.json says ${run.status}, and it is ${due}`);
  if ((run.completed_at !== null) !== (due !== "interrupted"))
    say("wrong", `completed_at ${run.completed_at}`);
  const open = run.executions.filter((execution: Entry) => execution.ended_at === null).length;
  if (open > 0 && !rule.killed) say("wrong", `${open} executions have no end`);
  return run.status;
}

/** A clean end leaves no lock that is held and, where nobody was killed, nothing half made. */
function checkLeftovers(folder: string, rule: Rule, say: Say): void {
  const locks = readdirSync(join(folder, "lock"));
  const numbers = locks.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
  const newest = join(folder, "lock", `${Math.max(...numbers)}.json`);
  if (JSON.parse(readFileSync(newest, "utf8")).released !== true) say("wrong", "the lock is held");
  if (numbers.length > 1) say("wrong", `${numbers.length} locks`);
  if (rule.killed) return;
  const drafts = [
    ...locks.filter((name) => !/^\d+\.json$/.test(name)),
    ...hidden(folder),
    ...hidden(join(folder, "..")),
  ];
  if (drafts.length > 0) say("wrong", `left behind: ${drafts.join(", ")}`);
}

function hidden(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith(".") || name.endsWith(".tmp"));
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
