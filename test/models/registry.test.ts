import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Writable } from "../../src/answers/json.ts";
import { UserError } from "../../src/errors.ts";
import { findModels, inspectModels, loadModels } from "../../src/models/registry.ts";
import { type Environment, packageRoot } from "../../src/workspace.ts";
import { makeWorkspace, type RowDraft, type TestWorkspace, type WorkspaceDraft } from "../support/corpus.ts";

const FILE = "config/models.json";

function make(models: WorkspaceDraft["models"]): TestWorkspace {
  const made = makeWorkspace(models === undefined ? {} : { models });
  onTestFinished(() => made.cleanup());
  return made;
}

/** An entry that is right, with changes. */
const chat = (changes: { readonly [key: string]: Writable } = {}): RowDraft => ({
  id: "chat",
  label: "Chat",
  provider: "openai-compatible",
  model: "test/chat-1",
  ...changes,
});
const pricing = {
  input_per_mtok: 1,
  output_per_mtok: 2,
  source_url: "https://example.com/p",
  as_of: "2026-01-01",
};

/** Every problem as `field: message`. */
async function problems(models: WorkspaceDraft["models"], env: Environment = {}): Promise<string[]> {
  const { models: right, findings } = await inspectModels(make(models).open(env));
  const lines = findings.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  for (const line of lines) expect(line).toMatch(/^\P{Cc}{1,400}$/u);
  if (lines.length > 0 && Array.isArray(models) && models.length === 1) expect(right).toEqual([]);
  return lines;
}

/** Problems of one entry, without the place of the entry. */
const problemsOf = async (entry: Writable, env: Environment = {}): Promise<string[]> =>
  (await problems([entry], env)).map((line) => line.replace(/^models\[0\](?: \([^)]*\))?: /, ""));

async function refusal(made: TestWorkspace, env: Environment = {}): Promise<string> {
  const error = await loadModels(made.open(env)).then(
    () => expect.unreachable("it loads"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UserError)) throw error;
  expect(error.message).not.toContain(made.root);
  return error.message;
}

describe("a file that is right", () => {
  test("is that of the package", async () => {
    const made = make([]);
    copyFileSync(join(packageRoot, "config", "models.json"), join(made.root, FILE));
    const ids = (await loadModels(made.open())).map((model) => model.id);
    expect(ids).toEqual(expect.arrayContaining(["baseline-uniform", "baseline-lexical"]));
  });

  test("keeps the order of its entries, and fields that nobody knows", async () => {
    const made = make([
      chat({ id: "b", added: { deep: [1] } }),
      chat({ id: "a", request: null, pricing: null }),
    ]);
    const models = await loadModels(made.open());
    expect(models.map((model) => model.id)).toEqual(["b", "a"]);
    expect(models[0]).toMatchObject({ added: { deep: [1] } });
  });

  test("may be empty of models, and hold more beside them", async () => {
    expect(await loadModels(make([]).open())).toEqual([]);
    expect(await problems('{"schema_version":1,"models":[],"$comment":"ours","added":[{"x":null}]}')).toEqual(
      [],
    );
  });

  test("may use every option of every provider", async () => {
    const all = {
      response_format: "json_object",
      token_limit_field: "max_completion_tokens",
      max_output_tokens: 1,
      reasoning_effort: "low",
      temperature: 0,
      json_wrapper_policy: "strict",
    };
    expect(
      await problems([
        chat({
          endpoint: "second_1",
          request: all,
          pricing: { ...pricing, cached_input_per_mtok: 0.1, note: "list price" },
          vision: true,
          short_label: "c",
          color: "#00fFaA",
          notes: "n",
        }),
        chat({ id: "claude", provider: "claude-cli", request: { reasoning_effort: "high" } }),
        chat({ id: "codex", provider: "codex-cli", request: {} }),
        chat({ id: "typesafe", provider: "typesafe", request: {} }),
        chat({ id: "laya", provider: "laya" }),
        chat({ id: "0", provider: "baseline", request: { method: "lexical", seed: null } }),
        chat({ id: "x".repeat(64), provider: "baseline", request: { method: "uniform", seed: -1 } }),
      ]),
    ).toEqual([]);
  });

  test.each([
    "gpt-4.1-mini",
    "openai/gpt-4o",
    "llama3.1:70b",
    "phi3:14b-medium-128k-instruct-q4_K_M",
    "meta-llama/Llama-3.1-8B-Instruct:free",
    "accounts/fireworks/models/x",
    "claude-sonnet-4.5",
    "us.anthropic.claude-3-5-sonnet-20241022-v2:0",
    "ai21.jamba-1-5-large-v1:0",
    "xai.grok-4-fast-non-reasoning",
    "hf-internal-testing/tiny-random-model",
    "hf.co/bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M",
    "deepseek-ai/DeepSeek-V3.1",
    "moonshotai/kimi-k2-0905:exacto",
    "@cf/meta/llama-3.1-8b-instruct-fp8",
    "ft:gpt-4o-mini-2024-07-18:acme::abc123",
    "models/gemini-2.5-flash-preview-09-2025",
    "task-classifier-2000000000000",
    "llama3:70b",
    "qwen2.5:7b",
    "gpt-oss:120b",
    "gpt-4:0613",
    "codestral:2501",
    "house-model:8080",
    "default",
  ])("may name a model %s", async (model) => {
    expect(await problemsOf(chat({ model, notes: `This is ${model}, as of v1.2.3.` }))).toEqual([]);
  });

  test.each(["Z.ai", "X.AI", "Together.ai", "Example.com", "Hugging Face", "Node.js"])(
    "may name a vendor %s",
    async (vendor) => {
      expect(await problemsOf(chat({ vendor, label: vendor, short_label: vendor }))).toEqual([]);
    },
  );
});

