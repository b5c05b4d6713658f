// What the endpoint does to a call in the torture tests, and what the call is to come to: the table of edge cases once
// more, as deeds of a server.
import { completion, type Script } from "../support/endpoint.ts";
import type { Due } from "./calls.ts";

/** An answer of the endpoint and what it means. */
export interface Deed {
  readonly script: Script;
  readonly due: Due;
}

/** Makes the answer to the request with this number, for a row with these labels. */
export type Fault = (serial: number, labels: readonly string[], random: () => number) => Deed;

type Changes = Parameters<typeof completion>[1];

/** The text of a valid answer; `note` is an extra key, which counts for nothing. */
function answerText(labels: readonly string[], random: () => number, note = ""): string {
  const chosen = Math.floor(random() * labels.length);
  const rest = labels.length > 1 ? 0.25 / (labels.length - 1) : 0;
  const shares = labels.map((label, at) => [label, at === chosen ? 1 - rest * (labels.length - 1) : rest]);
  const decision = { label: labels[chosen], probabilities: Object.fromEntries(shares) };
  return JSON.stringify({ answers: { decision }, ...(note === "" ? {} : { note }) });
}

/** A completion that carries the request's number as its count of input tokens. */
function marked(serial: number, content: unknown, changes: Changes = {}): Record<string, unknown> {
  const usage = { prompt_tokens: serial, completion_tokens: 1 };
  return completion(content, { ...changes, body: { usage, ...changes?.body } });
}

function due(
  status: string,
  httpStatus: number | null | undefined,
  retried: boolean,
  isMarked: boolean,
): Due {
  return { status, httpStatus, retried, marked: isMarked };
}

const OK = due("ok", 200, false, true);
const REFUSED = due("invalid_output", 200, false, true);
const UNREADABLE = due("invalid_transport_output", 200, true, false);
const BROKEN = due("transport_error", undefined, true, false);
const MIB = 1024 * 1024;

/** A right answer in this wrapping. */
const good =
  (script: Script = {}, note = "", changes: Changes = {}): Fault =>
  (serial, labels, random) => ({
    script: { ...script, body: marked(serial, answerText(labels, random, note), changes) },
    due: OK,
  });

/** An answer whose content is this. */
const content =
  (make: (answer: string) => unknown, what: Due, changes: Changes = {}): Fault =>
  (serial, labels, random) => ({
    script: { body: marked(serial, make(answerText(labels, random)), changes) },
    due: what,
  });

/** A refusal by status, in JSON that carries the number. */
const status =
  (code: number, retried: boolean, headers: Readonly<Record<string, string>> = {}): Fault =>
  (serial) => ({
    script: {
      status: code,
      headers,
      body: { error: { message: `no ${serial}` }, usage: { prompt_tokens: serial } },
    },
    due: due(String(code), code, retried, true),
  });

/** A right answer that does not arrive, or not whole. */
const broken =
  (script: Script): Fault =>
  (serial, labels, random) => ({
    script: { ...script, body: marked(serial, answerText(labels, random)) },
    due: { ...BROKEN, stalls: script.stall !== undefined },
  });

/** A body that is no JSON. */
const unreadable =
  (script: Script): Fault =>
  () => ({ script, due: UNREADABLE });

const HTML = "<!doctype html>\n<title>502 Bad Gateway</title>\u2028<p>nginx \u0000</p>";

/** Right answers in every wrapping that counts, with texts that have broken other readers. */
export const ANSWERS: Readonly<Record<string, Fault>> = {
  "right answer": good(),
  "in a fence": content((text) => `\`\`\`json\r\n${text}\r\n\`\`\``, OK),
  "list of parts": content((text) => [{ type: "text", text }], OK),
  "line separators": good({}, "a\u2028b\u2029c\u0085d\u000b\u000ce\r\nf"),
  NUL: good({}, "a\u0000b"),
  "half a pair in the text": good({}, "a\ud800b\udc00\udc00c"),
  "half a pair in the body": good({}, "", { message: { reasoning_content: "x\udfff\ud83d" } }),
  "half a pair in a key": good({}, "", { body: { "\ud800key": "\udfffvalue" } }),
  "slow drip": good({ dripMs: 10, dripBytes: 50 }),
  "late answer": good({ delayMs: 150 }),
  "until the connection closes": good({ untilClose: "whole" }),
  "white space before": good({ padBytes: 100_000 }),
  "long text": good({}, "long \u{1f600} ".repeat(4000)),
};

