// What Claude Code's events say. Words are read only where it says that they are its own: in an error that it reports, and
// in what it told the model by itself.
import { JsonError, parseJson, stringifyJson, type Writable } from "../../answers/json.ts";
import { cutBetweenWords } from "../../answers/text.ts";
import type { Usage } from "../../ledgers/schema.ts";
import type { CallOutcome } from "../provider.ts";
import { isRetryableStatus, member, serverMessage } from "../response.ts";
import { count } from "../usage.ts";
import { lastOf, type Output } from "./events.ts";
import type { Report } from "./provider.ts";

/** What Claude Code makes of the answer's schema; the one tool that is no tool. */
const ANSWER_TOOL = "StructuredOutput";

/** What Claude Code's events say. */
export function readClaude(output: Output): Report {
  const { events } = output;
  const result = lastOf(events, "result");
  const cost = member(result, "total_cost_usd");
  const duration = member(result, "duration_api_ms");
  const status = member(result, "api_error_status");
  const hasCost = typeof cost === "number" && cost >= 0 && Number.isFinite(cost);
  const facts: Partial<CallOutcome> = {
    usage: usageOf(result, events),
    reportedCostUsd: hasCost ? cost + 0 : null,
    costSource: hasCost ? "total_cost_usd" : null,
    resolvedModel: resolvedModel(result),
    httpStatus: isHttpStatus(status) ? status : null,
    providerDurationMs: typeof duration === "number" && duration >= 0 ? duration : null,
    finishReason: finishReason(result, events),
  };
  const seen = { facts, tool: toolOf(result, events), finished: result !== undefined };
  const failure = failureOf(result, events);
  if (failure !== null) return { ...seen, failure, text: null };
  try {
    const text = textOf(output, result);
    return { ...seen, failure: brokenOff(result, events), text };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { ...seen, failure: invalid(`not JSON: ${cutBetweenWords(error.message, 160)}`), text: null };
  }
}

function isHttpStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599;
}

/** Input is what was read anew, from the cache and into the cache; they are told apart, and all of them are tokens of input. */
function usageOf(result: unknown, events: readonly unknown[]): Usage {
  const usage = usageByModel(result) ?? member(result, "usage") ?? lastUsage(events);
  const fresh = count(member(usage, "input_tokens"));
  const cached = count(member(usage, "cache_read_input_tokens"));
  const created = count(member(usage, "cache_creation_input_tokens"));
  return {
    input_tokens: fresh === null ? null : fresh + (cached ?? 0) + (created ?? 0),
    // Of an answer that did not come to its end only the input is known: the output is counted last.
    output_tokens: result === undefined ? null : count(member(usage, "output_tokens")),
    cached_input_tokens: cached,
    reasoning_output_tokens: count(member(member(usage, "output_tokens_details"), "thinking_tokens")),
    cache_creation_input_tokens: created,
  };
}

/**
 * The tokens that the reported cost is made of, in the form of `usage`: of every request of the call, those too whose stream
 * broke, which `usage` leaves out. undefined when it does not count them.
 */
function usageByModel(result: unknown): object | undefined {
  const byModel = member(result, "modelUsage");
  const models = typeof byModel === "object" && byModel !== null ? Object.values(byModel) : [];
  if (models.length === 0 || models.some((one) => count(member(one, "inputTokens")) === null))
    return undefined;
  const sum = (name: string): number | null => {
    const counts = models.map((one) => count(member(one, name)));
    return counts.includes(null) ? null : counts.reduce<number>((all, one) => all + (one ?? 0), 0);
  };
  return {
    input_tokens: sum("inputTokens"),
    cache_read_input_tokens: sum("cacheReadInputTokens"),
    cache_creation_input_tokens: sum("cacheCreationInputTokens"),
    output_tokens: sum("outputTokens"),
    output_tokens_details: { thinking_tokens: sum("thinkingTokens") },
  };
}

/** What the last message of the model says of its tokens. */
function lastUsage(events: readonly unknown[]): unknown {
  return member(member(lastOf(events, "assistant"), "message"), "usage");
}

/** The model that did the work; when several did (a fallback), the one that wrote most. */
function resolvedModel(result: unknown): string | null {
  const usage = member(result, "modelUsage");
  if (typeof usage !== "object" || usage === null) return null;
  const wrote = (name: string): number => Number(member(member(usage, name), "outputTokens") ?? 0);
  return Object.keys(usage).sort((a, b) => wrote(b) - wrote(a))[0] ?? null;
}