describe("an entry with a wrong field is refused, with what was found and what is expected", () => {
  const id = "expected 1 to 64 of a-z, 0-9, '.', '_' and '-', first a letter or digit, found";
  const providers = "expected one of openai-compatible, typesafe, laya, claude-cli, codex-cli, baseline";
  const chatOptions =
    "openai-compatible takes only response_format, token_limit_field, max_output_tokens, " +
    "reasoning_effort, temperature, json_wrapper_policy";
  test.each<[string, Writable, string[]]>([
    ["a list", [], ["expected object, found a list of 0"]],
    ["a text", "chat", ['expected object, found "chat"']],
    ["null", null, ["expected object, found null"]],
    ["nothing", {}, [`provider: is missing: ${providers}`]],
    ["no id", chat({ id: undefined }), ["id: is missing: expected string"]],
    ["an id that is a number", chat({ id: 4 }), ["id: expected string, found 4"]],
    ["an empty id", chat({ id: "" }), [`id: ${id} ""`]],
    ["capitals in the id", chat({ id: "Chat" }), [`id: ${id} "Chat"`]],
    ["a slash in the id", chat({ id: "a/b" }), [`id: ${id} "a/b"`]],
    ["a path as id", chat({ id: "../a" }), [`id: ${id} "../a"`]],
    ["a line feed in the id", chat({ id: "a\n" }), [`id: ${id} "a\\n"`]],
    ["a long id", chat({ id: "x".repeat(65) }), [`id: ${id} "${"x".repeat(65)}"`]],
    ["no label", chat({ label: undefined }), ["label: is missing: expected string"]],
    ["an empty label", chat({ label: "" }), ['label: expected a text, not empty, found ""']],
    ["no model", chat({ model: null }), ["model: expected string, found null"]],
    ["no provider", chat({ provider: undefined }), [`provider: is missing: ${providers}`]],
    ["an unknown provider", chat({ provider: "openai" }), [`provider: ${providers}, found "openai"`]],
    [
      "an inherited provider",
      chat({ provider: "constructor" }),
      [`provider: ${providers}, found "constructor"`],
    ],
    [
      "a provider that is a list",
      chat({ provider: ["laya"] }),
      [`provider: ${providers}, found a list of 1`],
    ],
    ["a colour by name", chat({ color: "red" }), ['color: expected a colour like #1f77b4, found "red"']],
    ["vision that is text", chat({ vision: "yes" }), ['vision: expected boolean, found "yes"']],
    ["notes that are a list", chat({ notes: ["x"] }), ["notes: expected string, found a list of 1"]],
    [
      "an endpoint in capitals",
      chat({ endpoint: "EU" }),
      ["endpoint: expected a short name of a-z, 0-9, '_' and '-', never a URL, found \"EU\""],
    ],
    ["a request that is a list", chat({ request: [] }), ["request: expected object, found a list of 0"]],
    [
      "an unknown request option",
      chat({ request: { max_tokens: 5, top_p: 1 } }),
      [`request: ${chatOptions}, found "max_tokens", "top_p"`],
    ],
    [
      "many unknown request options",
      chat({ request: Object.fromEntries([..."abcdefgh\n"].map((key) => [key, 1])) }),
      [`request: ${chatOptions}, found "a", "b", "c", "d", "e", …`],
    ],
    [
      "__proto__ as request option",
      chat({ request: new Map([["__proto__", 1]]) }),
      [`request: ${chatOptions}, found "__proto__"`],
    ],
    ["a baseline's option", chat({ request: { seed: 1 } }), [`request: ${chatOptions}, found "seed"`]],
    [
      "a chat option for a CLI",
      chat({ provider: "codex-cli", request: { temperature: 0 } }),
      ['request: codex-cli takes only reasoning_effort, found "temperature"'],
    ],
    [
      "an option for a provider without any",
      chat({ provider: "laya", request: { reasoning_effort: "low" } }),
      ['request: laya takes no request options, found "reasoning_effort"'],
    ],
    ["a baseline without a method", chat({ provider: "baseline" }), ["request: is missing: expected object"]],
    [
      "a baseline's unknown method",
      chat({ provider: "baseline", request: { method: "best", seed: 0.5 } }),
      [
        'request.method: expected one of "uniform", "lexical", found "best"',
        "request.seed: expected int, found 0.5",
      ],
    ],
    [
      "wrong values of chat options",
      chat({
        request: {
          response_format: "json",
          max_output_tokens: 0,
          reasoning_effort: "",
          temperature: "0",
          json_wrapper_policy: true,
        },
      }),
      [
        'request.response_format: expected one of "json_schema", "json_object", "prompt", found "json"',
        "request.max_output_tokens: expected number to be >0, found 0",
        'request.reasoning_effort: expected a text, not empty, found ""',
        'request.temperature: expected number, found "0"',
        'request.json_wrapper_policy: expected one of "allow_single_code_fence", "strict", found true',
      ],
    ],
    [
      "too high a temperature",
      chat({ request: { temperature: 2.1 } }),
      ["request.temperature: expected number to be <=2, found 2.1"],
    ],
    [
      "a limit with a fraction",
      chat({ request: { max_output_tokens: 1.5 } }),
      ["request.max_output_tokens: expected int, found 1.5"],
    ],
    [
      "prices that lack everything",
      chat({ pricing: {} }),
      [
        "pricing.input_per_mtok: is missing: expected number",
        "pricing.output_per_mtok: is missing: expected number",
        "pricing.source_url: is missing: expected string",
        "pricing.as_of: is missing: expected string",
      ],
    ],
    [
      "a negative price",
      chat({ pricing: { ...pricing, output_per_mtok: -1 } }),
      ["pricing.output_per_mtok: expected number to be >=0, found -1"],
    ],
  ])("%s", async (_, entry, messages) => {
    for (const line of await problems([entry])) expect(line).toMatch(/^models\[0\]/);
    expect(await problemsOf(entry)).toEqual(messages);
  });

  test("a number that no double holds", async () => {
    const text = `{"schema_version":1,"models":[{"id":"a","label":"A","provider":"laya","model":"m","pricing":
      {"input_per_mtok":1e999,"output_per_mtok":1,"source_url":"s","as_of":"d"}}]}`;
    expect(await problems(text)).toEqual([
      "models[0] (a): pricing.input_per_mtok: expected number, found Infinity",
    ]);
  });

  test("an id that stands twice", async () => {
    const made = make([chat(), chat({ id: "other" }), chat({ model: "else" })]);
    expect(await refusal(made)).toBe(
      `${FILE}: models[2] (chat): id: is the id of models[0] already; ids are unique`,
    );
    expect((await inspectModels(made.open())).models.map((model) => model.model)).toEqual([
      "test/chat-1",
      "test/chat-1",
    ]);
  });

  test("the message names file, model and field, and how many more problems there are", async () => {
    const made = make([chat(), chat({ id: "b", vision: 1, color: "red" }), chat({ id: "c", label: "" })]);
    expect(await refusal(made)).toBe(
      `${FILE}: models[1] (b): color: expected a colour like #1f77b4, found "red" (and 2 more in this file)`,
    );
    expect((await inspectModels(made.open())).models.map((model) => model.id)).toEqual(["chat"]);
  });
});

