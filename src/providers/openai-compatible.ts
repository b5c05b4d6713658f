// Any server that speaks chat completions: hosted ones, gateways, and those on this machine.
import type { Writable } from "../answers/json.ts";
import { parseAnswer } from "../answers/parse.ts";
import { POLICY, userText } from "../answers/prompt.ts";
import { answerSchema, SCHEMA_NAME } from "../answers/schema.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { effectiveRequest } from "../models/request.ts";
import type { ModelOf } from "../models/schema.ts";
import { readCompletion } from "./completion.ts";
import { openaiVariables } from "./endpoints.ts";
import { createHttpProvider } from "./http-provider.ts";
import { readPictures } from "./pictures.ts";
import type { Provider } from "./provider.ts";
import type { ProviderOptions } from "./registry.ts";

type Model = ModelOf<"openai-compatible">;

/**
 * The body of a request. What is null in the configuration is left out, so that the server's default holds; an explicit
 * 0 is sent.
 *
 * @param pictures data URIs; they come after the text.
 */
export function chatRequest(model: Model, row: CorpusRow, pictures: readonly string[]): Writable {
  const request = effectiveRequest(model);
  const text = userText(row);
  const content: Writable =
    pictures.length === 0
      ? text
      : [{ type: "text", text }, ...pictures.map((url) => ({ type: "image_url", image_url: { url } }))];
  return {
    model: model.model,
    stream: false,
    messages: [
      { role: "system", content: POLICY },
      { role: "user", content },
    ],
    response_format: responseFormat(request.response_format, row),
    [request.token_limit_field]: request.max_output_tokens,
    reasoning_effort: request.reasoning_effort ?? undefined,
    temperature: request.temperature ?? undefined,
  };
}

function responseFormat(format: "json_schema" | "json_object" | "prompt", row: CorpusRow): Writable {
  if (format === "prompt") return undefined;
  if (format === "json_object") return { type: "json_object" };
  return {
    type: "json_schema",
    json_schema: { name: SCHEMA_NAME, strict: true, schema: answerSchema(row.question) },
  };
}

/**
 * @throws {UserError} when the endpoint's variables are missing or not fit for use.
 */
export function createOpenAiCompatible(model: Model, options: ProviderOptions): Provider {
  const { vision, json_wrapper_policy: policy } = effectiveRequest(model);
  return createHttpProvider(
    {
      variables: openaiVariables(model.endpoint),
      path: "/chat/completions",
      async build(row) {
        const pictures =
          vision && row.assets.length > 0 ? await readPictures(options.corpusDir, row.assets) : [];
        return { body: chatRequest(model, row, pictures), imagesSent: pictures.length };
      },
      read({ body }, row) {
        const { finishReason, text: outputText, problem } = readCompletion(body);
        if (problem !== null) return { ...problem, finishReason, outputText };
        const parsed = parseAnswer(outputText ?? "", row.question, policy);
        const read = { finishReason, outputText, outputWrapper: parsed.wrapper };
        return parsed.ok
          ? { ...read, status: "ok", error: null, answer: parsed.answer }
          : { ...read, status: "invalid_output", error: parsed.reason };
      },
    },
    options,
  );
}
