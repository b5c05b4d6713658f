// What every provider that speaks HTTP does alike: which server it asks and how it gets in, the exchange, what a failure
// means, and what is kept of every answer. A provider adds how it asks and where its answer stands.
import { stringifyJson, type Writable } from "../answers/json.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { errorMessage } from "../errors.ts";
import { type EndpointVariables, readEndpoint } from "./endpoints.ts";
import { authorization, HttpClient, type HttpExchange } from "./http.ts";
import { type CallOptions, type CallOutcome, NO_OUTCOME, type Provider } from "./provider.ts";
import type { ProviderOptions } from "./registry.ts";
import { member, problemOf, retryAfterMs, tryJson } from "./response.ts";
import { traceIdsOf } from "./trace.ts";
import { reportedCost, reportedDurationMs, usageOf } from "./usage.ts";

/** The body of a request. */
export interface BuiltRequest {
  readonly body: Writable;
  readonly imagesSent: number;
}

/** The body of a 2xx answer, which is JSON: as it came, and as plain data. */
export interface Reply {
  readonly text: string;
  readonly body: unknown;
}

/** What a {@link Reply} says; everything else of a call's outcome is read alike for all. */
export type ReadReply = Pick<CallOutcome, "status" | "error"> &
  Partial<Pick<CallOutcome, "retryable" | "answer" | "outputText" | "outputWrapper" | "finishReason">>;

/** What one provider adds to the exchange. */
export interface Dialect {
  readonly variables: EndpointVariables;
  /** Below the base URL. */
  readonly path: `/${string}`;
  /** Rejects with a UserError when the request cannot be made from the corpus as it is. */
  build(row: CorpusRow): Promise<BuiltRequest>;
  read(reply: Reply, row: CorpusRow): ReadReply;
}

/**
 * A provider that posts JSON to one endpoint.
 *
 * @throws {UserError} when the endpoint's variables are missing or not fit for use.
 */
export function createHttpProvider(
  dialect: Dialect,
  { env, jobs, now = Date.now }: ProviderOptions,
): Provider {
  const endpoint = readEndpoint(env, dialect.variables);
  const client = new HttpClient(endpoint, { jobs, env });
  const headers = { "content-type": "application/json", ...authorization(endpoint) };
  return {
    endpointId: endpoint.id,
    async preview(row) {
      return (await dialect.build(row)).body;
    },
    async call(row: CorpusRow, options: CallOptions): Promise<CallOutcome> {
      let body: string;
      let imagesSent = 0;
      try {
        const built = await dialect.build(row);
        body = stringifyJson(built.body);
        imagesSent = built.imagesSent;
      } catch (error) {
        return { ...NO_OUTCOME, status: "runner_error", error: errorMessage(error) };
      }
      const exchange = await client.exchange({ method: "POST", path: dialect.path, headers, body }, options);
      return { ...readExchange(exchange, row, dialect, now()), imagesSent };
    },
    close: () => client.close(),
  };
}

/** What an exchange means for a row. Tokens and cost are kept whatever it means. */
function readExchange(exchange: HttpExchange, row: CorpusRow, dialect: Dialect, now: number): CallOutcome {
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
    // Also beside a 200 that holds no answer.
    retryAfterMs: retryAfterMs(headers, now),
  };
  const problem = problemOf(exchange, body === undefined ? text : body);
  if (problem !== null) return { ...common, ...problem };
  if (text === null || body === undefined) {
    const error = text?.trim() ? "the answer is not JSON" : "the answer is empty";
    return { ...common, status: "invalid_transport_output", error, retryable: true };
  }
  return { ...common, ...dialect.read({ text, body }, row) };
}
