// What a line of predictions.jsonl must be beyond its shape: true to the corpus, and consistent with itself.

import { fieldPath } from "../fields.ts";
import { SUM_TOLERANCE } from "../ledgers/published.ts";
import type { Prices } from "../models/prices.ts";
import type { AnswerSource } from "../providers/probability-sources.ts";
import { quoted } from "../quote.ts";
import { checkAttempts } from "./attempt-check.ts";
import type { RowFacts } from "./corpora.ts";
import { publishedError } from "./error-text.ts";
import { MAX_OUTPUT_CHARACTERS } from "./output-text.ts";
import { differs, type Said, unlike } from "./problem.ts";
import { checkSaid, type Reading } from "./said-check.ts";
import { isSameNumber } from "./same-number.ts";
import type { PredictionLine } from "./schema.ts";

/** Takes one problem of a line. */
export type Tell = (field: string, said: Said) => void;

/** How far probabilities may be from adding up to 1: they were divided by their sum. */
const SUM_ULPS = 1e-9;

/** What all lines of a result are held against. */
export interface ResultFacts {
  /** The prices that the result names; null when it names none by which an estimate could be made. */
  readonly pricing: Prices | null;
  /** Whether this program has evaluated the model, and not only brought its result in. */
  readonly isOurs: boolean;
  /** How its answers come; null for a provider that this program does not know. */
  readonly source: AnswerSource | null;
  /** How the model's words are read. */
  readonly reading: Reading;
  /** Whether its pictures are sent; null when the result does not say. */
  readonly vision: boolean | null;
}

/** What a line is held against. */
export interface LineFacts extends ResultFacts {
  /** What the corpus says of the row; null when that is not known. */
  readonly row: RowFacts | null;
}

/** What became of a line. */
export interface CheckedLine {
  /** Whether the warehouse counts it: its probabilities are some. */
  readonly countable: boolean;
  /** Whether its answer was held against the model's own words; true where there is no answer. */
  readonly read: boolean;
}

/** Tells everything that is wrong with a line of the right shape. */
export function checkLine(line: PredictionLine, facts: LineFacts, tell: Tell): CheckedLine {
  const { row } = facts;
  if (row !== null) checkCorpus(line, row, facts, tell);
  const countable = line.probabilities === null || checkProbabilities(line.probabilities, row, tell);
  if (line.status === "ok") checkAnswer(line, facts, tell);
  else checkFailure(line, tell);
  checkLength(line, tell);
  checkAttempts(line, facts, tell);
  const isSaid = line.status === "ok" && row !== null;
  return { countable, read: !isSaid || checkSaid(line, row.question, facts.reading, tell) };
}

function checkCorpus(line: PredictionLine, row: RowFacts, { vision }: LineFacts, tell: Tell): void {
  for (const name of ["task", "category", "gold"] as const) {
    if (line[name] !== row[name]) tell(name, differs(line[name], row[name], "as in the corpus"));
  }
  const sent = line.images_sent ?? 0;
  if (sent > row.pictures) {
    tell("images_sent", unlike(sent, `at most ${row.pictures}, the pictures of the row`));
  } else if (vision === false && sent > 0) {
    tell("images_sent", differs(sent, 0, "the model is sent no pictures"));
  } else if (vision === true && line.status === "ok" && sent < row.pictures) {
    tell("images_sent", differs(sent, row.pictures, "the model is sent all pictures of a row"));
  }
}

/** @returns false when the sum, or one of them, is none that a reader would take for probabilities. */
function checkProbabilities(shares: object, row: RowFacts | null, tell: Tell): boolean {
  let sum = 0;
  let sound = true;
  for (const [label, share] of Object.entries(shares)) {
    const at = (): string => fieldPath(["probabilities", label]);
    if (typeof share !== "number" || !(share >= 0 && share <= 1)) {
      tell(at(), unlike(share, "a number from 0 to 1"));
      sound = false;
    } else sum += share;
    if (row !== null && !row.labels.has(label)) tell(at(), { message: "is not one of the row's options" });
  }
  if (row !== null) {
    for (const label of row.labels) {
      if (Object.hasOwn(shares, label)) continue;
      tell(fieldPath(["probabilities", label]), { message: "is missing: expected one for every option" });
    }
  }
  if (!sound) return false;
  if (Math.abs(sum - 1) <= SUM_ULPS) return true;
  tell("probabilities", unlike(sum, "a sum of 1"));
  return Math.abs(sum - 1) <= SUM_TOLERANCE;
}

