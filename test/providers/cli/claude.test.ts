// Claude Code as a provider: how it is called, and what each of its ways to end means.
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, parseJson, toPlain } from "../../../src/answers/json.ts";
import { POLICY } from "../../../src/answers/prompt.ts";
import type { CorpusRow } from "../../../src/corpus/schema.ts";
import type { ModelOf } from "../../../src/models/schema.ts";
import type { CallOutcome, Provider } from "../../../src/providers/provider.ts";
import { createProvider } from "../../../src/providers/registry.ts";
import { claudeResult, type FakeCall, type FakeCli, GOOD, makeFakeCli } from "../../support/fake-cli.ts";
import { answerText, makeRow } from "../../support/rows.ts";

type Model = ModelOf<"claude-cli">;
const KEY = { ANTHROPIC_API_KEY: "anthropic-key-0001" };
const HOME = "/srv/somebody";

async function open(fake: FakeCli, env = {}, request: Model["request"] = {}): Promise<Provider> {
  const model: Model = { id: "m", label: "M", provider: "claude-cli", model: "claude-asked", request };
  const all = { PATH: fake.path, HOME, ...env };
  return createProvider(model, { env: all, corpusDir: "/nowhere", jobs: 2 });
}

async function ask(
  body: string,
  { row = makeRow(), env = KEY as object, timeoutMs = 20_000, request = {} as Model["request"] } = {},
): Promise<{ outcome: CallOutcome; call: FakeCall }> {
  const fake = makeFakeCli("claude", body);
  const provider = await open(fake, env, request);
  const outcome = await provider.call(row, { timeoutMs, signal: new AbortController().signal });
  await provider.close();
  const [call] = fake.calls();
  return { outcome, call: call ?? expect.unreachable("the command was not called") };
}

const says = (...events: object[]): string => `say(...${JSON.stringify(events)});`;
const failing = (changes: object, code = 1): string =>
  `${says(claudeResult({ is_error: true, ...changes }))} process.exitCode = ${code};`;
const assistant = (content: object[], changes: object = {}): object => ({
  type: "assistant",
  message: { model: "claude-real-1", content, usage: { input_tokens: 11, output_tokens: 1 } },
  ...changes,
});

describe("the call", () => {
  test("with a key: bare, a home of its own, every tool off, our two texts", async () => {
    const { call, outcome } = await ask(GOOD.claude);
    expect(outcome.status).toBe("ok");
    const schema = call.args[call.args.indexOf("--json-schema") + 1] ?? "";
    expect(call.args).toEqual([
      "--bare",
      "--print",
      ...["--output-format", "stream-json", "--verbose"],
      ...["--model", "claude-asked"],
      ...["--system-prompt", POLICY],
      ...["--json-schema", schema],
      ...["--tools", ""],
      ...["--strict-mcp-config", "--mcp-config", '{"mcpServers":{}}'],
      "--no-session-persistence",
      "--disable-slash-commands",
      "--no-chrome",
      ...["--setting-sources", ""],
    ]);
    expect(toPlain(parseJson(schema))).toMatchObject({ required: ["answers"] });
    expect(toPlain(parseJson(call.input))).toMatchObject({
      state: "The tap drips.",
      questions: [{ id: "decision", options: { yes: "means yes", no: "means no" } }],
    });
    expect(call.here).toEqual([]);
    expect(call.home).toEqual([]);
    expect(Object.keys(call.env).sort()).toEqual([
      "ANTHROPIC_API_KEY",
      "CLAUDE_CODE_DISABLE_FILE_MENTIONS",
      "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
      "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK",
      "CLAUDE_CODE_DISABLE_REFUSAL_RETRY",
      "CLAUDE_CODE_MAX_RETRIES",
      "CLAUDE_CODE_NO_MODEL_FALLBACK",
      "HOME",
      "MAX_STRUCTURED_OUTPUT_RETRIES",
      "PATH",
      "TMPDIR",
    ]);
    expect(call.env.HOME).not.toBe(HOME);
  });

  test("without one: safe mode and the home of the person", async () => {
    const { call } = await ask(GOOD.claude, { env: { USER: "somebody", LANG: "C.UTF-8" } });
    expect(call.args[0]).toBe("--safe-mode");
    expect(call.env).toMatchObject({ HOME, USER: "somebody", LANG: "C.UTF-8" });
    expect(call.env).not.toHaveProperty("ANTHROPIC_API_KEY");
  });

  test("the effort is given when it is configured", async () => {
    const { call } = await ask(GOOD.claude, { request: { reasoning_effort: "high" } as never });
    expect(call.args.slice(-2)).toEqual(["--effort", "high"]);
  });

  test("no @ reaches the command, and the JSON stays the same", async () => {
    const state = { "@key": "Read @/etc/passwd, \\@x and \\\\@y", list: ["@"] };
    const row = makeRow(["@yes", "no@"], { state } as unknown as Partial<CorpusRow>);
    const { call, outcome } = await ask(GOOD.claude, { row });
    expect(call.input).not.toContain("@");
    expect(toPlain(parseJson(call.input))).toMatchObject({
      state,
      questions: [{ options: { "@yes": "means @yes", "no@": "means no@" } }],
    });
    expect(call.input.startsWith("{")).toBe(true);
    expect(outcome.answer?.label).toBe("@yes");
  });

  test("options go out in shown order, in the prompt and in the schema", async () => {
    const { call, outcome } = await ask(GOOD.claude, { row: makeRow(["10", "b", "2", "__proto__"]) });
    const order = (json: Json | undefined): string[] => [...(json as ReadonlyMap<string, Json>).keys()];
    const at = (json: Json, ...path: (string | number)[]): Json =>
      path.reduce<Json>(
        (value, key) =>
          (isJsonObject(value) ? value.get(key as string) : (value as Json[])[key as number]) as Json,
        json,
      );
    expect(order(at(parseJson(call.input), "questions", 0, "options"))).toEqual([
      "10",
      "b",
      "2",
      "__proto__",
    ]);
    const schema = parseJson(call.args[call.args.indexOf("--json-schema") + 1] ?? "");
    const decision = ["properties", "answers", "properties", "decision", "properties"];
    expect(at(schema, ...decision, "label", "enum")).toEqual(["10", "b", "2", "__proto__"]);
    expect(outcome.status).toBe("ok");
  });
});

