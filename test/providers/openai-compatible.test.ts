import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stringifyJson } from "../../src/answers/json.ts";
import { POLICY, userText } from "../../src/answers/prompt.ts";
import type { CorpusRow } from "../../src/corpus/schema.ts";
import type { ModelOf } from "../../src/models/schema.ts";
import type { CallOutcome, Provider } from "../../src/providers/provider.ts";
import { createProvider } from "../../src/providers/registry.ts";
import { completion, inputOf, type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";
import { answerText, makeRow } from "../support/rows.ts";
import { violationsOf } from "./chat-contract.ts";

type Model = ModelOf<"openai-compatible">;

const GOOD = answerText("yes", [
  ["yes", 0.8],
  ["no", 0.2],
]);
const NOW = Date.parse("2026-03-01T12:00:00Z");

let endpoint: ScriptedEndpoint;
let provider: Provider | undefined;
let corpusDir: string;

beforeEach(async () => {
  endpoint = await startEndpoint();
  corpusDir = mkdtempSync(join(tmpdir(), "bench-corpus-"));
});
afterEach(async () => {
  await provider?.close();
  provider = undefined;
  await endpoint.close();
  rmSync(corpusDir, { recursive: true });
});

function model(changes: Partial<Model> = {}): Model {
  return { id: "m", label: "M", provider: "openai-compatible", model: "served-name", ...changes };
}

async function open(changes: Partial<Model> = {}, env: Record<string, string> = {}): Promise<Provider> {
  await provider?.close();
  provider = await createProvider(model(changes), {
    env: { DECISION_BENCH_BASE_URL: endpoint.baseUrl, ...env },
    corpusDir,
    jobs: 4,
    now: () => NOW,
  });
  return provider;
}

async function call(
  row: CorpusRow = makeRow(),
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<CallOutcome> {
  provider ??= await open();
  return provider.call(row, { timeoutMs: 5000, signal: new AbortController().signal, ...options });
}

const lastBody = () => endpoint.requests.at(-1)?.body as Record<string, unknown>;

describe("the request", () => {
  test("keeps to the public contract and says what formats.md says", async () => {
    expect((await call()).status).toBe("ok");
    const { method, path, headers, body, text } = endpoint.requests[0] ?? expect.unreachable();
    expect([method, path]).toEqual(["POST", "/v1/chat/completions"]);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["accept-encoding"]).toBe("identity");
    expect(violationsOf(body)).toEqual([]);
    expect(body).toMatchObject({ model: "served-name", stream: false, max_tokens: 4096 });
    expect(Object.keys(body as object)).toEqual([
      "model",
      "stream",
      "messages",
      "response_format",
      "max_tokens",
    ]);
    expect(lastBody().messages).toEqual([
      { role: "system", content: POLICY },
      { role: "user", content: userText(makeRow()) },
    ]);
    expect(lastBody().response_format).toMatchObject({
      type: "json_schema",
      json_schema: { name: "decision", strict: true, schema: { type: "object", required: ["answers"] } },
    });
    expect(text).not.toContain("SECRET");
  });

  test.each([
    ["json_object", { type: "json_object" }],
    ["prompt", undefined],
  ] as const)("response format %s", async (response_format, sent) => {
    await open({ request: { response_format } });
    expect((await call()).status).toBe("ok");
    expect(lastBody().response_format).toEqual(sent);
    expect("response_format" in lastBody()).toBe(sent !== undefined);
    expect(violationsOf(lastBody())).toEqual([]);
  });

  test("null leaves effort and temperature out, an explicit 0 is sent", async () => {
    await open({ request: { reasoning_effort: null, temperature: null } });
    await call();
    expect(lastBody()).not.toHaveProperty("reasoning_effort");
    expect(lastBody()).not.toHaveProperty("temperature");
    await open({
      request: {
        reasoning_effort: "low",
        temperature: 0,
        token_limit_field: "max_completion_tokens",
        max_output_tokens: 17,
      },
    });
    await call();
    expect(lastBody()).toMatchObject({ reasoning_effort: "low", temperature: 0, max_completion_tokens: 17 });
    expect(lastBody()).not.toHaveProperty("max_tokens");
    expect(violationsOf(lastBody())).toEqual([]);
  });

  test("options keep the shown order in prompt and schema, whatever the labels are", async () => {
    const labels = ["10", "2", "__proto__", "1", "constructor"];
    const outcome = await call(makeRow(labels));
    expect(outcome.answer?.label).toBe("10");
    const { text } = endpoint.requests[0] ?? expect.unreachable();
    expect(text).toContain('"enum":["10","2","__proto__","1","constructor"]');
    expect(text).toContain('"properties":{"10":{"type":"number"},"2":{"type":"number"},"__proto__":');
    expect(stringifyJson(inputOf(text))).toContain('"options":{"10":"means 10","2":"means 2","__proto__":');
  });

  test("preview is what call sends", async () => {
    const preview = stringifyJson(await (await open()).preview(makeRow(["2", "1"])));
    await call(makeRow(["2", "1"]));
    expect(endpoint.requests[0]?.text).toBe(preview);
    expect(preview).not.toContain("127.0.0.1");
  });

  test("a key goes out as bearer; without one loopback gets no Authorization", async () => {
    await call();
    expect(endpoint.requests[0]?.headers).not.toHaveProperty("authorization");
    await open({}, { DECISION_BENCH_API_KEY: "key-1234" });
    await call();
    expect(endpoint.requests[1]?.headers.authorization).toBe("Bearer key-1234");
  });

  test("a named endpoint has its own variables and no other key", async () => {
    await open(
      { endpoint: "my-lab" },
      {
        DECISION_BENCH_BASE_URL: "http://127.0.0.1:9/v1",
        DECISION_BENCH_API_KEY: "other-key",
        DECISION_BENCH_MY_LAB_BASE_URL: `${endpoint.baseUrl}/`,
      },
    );
    expect((await call()).status).toBe("ok");
    expect(endpoint.requests[0]?.path).toBe("/v1/chat/completions");
    expect(endpoint.requests[0]?.headers).not.toHaveProperty("authorization");
  });
});

describe("pictures", () => {
  const bytes = Buffer.from("not really a picture");
  const asset = (changes = {}) => ({
    path: "assets/a.png",
    media_type: "image/png" as const,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    alt: "SECRET-ALT",
    ...changes,
  });
  const row = (changes = {}) =>
    makeRow(["yes", "no"], { modality: "image", assets: [asset(changes), asset()] });
  beforeEach(() => {
    mkdirSync(join(corpusDir, "assets"));
    writeFileSync(join(corpusDir, "assets/a.png"), bytes);
  });

  test("a vision model gets the text, then the pictures as data URIs", async () => {
    await open({ vision: true });
    const outcome = await call(row());
    expect(outcome).toMatchObject({ status: "ok", imagesSent: 2 });
    const [, user] = lastBody().messages as { content: unknown }[];
    const url = `data:image/png;base64,${bytes.toString("base64")}`;
    expect(user?.content).toEqual([
      { type: "text", text: userText(row()) },
      { type: "image_url", image_url: { url } },
      { type: "image_url", image_url: { url } },
    ]);
    expect(violationsOf(lastBody())).toEqual([]);
    expect(endpoint.requests[0]?.text).not.toContain("SECRET");
  });

  test("a vision model gets plain text for a row without pictures", async () => {
    await open({ vision: true });
    expect((await call()).imagesSent).toBe(0);
    const [, user] = lastBody().messages as { content: unknown }[];
    expect(user?.content).toBe(userText(makeRow()));
  });

  test("other models get none, and it is recorded", async () => {
    expect((await call(row())).imagesSent).toBe(0);
    expect(endpoint.requests[0]?.text).not.toContain("base64");
  });

  test.each([
    ["another picture", { sha256: "0".repeat(64) }, /digest differs/],
    ["none", { path: "assets/b.png" }, /cannot be read \(ENOENT\)/],
    ["one outside of the corpus", { path: "../a.png" }, /outside/],
  ])("%s is not sent", async (_, changes, error) => {
    await open({ vision: true });
    const outcome = await call(row(changes));
    expect(outcome).toMatchObject({ status: "runner_error", retryable: false, imagesSent: 0 });
    expect(outcome.error).toMatch(error);
    expect(endpoint.requests).toHaveLength(0);
  });
});

describe("an answer", () => {
  test("that is valid", async () => {
    endpoint.script({ body: completion(GOOD) });
    const outcome = await call();
    expect(outcome).toMatchObject({
      status: "ok",
      error: null,
      retryable: false,
      retryAfterMs: null,
      outputText: GOOD,
      outputWrapper: "none",
      finishReason: "stop",
      resolvedModel: "scripted-model",
      httpStatus: 200,
      reportedCostUsd: null,
      costSource: null,
      providerDurationMs: null,
      imagesSent: 0,
    });
    expect(outcome.answer).toMatchObject({ label: "yes", probabilitySource: "verbalized" });
    expect(outcome.usage).toMatchObject({ input_tokens: 120, output_tokens: 30, cached_input_tokens: null });
    expect(outcome.raw).toMatchObject({ choices: [{ message: { content: GOOD } }] });
  });

  test("in a fence keeps its raw text; strict refuses it", async () => {
    const fenced = `\`\`\`json\r\n${GOOD}\r\n\`\`\``;
    endpoint.otherwise({ body: completion(fenced) });
    expect(await call()).toMatchObject({ status: "ok", outputText: fenced, outputWrapper: "code_fence" });
    await open({ request: { json_wrapper_policy: "strict" } });
    expect(await call()).toMatchObject({
      status: "invalid_output",
      outputText: fenced,
      outputWrapper: "none",
    });
  });

  test("as a list of text parts", async () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: GOOD.slice(0, 20) },
      { type: "text", text: GOOD.slice(20) },
    ];
    endpoint.script({ body: completion(parts) });
    expect(await call()).toMatchObject({ status: "ok", outputText: GOOD });
  });

  test("with null or empty calls and refusal is an ordinary one", async () => {
    const message = { tool_calls: [], function_call: null, refusal: null };
    endpoint.script({ body: completion(GOOD, { message }) });
    expect((await call()).status).toBe("ok");
  });

  test.each([
    ["no choices", { id: "x" }, /no choices/],
    ["an empty list of choices", { choices: [] }, /no choices/],
    ["choices that are none", { choices: "x" }, /no choices/],
    ["a list on top", [], /no choices/],
    ["null on top", "null", /no choices/],
    ["no message", { choices: [{}] }, /no content/],
    ["null content", completion(null), /no content/],
    ["empty content", completion(""), /empty/],
    ["no parts", completion([]), /no content/],
    ["a part that is no text", completion([{ type: "image_url" }]), /not text/],
    ["a number as content", completion(7), /neither text nor a list/],
    ["plain words", completion("yes"), /^not JSON/],
    ["the token limit", completion(GOOD, { choice: { finish_reason: "length" } }), /token limit/],
    ["a filter", completion(GOOD, { choice: { finish_reason: "content_filter" } }), /filter/],
    ["a refusal", completion(GOOD, { message: { refusal: "I will not." } }), /refused: "I will not."/],
    ["a refusal part", completion([{ type: "refusal", refusal: "No." }]), /refused: "No."/],
    ["a tool call", completion(GOOD, { message: { tool_calls: [{ id: "c", type: "function" }] } }), /tool/],
    ["a tool call without content", completion(null, { message: { tool_calls: [{}] } }), /tool/],
    ["a function call", completion(GOOD, { message: { function_call: { name: "f" } } }), /tool/],
    ["a tool part", completion([{ type: "tool_use" }, { type: "text", text: GOOD }]), /tool/],
  ])("with %s is invalid, and not asked for again", async (_, body, error) => {
    endpoint.script({ body });
    const outcome = await call();
    expect(outcome).toMatchObject({
      status: "invalid_output",
      retryable: false,
      answer: null,
      httpStatus: 200,
    });
    expect(outcome.error).toMatch(error);
  });

  test("what was said before the token limit is kept, with tokens and cost", async () => {
    const body = completion('{"answ', {
      choice: { finish_reason: "length" },
      body: { usage: { prompt_tokens: 9, completion_tokens: 4096, cost: 0.25 } },
    });
    endpoint.script({ body });
    expect(await call()).toMatchObject({
      outputText: '{"answ',
      finishReason: "length",
      usage: { input_tokens: 9, output_tokens: 4096 },
      reportedCostUsd: 0.25,
      costSource: "usage.cost",
    });
  });
});