describe("the file as a whole", () => {
  test.each<[string, string, string]>([
    ["is a list", "[]", "expected object, found a list of 0"],
    ["has no version", '{"models":[]}', "schema_version: is missing: expected 1"],
    ["has another version", '{"schema_version":2,"models":[]}', "schema_version: expected 1, found 2"],
    [
      "has its version as text",
      '{"schema_version":"1","models":[]}',
      'schema_version: expected 1, found "1"',
    ],
    ["has no models", '{"schema_version":1}', "models: is missing: expected array"],
    ["has models by name", '{"schema_version":1,"models":{}}', "models: expected array, found an object"],
    ["is empty", "", "is not JSON: expected a JSON value, found the end on line 1, column 1"],
    [
      "has a comma too many",
      '{\n  "schema_version": 1,\n  "models": [],\n}\n',
      'is not JSON: expected a key in double quotes, found "}" on line 4, column 1',
    ],
    [
      "has a comment",
      "{\r\n  // ours\r\n}",
      'is not JSON: expected a key in double quotes, found "/" on line 2, column 3',
    ],
    [
      "has a key twice",
      '{"schema_version":1,\n "schema_version":1}',
      'is not JSON: the key "schema_version" stands twice in one object on line 2, column 2',
    ],
    [
      "begins with a byte order mark",
      "\ufeff{}",
      "is not JSON: expected a JSON value, found a byte order mark on line 1, column 1",
    ],
  ])("that %s is refused", async (_, text, message) => {
    expect(await refusal(make(text))).toBe(`${FILE}: ${message}`);
  });

  test("that is not there says what to do", async () => {
    expect(await refusal(make(null))).toBe(
      `${FILE}: is not there: copy the package's config/models.json to begin`,
    );
  });

  test("that is a folder, a named pipe, not UTF-8 or too large is refused, not waited for", async () => {
    const made = make(null);
    mkdirSync(join(made.root, FILE), { recursive: true });
    expect(await refusal(made)).toBe(`${FILE}: is not a file`);
    rmSync(join(made.root, FILE), { recursive: true });
    execFileSync("mkfifo", [join(made.root, FILE)]);
    expect(await refusal(made)).toBe(`${FILE}: is not a file`);
    rmSync(join(made.root, FILE));
    made.write(FILE, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await refusal(made)).toBe(`${FILE}: is not UTF-8`);
    made.write(FILE, " ".repeat(4 * 1024 * 1024 + 1));
    expect(await refusal(made)).toBe(`${FILE}: is larger than 4 MiB`);
  });
});