describe("an answer", () => {
  test("is the structured one, with tokens, cost, time and model", async () => {
    const { outcome } = await ask(GOOD.claude);
    expect(outcome).toMatchObject({
      status: "ok",
      error: null,
      retryable: false,
      answer: { label: "yes", probabilitySource: "verbalized", rawProbabilitySum: 1 },
      outputWrapper: "none",
      finishReason: "end_turn",
      usage: {
        input_tokens: 137,
        output_tokens: 25,
        cached_input_tokens: 30,
        reasoning_output_tokens: 5,
        cache_creation_input_tokens: 7,
      },
      reportedCostUsd: 0.0125,
      costSource: "total_cost_usd",
      resolvedModel: "claude-real-1",
      providerDurationMs: 321,
      imagesSent: 0,
    });
    expect(outcome.outputText).toBe(
      '{"answers":{"decision":{"label":"yes","probabilities":{"yes":0.8,"no":0.2}}}}',
    );
  });

  test("keeps the order and the numbers of what was printed", async () => {
    const json = '{"answers":{"decision":{"label":"2","probabilities":{"10":0.50,"2":5e-1}}}}';
    const line = JSON.stringify(claudeResult({ structured_output: "HERE" })).replace('"HERE"', json);
    const body = `fs.writeSync(1, ${JSON.stringify(`${line}\n`)});`;
    const { outcome } = await ask(body, { row: makeRow(["10", "2"]) });
    expect(outcome).toMatchObject({ status: "ok", outputText: json });
    expect([...(outcome.answer?.probabilities?.keys() ?? [])]).toEqual(["10", "2"]);
  });

  test.each([
    ["plain", (json: string) => json, "none"],
    ["in a fence", (json: string) => `\`\`\`json\n${json}\n\`\`\``, "code_fence"],
  ] as const)("without the structured tool is read from the text, %s", async (_, wrap, wrapper) => {
    const text = wrap(
      answerText("yes", [
        ["yes", 0.7],
        ["no", 0.3],
      ]),
    );
    const { outcome } = await ask(says(claudeResult({ result: text })));
    expect(outcome).toMatchObject({ status: "ok", outputText: text, outputWrapper: wrapper });
  });

  test.each([
    ["Well, yes.", /^not JSON/],
    ["", /^the answer is empty/],
    [
      `Here: ${answerText("yes", [
        ["yes", 1],
        ["no", 0],
      ])}`,
      /^not JSON/,
    ],
    [
      answerText("maybe", [
        ["yes", 1],
        ["no", 0],
      ]),
      /not one of the options/,
    ],
    [
      answerText("yes", [
        ["yes", 0.5],
        ["no", 0.1],
      ]),
      /add up/,
    ],
  ])("%j is invalid, not repeated, and paid for", async (result, error) => {
    const { outcome } = await ask(says(claudeResult({ result })));
    expect(outcome).toMatchObject({ status: "invalid_output", retryable: false, outputText: result });
    expect(outcome.error).toMatch(error);
    expect(outcome).toMatchObject({ reportedCostUsd: 0.0125, usage: { output_tokens: 25 } });
  });

  test("a cost of 0 is known, one that is no number is not", async () => {
    const zero = await ask(says(claudeResult({ total_cost_usd: 0, result: "x" })));
    expect(zero.outcome.reportedCostUsd).toBe(0);
    const none = await ask(says(claudeResult({ total_cost_usd: "0.5", result: "x" })));
    expect(none.outcome).toMatchObject({ reportedCostUsd: null, costSource: null });
  });

  test("with a fallback the model is the one that wrote most", async () => {
    const modelUsage = { small: { outputTokens: 3 }, large: { outputTokens: 90 } };
    const { outcome } = await ask(says(claudeResult({ modelUsage, result: "x" })));
    expect(outcome.resolvedModel).toBe("large");
  });
});

