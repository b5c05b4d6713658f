// A published answer, held against the model's own words beside it.
import { type AnswerKind, parseAnswer, type WrapperPolicy } from "../answers/parse.ts";
import type { Question } from "../answers/schema.ts";
import { fieldPath } from "../fields.ts";
import type { Tell } from "./prediction-line.ts";
import { differs } from "./problem.ts";
import type { PredictionLine } from "./schema.ts";

/** How the words of a result's models are read. */
export interface Reading {
  readonly kind: AnswerKind;
  readonly policy: WrapperPolicy;
}

/** Both are normalised; a reader in another language may add up in another order. */
const ULPS = 4 * Number.EPSILON;

/**
 * Tells where the answer is not the one in `output_text`.
 *
 * @returns false when that text is no answer: other tools publish no words or others, what was masked may be gone, and what was cut
 * is not whole. The line cannot be held against it then.
 */
export function checkSaid(
  line: PredictionLine,
  question: Question,
  { kind, policy }: Reading,
  tell: Tell,
): boolean {
  const { output_text: text, answer, probabilities } = line;
  const said = typeof text === "string" ? parseAnswer(text, question, policy, kind) : null;
  if (said === null || !said.ok) return false;
  const { label, probabilities: stated } = said.answer;
  if (label !== answer) tell("answer", differs(answer, label, "as in output_text"));
  else if (stated !== null && probabilities === null) {
    tell("probabilities", differs(null, Object.fromEntries(stated), "as in output_text"));
  } else if (stated !== null && probabilities !== null) {
    for (const [option, share] of stated) {
      const found = Object.hasOwn(probabilities, option) ? probabilities[option] : undefined;
      if (typeof found !== "number" || Math.abs(found - share) <= ULPS * share) continue;
      tell(fieldPath(["probabilities", option]), differs(found, share, "as in output_text"));
    }
  }
  return true;
}