describe("keys, hosts and URLs are refused wherever they stand", () => {
  const key = "looks like a key: keys go into the environment or into .env, never into this file";
  const name = "is the name of a credential: keys go into the environment or into .env, never into this file";
  const address =
    "looks like an address: base URLs go into the environment or into .env, never into this file";

  // Put together here, so that no scan of this repository takes them for real ones.
  const KEYS = [
    `sk-${"test0123456789abcdef"}`,
    `sk-proj-${"A1b2".repeat(8)}`,
    `sk-ant-api03-${"A1b2_".repeat(8)}`,
    `gsk_${"A1b2".repeat(8)}`,
    `hf_${"A1b2".repeat(8)}`,
    `xai-${"A1b2".repeat(8)}`,
    `ghp_${"A1b2".repeat(9)}`,
    `github_pat_${"A1b2".repeat(9)}`,
    `AKIA${"ABCD".repeat(4)}`,
    `AIza${"A1b2".repeat(9)}`,
    `eyJ${"A1b2".repeat(4)}.${"A1b2".repeat(4)}.sig`,
    `Bearer ${"a1b2c3d4"}`,
  ];
  test.each(KEYS)("a key like %s", async (secret) => {
    for (const field of ["label", "model", "notes", "vendor", "added"]) {
      const found = await problemsOf(chat({ [field]: `x ${secret} y` }));
      expect(found).toEqual([`${field}: ${key}`]);
    }
    const nested = await problemsOf(
      chat({ added: [{ deep: [secret] }], pricing: { ...pricing, source_url: secret } }),
    );
    expect(nested).toEqual([`added[0].deep[0]: ${key}`, `pricing.source_url: ${key}`]);
  });

  test("a key that is set in the environment, whatever it looks like", async () => {
    const env = {
      DECISION_BENCH_API_KEY: "correct horse",
      DECISION_BENCH_EU_API_KEY: "tiny",
      OTHER: "Chatham",
    };
    expect(await problemsOf(chat({ notes: "it is correct horse!" }), env)).toEqual([`notes: ${key}`]);
    expect(await problemsOf(chat({ "correct horse": 1 }), env)).toEqual([`["[key]"]: ${key}`]);
    expect(await problemsOf(chat({ notes: "tiny, Chatham" }), env)).toEqual([]);
  });

  test("is never repeated in a message", async () => {
    const secret = `sk-${"abcdefghij0123456789"}`;
    const env = { LAYA_API_KEY: "correct-horse-battery" };
    for (const hidden of [secret, "correct-horse-battery"]) {
      const made = make([
        chat({ id: hidden }),
        chat({ provider: hidden, [hidden]: { [hidden]: hidden }, request: { [hidden]: 1 } }),
        chat({ request: { [hidden]: hidden, response_format: hidden } }),
      ]);
      const { findings } = await inspectModels(made.open(env));
      expect(findings.length).toBeGreaterThan(4);
      expect(JSON.stringify(findings)).not.toContain(hidden);
    }
  });

  test.each([
    "api_key",
    "apiKey",
    "API-KEY",
    "openai_api_key",
    "openaiApiKey",
    "x-api-key",
    "Authorization",
    "proxy-authorization",
    "access_token",
    "authToken",
    "client_secret",
    "secret",
    "password",
    "cookie",
    "Set-Cookie",
    "credentials",
  ])("a field named %s", async (field) => {
    expect(await problemsOf(chat({ [field]: null }))).toEqual([`${field}: ${name}`]);
    expect(await problemsOf(chat({ headers: [{ [field]: "x" }] }))).toEqual([`headers[0].${field}: ${name}`]);
  });

  test("no field that only sounds like one", async () => {
    const added = {
      max_tokens: 5,
      keyword: "x",
      tokenizer: "bpe",
      secretary: "x",
      hosted: true,
      curl: "x",
      base: "b",
    };
    expect(await problemsOf(chat({ added }))).toEqual([]);
  });

  test.each([
    "https://api.example.com/v1",
    "http://localhost:11434",
    "wss://x",
    "file:///etc/passwd",
    "localhost",
    "localhost:8080",
    "127.0.0.1",
    "10.0.0.7:8000",
    "[::1]:8080",
    "api.example.com",
    "example.com",
    "gateway.corp",
    "llm.internal:8443",
    "api.z.ai",
    "my-models.example.co",
    "box.lan",
  ])("an address like %s", async (text) => {
    for (const field of ["model", "notes", "added"]) {
      expect(await problemsOf(chat({ [field]: `at ${text} now` }))).toEqual([`${field}: ${address}`]);
    }
    expect((await problemsOf(chat({ endpoint: text })))[0]).toBe(`endpoint: ${address}`);
    expect(await problemsOf(chat({ added: { [text]: [text] } }))).toHaveLength(1);
    expect(await problemsOf(chat({ pricing: { ...pricing, note: text } }))).toEqual([
      `pricing.note: ${address}`,
    ]);
  });

  test("a URL or a host in a name, too", async () => {
    for (const text of ["https://example.com", "api.example.com", "localhost", "10.0.0.7"]) {
      expect(await problemsOf(chat({ vendor: text }))).toEqual([`vendor: ${address}`]);
      expect(await problemsOf(chat({ label: text }))).toEqual([`label: ${address}`]);
    }
  });

  test("a field named as an address, whatever it holds", async () => {
    for (const field of ["base_url", "baseURL", "url", "host", "hostname", "api_base", "proxy_host"]) {
      expect(await problemsOf(chat({ [field]: "gateway" }))).toEqual([`${field}: ${address}`]);
      expect(await problemsOf(chat({ [field]: "" }))).toEqual([]);
    }
  });

  test("the host of an endpoint that is set, whatever it looks like", async () => {
    const env = {
      DECISION_BENCH_BASE_URL: "http://gateway:8080/v1",
      LAYA_BASE_URL: "https://Models.Acme.example/v1",
    };
    expect(await problemsOf(chat({ notes: "behind gateway:8080" }), env)).toEqual([`notes: ${address}`]);
    expect(await problemsOf(chat({ notes: "on models.acme.example" }), env)).toEqual([`notes: ${address}`]);
    expect(await problemsOf(chat({ notes: "behind the gateway" }), env)).toEqual([]);
    expect(await problemsOf(chat(), { DECISION_BENCH_BASE_URL: "not a URL" })).toEqual([]);
  });

  test("only the source of the prices may be a URL, and it holds no password", async () => {
    expect(await problemsOf(chat({ pricing }))).toEqual([]);
    expect(
      await problemsOf(chat({ pricing: { ...pricing, source_url: "https://me:pw@example.com/" } })),
    ).toEqual(["pricing.source_url: holds a user name or a password: name the public page"]);
    expect(await problemsOf(chat({ source_url: "https://example.com" }))).toEqual([`source_url: ${address}`]);
    expect(await problemsOf(chat({ added: { pricing: { source_url: "https://example.com" } } }))).toEqual([
      `added.pricing.source_url: ${address}`,
    ]);
  });

  test("also beside the models, and where the rest of the file is wrong", async () => {
    expect(
      await problems('{"schema_version":1,"models":[],"defaults":{"base_url":"https://example.com"}}'),
    ).toEqual([`defaults.base_url: ${address}`]);
    expect(await problems('{"schema_version":9,"models":[],"api_key":"x"}')).toEqual([
      "schema_version: expected 1, found 9",
      `api_key: ${name}`,
    ]);
    expect(await problems([chat({ models: ["https://example.com"] })])).toEqual([
      `models[0] (chat): models[0]: ${address}`,
    ]);
  });
});

