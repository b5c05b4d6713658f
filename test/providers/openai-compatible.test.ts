import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { stringifyJson } from "../../src/answers/json.ts";
import { POLICY, userText } from "../../src/answers/prompt.ts";
import type { CorpusRow } from "../../src/corpus/schema.ts";
import type { ModelOf } from "../../src/models/schema.ts";
import type { CallOutcome, Provider } from "../../src/providers/provider.ts";
import { completion, inputOf, type ScriptedEndpoint } from "../support/endpoint.ts";
import { answerText, makeRow } from "../support/rows.ts";
import { type Scripted, useScripted } from "../support/scripted-provider.ts";
import { violationsOf } from "./chat-contract.ts";

type Model = ModelOf<"openai-compatible">;

const GOOD = answerText("yes", [
  ["yes", 0.8],
  ["no", 0.2],
]);

let scripted: Scripted;
let endpoint: ScriptedEndpoint;
let corpusDir: string;
useScripted((own) => {
  scripted = own;
  ({ endpoint, corpusDir } = own);
});

function model(changes: Partial<Model> = {}): Model {
  return { id: "m", label: "M", provider: "openai-compatible", model: "served-name", ...changes };
}

async function open(changes: Partial<Model> = {}, env: Record<string, string> = {}): Promise<Provider> {
  return scripted.open(model(changes), { DECISION_BENCH_BASE_URL: endpoint.baseUrl, ...env });
}

async function call(
  row?: CorpusRow,
  options?: { timeoutMs?: number; signal?: AbortSignal },
): Promise<CallOutcome> {
  return scripted.call(open, row, options);
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

test("an error inside the only choice is a model_error", async () => {
  endpoint.script({
    body: { choices: [{ error: { message: "upstream is busy", code: 502 }, finish_reason: "error" }] },
  });
  expect(await call()).toMatchObject({
    status: "model_error",
    error: "the server answered with an error: upstream is busy",
    retryable: true,
  });
});

describe("tokens in details", () => {
  test("are read, what is absent is null", async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 0 },
    };
    endpoint.script({ body: completion(GOOD, { body: { usage } }) });
    expect((await call()).usage).toEqual({
      input_tokens: 100,
      output_tokens: 50,
      cached_input_tokens: 64,
      reasoning_output_tokens: 0,
      cache_creation_input_tokens: null,
    });
  });
});