/** Answers that are wrong, and final. */
export const REFUSALS: Readonly<Record<string, Fault>> = {
  "text around": content((text) => `Sure: ${text}`, REFUSED),
  "empty content": content(() => "", REFUSED),
  "null content": content(() => null, REFUSED),
  "unknown label": content((text) => text.replace(/"label":"[^"]*"/, '"label":"constructor"'), REFUSED),
  "no JSON": content((text) => text.slice(0, -9), REFUSED),
  "cut at the limit": content((text) => text, REFUSED, { choice: { finish_reason: "length" } }),
  "tool call": content((text) => text, REFUSED, { message: { tool_calls: [{ id: "1", type: "function" }] } }),
  "no choices": (serial) => ({
    script: { body: marked(serial, "", { body: { choices: [] } }) },
    due: REFUSED,
  }),
  "error in place": (serial) => ({
    script: { body: { error: { message: "x\ud800\u0000\u2028" }, usage: { prompt_tokens: serial } } },
    due: due("model_error", 200, false, true),
  }),
  "HTTP 400": status(400, false),
  "HTTP 401": status(401, false),
  "HTTP 404": status(404, false),
  "HTTP 413": status(413, false),
  "HTTP 422": status(422, false),
  redirect: status(302, false, { location: "http://127.0.0.1:9/v1" }),
  "429 for an hour": status(429, false, { "retry-after": "3600" }),
};

/** Failures that another attempt may cure. */
export const FAILURES: Readonly<Record<string, Fault>> = {
  "reset at once": broken({ reset: "start" }),
  "reset behind the headers": broken({ reset: "headers" }),
  "reset in the body": broken({ reset: "body" }),
  "cut chunks": broken({ cutChunks: true }),
  "shorter than announced": broken({ announce: 9000 }),
  "no HTTP": () => ({ script: { raw: "hello\r\n\r\n" }, due: BROKEN }),
  "closed at once": () => ({ script: { raw: "" }, due: BROKEN }),
  "headers without end": () => ({
    script: { raw: `HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}` },
    due: BROKEN,
  }),
  "HTML page": unreadable({ body: HTML }),
  "HTML page 503": () => ({ script: { status: 503, body: HTML }, due: due("503", 503, true, false) }),
  "empty body": unreadable({ body: "" }),
  "half a body": (serial) => ({
    script: { untilClose: "half", body: marked(serial, "x") },
    due: UNREADABLE,
  }),
  "invalid UTF-8": unreadable({
    body: Buffer.from([0x7b, 0x22, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
  }),
  "NUL bytes": unreadable({ body: Buffer.alloc(4000) }),
  "error with a code": (serial) => ({
    script: { body: { error: { message: "busy", code: 503 }, usage: { prompt_tokens: serial } } },
    due: due("model_error", 200, true, true),
  }),
  "HTTP 408": status(408, true),
  "HTTP 409": status(409, true),
  "HTTP 425": status(425, true),
  "HTTP 429": status(429, true, { "retry-after": "0" }),
  "HTTP 500": status(500, true),
  "HTTP 503": status(503, true, { "retry-after": "1" }),
  "HTTP 529": status(529, true),
};

/** Calls that end at the time limit, at every stage. */
export const STALLS: Readonly<Record<string, Fault>> = {
  "no answer": broken({ stall: "start" }),
  "headers only": broken({ stall: "headers" }),
  "half a body, then silence": broken({ stall: "body" }),
};

/** A right answer of so many bytes, most of them in a text that is kept. */
export function bigAnswer(bytes: number): Fault {
  return good({}, "a line of the text \u{1f600}\u2028".repeat(Math.floor(bytes / 25)));
}

/** A body that is too large to be read. */
export const OVERSIZED: Fault = (serial, labels, random) => ({
  script: { padBytes: 33 * MIB, body: marked(serial, answerText(labels, random)) },
  due: due("invalid_transport_output", 200, false, false),
});

/** A 429 with this wait; a longer one than a minute is final. */
export function busy(headers: Readonly<Record<string, string>>, isFinal: boolean): Fault {
  return status(429, !isFinal, headers);
}