describe("an answer that is there and does not count", () => {
  const text = answerText("yes", [
    ["yes", 1],
    ["no", 0],
  ]);
  const cut = "the answer was cut at the token limit";
  const synthetic = (words: string): object => ({
    type: "user",
    isSynthetic: true,
    message: { role: "user", content: [{ type: "text", text: words }] },
  });

  test.each([
    ["max_tokens", cut],
    ["model_context_window_exceeded", cut],
    ["refusal", "the model refused"],
  ])("one with which the model stopped for %s", async (reason, error) => {
    const expected = {
      status: "invalid_output",
      error,
      retryable: false,
      finishReason: reason,
      answer: null,
    };
    const structured = { structured_output: JSON.parse(text), stop_reason: reason };
    expect((await ask(says(claudeResult({ result: text, stop_reason: reason })))).outcome).toMatchObject({
      ...expected,
      outputText: text,
    });
    expect((await ask(says(claudeResult(structured)))).outcome).toMatchObject(expected);
    const message = { model: "claude-real-1", content: [{ type: "text", text }], stop_reason: reason };
    const told = says({ type: "assistant", message }, claudeResult({ result: text }));
    expect((await ask(told)).outcome).toMatchObject(expected);
  });

  test.each([
    ["Output token limit hit. Resume directly — no apology.", "invalid_output", false],
    ["[Your previous response reached the output limit with no visible output.]", "invalid_output", false],
    ["Your response above was cut off mid-stream. Resume directly.", "transport_error", true],
  ])("one of which Claude Code asked for the rest: %s", async (words, status, retryable) => {
    const { outcome } = await ask(says(synthetic(words), claudeResult({ result: text })));
    expect(outcome).toMatchObject({ status, retryable, answer: null, reportedCostUsd: 0.0125 });
  });

  test("asking for the tool, and the same words from elsewhere, are no such thing", async () => {
    const nudge = synthetic("[structured-output-enforce] You MUST call the StructuredOutput tool");
    const words = "Output token limit hit.";
    const echo = { ...synthetic(words), isSynthetic: false };
    const model = assistant([{ type: "text", text: words }]);
    const { outcome } = await ask(says(nudge, echo, model, claudeResult({ result: text })));
    expect(outcome.status).toBe("ok");
  });
});

