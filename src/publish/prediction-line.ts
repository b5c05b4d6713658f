// What a line of predictions.jsonl must be beyond its shape: true to the corpus, and consistent with itself.
import { parseAnswer } from "../answers/parse.ts";
import { fieldPath } from "../fields.ts";
import { SUM_TOLERANCE } from "../ledgers/published.ts";
import { estimatedCost, type Prices } from "../models/prices.ts";
import { quoted } from "../quote.ts";
import type { RowFacts } from "./corpora.ts";
import { publishedError } from "./error-text.ts";
import { MAX_OUTPUT_CHARACTERS } from "./output-text.ts";
import { differs, type Said, unlike } from "./problem.ts";
import { isSameNumber } from "./same-number.ts";
import type { PredictionLine } from "./schema.ts";

/** Takes one problem of a line. */
export type Tell = (field: string, said: Said) => void;

type Attempt = PredictionLine["attempts"][number];
const TOKENS = ["input", "output", "cached_input", "reasoning_output"] as const;

/** How far probabilities may be from adding up to 1: they were divided by their sum. */
const SUM_ULPS = 1e-9;

/** What a line is held against; each is null when it is not known. */
export interface LineFacts {
  /** What the corpus says of the row. */
  readonly row: RowFacts | null;
  /** The prices that the result names. */
  readonly pricing: Prices | null;
}

/**
 * Tells everything that is wrong with a line of the right shape.
 *
 * @returns whether the warehouse counts the line: its probabilities are some.
 */
export function checkLine(line: PredictionLine, { row, pricing }: LineFacts, tell: Tell): boolean {
  if (row !== null) checkCorpus(line, row, tell);
  const countable = line.probabilities === null || checkProbabilities(line.probabilities, row, tell);
  if (line.status === "ok") checkAnswer(line, row, tell);
  else checkFailure(line, tell);
  checkLength(line, tell);
  if (row !== null) checkSaid(line, row, tell);
  checkAttempts(line, pricing, tell);
  checkTime(line, tell);
  return countable;
}

