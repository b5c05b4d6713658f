// Codex as a provider: how it is called, and what its events, its words and its complaints mean.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stringifyJson } from "../../../src/answers/json.ts";
import { POLICY, userText } from "../../../src/answers/prompt.ts";
import { answerSchema } from "../../../src/answers/schema.ts";
import type { ModelOf } from "../../../src/models/schema.ts";
import type { CallOutcome, Provider } from "../../../src/providers/provider.ts";
import { createProvider } from "../../../src/providers/registry.ts";
import { type FakeCall, type FakeCli, GOOD, makeFakeCli } from "../../support/fake-cli.ts";
import { answerText, makeRow } from "../../support/rows.ts";

type Model = ModelOf<"codex-cli">;
const KEY = { OPENAI_API_KEY: "openai-key-0001" };
const USAGE = { input_tokens: 120, cached_input_tokens: 20, output_tokens: 25, reasoning_output_tokens: 5 };

async function open(fake: FakeCli, env: object = KEY, changes: Partial<Model> = {}): Promise<Provider> {
  const model: Model = { id: "m", label: "M", provider: "codex-cli", model: "gpt-asked", ...changes };
  const all = { PATH: fake.path, HOME: join(fake.folder, "person"), ...env };
  return createProvider(model, { env: all, corpusDir: "/nowhere", jobs: 2 });
}

async function ask(body: string, fake = makeFakeCli("codex", body)): Promise<CallOutcome> {
  const provider = await open(fake);
  const outcome = await callOnce(provider);
  await provider.close();
  return outcome;
}

function callOnce(provider: Provider, timeoutMs = 20_000): Promise<CallOutcome> {
  return provider.call(makeRow(), { timeoutMs, signal: new AbortController().signal });
}

const says = (...events: object[]): string => `say(...${JSON.stringify(events)});`;
const item = (type: string, more: object = {}): object => ({
  type: "item.completed",
  item: { id: "i", type, ...more },
});
const completed = { type: "turn.completed", usage: USAGE };
const fails = (message: string): string =>
  `${says({ type: "error", message }, { type: "turn.failed", error: { message } })} process.exitCode = 1;`;

