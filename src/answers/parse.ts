// The one strict reader of answers, for every provider. What a model wrote is accepted as it is or refused with a
// reason; nothing is searched for, repaired or guessed, since formatting is part of what is measured.

import { quoted } from "../quote.ts";
import {
  isJsonObject,
  type Json,
  JsonError,
  JsonNumber,
  type JsonObject,
  parseJson,
  stringifyJson,
} from "./json.ts";
import type { Question } from "./schema.ts";
import { cutText, quoteBriefly } from "./text.ts";

/** Whether one code fence around the whole answer is taken off. */
export type WrapperPolicy = "allow_single_code_fence" | "strict";
export type Wrapper = "none" | "code_fence";

/** How a provider's models answer: `label` as text (chat models, CLIs), or a native API's `choice`, which may be null. */
export type AnswerKind = "verbalized" | "native";

/** A valid answer. */
export interface Answer {
  /** null: a native provider's answer without a choice. */
  readonly label: string | null;
  /** Normalised to sum 1, each in [0, 1], one per option in shown order; null without a label. */
  readonly probabilities: ReadonlyMap<string, number> | null;
  /** The sum before it was normalised. */
  readonly rawProbabilitySum: number | null;
  /** Whether no option is more probable than the label (within {@link ARGMAX_TOLERANCE}). */
  readonly labelIsArgmax: boolean | null;
  readonly probabilitySource: "verbalized" | "native" | "baseline" | "label-only";
}

export type ParsedAnswer =
  | { readonly ok: true; readonly answer: Answer; readonly wrapper: Wrapper }
  /** `reason` is a short line in our words; texts of the model in it are quoted and cut. */
  | { readonly ok: false; readonly reason: string; readonly wrapper: Wrapper };

/** How far the probabilities may be from a sum of 1, inclusive. */
export const SUM_TOLERANCE = 0.02;
/**
 * What the limit above is widened by. Two-decimal probabilities that really add up to 0.98 or 1.02 come out of a
 * compensated sum with an error below 1e-15, and no model means a difference of 1e-9, so this decides nothing but noise.
 */
export const SUM_NOISE = 1e-9;
/** How much less probable than the most probable option a label may be and still count as one of them. */
export const ARGMAX_TOLERANCE = 1e-9;

/**
 * Reads the text of an answer.
 *
 * A code fence is taken off under `allow_single_code_fence` when it is the whole text: three backticks, an optional
 * `json` in any case, a line end, the JSON, a line end, three backticks; white space around it does not count.
 */
export function parseAnswer(
  text: string,
  question: Question,
  policy: WrapperPolicy,
  kind: AnswerKind = "verbalized",
): ParsedAnswer {
  const inner = policy === "allow_single_code_fence" ? insideFence(text) : null;
  const wrapper = inner === null ? "none" : "code_fence";
  const read = readDocument(inner ?? text);
  return { ...(read.ok ? readAnswer(read.document, question, kind) : read), wrapper };
}

/**
 * Reads the body of a native provider's answer. It is an API's, not a model's text: there is no fence to take off.
 *
 * @returns also `answersText`, the part that was read, without what the server says around it; null without one.
 */
export function readNativeAnswer(
  text: string,
  question: Question,
): ReadAnswer & { readonly answersText: string | null } {
  const read = readDocument(text);
  if (!read.ok) return { ...read, answersText: null };
  const answers = isJsonObject(read.document) ? read.document.get("answers") : undefined;
  const answersText = answers === undefined ? null : stringifyJson({ answers });
  return { ...readAnswer(read.document, question, "native"), answersText };
}

type ReadAnswer = { ok: true; answer: Answer } | { ok: false; reason: string };

