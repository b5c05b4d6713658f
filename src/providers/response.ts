// What an HTTP answer means before anybody looks for a model's words in it: the status classes, how long to wait, and
// what the server says went wrong. The same for all HTTP providers.
import type { IncomingHttpHeaders } from "node:http";
import { cutBetweenWords, makeWellFormed } from "../answers/text.ts";
import type { HttpExchange } from "./http.ts";

/** Why an exchange holds no answer of a model. */
export interface Problem {
  readonly status: string;
  readonly error: string;
  readonly retryable: boolean;
}

/** HTTP 408, 409, 425, 429 and every 5xx: worth another attempt. */
export function isRetryableStatus(status: number): boolean {
  return (
    status === 408 || status === 409 || status === 425 || status === 429 || (status >= 500 && status <= 599)
  );
}

/**
 * Tells a whole 2xx answer from everything else. A status other than 2xx is the result even when its body was cut or
 * is too large: the body could only have explained it.
 *
 * @returns null when the body is worth reading.
 */
export function problemOf(exchange: HttpExchange, body: unknown): Problem | null {
  const { failure, httpStatus } = exchange;
  const refused = httpStatus !== null && (httpStatus < 200 || httpStatus > 299);
  if (refused && failure?.status !== "incomplete") {
    const said = serverMessage(body);
    return {
      status: String(httpStatus),
      error: said === null ? `HTTP ${httpStatus}` : `HTTP ${httpStatus}: ${said}`,
      retryable: isRetryableStatus(httpStatus),
    };
  }
  return failure;
}

/** How long the server asks us to wait: `retry-after-ms`, else `retry-after` in seconds or as a date; null for neither. */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number): number | null {
  const ms = decimal(headerText(headers, "retry-after-ms"));
  if (ms !== null) return ms;
  const text = headerText(headers, "retry-after");
  const seconds = decimal(text);
  if (seconds !== null) return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER);
  // HTTP dates begin with the name of a day; Date.parse alone would take "-1" or "5 x" for a year or a month.
  const date = text !== null && /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The first value of a header, trimmed; null when it is not there. */
export function headerText(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined ? null : text.trim();
}

/** A number that is not negative, as a header writes it; null for anything else. */
export function decimal(text: string | null): number | null {
  if (text === null || !/^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** `{"error": …}` in place of an answer: an upstream failure that came with HTTP 200. Worth a retry only when it says so. */
export function envelopeProblem(error: unknown): {
  readonly status: "model_error";
  readonly error: string;
  readonly retryable: boolean;
} {
  const said = serverMessage({ error });
  return {
    status: "model_error",
    error: said === null ? "the server answered with an error" : `the server answered with an error: ${said}`,
    retryable: hasRetryableCode(error),
  };
}

/**
 * The names that APIs document for what they also answer with 429, 500, 502, 503, 504 or 529: OpenAI, Anthropic, Google (which
 * writes them in capitals) and OpenRouter. docs/protocol.md lists them.
 */
const RETRYABLE_CODES: ReadonlySet<string> = new Set([
  "rate_limit_exceeded",
  "rate_limit_error",
  "resource_exhausted",
  "server_error",
  "api_error",
  "internal",
  "server_is_overloaded",
  "overloaded_error",
  "provider_overloaded",
  "provider_unavailable",
  "service_unavailable",
  "service_unavailable_error",
  "unavailable",
  "timeout",
  "timeout_error",
  "deadline_exceeded",
]);
/** Documented beside names of limits on the pace, and nothing that a later attempt would change. */
const QUOTA = "insufficient_quota";

/** Whether an error names, in a field for it, a status or a code that another attempt may cure; its words do not count. */
function hasRetryableCode(error: unknown): boolean {
  const codes = ["code", "status", "status_code", "type"].map((name) => member(error, name));
  const statuses = codes
    .filter((code) => typeof code === "number" || (typeof code === "string" && /^\d{3}$/.test(code)))
    .map(Number)
    .filter((status) => Number.isInteger(status) && status >= 100 && status <= 599);
  // A number is more exact than a name, which may be that of a whole class.
  if (statuses.length > 0) return statuses.some(isRetryableStatus);
  const names = codes.flatMap((code) => (typeof code === "string" ? [code.toLowerCase()] : []));
  return !names.includes(QUOTA) && names.some((name) => RETRYABLE_CODES.has(name));
}

/** A server's own words about an error, on one line and short. */
export function serverMessage(body: unknown): string | null {
  if (typeof body === "string") return oneLine(body);
  const error = member(body, "error");
  const detail = member(body, "detail");
  // FastAPI's form of a refused request: a list with one object for each field that is wrong.
  const field: unknown = Array.isArray(detail) ? detail[0] : detail;
  for (const text of [
    member(error, "message"),
    error,
    member(body, "message"),
    detail,
    member(field, "message"),
    member(field, "msg"),
  ]) {
    if (typeof text === "string") return oneLine(text);
  }
  return null;
}

function oneLine(text: string): string | null {
  const line = makeWellFormed(cutBetweenWords(cutBetweenWords(text, 2000).replace(/\s+/g, " ").trim(), 300));
  return line === "" ? null : line;
}

/** `value[key]` of plain JSON data; undefined when `value` is no object or has no such key of its own. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** The parsed text; undefined when it is not JSON (or nests deeper than the engine can read). */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
