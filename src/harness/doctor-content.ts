// What a whole record says that cannot be true: another right answer than the corpus has, shares that are none, calls of
// another row. Readers count such a line, so it is told and never moved: the answer in it was paid for.
import { inputDigest } from "../corpus/input.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { SUM_TOLERANCE } from "../ledgers/published.ts";
import type { FinishedEvent, ResultRecord, StartedEvent } from "../ledgers/schema.ts";
import { quoted } from "../quote.ts";

/** Takes one falsehood: where in the record, and what was found and expected. */
export type Tell = (field: string, message: string) => void;

/** How far a label's share may be below the largest one and still be one of the most probable. */
const TIE = 1e-9;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Tells every field of a result that contradicts the row of the corpus (if there is one) or another field. */
export function checkResult(record: ResultRecord, row: CorpusRow | undefined, tell: Tell): void {
  const { status, answer, gold, correct } = record;
  checkTimes(record, ["started_at", "ended_at"], tell);
  if (row !== undefined) {
    if (gold !== row.question.gold)
      tell("gold", `is ${quoted(gold)}, the corpus says ${quoted(row.question.gold)}`);
    if (record.input_sha256 !== inputDigest(row)) {
      tell("input_sha256", "is not the digest of what the row shows: the model was asked something else");
    }
    if (record.images_sent > row.assets.length) {
      tell("images_sent", `is ${record.images_sent}, the row has ${row.assets.length} pictures`);
    }
  }
  const right = status === "ok" && answer !== null && answer.label === gold;
  if (correct !== right) {
    const label = answer?.label == null ? "there is no answer" : `the label is ${quoted(answer.label)}`;
    tell("correct", `is ${correct}, but ${label}, gold is ${quoted(gold)} and status ${quoted(status)}`);
  }
  if (status === "ok" && answer === null) tell("answer", "is null, expected an answer with the status ok");
  if (status !== "ok" && answer !== null)
    tell("answer", `is there, expected null with the status ${quoted(status)}`);
  if (answer !== null) checkAnswer(answer, row, tell);
  checkCalls(record, tell);
}

function checkAnswer(
  answer: NonNullable<ResultRecord["answer"]>,
  row: CorpusRow | undefined,
  tell: Tell,
): void {
  const { label, probabilities } = answer;
  const labels = row?.question.options.map((option) => option.label);
  if (label !== null && labels?.includes(label) === false) {
    tell("answer.label", `is ${quoted(label)}, which is no option of the row`);
  }
  if (probabilities === null) return;
  // A label may be called __proto__.
  const shares = new Map(Object.entries(probabilities));
  const strange = labels === undefined ? [] : [...shares.keys()].filter((name) => !labels.includes(name));
  const missing = labels?.filter((name) => !shares.has(name)) ?? [];
  if (strange.length > 0)
    tell("answer.probabilities", `has ${names(strange)}, which the row has no option for`);
  if (missing.length > 0) tell("answer.probabilities", `has no share for ${names(missing)}`);
  const all = [...shares.values()];
  const sum = all.reduce((total, share) => total + share, 0);
  if (Math.abs(sum - 1) > SUM_TOLERANCE) tell("answer.probabilities", `add up to ${sum}, expected 1`);
  const own = label === null ? undefined : shares.get(label);
  if (label !== null && labels === undefined && own === undefined) {
    tell("answer.label", `is ${quoted(label)}, which has no share`);
  }
  if (own === undefined || answer.label_is_argmax === null) return;
  const isArgmax = own >= Math.max(...all) - TIE;
  if (answer.label_is_argmax !== isArgmax) {
    tell("answer.label_is_argmax", `is ${answer.label_is_argmax}, the probabilities say ${isArgmax}`);
  }
}

function names(labels: readonly string[]): string {
  const shown = labels.slice(0, 5).map((label) => quoted(label, 40));
  return `${shown.join(", ")}${labels.length > shown.length ? ", …" : ""}`;
}

/** The calls of a row, in the order of their numbers; the last one is the one that ended it. */
function checkCalls(record: ResultRecord, tell: Tell): void {
  const ids = new Set<string>();
  let before = 0;
  for (const [index, event] of record.attempts.entries()) {
    const at = (field: string): string => `attempts[${index}]${field === "" ? "" : `.${field}`}`;
    if (event.run_id !== record.run_id) {
      tell(at("run_id"), `is ${quoted(event.run_id)}, the result is of run ${quoted(record.run_id)}`);
    }
    if (event.row_id !== record.row_id) {
      tell(at("row_id"), `is ${quoted(event.row_id)}, the result is of row ${quoted(record.row_id)}`);
    }
    if (ids.has(event.attempt_id)) tell(at("attempt_id"), `${quoted(event.attempt_id)} stands here twice`);
    ids.add(event.attempt_id);
    if (event.number <= before)
      tell(at("number"), `is ${event.number}, expected more than ${before}: numbers rise`);
    before = event.number;
    checkEvent(event, (field, message) => tell(at(field), message));
  }
  const last = record.attempts.at(-1);
  if (last === undefined) tell("attempts", "is empty, expected the call that ended the row");
  else if (last.status !== record.status) {
    tell("status", `is ${quoted(record.status)}, the row's last call ended with ${quoted(last.status)}`);
  }
}

/** Tells every field of an attempt that cannot be true by itself. */
export function checkEvent(event: StartedEvent | FinishedEvent, tell: Tell): void {
  if (event.number < 1) tell("number", `is ${event.number}, numbers begin with 1`);
  checkTimes(event, ["started_at", "ended_at"], tell);
  if (event.event === "started") return;
  const { cost_usd: cost, cost_basis: basis } = event;
  if (cost !== null && cost < 0) tell("cost_usd", `is ${cost}, expected nothing below 0`);
  if ((cost === null) !== (basis === "unavailable"))
    tell("cost_basis", `is ${quoted(basis)} with a cost of ${cost}`);
}

function checkTimes(record: object, fields: readonly string[], tell: Tell): void {
  for (const field of fields) {
    const value = (record as Readonly<Record<string, unknown>>)[field];
    if (typeof value === "string" && !TIME.test(value)) {
      tell(field, `is ${quoted(value)}, expected a time such as 2026-01-31T12:00:00.000Z`);
    }
  }
}