describe("an error in place of an answer", () => {
  test.each([
    [{ error: { message: "upstream is\nbusy", code: 503 } }, true],
    [{ error: { message: "upstream is\nbusy", code: "429" } }, true],
    [{ error: { message: "upstream is\nbusy", status: 500 }, choices: [] }, true],
    [{ error: { message: "upstream is\nbusy", code: 400 } }, false],
    [{ error: { message: "upstream is\nbusy", code: "invalid_prompt" } }, false],
    [{ error: "upstream is busy" }, false],
    [{ choices: [{ error: { message: "upstream is busy", code: 502 }, finish_reason: "error" }] }, true],
  ])("%j is a model_error, retried only with a retryable code", async (body, retryable) => {
    endpoint.script({ body });
    const outcome = await call();
    expect(outcome).toMatchObject({ status: "model_error", retryable, httpStatus: 200 });
    expect(outcome.error).toBe("the server answered with an error: upstream is busy");
  });

  test("a null error beside choices is none", async () => {
    endpoint.script({ body: completion(GOOD, { body: { error: null } }) });
    expect((await call()).status).toBe("ok");
  });
});

describe("status classes", () => {
  test.each([408, 409, 425, 429, 500, 502, 503, 504, 529, 599])("HTTP %i is retried", async (status) => {
    endpoint.script({ status, body: { error: { message: "later" } } });
    expect(await call()).toMatchObject({
      status: String(status),
      error: `HTTP ${status}: later`,
      retryable: true,
      httpStatus: status,
    });
  });

  test.each([400, 401, 402, 403, 404, 405, 410, 413, 418, 422, 451])("HTTP %i is not", async (status) => {
    endpoint.script({ status, body: "<html>\n no </html>" });
    expect(await call()).toMatchObject({
      status: String(status),
      error: `HTTP ${status}: <html> no </html>`,
      retryable: false,
      httpStatus: status,
      raw: "<html>\n no </html>",
    });
  });

  test.each([301, 302, 303, 307, 308])("HTTP %i is never followed", async (status) => {
    const other = await startEndpoint();
    endpoint.script({ status, headers: { location: `${other.baseUrl}/chat/completions` }, body: "" });
    await open({}, { DECISION_BENCH_API_KEY: "key-1234" });
    expect(await call()).toMatchObject({ status: String(status), error: `HTTP ${status}`, retryable: false });
    expect(other.requests).toHaveLength(0);
    await other.close();
  });

  test("an error body keeps its tokens and cost", async () => {
    endpoint.script({
      status: 500,
      headers: { "x-litellm-response-cost": "0.002" },
      body: { error: { message: "x" }, model: "real", usage: { prompt_tokens: 7, completion_tokens: 0 } },
    });
    expect(await call()).toMatchObject({
      status: "500",
      usage: { input_tokens: 7, output_tokens: 0 },
      reportedCostUsd: 0.002,
      costSource: "x-litellm-response-cost",
      resolvedModel: "real",
    });
  });

  test.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Sun, 01 Mar 2026 12:00:20 GMT" }, 20_000],
    [{ "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, 0],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9000],
    [{ "retry-after": "3600" }, 3_600_000],
    [{ "retry-after": "-1" }, null],
    [{ "retry-after": "later" }, null],
    [{}, null],
  ])("%j", async (headers, expected) => {
    endpoint.script({ status: 429, headers, body: "{}" });
    expect((await call()).retryAfterMs).toBe(expected);
  });
});

