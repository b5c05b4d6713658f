// Models that need no server: the floor that every real one has to clear, and what a fresh clone can run at once.
import MiniSearch from "minisearch";
import seedrandom from "seedrandom";
import { isJsonObject, type Json, JsonNumber, stringifyJson } from "../answers/json.ts";
import { parseAnswer } from "../answers/parse.ts";
import { publicInput } from "../corpus/input.ts";
import type { CorpusRow, Option } from "../corpus/schema.ts";
import { effectiveRequest } from "../models/request.ts";
import type { ModelOf } from "../models/schema.ts";
import { PROBABILITY_SOURCES } from "./probability-sources.ts";
import { type CallOutcome, NO_OUTCOME, type Provider } from "./provider.ts";

type Model = ModelOf<"baseline">;

/**
 * Temperature of the lexical softmax over scores that were divided by the best one. At 1 the best of two options gets
 * at most e/(e+1) = 0.73: shared words are weak evidence. A constant of the method, not tuned on any corpus.
 */
export const LEXICAL_TEMPERATURE = 1;

/** Label and probabilities of one row, one per option in shown order. */
interface Guess {
  readonly label: string;
  readonly probabilities: readonly number[];
}

/** A provider that answers within the process. */
export function createBaseline(model: Model): Provider {
  const { method, seed } = effectiveRequest(model);
  return {
    endpointId: null,
    async preview(row) {
      return method === "uniform"
        ? { method, seed, input: publicInput(row) }
        : { method, input: publicInput(row) };
    },
    async call(row, { signal }) {
      if (signal.aborted) return { ...NOTHING, status: "incomplete", error: "stopped before an answer came" };
      return answered(row, method === "uniform" ? uniformGuess(row, seed) : lexicalGuess(row));
    },
    async close() {},
  };
}

/**
 * Every option equally probable, one of them drawn as the label. The draw depends on the seed and the row's id alone,
 * so it is the same in any order, subset or resumed run.
 */
export function uniformGuess(row: Pick<CorpusRow, "id" | "question">, seed: number): Guess {
  const { options } = row.question;
  const drawn = Math.floor(seedrandom(`${seed}:${row.id}`).quick() * options.length);
  return { label: labelAt(options, drawn), probabilities: options.map(() => 1 / options.length) };
}

/**
 * How well each option's label and description match the words of the state: BM25+ over the row's options as
 * documents, each distinct word of the state counted once. Without any shared word all options are equal. Of equal
 * options the first one shown is the label.
 */
export function lexicalGuess(row: Pick<CorpusRow, "state" | "question">): Guess {
  const { options } = row.question;
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ["text"] });
  index.addAll(options.map((option, id) => ({ id, text: `${option.label} ${option.description}` })));
  const words = new Set<string>();
  for (const text of textsOf(row.state)) {
    for (const word of MiniSearch.getDefault("tokenize")(text) as string[]) words.add(word.toLowerCase());
  }
  const scores = options.map(() => 0);
  for (const { id, score } of index.search([...words].join(" "))) scores[id] = score;

  const best = Math.max(...scores);
  const weights = scores.map((score) => Math.exp((best === 0 ? 0 : score / best) / LEXICAL_TEMPERATURE));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    label: labelAt(options, scores.indexOf(best)),
    probabilities: weights.map((weight) => weight / total),
  };
}

function labelAt(options: readonly Option[], index: number): string {
  const option = options[index];
  if (option === undefined) throw new RangeError("a question without options");
  return option.label;
}

/** The texts of a state: keys, texts and numbers, in the order in which they stand. */
function* textsOf(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  else if (value instanceof JsonNumber) yield value.text;
  else if (typeof value === "boolean") yield String(value);
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item);
  else if (isJsonObject(value)) {
    for (const [key, item] of value) {
      yield key;
      yield* textsOf(item);
    }
  }
}

/** No tokens are counted; the cost is known, and it is nothing. */
const NOTHING: CallOutcome = { ...NO_OUTCOME, status: "ok", reportedCostUsd: 0, costSource: "baseline" };

/** A guess goes through the same text and the same parser as everybody's answer. */
function answered(row: CorpusRow, guess: Guess): CallOutcome {
  const { question } = row;
  const probabilities = new Map(
    question.options.map((option, i) => [option.label, guess.probabilities[i] ?? 0]),
  );
  const outputText = stringifyJson({
    answers: new Map([[question.id, { label: guess.label, probabilities }]]),
  });
  const parsed = parseAnswer(outputText, question, "strict");
  return parsed.ok
    ? {
        ...NOTHING,
        outputText,
        answer: { ...parsed.answer, probabilitySource: PROBABILITY_SOURCES.baseline },
      }
    : { ...NOTHING, outputText, status: "invalid_output", error: parsed.reason };
}