/** The first tool that was called, whether it was there or not; null for none. */
function toolOf(result: unknown, events: readonly unknown[]): string | null {
  for (const event of events) {
    if (member(event, "type") !== "assistant") continue;
    const content = member(member(event, "message"), "content");
    for (const block of Array.isArray(content) ? content : []) {
      const type = member(block, "type");
      if (typeof type !== "string" || !/tool_use$/.test(type)) continue;
      const name = member(block, "name");
      if (name !== ANSWER_TOOL || type !== "tool_use") return nameOf(name);
    }
  }
  const [denied] = listOf(member(result, "permission_denials"));
  if (denied !== undefined) return nameOf(member(denied, "tool_name"));
  const server = member(member(result, "usage"), "server_tool_use");
  for (const kind of ["web_search", "web_fetch"]) {
    if ((count(member(server, `${kind}_requests`)) ?? 0) > 0) return kind;
  }
  return null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(name: unknown): string {
  return typeof name === "string" ? (serverMessage(name) ?? "unnamed") : "unnamed";
}

/** Reasons to stop with which no answer is whole, or which withhold it. */
const CUT = new Set(["max_tokens", "model_context_window_exceeded"]);
const CUT_ERROR = "the answer was cut at the token limit";

/** Why the model stopped. What stands in place of a message that never came has a reason of its own, which is none. */
function finishReason(result: unknown, events: readonly unknown[]): string | null {
  const last = lastOf(events, "assistant");
  const kind = member(last, "error");
  if (isOwnError(result, last) && kind === "max_output_tokens") return "max_tokens";
  const said = [member(result, "stop_reason"), member(member(last, "message"), "stop_reason")];
  const reason =
    said.find((one) => typeof one === "string" && (CUT.has(one) || one === "refusal")) ?? said[0];
  return typeof reason !== "string" || (reason === "stop_sequence" && isOwnError(result, last))
    ? null
    : reason;
}

/** Whether an error is told in Claude Code's own words. */
function isOwnError(result: unknown, last: unknown): boolean {
  return (
    member(result, "is_error") === true &&
    (member(result, "terminal_reason") === "api_error" || member(last, "is_api_error_message") === true)
  );
}

/** Its words for an answer that is no stream of events, or none that can be read. */
const UNREADABLE =
  /^API Error: (?:JSON Parse error|API returned an empty or malformed response|The response stream was malformed|Content block not found|Content block already closed|Stream event unreadable)/;
/** The same for one that ended before it was whole. A page in its place is told in these words, too. */
const UNFINISHED =
  /^API Error: (?:Stream ended (?:without|before)|Connection lost|Connection to the API was lost)/;

/** Why there is no answer; null when there may be one. A result that calls itself a success may be an error all the same. */
function failureOf(result: unknown, events: readonly unknown[]): Report["failure"] {
  if (result === undefined) return null;
  const [problem] = listOf(member(result, "errors"));
  const said = serverMessage(member(result, "result") ?? problem) ?? "no reason given";
  const subtype = member(result, "subtype");
  if (subtype === "error_max_structured_output_retries") return invalid(said);
  if (member(result, "is_error") !== true) {
    return subtype === "success" ? null : failed("cli_error", `claude failed: ${said}`);
  }
  const status = member(result, "api_error_status");
  if (isHttpStatus(status)) {
    return failed(String(status), `HTTP ${status}: ${said}`, isRetryableStatus(status));
  }
  const last = lastOf(events, "assistant");
  const own = isOwnError(result, last) ? said : "";
  const kind = member(last, "error");
  if (/^(?:Not logged in|Please run \/login)/.test(own)) {
    return failed(
      "auth_missing",
      "claude is not signed in: run `claude` once and sign in, or set ANTHROPIC_API_KEY",
    );
  }
  if (member(result, "stop_reason") === "refusal") return invalid(`the model refused: ${said}`);
  if (kind === "max_output_tokens") return invalid(CUT_ERROR);
  if (UNREADABLE.test(own)) return failed("invalid_transport_output", said, true);
  // A server that answered has a status; without one the connection was refused, reset or cut.
  if (kind === "server_error" || UNFINISHED.test(own)) return failed("transport_error", said, true);
  return failed("cli_error", `claude failed: ${said}`);
}

/** What Claude Code tells the model, in messages of its own, when an answer was broken off: it asks for the rest. */
const RESUMED: readonly (readonly [RegExp, NonNullable<Report["failure"]>])[] = [
  [
    /^Output token limit hit|^Your response was cut off because it exceeded|^\[Your previous response reached the output limit/,
    invalid(CUT_ERROR),
  ],
  [
    /^Your response above was cut off mid-stream/,
    failed("transport_error", "the answer was cut off, and claude asked for its rest by itself", true),
  ],
];

/** Why an answer does not count although it is there: it is not whole, or it is put together from more than one. */
function brokenOff(result: unknown, events: readonly unknown[]): Report["failure"] {
  const reason = finishReason(result, events);
  if (reason === "refusal") return invalid("the model refused");
  if (reason !== null && CUT.has(reason)) return invalid(CUT_ERROR);
  for (const event of events) {
    if (member(event, "type") !== "user" || member(event, "isSynthetic") !== true) continue;
    for (const block of listOf(member(member(event, "message"), "content"))) {
      const text = member(block, "text");
      const [, failure] = RESUMED.find(([words]) => typeof text === "string" && words.test(text)) ?? [];
      if (failure !== undefined) return failure;
    }
  }
  return null;
}

function invalid(error: string): NonNullable<Report["failure"]> {
  return failed("invalid_output", error);
}

function failed(status: string, error: string, retryable = false): NonNullable<Report["failure"]> {
  return { status, error, retryable };
}

/** The structured answer as the JSON that it was, else the text. */
function textOf(output: Output, result: unknown): string | null {
  if (member(result, "structured_output") != null) {
    const line = output.lines[output.events.lastIndexOf(result)] ?? "";
    const structured = (parseJson(line) as ReadonlyMap<string, Writable>).get("structured_output");
    return stringifyJson(structured as Writable);
  }
  const text = member(result, "result");
  return typeof text === "string" ? text : null;
}