function checkCorpus(line: PredictionLine, row: RowFacts, tell: Tell): void {
  for (const name of ["task", "category", "gold"] as const) {
    if (line[name] !== row[name]) tell(name, differs(line[name], row[name], "as in the corpus"));
  }
  if ((line.images_sent ?? 0) > row.pictures) {
    tell("images_sent", unlike(line.images_sent, `at most ${row.pictures}, the pictures of the row`));
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

function checkAnswer(line: PredictionLine, row: RowFacts | null, tell: Tell): void {
  const { answer, probabilities, confidence, correct } = line;
  if (line.error !== null) tell("error", differs(line.error, null, "the row is ok"));
  const right = answer !== null && answer === (row?.gold ?? line.gold);
  if (correct !== right) {
    const verdict =
      answer === null ? "there is no answer" : `the answer is ${right ? "" : "not "}the right one`;
    tell("correct", differs(correct, right, verdict));
  }
  if (answer === null) {
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
  if (line.probability_source === "label-only" && probabilities !== null) {
    tell("probability_source", unlike("label-only", "the source of the probabilities"));
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

/**
 * Holds the answer against the model's own words. What cannot be read as an answer says nothing: other tools publish no words
 * or others, and what was masked may be gone.
 */
function checkSaid(line: PredictionLine, { question }: RowFacts, tell: Tell): void {
  const { output_text: text, answer, probabilities } = line;
  if (line.status !== "ok" || typeof text !== "string" || line.output_truncated === true) return;
  for (const kind of ["verbalized", "native"] as const) {
    const said = parseAnswer(text, question, "allow_single_code_fence", kind);
    if (!said.ok) continue;
    const { label, probabilities: stated } = said.answer;
    if (label !== answer) {
      tell("answer", differs(answer, label, "as in output_text"));
    } else if (stated !== null && probabilities !== null) {
      for (const [option, share] of stated) {
        const found = Object.hasOwn(probabilities, option) ? probabilities[option] : undefined;
        if (typeof found !== "number" || isSameNumber(found, share)) continue;
        tell(fieldPath(["probabilities", option]), differs(found, share, "as in output_text"));
      }
    }
    return;
  }
}

/** Clocks of one machine may differ by so much, in ms. */
const CLOCK_NOISE_MS = 1;

/** A row takes as long as its last call at least; earlier calls may belong to an earlier invocation. */
function checkTime({ latency_ms: latency, attempts }: PredictionLine, tell: Tell): void {
  const last = attempts.findLast(({ status }) => status !== "incomplete")?.duration_ms ?? null;
  if (last === null) return;
  if (latency === null) tell("latency_ms", unlike(null, "a time, since a call was finished"));
  else if (latency < last - CLOCK_NOISE_MS) {
    tell("latency_ms", unlike(latency, `at least ${last}, the time of its last finished attempt`));
  }
}

function checkAttempts(line: PredictionLine, pricing: Prices | null, tell: Tell): void {
  const { attempts } = line;
  for (const [index, attempt] of attempts.entries()) {
    checkAttempt(attempt, index, tell);
    if (pricing !== null) checkEstimate(attempt, index, pricing, tell);
  }
  const last = attempts.findLast(({ status }) => status !== "incomplete");
  if (last !== undefined && last.status !== line.status) {
    const place = `attempts[${attempts.lastIndexOf(last)}].status`;
    tell("status", differs(line.status, last.status, `as in ${place}`));
  } else if (last === undefined && line.status === "ok") {
    tell("attempts", {
      message: "expected an attempt that is ok, since the row is",
      expected: "an attempt that is ok",
    });
  }
  for (const name of TOKENS) {
    const sum = sumOf(attempts.map(({ tokens }) => tokens[name]));
    if (line.tokens[name] !== sum) tell(`tokens.${name}`, differs(line.tokens[name], sum, OVER_ATTEMPTS));
  }
  const cost = sumOf(attempts.map((attempt) => attempt.cost_usd));
  if (cost === null || line.cost_usd === null ? cost !== line.cost_usd : !isSameNumber(line.cost_usd, cost)) {
    tell("cost_usd", differs(line.cost_usd, cost, OVER_ATTEMPTS));
  }
  const bases = [...new Set(attempts.map((attempt) => attempt.cost_basis))].sort();
  if (bases.join() !== line.cost_basis.join()) {
    tell("cost_basis", {
      ...unlike(line.cost_basis.join(", ") || "none", bases.join(", ") || "none", OVER_ATTEMPTS),
    });
  }
}

const OVER_ATTEMPTS = "over all attempts";

function checkAttempt(attempt: Attempt, index: number, tell: Tell): void {
  const { status, error, duration_ms: duration, cost_usd: cost, cost_basis: basis } = attempt;
  const at = (name: string): string => `attempts[${index}].${name}`;
  const expected = publishedError(status);
  if (error !== expected) tell(at("error"), differs(error, expected, `status ${quoted(status)}`));
  if (cost === null && basis !== "unavailable") {
    tell(at("cost_basis"), differs(basis, "unavailable", "the cost is not known"));
  } else if (cost !== null && basis === "unavailable") {
    tell(at("cost_usd"), differs(cost, null, "its basis is unavailable"));
  }
  if (status !== "incomplete") {
    if (duration === null) tell(at("duration_ms"), unlike(null, "a time"));
    return;
  }
  for (const name of ["duration_ms", "cost_usd"] as const) {
    if (attempt[name] !== null) tell(at(name), differs(attempt[name], null, "the call never finished"));
  }
}

/** An estimate is what the formula makes of the prices that the result names. */
function checkEstimate(
  { cost_basis: basis, cost_usd: cost, tokens }: Attempt,
  index: number,
  pricing: Prices,
  tell: Tell,
): void {
  if (basis !== "price_table_estimate" || cost === null) return;
  const usage = { input_tokens: tokens.input, output_tokens: tokens.output };
  const expected = estimatedCost({ ...usage, cached_input_tokens: tokens.cached_input }, pricing);
  if (expected !== null && isSameNumber(cost, expected)) return;
  const because =
    expected === null ? "the tokens are not known" : "from its tokens and the prices in metadata.json";
  tell(`attempts[${index}].cost_usd`, differs(cost, expected, because));
}

/** Of what is known; null when nothing is. */
function sumOf(values: readonly (number | null)[]): number | null {
  let sum: number | null = null;
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value;
  return sum;
}
