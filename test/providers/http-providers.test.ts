// What the HTTP providers do alike, held against each of them: every line of the table of answers and failures, the
// connection, the key, tokens and cost. What only one of them does stands in its own file.
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { stringifyJson, type Writable } from "../../src/answers/json.ts";
import type { CorpusRow } from "../../src/corpus/schema.ts";
import { UserError } from "../../src/errors.ts";
import type { CallOutcome, Provider } from "../../src/providers/provider.ts";
import { createProvider } from "../../src/providers/registry.ts";
import { inputOf, type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";
import { HTTP_TABLE } from "../support/http-providers.ts";
import { makeRow } from "../support/rows.ts";
import { type Scripted, useScripted } from "../support/scripted-provider.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const SHARES = { yes: 0.8, no: 0.2 };

let scripted: Scripted;
let endpoint: ScriptedEndpoint;
let corpusDir: string;
useScripted((own) => {
  scripted = own;
  ({ endpoint, corpusDir } = own);
});

describe.each(HTTP_TABLE)("%s", (_name, one) => {
  async function open(env: Record<string, string> = {}, jobs = 4): Promise<Provider> {
    return scripted.open(one.model, { [one.url]: endpoint.baseUrl, ...env }, { jobs, now: () => NOW });
  }

  async function call(
    row?: CorpusRow,
    options?: { timeoutMs?: number; signal?: AbortSignal },
  ): Promise<CallOutcome> {
    return scripted.call(open, row, options);
  }

  const good = (changes: Record<string, unknown> = {}) => one.answer("yes", SHARES, changes);

  describe("the request", () => {
    test("goes to the provider's path with the public input and no more", async () => {
      expect((await call()).status).toBe("ok");
      const { method, path, headers, text } = endpoint.requests[0] ?? expect.unreachable();
      expect([method, path]).toEqual(["POST", one.path]);
      expect(headers["content-type"]).toBe("application/json");
      expect(headers["accept-encoding"]).toBe("identity");
      expect(text).not.toContain("SECRET");
    });

    test("options keep the shown order, whatever the labels are", async () => {
      const labels = ["10", "2", "__proto__", "1", "constructor"];
      const outcome = await call(makeRow(labels));
      expect(outcome.answer?.label).toBe("10");
      expect([...(outcome.answer?.probabilities?.keys() ?? [])]).toEqual(labels);
      const { text } = endpoint.requests[0] ?? expect.unreachable();
      expect(stringifyJson(inputOf(text))).toContain(
        '"options":{"10":"means 10","2":"means 2","__proto__":"means __proto__","1":"means 1","constructor":',
      );
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
      await open({ [one.key]: "key-1234" });
      await call();
      expect(endpoint.requests[1]?.headers.authorization).toBe("Bearer key-1234");
    });

    test("no other provider's variables are read", async () => {
      const others = HTTP_TABLE.filter(([name]) => name !== one.provider).map(([, other]) => other);
      await open(Object.fromEntries(others.map(({ key }) => [key, "key-of-another"])));
      await call();
      expect(endpoint.requests[0]?.headers).not.toHaveProperty("authorization");
      const only = Object.fromEntries(others.map(({ url }) => [url, endpoint.baseUrl]));
      await expect(createProvider(one.model, { env: only, corpusDir, jobs: 1 })).rejects.toThrow(
        one.provider === "typesafe" ? "TYPESAFE_API_KEY is not set" : `${one.url} is not set`,
      );
    });

    test.each([
      "https://user:secret-word@models.test/v1",
      "https://models.test/v1?key=secret-word",
      "https://models.test/v1#secret-word",
      "http://models.test/secret-word",
      "ftp://models.test/secret-word",
      "secret-word",
    ])("the base URL %s is refused, and not repeated", async (url) => {
      const env = { [one.url]: url, [one.key]: "key-1234" };
      const refusal = await createProvider(one.model, { env, corpusDir, jobs: 1 }).catch((error) => error);
      expect(refusal).toBeInstanceOf(UserError);
      expect(refusal.message).toContain(one.url);
      expect(refusal.message).not.toContain("secret-word");
    });

    test("a remote endpoint needs its key; a trailing slash makes no other endpoint", async () => {
      const make = (env: Record<string, string>) => createProvider(one.model, { env, corpusDir, jobs: 1 });
      const url = "https://models.test/v1";
      await expect(make({ [one.url]: url })).rejects.toThrow(`${one.key} is not set`);
      const [plain, slash] = await Promise.all(
        [url, `${url}/`].map((text) => make({ [one.url]: text, [one.key]: "key-1234" })),
      );
      expect(plain?.endpointId).toBe(slash?.endpointId);
      await Promise.all([plain?.close(), slash?.close()]);
    });
  });

  describe("an answer", () => {
    test("that is valid", async () => {
      endpoint.script({ body: good() });
      const outcome = await call();
      expect(outcome).toMatchObject({
        status: "ok",
        error: null,
        retryable: false,
        outputWrapper: "none",
        resolvedModel: "scripted-model",
        httpStatus: 200,
        imagesSent: 0,
      });
      expect(outcome.answer).toMatchObject({
        label: "yes",
        labelIsArgmax: true,
        probabilitySource: one.source,
      });
      expect(outcome.usage).toMatchObject({
        input_tokens: 120,
        output_tokens: 30,
        cached_input_tokens: null,
      });
      expect(outcome.outputText).toMatch(/^\{"answers":\{"decision":\{/);
    });

    test("with a label that is not the most probable one is scored as it stands", async () => {
      endpoint.script({ body: one.answer("no", SHARES) });
      expect((await call()).answer).toMatchObject({ label: "no", labelIsArgmax: false });
    });

    test.each([
      [{ yes: 0.5, no: 0.48 }, 0.98],
      [{ yes: 0.51, no: 0.51 }, 1.02],
      [{ yes: 0.5, no: 0.51 }, 1.01],
    ])("%j is normalised, and its sum kept", async (shares, sum) => {
      endpoint.script({ body: one.answer("yes", shares) });
      const { status, answer } = await call();
      expect(status).toBe("ok");
      expect(answer?.rawProbabilitySum).toBeCloseTo(sum, 12);
      expect(answer?.probabilities?.get("yes")).toBeCloseTo(shares.yes / sum, 12);
    });

    test.each<[string, Writable, Writable]>([
      ["a sum below", "yes", { yes: 0.5, no: 0.4799 }],
      ["a sum above", "yes", { yes: 0.52, no: 0.5001 }],
      ["a text as probability", "yes", { yes: "0.8", no: 0.2 }],
      ["a boolean as probability", "yes", { yes: true, no: 0 }],
      ["null as probability", "yes", { yes: null, no: 1 }],
      ["a negative probability", "yes", { yes: -0.1, no: 1 }],
      ["a probability above 1", "yes", { yes: 1.01, no: 0 }],
      ["a missing option", "yes", { yes: 1 }],
      ["an extra option", "yes", { yes: 0.8, no: 0.2, maybe: 0 }],
      ["no object of probabilities", "yes", [0.8, 0.2]],
      ["a label outside of the options", "maybe", SHARES],
      ["an inherited name as label", "constructor", SHARES],
      ["a number as label", 1, SHARES],
      ["a list as label", ["yes"], SHARES],
    ])("with %s is invalid, and not asked for again", async (_, label, shares) => {
      endpoint.script({ body: one.answer(label, shares) });
      const outcome = await call();
      expect(outcome).toMatchObject({ status: "invalid_output", retryable: false, answer: null });
      // It was billed all the same.
      expect(outcome.usage).toMatchObject({ input_tokens: 120, output_tokens: 30 });
      expect(outcome.resolvedModel).toBe("scripted-model");
    });

    test.each<[string, Writable]>([
      ["no answers", { answer: {} }],
      ["answers that are no object", { answers: [] }],
      ["null answers", { answers: null }],
      ["another question id", { answers: { other: { label: "yes", choice: "yes", probabilities: SHARES } } }],
      ["an answer that is no object", { answers: { decision: "yes" } }],
      ["a list on top", []],
      ["a text on top", "yes"],
    ])("with %s is invalid", async (_, document) => {
      endpoint.script({ body: JSON.stringify(one.document(document)) });
      expect(await call()).toMatchObject({ status: "invalid_output", retryable: false, answer: null });
    });

    test("with extra keys beside the asked ones is fine", async () => {
      const both = { label: "yes", choice: "yes", probabilities: SHARES, confidence: 0.6, note: "x" };
      const document = { answers: { decision: both, other: 1 }, extra: [1] };
      endpoint.script({ body: one.document(document) });
      expect((await call()).status).toBe("ok");
    });

    test("with a key that stands twice is invalid", async () => {
      const twice =
        '{"answers":{"decision":{"choice":"yes","label":"yes","probabilities":{"yes":0.8,"no":0.2,"no":0.2}}}}';
      const body = one.source === "native" ? twice : (one.document({}) as Record<string, unknown>);
      if (typeof body !== "string") {
        (body.choices as [{ message: { content: string } }])[0].message.content = twice;
      }
      endpoint.script({ body });
      const outcome = await call();
      expect(outcome).toMatchObject({ status: "invalid_output", retryable: false });
      expect(outcome.error).toMatch(/twice/);
    });
  });

  describe("an error in place of an answer", () => {
    test.each([
      [{ error: { message: "upstream is\nbusy", code: 503 } }, true],
      [{ error: { message: "upstream is\nbusy", code: "429" } }, true],
      [{ error: { message: "upstream is\nbusy", status: 500 }, choices: [], answers: {} }, true],
      [{ error: { message: "upstream is\nbusy", code: 400 } }, false],
      [{ error: { message: "upstream is\nbusy", code: "invalid_prompt" } }, false],
      [{ error: "upstream is busy" }, false],
      ...[
        "rate_limit_exceeded",
        "rate_limit_error",
        "server_error",
        "api_error",
        "server_is_overloaded",
        "overloaded_error",
        "provider_overloaded",
        "provider_unavailable",
        "service_unavailable",
        "service_unavailable_error",
        "timeout",
        "timeout_error",
      ].map((code) => [{ error: { message: "upstream is busy", code } }, true] as const),
      [{ error: { message: "upstream is busy", type: "overloaded_error" } }, true],
      [{ error: { message: "upstream is busy", type: "tokens", code: "rate_limit_exceeded" } }, true],
      [{ error: { message: "upstream is busy", type: "server_error", code: null } }, true],
      ...["RESOURCE_EXHAUSTED", "INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED"].map(
        (status) => [{ error: { message: "upstream is busy", status } }, true] as const,
      ),
      [{ error: { message: "upstream is busy", status: "INVALID_ARGUMENT" } }, false],
      [{ error: { message: "upstream is busy", type: "api_error", code: 400 } }, false],
      [
        { error: { message: "upstream is busy", type: "rate_limit_error", code: "insufficient_quota" } },
        false,
      ],
      [{ error: { message: "upstream is busy", type: ["server_error"], param: "timeout" } }, false],
      [{ error: { message: "upstream is busy", code: "429" } }, true],
      ...["0x1AD", "4.29e2", " 429", [429], 500.5, true].map(
        (code) => [{ error: { message: "upstream is busy", code } }, false] as const,
      ),
    ] as const)("%j is a model_error, retried only with a retryable code", async (body, retryable) => {
      endpoint.script({ body });
      const outcome = await call();
      expect(outcome).toMatchObject({ status: "model_error", retryable, httpStatus: 200 });
      expect(outcome.error).toBe("the server answered with an error: upstream is busy");
    });

    test("its words are no code", async () => {
      endpoint.script({ body: { error: { message: "server_error" } } }, { body: { error: "timeout" } });
      for (let asked = 0; asked < 2; asked += 1) {
        expect(await call()).toMatchObject({ status: "model_error", retryable: false });
      }
    });

    test("a null error beside an answer is none", async () => {
      endpoint.script({ body: good({ error: null }) });
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
      endpoint.script({ status, headers: { location: `${other.baseUrl}${one.path.slice(3)}` }, body: "" });
      await open({ [one.key]: "key-1234" });
      expect(await call()).toMatchObject({
        status: String(status),
        error: `HTTP ${status}`,
        retryable: false,
      });
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
      [{ detail: "no such model" }, "no such model"],
      [{ detail: { error_type: "bad_request", message: "no such model" } }, "no such model"],
      [{ detail: [{ loc: ["body", "model"], msg: "no such model" }, { msg: "more" }] }, "no such model"],
      [{ error: { message: "no such model", field: "model" } }, "no such model"],
      [{ message: "no such model" }, "no such model"],
    ])("the words of %j are told", async (body, said) => {
      endpoint.script({ status: 422, body });
      expect((await call()).error).toBe(`HTTP 422: ${said}`);
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
      // Also beside a 200 that holds no answer.
      endpoint.script({ headers, body: { error: { code: 429 } } });
      expect(await call()).toMatchObject({
        status: "model_error",
        retryable: true,
        retryAfterMs: expected,
      });
      endpoint.script({ headers, body: "<html>busy</html>" });
      expect(await call()).toMatchObject({
        status: "invalid_transport_output",
        retryable: true,
        retryAfterMs: expected,
      });
    });
  });

  describe("a transport that fails", () => {
    const body = good();
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
      [
        "headers without end",
        { raw: `HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}` },
        "transport_error",
        true,
      ],
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

    test.each([
      ["shorter than announced", { announce: 5000 }],
      ["reset", { reset: "body" }],
    ] as const)("a body that is %s is kept up to its last whole word", async (_, script) => {
      endpoint.script({
        body: `busy, and the key is half-of-a-key${"-half-of-a-key".repeat(20)}`,
        ...script,
      });
      const { status, raw } = await call();
      expect(status).toBe("transport_error");
      expect(raw).toBe("busy, and the key is ");
    });

    const answered = (before: string): string => {
      const text = JSON.stringify(body);
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`;
      return `${before}${head}\r\n\r\n${text}`;
    };
    test.each([
      "HTTP/1.1 102 Processing\r\n\r\n",
      "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\nx-request-id: early-0001\r\n\r\n",
      "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n",
    ])("%j before the answer is read over", async (before) => {
      endpoint.script({ raw: answered(before) });
      expect(await call()).toMatchObject({ status: "ok", httpStatus: 200 });
    });

    test("HTTP 100 that nobody asked for is a transport error that is retried", async () => {
      endpoint.script({ raw: answered("HTTP/1.1 100 Continue\r\n\r\n") });
      expect(await call()).toMatchObject({
        status: "transport_error",
        error: "the server sent HTTP 100 (Continue), which nobody had asked for",
        retryable: true,
        httpStatus: null,
      });
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
      endpoint.script({
        status: 429,
        body: "x".repeat(100),
        cutChunks: true,
        headers: { "retry-after": "3" },
      });
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
      await scripted.close();
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

    test.each([
      ["no answer", { stall: "start" }],
      ["headers alone", { stall: "headers" }],
      ["half a body", { body, stall: "body" }],
      ["too much", { body, padBytes: 33 * 1024 * 1024 }],
    ] as const)("a call that is given up at %s makes no connection for nobody", async (_, script) => {
      endpoint.otherwise(script);
      await open();
      for (let round = 1; round <= 2; round += 1) {
        await Promise.all(
          [1, 2, 3].map(() => call(makeRow(), { timeoutMs: "padBytes" in script ? 20_000 : 200 })),
        );
        await expect.poll(() => endpoint.connections).toBe(0);
        // What undici does about it, it does when the connection has closed.
        await sleep(50);
        expect(endpoint.accepted).toBe(3 * round);
      }
      endpoint.otherwise({});
      for (let asked = 0; asked < 3; asked += 1) expect((await call()).status).toBe("ok");
      expect(endpoint.accepted).toBe(7);
    });

    test("500 stalled calls end at their limit", async () => {
      endpoint.otherwise({ stall: "start" });
      await open({}, 500);
      const start = performance.now();
      const outcomes = await Promise.all(
        Array.from({ length: 500 }, () => call(makeRow(), { timeoutMs: 1000 })),
      );
      expect(performance.now() - start).toBeLessThan(2500);
      expect(new Set(outcomes.map((outcome) => outcome.status))).toEqual(new Set(["transport_error"]));
      await scripted.close();
      await expect.poll(() => endpoint.connections).toBe(0);
    });
  });

  describe("compressed bodies, although none was asked for", () => {
    const json = JSON.stringify(good());
    test.each([
      ["gzip", gzipSync(json)],
      ["br", brotliCompressSync(json)],
      ["deflate", deflateSync(json)],
      ["deflate", deflateRawSync(json)],
      ["deflate", deflateRawSync(json, { level: 0 })],
      ["identity", Buffer.from(json)],
    ])("%s is read", async (encoding, body) => {
      endpoint.script({ headers: { "content-encoding": encoding }, body });
      expect((await call()).status).toBe("ok");
    });

    test.each([
      ["gzip", gzipSync(Buffer.alloc(40 * 1024 * 1024)), "invalid_transport_output", false],
      ["gzip", gzipSync(json).subarray(0, -20), "transport_error", true],
      ["gzip", Buffer.from(json), "invalid_transport_output", true],
      ["deflate", deflateRawSync(Buffer.alloc(40 * 1024 * 1024)), "invalid_transport_output", false],
      ["deflate", deflateRawSync(json).subarray(0, -20), "transport_error", true],
      ["deflate", deflateSync(json).subarray(0, -20), "transport_error", true],
      ["deflate", Buffer.from("nothing that was compressed"), "invalid_transport_output", true],
      ["zstd", Buffer.from(json), "invalid_transport_output", true],
      ["gzip, br", Buffer.from(json), "invalid_transport_output", true],
    ])("%s that is no use", async (encoding, body, status, retryable) => {
      endpoint.script({ headers: { "content-encoding": encoding }, body });
      expect(await call()).toMatchObject({ status, retryable });
    });
  });

  describe("tokens, cost and time", () => {
    const withUsage = (usage: unknown, headers = {}) => endpoint.script({ headers, body: good({ usage }) });

    test("are read in either spelling, what is absent is null", async () => {
      withUsage({ input_tokens: 100, output_tokens: 50, cached_input_tokens: 64 });
      expect((await call()).usage).toEqual({
        input_tokens: 100,
        output_tokens: 50,
        cached_input_tokens: 64,
        reasoning_output_tokens: null,
        cache_creation_input_tokens: null,
      });
      withUsage({ prompt_tokens: 7, completion_tokens: 0 });
      expect((await call()).usage).toMatchObject({
        input_tokens: 7,
        output_tokens: 0,
        cached_input_tokens: null,
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
});