function readDocument(json: string): { ok: true; document: Json } | { ok: false; reason: string } {
  if (isBlank(json)) return refuse("the answer is empty");
  try {
    return { ok: true, document: parseJson(json) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return refuse(`not JSON: ${cutText(error.message, 160)}`);
  }
}

/** Reads an answer out of JSON that is parsed already (a CLI's structured output). */
export function readAnswer(document: Json, question: Question, kind: AnswerKind): ReadAnswer {
  if (!isJsonObject(document)) return refuse(`expected a JSON object, found ${kindOf(document)}`);
  const answers = document.get("answers");
  if (answers === undefined) return refuse('no "answers" in the answer');
  if (!isJsonObject(answers)) return refuse(`"answers" is not an object but ${kindOf(answers)}`);
  const decision = answers.get(question.id);
  if (decision === undefined) return refuse(`no answer to the question ${quoted(question.id, 60)}`);
  if (!isJsonObject(decision))
    return refuse(`the answer to the question is not an object but ${kindOf(decision)}`);

  const field = kind === "native" ? "choice" : "label";
  const label = decision.get(field);
  if (label === undefined) return refuse(`no "${field}" in the answer`);
  if (label === null && kind === "native") return { ok: true, answer: NO_CHOICE };
  if (typeof label !== "string") return refuse(`"${field}" is not a text but ${kindOf(label)}`);
  if (!question.options.some((option) => option.label === label)) {
    return refuse(`"${field}" is ${quoteBriefly(label)}, which is not one of the options`);
  }
  const stated = decision.get("probabilities");
  if (stated === undefined) return refuse('no "probabilities" in the answer');
  if (!isJsonObject(stated)) return refuse(`"probabilities" is not an object but ${kindOf(stated)}`);
  return readProbabilities(stated, label, question, kind);
}

const NO_CHOICE: Answer = {
  label: null,
  probabilities: null,
  rawProbabilitySum: null,
  labelIsArgmax: null,
  probabilitySource: "native",
};

function readProbabilities(
  stated: JsonObject,
  label: string,
  question: Question,
  kind: AnswerKind,
): ReadAnswer {
  const raw = new Map<string, number>();
  for (const option of question.options) {
    const value = stated.get(option.label);
    if (value === undefined) return refuse(`no probability for the option ${quoted(option.label, 60)}`);
    if (!(value instanceof JsonNumber)) {
      return refuse(`the probability of ${quoted(option.label, 60)} is not a number but ${kindOf(value)}`);
    }
    const number = value.value;
    if (!(number >= 0 && number <= 1)) {
      const found = cutText(value.text, 30);
      return refuse(`the probability of ${quoted(option.label, 60)} is ${found}, not between 0 and 1`);
    }
    // "-0" is 0; a negative zero would be written as "-0" in one place and as "0" in the next.
    raw.set(option.label, number + 0);
  }
  if (stated.size !== raw.size) {
    const extra = [...stated.keys()].find((key) => !raw.has(key)) ?? "";
    return refuse(`a probability for ${quoteBriefly(extra)}, which is not one of the options`);
  }
  const sum = exactSum(raw.values());
  if (Math.abs(sum - 1) > SUM_TOLERANCE + SUM_NOISE) {
    return refuse(
      `the probabilities add up to ${Number(sum.toPrecision(6))}, not to 1 within ${SUM_TOLERANCE}`,
    );
  }
  return { ok: true, answer: normalised(raw, sum, label, kind) };
}

function normalised(
  raw: ReadonlyMap<string, number>,
  sum: number,
  label: string,
  probabilitySource: AnswerKind,
): Answer {
  const probabilities = new Map<string, number>();
  let highest = 0;
  for (const [option, value] of raw) {
    const probability = Math.min(1, value / sum);
    probabilities.set(option, probability);
    highest = Math.max(highest, probability);
  }
  return {
    label,
    probabilities,
    rawProbabilitySum: sum,
    labelIsArgmax: (probabilities.get(label) ?? 0) >= highest - ARGMAX_TOLERANCE,
    probabilitySource,
  };
}

/** Neumaier's compensated sum: independent of the order for all practical purposes, 0.1 ten times is 1. */
export function exactSum(values: Iterable<number>): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** The text inside a fence that is the whole text; null when there is none. Linear in the length of the text. */
function insideFence(text: string): string | null {
  const whole = trimJson(text);
  if (!whole.startsWith("```") || !whole.endsWith("```")) return null;
  const firstEnd = whole.indexOf("\n");
  const lastStart = whole.lastIndexOf("\n");
  if (firstEnd === -1 || lastStart <= firstEnd) return null;
  const tag = trimJson(whole.slice(3, firstEnd)).toLowerCase();
  if (tag !== "" && tag !== "json") return null;
  if (trimJson(whole.slice(lastStart + 1)) !== "```") return null;
  return whole.slice(firstEnd + 1, lastStart);
}

/** Without JSON's four white space characters at both ends (`trim` takes others too, a byte order mark among them). */
function trimJson(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isBlank(text: string): boolean {
  return trimJson(text) === "";
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (isJsonObject(value)) return "an object";
  if (value instanceof JsonNumber) return "a number";
  return typeof value === "string" ? "a text" : "a boolean";
}