describe("a transport that fails", () => {
  const body = completion(GOOD);
  test.each([
    ["text in place of JSON", { body: "<html>busy</html>" }, "invalid_transport_output", true],
    ["an empty body", { body: "" }, "invalid_transport_output", true],
    ["half a body that ends cleanly", { body, untilClose: "half" }, "invalid_transport_output", true],
    ["no UTF-8", { body: Buffer.from([0x7b, 0xff, 0x7d]) }, "invalid_transport_output", true],
    ["a reset at once", { reset: "start" }, "transport_error", true],
    ["a reset after the headers", { body, reset: "headers" }, "transport_error", true],
    ["a reset in the body", { body, reset: "body" }, "transport_error", true],
    ["cut chunks", { body, cutChunks: true }, "transport_error", true],
    ["a body shorter than announced", { body, announce: 5000 }, "transport_error", true],
    ["no HTTP", { raw: "hello\r\n\r\n" }, "transport_error", true],
    ["a closed connection", { raw: "" }, "transport_error", true],
    ["headers without end", { raw: `HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}` }, "transport_error", true],
    [
      "another protocol",
      { raw: "HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n" },
      "transport_error",
      true,
    ],
  ] as const)("%s", async (_, script, status, retryable) => {
    endpoint.script(script);
    const outcome = await call();
    expect(outcome).toMatchObject({ status, retryable, answer: null, outputText: null });
    expect(outcome.error).not.toMatch(/127\.0\.0\.1|localhost|\d{5}/);
    expect((await call()).status).toBe("ok");
  });

  test("a body that ends with the connection is whole", async () => {
    endpoint.script({ body, untilClose: "whole" }, { body: `\ufeff${JSON.stringify(body)}` });
    expect((await call()).status).toBe("ok");
    expect((await call()).status).toBe("ok");
  });

  test("a refused connection", async () => {
    await endpoint.close();
    const outcome = await call();
    expect(outcome).toMatchObject({
      status: "transport_error",
      retryable: true,
      httpStatus: null,
      raw: null,
    });
    expect(outcome.error).toBe("the connection was refused");
    endpoint = await startEndpoint();
  });

  test("a status stands even when its body is cut", async () => {
    endpoint.script({ status: 429, body: "x".repeat(100), cutChunks: true, headers: { "retry-after": "3" } });
    expect(await call()).toMatchObject({ status: "429", retryable: true, retryAfterMs: 3000 });
  });

  test.each([
    ["no answer", { stall: "start" }],
    ["headers alone", { stall: "headers" }],
    ["half a body", { body, stall: "body" }],
    ["a slow drip", { body, dripMs: 20 }],
    ["a late answer", { body, delayMs: 2000 }],
  ] as const)("%s at the time limit", async (_, script) => {
    endpoint.script(script);
    const start = performance.now();
    const outcome = await call(makeRow(), { timeoutMs: 250 });
    expect(performance.now() - start).toBeLessThan(1000);
    expect(outcome).toMatchObject({ status: "transport_error", retryable: true });
    expect(outcome.error).toBe("no complete answer within 0.25 s");
    expect((await call()).status).toBe("ok");
  });

  test("a call that the person stops ends at once", async () => {
    endpoint.script({ stall: "headers" });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect(await call(makeRow(), { signal: stop.signal })).toMatchObject({
      status: "incomplete",
      retryable: false,
    });
    expect(await call(makeRow(), { signal: stop.signal })).toMatchObject({ status: "incomplete" });
    expect(endpoint.requests).toHaveLength(1);
  });

  test("closing ends what is under way and leaves no socket", async () => {
    endpoint.otherwise({ stall: "start" });
    await open();
    const calls = Promise.all([call(), call(), call()]);
    await expect.poll(() => endpoint.requests.length).toBe(3);
    await provider?.close();
    for (const outcome of await calls) expect(outcome.status).toBe("incomplete");
    await expect.poll(() => endpoint.connections).toBe(0);
    expect((await call()).status).toBe("incomplete");
  });

  test("a body over 32 MiB is refused, one below is read", async () => {
    endpoint.script({ body, padBytes: 33 * 1024 * 1024 }, { body, padBytes: 31 * 1024 * 1024 });
    expect(await call()).toMatchObject({
      status: "invalid_transport_output",
      error: "the answer is larger than 32 MiB",
      retryable: false,
    });
    expect((await call()).status).toBe("ok");
  });

  test("500 stalled calls end at their limit", async () => {
    endpoint.otherwise({ stall: "start" });
    provider = await createProvider(model(), {
      env: { DECISION_BENCH_BASE_URL: endpoint.baseUrl },
      corpusDir,
      jobs: 500,
    });
    const start = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, () => call(makeRow(), { timeoutMs: 1000 })),
    );
    expect(performance.now() - start).toBeLessThan(2500);
    expect(new Set(outcomes.map((outcome) => outcome.status))).toEqual(new Set(["transport_error"]));
    await provider.close();
    await expect.poll(() => endpoint.connections).toBe(0);
  });
});