describe("the call", () => {
  const keepFiles = `const at = (flag) => args[args.indexOf(flag) + 1];
    const set = (name) => JSON.parse(args.find((arg) => arg.startsWith(name + "=")).slice(name.length + 1));
    fs.writeFileSync(HERE + "/files.json", JSON.stringify({
      schema: fs.readFileSync(at("--output-schema"), "utf8"),
      policy: fs.readFileSync(set("model_instructions_file"), "utf8"),
      catalogue: args.some((arg) => arg.startsWith("model_catalog_json=")) ? JSON.parse(fs.readFileSync(set("model_catalog_json"), "utf8")) : null,
      signIn: fs.existsSync(process.env.CODEX_HOME + "/auth.json") ? fs.readFileSync(process.env.CODEX_HOME + "/auth.json", "utf8") : null,
    }));`;

  async function askKeeping(
    options: Parameters<typeof makeFakeCli>[2] = {},
    env: object | ((fake: FakeCli) => object) = KEY,
    changes: Partial<Model> = {},
  ): Promise<{ call: FakeCall; outcome: CallOutcome; files: Record<string, unknown> }> {
    const fake = makeFakeCli("codex", "", options);
    fake.does(keepFiles.replace("HERE", JSON.stringify(fake.folder)) + GOOD.codex);
    const provider = await open(fake, typeof env === "function" ? env(fake) : env, changes);
    const outcome = await callOnce(provider);
    await provider.close();
    const [call] = fake.calls();
    return {
      call: call ?? expect.unreachable(),
      outcome,
      files: JSON.parse(readFileSync(join(fake.folder, "files.json"), "utf8")) as Record<string, unknown>,
    };
  }
  const pairs = (call: FakeCall, flag: string): string[] =>
    call.args.flatMap((arg, i) => (call.args[i - 1] === flag ? [arg] : []));

  test("with a key: an endpoint of its own, a home of its own, every tool off", async () => {
    const { call, outcome, files } = await askKeeping();
    expect(outcome.status).toBe("ok");
    expect(call.args.slice(0, 2)).toEqual(["exec", "--json"]);
    expect(call.args).toEqual(
      expect.arrayContaining([
        "--skip-git-repo-check",
        "--ephemeral",
        "--ignore-user-config",
        "--ignore-rules",
        "--strict-config",
      ]),
    );
    expect(pairs(call, "--sandbox")).toEqual(["read-only"]);
    expect(pairs(call, "--model")).toEqual(["gpt-asked"]);
    expect(pairs(call, "--disable")).toEqual(["shell_tool", "unified_exec"]);
    expect(pairs(call, "-c")).toEqual(
      expect.arrayContaining([
        'web_search="disabled"',
        "include_environment_context=false",
        "skills.bundled.enabled=false",
        "project_doc_max_bytes=0",
        "analytics.enabled=false",
        'model_provider="bench"',
        'model_providers.bench.base_url="https://api.openai.com/v1"',
        'model_providers.bench.env_key="OPENAI_API_KEY"',
        "model_providers.bench.request_max_retries=0",
      ]),
    );
    expect(call.args.at(-1)).toBe("-");
    expect(call.args.join(" ")).not.toContain(KEY.OPENAI_API_KEY);
    expect(call.input).toBe(userText(makeRow()));
    expect(files).toEqual({
      schema: stringifyJson(answerSchema(makeRow().question)),
      policy: POLICY,
      catalogue: null,
      signIn: null,
    });
    expect(call.here).toEqual([]);
    expect(Object.keys(call.env).sort()).toEqual(["CODEX_HOME", "HOME", "OPENAI_API_KEY", "PATH", "TMPDIR"]);
  });

  test("another endpoint for the key, and the effort", async () => {
    const env = { ...KEY, OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
    const { call } = await askKeeping({}, env, { request: { reasoning_effort: "low" } as never });
    expect(pairs(call, "-c")).toEqual(
      expect.arrayContaining([
        'model_providers.bench.base_url="http://127.0.0.1:9/v1"',
        'model_reasoning_effort="low"',
      ]),
    );
    expect(call.env).not.toHaveProperty("OPENAI_BASE_URL");
  });

  test("without a key the sign-in alone is copied, and the endpoint is Codex's own", async () => {
    const auth = JSON.stringify({ tokens: { refresh_token: "marked-refresh-token-1" } });
    const { call, files } = await askKeeping({}, (fake) => {
      const home = join(fake.folder, "codex-home");
      mkdirSync(home);
      writeFileSync(join(home, "auth.json"), auth);
      writeFileSync(join(home, "AGENTS.md"), "instructions of the person");
      return { CODEX_HOME: home };
    });
    expect(files.signIn).toBe(auth);
    expect([...call.home].sort()).toEqual(["auth.json", "policy.md", "schema.json"]);
    expect(pairs(call, "-c").join(" ")).not.toContain("model_provider");
    expect(call.env.CODEX_HOME).toBe(call.env.HOME);
  });

  test("the catalogue's entry is given without its tools and its instructions", async () => {
    const entry = {
      slug: "gpt-asked",
      shell_type: "unified_exec",
      apply_patch_tool_type: "freeform",
      tool_mode: "code_mode_only",
      experimental_supported_tools: ["clock"],
      multi_agent_version: "v2",
      base_instructions: "You are Codex",
      context_window: 7,
    };
    const models = JSON.stringify({ models: [{ slug: "other" }, entry] });
    const { files } = await askKeeping({ models });
    expect(files.catalogue).toEqual({
      models: [
        {
          slug: "gpt-asked",
          shell_type: "disabled",
          apply_patch_tool_type: null,
          tool_mode: null,
          experimental_supported_tools: [],
          supports_search_tool: false,
          multi_agent_version: null,
          use_responses_lite: false,
          base_instructions: POLICY,
          model_messages: null,
          context_window: 7,
        },
      ],
    });
  });
});

describe("an answer", () => {
  test("is the last message, with its tokens; the cost is left to the price table", async () => {
    const text = answerText("no", [
      ["yes", 0.1],
      ["no", 0.9],
    ]);
    const events = [
      item("reasoning"),
      item("agent_message", { text: "first" }),
      item("agent_message", { text }),
    ];
    expect(await ask(says(...events, completed))).toMatchObject({
      status: "ok",
      outputText: text,
      answer: { label: "no", probabilitySource: "verbalized" },
      usage: { ...USAGE, cache_creation_input_tokens: null },
      reportedCostUsd: null,
      resolvedModel: null,
    });
  });

  test.each([
    ["prose", "Well, yes.", /^not JSON/],
    ["nothing", "", /^the answer is empty/],
  ])("of %s is invalid, and paid for", async (_, text, error) => {
    const outcome = await ask(says(item("agent_message", { text }), completed));
    expect(outcome).toMatchObject({ status: "invalid_output", retryable: false, usage: USAGE });
    expect(outcome.error).toMatch(error);
  });

  test("without a message is invalid, and paid for", async () => {
    const outcome = await ask(says({ type: "turn.started" }, completed));
    expect(outcome).toMatchObject({
      status: "invalid_output",
      error: "no text in the answer",
      usage: USAGE,
    });
  });

  test("notices are no tools", async () => {
    const notices = [
      item("error", { message: "Model metadata for `x` not found. Defaulting to fallback metadata" }),
      item("error", { message: "Falling back from WebSockets to HTTPS transport. unexpected status 404" }),
    ];
    expect((await ask(says(...notices) + GOOD.codex)).status).toBe("ok");
  });

  test("an error that was overcome is none", async () => {
    const message = "Reconnecting... 1/5 (unexpected status 500 Internal Server Error)";
    expect((await ask(says({ type: "error", message }) + GOOD.codex)).status).toBe("ok");
  });
});

describe("a tool", () => {
  test.each(["command_execution", "web_search", "file_change", "mcp_tool_call", "error", "anything"])(
    "%s",
    async (type) => {
      const outcome = await ask(says(item(type, { message: "other" })) + GOOD.codex);
      expect(outcome).toMatchObject({
        status: "protocol_violation",
        error: `the model called or tried a tool: ${type}`,
        retryable: false,
        answer: null,
        usage: USAGE,
      });
    },
  );

  test("one that only began", async () => {
    const started = { type: "item.started", item: { type: "command_execution" } };
    expect((await ask(says(started) + GOOD.codex)).status).toBe("protocol_violation");
  });

  const log = "2026-12-02T17:41:32.023694Z ERROR codex_core::tools::router: error=";

  test.each([
    ["unsupported call: exec_command", "exec_command"],
    ["unsupported custom tool call: apply_patch", "apply_patch"],
    ["patch rejected: read-only sandbox", "apply_patch"],
  ])("one that was refused: %s", async (words, name) => {
    const outcome = await ask(`fs.writeSync(2, ${JSON.stringify(`${log}${words}\n`)}); ${GOOD.codex}`);
    expect(outcome).toMatchObject({
      status: "protocol_violation",
      error: `the model called or tried a tool: ${name}`,
    });
  });
});

describe("a failure", () => {
  const url = "url: https://api.openai.com/v1/responses, cf-ray: 8f0123456789, request id: req_0123456789";

  test.each([
    ["unexpected status 401 Unauthorized: Incorrect API key provided", "401", false],
    ["unexpected status 403 Forbidden: no", "403", false],
    ["unexpected status 503 Service Unavailable: later", "503", true],
    ["exceeded retry limit, last status: 429 Too Many Requests", "429", true],
    ["exceeded retry limit, last status: 502 Bad Gateway", "502", true],
  ])("%s", async (message, status, retryable) => {
    expect(await ask(fails(`${message}, ${url}`))).toMatchObject({
      status,
      error: `HTTP ${status}: ${message}`,
      retryable,
      httpStatus: Number(status),
      answer: null,
      traceIds: expect.arrayContaining(["8f0123456789", "req_0123456789"]),
    });
  });

  test.each([
    ["We’re currently experiencing high demand, which may cause temporary errors.", "500", true],
    ["Selected model is at capacity. Please try a different model.", "503", true],
    ["rate limit exceeded: Rate limit reached. Please try again in 1s.", "429", true],
    ["Quota exceeded. Check your plan and billing details.", "429", true],
    ["You’ve hit your usage limit. Try again at Jan 1st.", "429", true],
    ['{"error":{"message":"no such thing","type":"invalid_request_error"}}', "400", false],
    ["stream disconnected before completion: error sending request", "transport_error", true],
    [
      "stream disconnected before completion: Transport error: network error: error decoding response body",
      "transport_error",
      true,
    ],
    [
      "stream disconnected before completion: stream closed before response.completed",
      "transport_error",
      true,
    ],
    ["Connection failed: error sending request", "transport_error", true],
    ["Incomplete response returned, reason: max_output_tokens", "invalid_output", false],
    [
      "stream disconnected before completion: Incomplete response returned, reason: content_filter",
      "invalid_output",
      false,
    ],
    ["Missing environment variable: `OPENAI_API_KEY`.", "auth_missing", false],
    ["Your access token could not be refreshed. Please log out and sign in again.", "auth_missing", false],
    ["The model 'gpt-asked' does not exist", "cli_error", false],
  ])("%s", async (message, status, retryable) => {
    expect(await ask(fails(message))).toMatchObject({ status, retryable, answer: null, httpStatus: null });
  });

  test("a cut answer is told as one", async () => {
    const outcome = await ask(fails("Incomplete response returned, reason: max_output_tokens"));
    expect(outcome).toMatchObject({
      error: "the answer was cut at the token limit",
      finishReason: "max_output_tokens",
    });
  });

  test("a message without the end of its turn is an answer that is not whole", async () => {
    const message = item("agent_message", {
      text: answerText("yes", [
        ["yes", 1],
        ["no", 0],
      ]),
    });
    expect(await ask(says({ type: "turn.started" }, message))).toMatchObject({
      status: "transport_error",
      error: "the output ends before its result",
      retryable: true,
      answer: null,
      outputText: null,
    });
    expect(await ask(`${says(message)} fs.writeSync(1, "done: {}\\n");`)).toMatchObject({
      status: "invalid_transport_output",
      error: "the output ends before its result; lines of it that are no JSON: 1",
      retryable: true,
      answer: null,
    });
  });

  test("a setting that it does not know", async () => {
    const body = 'fs.writeSync(2, "Error: Unknown feature flag: x\\n"); process.exitCode = 1;';
    expect(await ask(body)).toMatchObject({
      status: "cli_error",
      error: "codex ended with exit code 1: Error: Unknown feature flag: x",
      retryable: false,
    });
  });

  test("the time limit", async () => {
    const fake = makeFakeCli("codex", "setInterval(() => {}, 1000);");
    const provider = await open(fake);
    expect(await callOnce(provider, 700)).toMatchObject({ status: "timeout", retryable: false });
    await provider.close();
  });
});

test("nobody signed in: refused before anything is asked", async () => {
  await expect(open(makeFakeCli("codex", ""), {})).rejects.toThrow(
    /codex is not signed in \(auth\.json is not there\): run `codex login`/,
  );
});

test("signed out during the run: told as missing, and nothing is asked", async () => {
  const fake = makeFakeCli("codex", GOOD.codex);
  const home = join(fake.folder, "codex-home");
  mkdirSync(home);
  writeFileSync(join(home, "auth.json"), "{}");
  const provider = await open(fake, { CODEX_HOME: home });
  rmSync(join(home, "auth.json"));
  expect(await callOnce(provider)).toMatchObject({
    status: "auth_missing",
    error: expect.stringMatching(/^codex is not signed in \(auth\.json is not there\): run `codex login`/),
    retryable: false,
  });
  await provider.close();
  expect(fake.calls()).toEqual([]);
});

test.each([
  [{ ...KEY, OPENAI_BASE_URL: "http://elsewhere.example/v1" }, /OPENAI_BASE_URL is http to another machine/],
  [{ OPENAI_BASE_URL: "https://elsewhere.example/v1" }, /OPENAI_BASE_URL is set without OPENAI_API_KEY/],
  [{ OPENAI_API_KEY: "abc" }, /OPENAI_API_KEY is shorter than 4/],
])("%j is refused", async (env, error) => {
  await expect(open(makeFakeCli("codex", ""), env)).rejects.toThrow(error);
});