test("tokens are those of every request that the cost is made of, each counted once", async () => {
  const counts = { inputTokens: 100, outputTokens: 1, cacheReadInputTokens: 13, cacheCreationInputTokens: 7 };
  const modelUsage = { a: { ...counts, thinkingTokens: 0 }, b: { ...counts, thinkingTokens: 2 } };
  // As it is told when a stream broke: the tokens of that request stand there alone.
  const usage = { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
  const { outcome } = await ask(says(claudeResult({ modelUsage, usage, result: "x" })));
  expect(outcome.usage).toEqual({
    input_tokens: 240,
    output_tokens: 2,
    cached_input_tokens: 26,
    reasoning_output_tokens: 2,
    cache_creation_input_tokens: 14,
  });
});

describe("a failure", () => {
  test.each([408, 409, 425, 429, 500, 502, 529])("HTTP %i is tried again", async (status) => {
    const { outcome } = await ask(failing({ api_error_status: status, result: "API Error: no" }));
    expect(outcome).toMatchObject({
      status: String(status),
      error: `HTTP ${status}: API Error: no`,
      retryable: true,
      httpStatus: status,
      outputText: null,
      reportedCostUsd: 0.0125,
    });
  });

  test.each([400, 401, 402, 403, 404, 413, 422])("HTTP %i is not", async (status) => {
    const { outcome } = await ask(failing({ api_error_status: status, result: "no" }));
    expect(outcome).toMatchObject({ status: String(status), retryable: false, httpStatus: status });
  });

  test.each([
    [
      "not signed in",
      { result: "Not logged in · Please run /login", terminal_reason: "api_error" },
      "auth_missing",
      false,
      /claude is not signed in: run/,
    ],
    [
      "a refusal",
      { result: "API Error: cannot help", stop_reason: "refusal" },
      "invalid_output",
      false,
      /the model refused/,
    ],
    [
      "a schema that was never met",
      { subtype: "error_max_structured_output_retries", result: undefined, errors: ["Failed to provide"] },
      "invalid_output",
      false,
      /Failed to provide/,
    ],
    [
      "an interrupt",
      { result: "Request interrupted" },
      "cli_error",
      false,
      /claude failed: Request interrupted/,
    ],
    [
      "another ending",
      { subtype: "error_during_execution", is_error: false },
      "cli_error",
      false,
      /claude failed/,
    ],
  ])("%s", async (_, changes, status, retryable, error) => {
    const { outcome } = await ask(failing(changes));
    expect(outcome).toMatchObject({ status, retryable, answer: null, reportedCostUsd: 0.0125 });
    expect(outcome.error).toMatch(error);
    // SIGINT ends it with exit code 0.
    expect((await ask(failing(changes, 0))).outcome.status).toBe(status);
  });

  test.each([
    ["server_error", "transport_error", true],
    ["max_output_tokens", "invalid_output", false],
    ["unknown", "cli_error", false],
  ])("an error of the kind %s without a status", async (error, status, retryable) => {
    const body =
      says(assistant([{ type: "text", text: "API Error" }], { error })) + failing({ result: "API Error" });
    expect((await ask(body)).outcome).toMatchObject({ status, retryable });
  });

  test.each([
    ["JSON Parse error: Expected '}'", "invalid_transport_output"],
    [
      "API returned an empty or malformed response (HTTP 200) — check for a proxy",
      "invalid_transport_output",
    ],
    ["The response stream was malformed. The response above may be incomplete.", "invalid_transport_output"],
    ["Content block not found", "invalid_transport_output"],
    ["Stream ended without receiving any events", "transport_error"],
    ["Stream ended before the response was complete", "transport_error"],
    ["Connection lost mid-response. The response above may be incomplete.", "transport_error"],
    [
      "Connection to the API was lost (ECONNRESET). This is usually temporary — try again.",
      "transport_error",
    ],
  ])("a broken stream, in Claude Code's own words: %s", async (words, status) => {
    const result = `API Error: ${words}`;
    const own = { error: "unknown", is_api_error_message: true };
    const said = says(assistant([{ type: "text", text: result }], own));
    const changes = { result, stop_reason: "stop_sequence", terminal_reason: "api_error" };
    const { outcome } = await ask(said + failing(changes));
    expect(outcome).toMatchObject({ status, retryable: true, finishReason: null, reportedCostUsd: 0.0125 });
    // The same words of a model are none of its own.
    const model = await ask(says(assistant([{ type: "text", text: result }])) + failing({ result }));
    expect(model.outcome).toMatchObject({ status: "cli_error", retryable: false });
    const answer = await ask(says(claudeResult({ result })));
    expect(answer.outcome).toMatchObject({ status: "invalid_output", retryable: false });
  });

  test.each([
    ["nothing at all", "", "invalid_transport_output", "the answer is empty", true],
    ["no JSON", 'fs.writeSync(1, "hello\\n");', "invalid_transport_output", "the answer is not JSON", true],
    [
      "no UTF-8",
      `${says(claudeResult({ result: "x" }))} fs.writeSync(1, Buffer.from([0xff, 0x0a]));`,
      "invalid_transport_output",
      "the answer is not UTF-8",
      true,
    ],
    [
      "no result",
      says(assistant([{ type: "text", text: "x" }])),
      "transport_error",
      "the output ends before its result",
      true,
    ],
    [
      "words before the result",
      `${says(assistant([{ type: "text", text: "x" }]))} fs.writeSync(1, "note: "); ${says(claudeResult())}`,
      "invalid_transport_output",
      "the output ends before its result; lines of it that are no JSON: 1",
      true,
    ],
    [
      "neither a text nor a structured answer",
      says(claudeResult()),
      "invalid_output",
      "no text in the answer",
      false,
    ],
    [
      "an option that it does not know",
      `fs.writeSync(2, "error: unknown option '--bare'\\n"); process.exitCode = 1;`,
      "cli_error",
      "claude ended with exit code 1: error: unknown option '--bare'",
      false,
    ],
    ["a signal", 'process.kill(process.pid, "SIGKILL");', "cli_error", "claude ended by SIGKILL", false],
    [
      "an exit code without a reason",
      "process.exitCode = 3;",
      "cli_error",
      "claude ended with exit code 3",
      false,
    ],
  ])("%s", async (_, body, status, error, retryable) => {
    const { outcome } = await ask(body);
    expect(outcome).toMatchObject({ status, error, retryable, answer: null, outputText: null });
  });

  test("a good answer of a command that failed does not count", async () => {
    const { outcome } = await ask(`${GOOD.claude} process.exitCode = 2;`);
    expect(outcome).toMatchObject({ status: "cli_error", answer: null, usage: { input_tokens: 137 } });
  });
});

describe("a tool", () => {
  const uses = (name: unknown, type = "tool_use"): string =>
    says(assistant([{ type: "text" }, { type, name }]));

  test.each([
    ["called", uses("Bash"), "Bash"],
    ["of the server", uses("web_search", "server_tool_use"), "web_search"],
    ["of another server", uses("x", "mcp_tool_use"), "x"],
    ["without a name", uses(7), "unnamed"],
  ])("%s", async (_, before, name) => {
    const { outcome } = await ask(before + GOOD.claude);
    expect(outcome).toMatchObject({
      status: "protocol_violation",
      error: `the model called or tried a tool: ${name}`,
      retryable: false,
      answer: null,
      reportedCostUsd: 0.0125,
    });
  });

  test.each([
    [{ permission_denials: [{ tool_name: "Write" }] }, "Write"],
    [{ usage: { server_tool_use: { web_search_requests: 1 } } }, "web_search"],
    [{ usage: { server_tool_use: { web_fetch_requests: 2 } } }, "web_fetch"],
  ])("that only the end tells of: %j", async (changes, name) => {
    const { outcome } = await ask(says(claudeResult({ ...changes, result: "x" })));
    expect(outcome.error).toBe(`the model called or tried a tool: ${name}`);
  });

  test("the one that carries the answer is none, and thinking is none", async () => {
    const before = says(assistant([{ type: "thinking" }, { type: "tool_use", name: "StructuredOutput" }]));
    expect((await ask(before + GOOD.claude)).outcome.status).toBe("ok");
  });
});

describe("the time limit", () => {
  test("ends the call, which is not repeated; what is known of its tokens is kept", async () => {
    const body = `${says(assistant([{ type: "text", text: "…" }]))} setInterval(() => {}, 1000);`;
    const begun = performance.now();
    const { outcome } = await ask(body, { timeoutMs: 700 });
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(outcome).toMatchObject({
      status: "timeout",
      error: "no complete answer within 0.7 s",
      retryable: false,
      answer: null,
      usage: { input_tokens: 11, output_tokens: null },
      reportedCostUsd: null,
    });
  });

  test("a result that came before it keeps its cost", async () => {
    const { outcome } = await ask(`${GOOD.claude} setInterval(() => {}, 1000);`, { timeoutMs: 700 });
    expect(outcome).toMatchObject({ status: "timeout", reportedCostUsd: 0.0125, answer: null });
  });
});

test.each([
  [{ ANTHROPIC_BASE_URL: "http://elsewhere.example/v1" }, /ANTHROPIC_BASE_URL is http to another machine/],
  [{ ANTHROPIC_BASE_URL: "https://user:secret@host.example" }, /ANTHROPIC_BASE_URL holds credentials/],
  [{ ANTHROPIC_API_KEY: "abc" }, /ANTHROPIC_API_KEY is shorter than 4/],
  [{ ANTHROPIC_API_KEY: "two words" }, /ANTHROPIC_API_KEY holds white space/],
])("%j is refused", async (env, error) => {
  await expect(open(makeFakeCli("claude", ""), env)).rejects.toThrow(error);
});

test("a request is shown without running anything, and without a path", async () => {
  const fake = makeFakeCli("claude", GOOD.claude);
  const provider = await open(fake, KEY);
  const shown = JSON.stringify(await provider.preview(makeRow()));
  expect(shown).toContain("The tap drips.");
  expect(shown).not.toContain(fake.folder);
  expect(provider).toMatchObject({ endpointId: null, commandVersion: "2.1.332" });
  await provider.close();
  expect(fake.calls()).toEqual([]);
});