describe("compressed bodies, although none was asked for", () => {
  const json = JSON.stringify(completion(GOOD));
  test.each([
    ["gzip", gzipSync(json)],
    ["br", brotliCompressSync(json)],
    ["deflate", deflateSync(json)],
    ["identity", Buffer.from(json)],
  ])("%s is read", async (encoding, body) => {
    endpoint.script({ headers: { "content-encoding": encoding }, body });
    expect((await call()).status).toBe("ok");
  });

  test.each([
    ["gzip", gzipSync(Buffer.alloc(40 * 1024 * 1024)), "invalid_transport_output", false],
    ["gzip", gzipSync(json).subarray(0, -20), "transport_error", true],
    ["gzip", Buffer.from(json), "invalid_transport_output", true],
    ["zstd", Buffer.from(json), "invalid_transport_output", true],
    ["gzip, br", Buffer.from(json), "invalid_transport_output", true],
  ])("%s that is no use", async (encoding, body, status, retryable) => {
    endpoint.script({ headers: { "content-encoding": encoding }, body });
    expect(await call()).toMatchObject({ status, retryable });
  });
});

describe("tokens, cost and time", () => {
  const withUsage = (usage: unknown, headers = {}) =>
    endpoint.script({ headers, body: completion(GOOD, { body: { usage } }) });

  test("details are read, what is absent is null", async () => {
    withUsage({
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
    expect((await call()).usage).toEqual({
      input_tokens: 100,
      output_tokens: 50,
      cached_input_tokens: 64,
      reasoning_output_tokens: 0,
      cache_creation_input_tokens: null,
    });
  });

  test.each([
    undefined,
    null,
    [],
    "7",
    { prompt_tokens: "7", completion_tokens: -1 },
    { prompt_tokens: 1.5 },
  ])("%j counts nothing", async (usage) => {
    withUsage(usage);
    expect(new Set(Object.values((await call()).usage))).toEqual(new Set([null]));
  });

  test.each([
    [{}, { "x-litellm-response-cost": "0.0123" }, 0.0123, "x-litellm-response-cost"],
    [{ cost: 5 }, { "x-litellm-response-cost": "1.5e-05" }, 1.5e-5, "x-litellm-response-cost"],
    [{ cost: 5 }, { "x-litellm-response-cost": "0.0" }, 0, "x-litellm-response-cost"],
    [{ cost: 0.5 }, { "x-litellm-response-cost": "None" }, 0.5, "usage.cost"],
    [{ cost: 0 }, {}, 0, "usage.cost"],
    [{ cost: null }, {}, null, null],
    [{ cost: "0.5" }, {}, null, null],
    [{ cost: -1 }, { "x-litellm-response-cost": "-1" }, null, null],
    [{}, {}, null, null],
  ])("%j with %j", async (usage, headers, usd, source) => {
    withUsage(usage, headers);
    expect(await call()).toMatchObject({ reportedCostUsd: usd, costSource: source });
  });

  test("the provider's own duration", async () => {
    withUsage({}, { "openai-processing-ms": "321" });
    expect((await call()).providerDurationMs).toBe(321);
  });
});
