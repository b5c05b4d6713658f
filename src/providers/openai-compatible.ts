// Any server that speaks chat completions: hosted ones, gateways, and those on this machine.
import { stringifyJson, type Writable } from "../answers/json.ts";
import { parseAnswer, type WrapperPolicy } from "../answers/parse.ts";
import { POLICY, userText } from "../answers/prompt.ts";
import { answerSchema, SCHEMA_NAME } from "../answers/schema.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { errorMessage } from "../errors.ts";
import { effectiveRequest } from "../models/request.ts";
import type { ModelOf } from "../models/schema.ts";
import { readCompletion } from "./completion.ts";
import { openaiVariables, readEndpoint } from "./endpoints.ts";
import { HttpClient, type HttpExchange } from "./http.ts";
import { readPictures } from "./pictures.ts";
import { type CallOptions, type CallOutcome, NO_OUTCOME, type Provider } from "./provider.ts";
import type { ProviderOptions } from "./registry.ts";
import { member, problemOf, tryJson } from "./response.ts";
import { traceIdsOf } from "./trace.ts";
import { reportedCost, reportedDurationMs, usageOf } from "./usage.ts";

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
export function createOpenAiCompatible(
  model: Model,
  { env, corpusDir, jobs, now = Date.now }: ProviderOptions,
): Provider {
  const endpoint = readEndpoint(env, openaiVariables(model.endpoint));
  const client = new HttpClient(endpoint, { jobs, env });
  const request = effectiveRequest(model);
  const policy: WrapperPolicy = request.json_wrapper_policy;
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (endpoint.key !== null) headers.authorization = `Bearer ${endpoint.key}`;

  const build = async (row: CorpusRow): Promise<{ body: Writable; imagesSent: number }> => {
    const pictures = request.vision && row.assets.length > 0 ? await readPictures(corpusDir, row.assets) : [];
    return { body: chatRequest(model, row, pictures), imagesSent: pictures.length };
  };

  return {
    endpointId: endpoint.id,
    async preview(row) {
      return (await build(row)).body;
    },
    async call(row: CorpusRow, options: CallOptions): Promise<CallOutcome> {
      let body: string;
      let imagesSent = 0;
      try {
        const built = await build(row);
        body = stringifyJson(built.body);
        imagesSent = built.imagesSent;
      } catch (error) {
        return { ...NO_OUTCOME, status: "runner_error", error: errorMessage(error) };
      }
      const exchange = await client.exchange(
        { method: "POST", path: "/chat/completions", headers, body },
        options,
      );
      return { ...readExchange(exchange, row, policy, now()), imagesSent };
    },
    close: () => client.close(),
  };
}

/** What an exchange means for a row. Tokens and cost are kept whatever it means. */
function readExchange(
  exchange: HttpExchange,
  row: CorpusRow,
  policy: WrapperPolicy,
  now: number,
): CallOutcome {
  const { headers, httpStatus, text } = exchange;
  const body = text === null ? undefined : tryJson(text);
  const cost = reportedCost(headers, body);
  const resolved = member(body, "model");
  const common: CallOutcome = {
    ...NO_OUTCOME,
    usage: usageOf(body),
    reportedCostUsd: cost?.usd ?? null,
    costSource: cost?.source ?? null,
    resolvedModel: typeof resolved === "string" && resolved !== "" ? resolved : null,
    httpStatus,
    providerDurationMs: reportedDurationMs(headers),
    raw: body === undefined ? text : body,
    traceIds: traceIdsOf(headers),
  };
  const problem = problemOf(exchange, body === undefined ? text : body, now);
  if (problem !== null) return { ...common, ...problem };
  if (body === undefined) {
    const error = text?.trim() ? "the answer is not JSON" : "the answer is empty";
    return { ...common, status: "invalid_transport_output", error, retryable: true };
  }
  const completion = readCompletion(body);
  const { finishReason, text: outputText } = completion;
  if (completion.problem !== null) return { ...common, ...completion.problem, finishReason, outputText };
  const parsed = parseAnswer(outputText ?? "", row.question, policy);
  const read = { ...common, finishReason, outputText, outputWrapper: parsed.wrapper };
  return parsed.ok
    ? { ...read, status: "ok", error: null, answer: parsed.answer }
    : { ...read, status: "invalid_output", error: parsed.reason };
}
