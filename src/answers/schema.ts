// The JSON schema of an answer. Labels are data: they stand in shown order whatever they look like ("10", "2",
// "__proto__"), so every object that is keyed by them is a Map, never a plain object.
import type { CorpusRow } from "../corpus/schema.ts";
import type { Writable } from "./json.ts";

/** The part of a row that an answer is judged by. */
export type Question = Pick<CorpusRow["question"], "id" | "options">;

/** Name of the schema in a `response_format`, and of the tool that some providers make of it. */
export const SCHEMA_NAME = "decision";

/**
 * The schema of `{"answers": {"<question id>": {"label": …, "probabilities": {…}}}}` for one question. It stays within
 * what strict structured output accepts: every object closed, every property required, no bounds on numbers.
 */
export function answerSchema(question: Question): Writable {
  const labels = question.options.map((option) => option.label);
  const probabilities = closedObject(new Map(labels.map((label) => [label, { type: "number" }])));
  const decision = closedObject(
    new Map<string, Writable>([
      ["label", { type: "string", enum: labels }],
      ["probabilities", probabilities],
    ]),
  );
  return closedObject(new Map([["answers", closedObject(new Map([[question.id, decision]]))]]));
}

function closedObject(properties: ReadonlyMap<string, Writable>): Writable {
  return { type: "object", additionalProperties: false, required: [...properties.keys()], properties };
}
