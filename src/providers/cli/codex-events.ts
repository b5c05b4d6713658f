// What Codex's events say. It reports failures in words only, so the words that it is known to use are read here.
import { NO_USAGE, type Usage } from "../../ledgers/schema.ts";
import { isRetryableStatus, member, serverMessage, tryJson } from "../response.ts";
import { count } from "../usage.ts";
import { lastOf, type Output } from "./events.ts";
import type { Report } from "./provider.ts";

/** Notices that stand among the items and are none: of a model without an entry, and of a connection that fell back. */
const HARMLESS = /^Model metadata for .* not found|^Falling back from WebSockets/;
/**
 * How a tool that is not there, or is not allowed, is told on standard error: a line of Codex's log, with its time, its level
 * and the module that wrote it. The same words elsewhere may be an echo of what somebody else wrote.
 */
const REFUSED_TOOL =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z {1,2}(?:ERROR|WARN) codex_core::[\w:]+: error=(?:unsupported (?:custom tool )?call: *([\w.-]*)|patch rejected)/m;

export function readCodex(output: Output): Report {
  const { events } = output;
  const text = failureText(events);
  return {
    facts: {
      usage: usageOf(lastOf(events, "turn.completed")),
      httpStatus: statedStatus(text ?? ""),
      finishReason: finishReason(text),
    },
    tool: toolOf(output),
    finished: lastOf(events, "turn.completed") !== undefined,
    failure: text === null ? null : failureOf(text),
    text: lastMessage(events),
  };
}

function usageOf(turn: unknown): Usage {
  const usage = member(turn, "usage");
  return {
    ...NO_USAGE,
    input_tokens: count(member(usage, "input_tokens")),
    output_tokens: count(member(usage, "output_tokens")),
    cached_input_tokens: count(member(usage, "cached_input_tokens")),
    reasoning_output_tokens: count(member(usage, "reasoning_output_tokens")),
    cache_creation_input_tokens: count(member(usage, "cache_write_input_tokens")),
  };
}

function itemOf(event: unknown): unknown {
  const type = member(event, "type");
  return typeof type === "string" && type.startsWith("item.") ? member(event, "item") : undefined;
}

/** The text of the last message; null when there is none. */
function lastMessage(events: readonly unknown[]): string | null {
  const event = events.findLast(
    (one) => member(one, "type") === "item.completed" && member(itemOf(one), "type") === "agent_message",
  );
  const text = member(itemOf(event), "text");
  return typeof text === "string" ? text : null;
}

/** The first tool that was called or tried; null for none. Whatever is no message and no thought is one. */
function toolOf(output: Output): string | null {
  for (const event of output.events) {
    const item = itemOf(event);
    if (item === undefined) continue;
    const type = member(item, "type");
    if (type === "agent_message" || type === "reasoning") continue;
    const message = member(item, "message");
    if (type === "error" && typeof message === "string" && HARMLESS.test(message)) continue;
    return typeof type === "string" ? (serverMessage(type) ?? "unnamed") : "unnamed";
  }
  const refused = REFUSED_TOOL.exec(output.stderr);
  return refused === null ? null : refused[1] || "apply_patch";
}

/** What the turn failed with; null when it did not. */
function failureText(events: readonly unknown[]): string | null {
  const failed = lastOf(events, "turn.failed");
  if (failed === undefined && lastOf(events, "turn.completed") !== undefined) return null;
  const text = member(member(failed, "error"), "message") ?? member(lastOf(events, "error"), "message");
  if (typeof text === "string") return text;
  return failed === undefined ? null : "no reason given";
}

/** The model was cut short, or its answer was withheld: that is an answer, and an invalid one. */
function finishReason(text: string | null): string | null {
  return /Incomplete response returned, reason: (\w+)/.exec(text ?? "")?.[1] ?? null;
}

/** Words in place of a status, as Codex has them for these alone. */
const STATUS_WORDS: readonly (readonly [RegExp, number])[] = [
  [/experiencing high demand, which may cause temporary errors/, 500],
  [/^Selected model is at capacity/, 503],
  [/^rate limit exceeded|^Quota exceeded|hit your usage limit/i, 429],
];
const CONNECTION =
  /^stream disconnected before completion|^Connection failed|error sending request|^timeout waiting for/;
const NOT_SIGNED_IN = /Missing environment variable|not (?:logged|signed) in|log in again|sign in again/i;

function failureOf(text: string): NonNullable<Report["failure"]> {
  // A refused request comes as the body of the answer.
  const body = text.startsWith("{") ? tryJson(text) : undefined;
  const said = withoutTail(serverMessage(body ?? text) ?? "no reason given");
  const reason = finishReason(text);
  if (reason !== null) {
    const cut = reason === "max_output_tokens";
    const error = cut ? "the answer was cut at the token limit" : "the answer was withheld by a filter";
    return { status: "invalid_output", error, retryable: false };
  }
  const status = statusOf(text, body);
  if (status !== null) {
    return { status: String(status), error: `HTTP ${status}: ${said}`, retryable: isRetryableStatus(status) };
  }
  if (NOT_SIGNED_IN.test(text)) {
    const error = `codex is not signed in: run \`codex login\`, or set OPENAI_API_KEY (it said: ${said})`;
    return { status: "auth_missing", error, retryable: false };
  }
  if (CONNECTION.test(text)) return { status: "transport_error", error: said, retryable: true };
  return { status: "cli_error", error: `codex failed: ${said}`, retryable: false };
}

function statedStatus(text: string): number | null {
  const stated = /(?:unexpected status|last status:) (\d{3})\b/.exec(text)?.[1];
  return stated === undefined ? null : Number(stated);
}

function statusOf(text: string, body: unknown): number | null {
  const stated = statedStatus(text);
  if (stated !== null) return stated;
  if (member(body, "error") !== undefined) return 400;
  return STATUS_WORDS.find(([words]) => words.test(text))?.[1] ?? null;
}

/** Where it was sent and under which number is nobody's business. */
function withoutTail(text: string): string {
  return text.replace(/,? (?:url|cf-ray|request id): .*$/, "");
}
