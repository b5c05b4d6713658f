// A server on loopback that speaks chat completions and the native format, and answers by a script: what real servers do,
// and what broken ones do at every stage of an answer. Without a script it answers correctly.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  stringifyJson,
  type Writable,
} from "../../src/answers/json.ts";

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** `text` as plain data; undefined when it is not JSON. */
  readonly body: unknown;
}

/** How one request is answered. */
export interface Script {
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text or bytes as they are; anything else as JSON. A correct answer unless given. */
  readonly body?: unknown;
  /** Wait before the answer begins, in ms. */
  readonly delayMs?: number;
  /** Never answers, stops after the headers, or in the middle of the body. */
  readonly stall?: "start" | "headers" | "body";
  /** Resets the connection at once, after the headers, or in the middle of the body. */
  readonly reset?: "start" | "headers" | "body";
  /** Announces this length whatever the body's is, and closes the connection after the body. */
  readonly announce?: number;
  /** Closes the connection in the middle of a chunked body. */
  readonly cutChunks?: boolean;
  /** Sends the body without a length and ends it by closing; `half` stops in the middle. */
  readonly untilClose?: "whole" | "half";
  /** Sends one byte, or `dripBytes`, every so many ms. */
  readonly dripMs?: number;
  readonly dripBytes?: number;
  /** Sends this many bytes of white space before the body. */
  readonly padBytes?: number;
  /** Writes exactly this on the connection and closes it. */
  readonly raw?: string | Uint8Array;
}

export type Scripted = Script | ((request: RecordedRequest) => Script);

export interface ScriptedEndpoint {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  /** Connections that are open now. */
  readonly connections: number;
  /** Connections that were ever made. */
  readonly accepted: number;
  /** Answers for the next requests, one each; after them `otherwise` holds. */
  script(...answers: readonly Scripted[]): void;
  /** The answer to every request that has no script of its own. */
  otherwise(answer: Scripted): void;
  close(): Promise<void>;
}