function checkAnswer(line: PredictionLine, { row, source }: LineFacts, tell: Tell): void {
  const { answer, probabilities, confidence, correct } = line;
  if (line.error !== null) tell("error", differs(line.error, null, "the row is ok"));
  const right = answer !== null && answer === (row?.gold ?? line.gold);
  if (correct !== right) {
    const verdict =
      answer === null ? "there is no answer" : `the answer is ${right ? "" : "not "}the right one`;
    tell("correct", differs(correct, right, verdict));
  }
  checkSource(line, source, tell);
  if (answer === null) {
    // Only a native provider may answer with no choice.
    if (source !== null && source !== "native") tell("answer", unlike(null, "one of the row's options"));
    if (probabilities !== null) tell("probabilities", differs(probabilities, null, "there is no answer"));
    if (confidence !== null) tell("confidence", differs(confidence, null, "there is no answer"));
    return;
  }
  if (row !== null && !row.labels.has(answer)) {
    tell("answer", unlike(answer, "one of the row's options"));
  }
  const own = probabilities !== null && Object.hasOwn(probabilities, answer) ? probabilities[answer] : null;
  const sure = typeof own === "number" ? own : null;
  if (sure === null ? confidence !== null : confidence === null || !isSameNumber(confidence, sure)) {
    tell("confidence", differs(confidence, sure, "the probability of the answer"));
  }
}

/** Where the probabilities come from. Only results that this program brought in may have labels alone, or not say it. */
function checkSource(
  { probability_source: found, probabilities, answer }: PredictionLine,
  source: LineFacts["source"],
  tell: Tell,
): void {
  if (found == null) return;
  if (found === "label-only") {
    if (probabilities !== null) tell("probability_source", unlike(found, "the source of the probabilities"));
  } else if (source !== null && found !== source) {
    tell("probability_source", differs(found, source, "as this provider's models answer"));
  } else if (probabilities === null && answer !== null) {
    tell("probabilities", unlike(null, "one for every option", `the source is ${found}`));
  }
}

function checkFailure(line: PredictionLine, tell: Tell): void {
  const because = "the row is not ok";
  for (const name of ["answer", "probabilities", "confidence"] as const) {
    if (line[name] !== null) tell(name, differs(line[name], null, because));
  }
  if (line.correct) tell("correct", differs(true, false, because));
  if ((line.output_text ?? null) !== null) {
    tell("output_text", { message: "is published of a row that is not ok: only rows that are ok have it" });
  }
  const expected = publishedError(line.status);
  // A row of which no call ever finished has nothing that went wrong, or something that nobody saw.
  const allowed = expected === null ? [null, publishedError("")] : [expected];
  if (allowed.includes(line.error)) return;
  tell("error", differs(line.error, expected, `status ${quoted(line.status)}`));
}

function checkLength(line: PredictionLine, tell: Tell): void {
  const text = line.output_text ?? "";
  const truncated = line.output_truncated ?? false;
  // A character has one UTF-16 unit or two.
  if (!truncated && text.length <= MAX_OUTPUT_CHARACTERS) return;
  let characters = 0;
  for (const _ of text) characters += 1;
  if (characters > MAX_OUTPUT_CHARACTERS) {
    tell("output_text", unlike(characters, `at most ${MAX_OUTPUT_CHARACTERS} characters`));
  } else if (truncated && characters < MAX_OUTPUT_CHARACTERS) {
    tell("output_truncated", differs(true, false, `the text has ${characters} characters`));
  }
}