describe("asking for models", () => {
  const known = [chat({ id: "a" }), chat({ id: "b" }), chat({ id: "c" })];

  test("gives them in the order asked for", async () => {
    const models = await loadModels(make(known).open());
    expect(findModels(models, ["c", "a"]).map((model) => model.id)).toEqual(["c", "a"]);
  });

  test("names those that are configured when one is not", async () => {
    const models = await loadModels(make(known).open());
    expect(() => findModels(models, ["a", "z"])).toThrow(
      new UserError(
        'model "z" is not in config/models.json. Configured: a, b, c. Add an entry, or choose one of these.',
      ),
    );
    expect(() => findModels(models, ["A"])).toThrow(/^model "A" is not/);
    expect(() => findModels(models, ["constructor"])).toThrow(/^model "constructor" is not/);
    expect(() => findModels(models, [`x\n${"y".repeat(500)}`])).toThrow(/^.{1,300}$/);
    expect(() => findModels([], ["a"])).toThrow(/Configured: none\./);
    const many = Array.from({ length: 40 }, (_, index) => chat({ id: `m${index}` }));
    const all = await loadModels(make(many).open());
    expect(() => findModels(all, ["z"])).toThrow(/m18, m19, …\. Add/);
  });

  test("refuses none, and one that is named twice", async () => {
    const models = await loadModels(make(known).open());
    expect(() => findModels(models, [])).toThrow(UserError);
    expect(() => findModels(models, ["a", "b", "a"])).toThrow(
      '--model names "a" twice. Name each model once.',
    );
  });
});
