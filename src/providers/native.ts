// Models that choose among options by themselves and write no text: TypeSafe, and Laya, hosted or on one's own machine.
// Both speak one format: https://docs.typesafe.ai/api.
import type { Writable } from "../answers/json.ts";
import { readNativeAnswer } from "../answers/parse.ts";
import { nativeInstructions } from "../answers/prompt.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import type { ModelOf } from "../models/schema.ts";
import { nativeVariables } from "./endpoints.ts";
import { createHttpProvider, type ReadReply, type Reply } from "./http-provider.ts";
import type { Provider } from "./provider.ts";
import type { ProviderOptions } from "./registry.ts";
import { envelopeProblem, member } from "./response.ts";

type Model = ModelOf<"typesafe" | "laya">;

/** The body of a request. Pictures have no place in it: a row goes out as its text. */
export function nativeRequest(model: Model, row: CorpusRow): Writable {
  const { id, type, options } = row.question;
  const question: Writable = {
    type,
    instructions: nativeInstructions(row),
    // A map keeps the shown order whatever the labels look like.
    criteria: new Map(options.map((option) => [option.label, option.description])),
  };
  return { model: model.model, state: row.state, questions: new Map([[id, question]]) };
}

/**
 * @throws {UserError} when the endpoint's variables are missing or not fit for use.
 */
export function createNative(model: Model, options: ProviderOptions): Provider {
  return createHttpProvider(
    {
      variables: nativeVariables(model.provider),
      path: "/systemone",
      async build(row) {
        return { body: nativeRequest(model, row), imagesSent: 0 };
      },
      read: readNative,
    },
    options,
  );
}

function readNative({ text, body }: Reply, row: CorpusRow): ReadReply {
  const error = member(body, "error") ?? null;
  if (error !== null && member(member(body, "answers"), row.question.id) === undefined) {
    return envelopeProblem(error);
  }
  const { answersText: outputText, ...read } = readNativeAnswer(text, row.question);
  return read.ok
    ? { status: "ok", error: null, outputText, answer: read.answer }
    : { status: "invalid_output", error: read.reason, outputText };
}
