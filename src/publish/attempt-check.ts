// The attempts of a published line: true to their status, their prices, and to the sums over them.
import { costOf, type Prices } from "../models/prices.ts";
import { quoted } from "../quote.ts";
import { publishedError } from "./error-text.ts";
import type { LineFacts, Tell } from "./prediction-line.ts";
import { differs, unlike } from "./problem.ts";
import { isSameNumber } from "./same-number.ts";
import type { PredictionLine } from "./schema.ts";

type Attempt = PredictionLine["attempts"][number];
const TOKENS = ["input", "output", "cached_input", "reasoning_output"] as const;

/** Tells everything that is wrong with the attempts of a line, and with what it says over all of them. */
export function checkAttempts(line: PredictionLine, { pricing, isOurs }: LineFacts, tell: Tell): void {
  const { attempts } = line;
  for (const [index, attempt] of attempts.entries()) {
    checkAttempt(attempt, index, tell);
    if (pricing !== null) checkEstimate(attempt, index, pricing, isOurs, tell);
  }
  checkEnd(line, isOurs, tell);
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
/** Clocks of one machine may differ by so much, in ms. */
const CLOCK_NOISE_MS = 1;

/**
 * The status of a row is that of its last finished attempt. A row that was not ok may have later ones: they belong to an
 * invocation that was to call it again and did not come to an end.
 */
function checkEnd(line: PredictionLine, isOurs: boolean, tell: Tell): void {
  const { attempts, status, latency_ms: latency } = line;
  const last = attempts.findLast((attempt) => attempt.status !== "incomplete");
  if (last === undefined) {
    // The older tool may have rows that were never called; an answer, or what a server says, comes of a call.
    if (isOurs || /^(?:\d{3}|ok|invalid_\w+|model_error)$/.test(status)) {
      tell("attempts", {
        message: `expected a finished attempt, since the row is ${quoted(status)}`,
        expected: "a finished attempt",
      });
    }
    return;
  }
  const end =
    last.status === status || status === "ok" ? last : attempts.findLast((one) => one.status === status);
  if (end === undefined || end.status !== status) {
    tell("status", differs(status, last.status, `as in attempts[${attempts.lastIndexOf(last)}].status`));
    return;
  }
  // Earlier attempts may belong to an earlier invocation, which counted for itself.
  const { duration_ms: duration } = end;
  if (duration === null) return;
  if (latency === null) tell("latency_ms", unlike(null, "a time, since a call was finished"));
  else if (latency < duration - CLOCK_NOISE_MS) {
    const place = `attempts[${attempts.lastIndexOf(end)}]`;
    tell("latency_ms", unlike(latency, `at least ${duration}, the time of ${place}`));
  }
}

function checkAttempt(attempt: Attempt, index: number, tell: Tell): void {
  const { status, error, duration_ms: duration, cost_usd: cost, cost_basis: basis, tokens } = attempt;
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
  const because = "the call never finished";
  for (const name of ["duration_ms", "cost_usd"] as const) {
    if (attempt[name] !== null) tell(at(name), differs(attempt[name], null, because));
  }
  for (const name of TOKENS) {
    if (tokens[name] !== null) tell(at(`tokens.${name}`), differs(tokens[name], null, because));
  }
}

/** An estimate is what the formula makes of the prices that the result names; this program makes one wherever it can. */
function checkEstimate(
  { status, cost_basis: basis, cost_usd: cost, tokens }: Attempt,
  index: number,
  pricing: Prices,
  isOurs: boolean,
  tell: Tell,
): void {
  if (basis === "provider_reported" || status === "incomplete") return;
  const { costUsd: expected } = costOf({
    reportedCostUsd: null,
    costSource: null,
    usage: {
      input_tokens: tokens.input,
      output_tokens: tokens.output,
      cached_input_tokens: tokens.cached_input,
    },
    pricing,
  });
  if (cost === null && (expected === null || !isOurs)) return;
  if (cost !== null && expected !== null && isSameNumber(cost, expected)) return;
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