/** Starts an endpoint on a free port of 127.0.0.1. */
export async function startEndpoint(otherwise: Scripted = {}): Promise<ScriptedEndpoint> {
  const requests: RecordedRequest[] = [];
  const queue: Scripted[] = [];
  const sockets = new Set<Socket>();
  let fallback = otherwise;
  let accepted = 0;

  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return; // The client gave up while it was sending.
    }
    const text = Buffer.concat(chunks).toString("utf8");
    const request: RecordedRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      text,
      body: tryJson(text),
    };
    requests.push(request);
    const scripted = queue.shift() ?? fallback;
    const script = typeof scripted === "function" ? scripted(request) : scripted;
    await play(script, request, response);
  });
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    get connections() {
      return sockets.size;
    },
    get accepted() {
      return accepted;
    },
    script: (...answers) => void queue.push(...answers),
    otherwise: (answer) => {
      fallback = answer;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function play(script: Script, request: RecordedRequest, response: ServerResponse): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  if (script.delayMs) await sleep(script.delayMs);
  if (script.stall === "start") return;
  if (script.reset === "start") return void socket.resetAndDestroy();
  if (script.raw !== undefined) return void socket.end(script.raw);

  const bytes = bodyBytes(script.body ?? correctAnswer(request), script.padBytes ?? 0);
  const half = Math.floor(bytes.length / 2);
  const headers: Record<string, string | string[]> = { "content-type": "application/json" };
  for (const [name, value] of Object.entries(script.headers ?? {})) {
    headers[name] = typeof value === "string" ? value : [...value];
  }
  if (script.untilClose !== undefined) {
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${script.status ?? 200} X\r\nconnection: close\r\n${head.join("")}\r\n`);
    return void socket.end(script.untilClose === "half" ? bytes.subarray(0, half) : bytes);
  }
  if (!script.cutChunks) headers["content-length"] = String(script.announce ?? bytes.length);
  response.strictContentLength = false;
  response.writeHead(script.status ?? 200, headers);
  response.flushHeaders();
  if (script.stall === "headers") return;
  // What was written has to leave before the connection is reset, or the client sees none of it.
  if (script.reset === "headers") return void setTimeout(() => socket.resetAndDestroy(), 20);
  if (script.stall === "body" || script.reset === "body" || script.cutChunks) {
    response.write(bytes.subarray(0, half));
    if (script.reset === "body") setTimeout(() => socket.resetAndDestroy(), 20);
    if (script.cutChunks) setTimeout(() => socket.destroy(), 20);
    return;
  }
  if (script.dripMs !== undefined) {
    const step = script.dripBytes ?? 1;
    for (let at = 0; at < bytes.length; at += step) {
      if (socket.destroyed) return;
      // Not behind the last one: whoever has the whole body may send the next request before this answer has its end.
      if (at > 0) await sleep(script.dripMs);
      response.write(bytes.subarray(at, at + step));
    }
  } else response.write(bytes);
  if (script.announce === undefined) response.end();
  else setTimeout(() => socket.destroy(), 20);
}

function bodyBytes(body: unknown, padding: number): Buffer {
  let bytes: Buffer;
  if (typeof body === "string") bytes = Buffer.from(body, "utf8");
  else if (body instanceof Uint8Array) bytes = Buffer.from(body);
  else bytes = Buffer.from(stringifyJson(body as Writable), "utf8");
  return padding === 0 ? bytes : Buffer.concat([Buffer.alloc(padding, " "), bytes]);
}

/** A chat completion with this content. `message` and `choice` add or replace fields; so does `body` on top. */
export function completion(
  content: unknown,
  changes: {
    readonly message?: Readonly<Record<string, unknown>>;
    readonly choice?: Readonly<Record<string, unknown>>;
    readonly body?: Readonly<Record<string, unknown>>;
  } = {},
): Record<string, unknown> {
  return {
    id: "chatcmpl-1f3a9c0d",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "scripted-model",
    system_fingerprint: "fp_7c1d2e3f",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, ...changes.message },
        finish_reason: "stop",
        ...changes.choice,
      },
    ],
    usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
    ...changes.body,
  };
}

/** What a good server answers: the first option with probability 0.7, the others share the rest. */
function correctAnswer(request: RecordedRequest): unknown {
  const labels = labelsOf(request.text);
  const rest = labels.length > 1 ? 0.3 / (labels.length - 1) : 0;
  const probabilities = new Map(
    labels.map((label, index) => [label, index === 0 ? 1 - 0.3 * Number(labels.length > 1) : rest]),
  );
  const id = questionOf(request.text);
  if (isNative(request)) {
    return nativeAnswer({
      answers: new Map([[id, { type: "choice", choice: labels[0] ?? "", probabilities }]]),
    });
  }
  return completion(stringifyJson({ answers: new Map([[id, { label: labels[0] ?? "", probabilities }]]) }));
}

function isNative(request: RecordedRequest): boolean {
  return request.path.endsWith("/systemone");
}

/** The body of a native provider's answer; `changes` add or replace fields. */
export function nativeAnswer(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    request_id: "req-native-5d2f7a91",
    model: "scripted-model",
    usage: { input_tokens: 120, output_tokens: 30 },
    ...changes,
  };
}

/** The input of a request, in order, as `{state, questions: [{id, …, options}]}`; null when the request is none of ours. */
export function inputOf(text: string): Json {
  try {
    const request = parseJson(text);
    const native = walk(request, "questions");
    if (isJsonObject(native)) return nativeInput(walk(request, "state") ?? null, native);
    const content = walk(request, "messages", 1, "content");
    const user = Array.isArray(content) ? walk(content[0], "text") : content;
    return typeof user === "string" ? parseJson(user.split("\n\n", 1)[0] ?? "") : null;
  } catch {
    return null;
  }
}

function nativeInput(state: Json, questions: JsonObject): Json {
  const list = [...questions].map(([id, question]) => {
    const { criteria, ...rest } = isJsonObject(question) ? Object.fromEntries(question) : {};
    return new Map<string, Json>([["id", id], ...Object.entries(rest), ["options", criteria ?? null]]);
  });
  return new Map<string, Json>([
    ["state", state],
    ["questions", list],
  ]);
}

function labelsOf(text: string): string[] {
  const options = walk(inputOf(text), "questions", 0, "options");
  return isJsonObject(options) ? [...options.keys()] : [];
}

function questionOf(text: string): string {
  const id = walk(inputOf(text), "questions", 0, "id");
  return typeof id === "string" ? id : "decision";
}

function walk(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let here = value;
  for (const step of path) {
    if (typeof step === "number") here = Array.isArray(here) ? here[step] : undefined;
    else here = isJsonObject(here) ? here.get(step) : undefined;
  }
  return here;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
