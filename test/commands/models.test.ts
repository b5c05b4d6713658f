// `bench models`: what is configured and what it lacks; with --remote what endpoints list, asked once each and stored nowhere.
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Writable } from "../../src/answers/json.ts";
import { bench as run } from "../support/commands.ts";
import { makeWorkspace, type TestWorkspace } from "../support/corpus.ts";
import { type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";

const KEY = "MARKED-key-0a1b2c3d";

let endpoint: ScriptedEndpoint;
let workspace: TestWorkspace;
beforeEach(async () => {
  endpoint = await startEndpoint();
});
afterEach(async () => {
  await endpoint.close();
  workspace.cleanup();
});

const model = (id: string, provider: string, changes: Record<string, Writable> = {}) => ({
  id,
  label: id,
  provider,
  model: `${id}-1`,
  ...changes,
});

async function models(
  entries: readonly Record<string, Writable>[],
  env: Record<string, string>,
  args: readonly string[] = ["--remote"],
) {
  workspace = makeWorkspace({ models: entries as Writable[] });
  const opened = workspace.open(env);
  const done = await run(
    { root: workspace.root, workspace: opened, sha256: "", addRun: () => {} },
    ["models", ...args],
    { env },
  );
  expect(readdirSync(workspace.root).sort()).toEqual(["config", "data"]);
  expect(done.stdout).not.toContain(KEY);
  expect(done.stdout).not.toContain("127.0.0.1");
  return done;
}

const CHAT = [model("chat", "openai-compatible")];
const env = (changes: Record<string, string> = {}) => ({
  DECISION_BENCH_BASE_URL: endpoint.baseUrl,
  ...changes,
});

test("models that lack the same are told of in one line", async () => {
  const entries = [model("a", "openai-compatible"), model("b", "openai-compatible"), model("c", "laya")];
  const { stdout, exitCode } = await models(entries, {}, []);
  expect(stdout).toMatch(/^a, b: DECISION_BENCH_BASE_URL is not set\./m);
  expect(stdout).toMatch(/^c: LAYA_BASE_URL is not set\./m);
  expect(exitCode).toBe(0);
});

describe("--remote", () => {
  test("shows what the endpoint lists, marks what is configured, and names what is not listed", async () => {
    endpoint.script({
      body: { object: "list", data: [{ id: "other" }, { id: "chat-1" }, { id: "chat-1" }] },
    });
    const entries = [
      ...CHAT,
      model("same", "openai-compatible", { model: "chat-1" }),
      model("gone", "openai-compatible"),
    ];
    const { stdout, exitCode } = await models(entries, env({ DECISION_BENCH_API_KEY: KEY }));
    expect(stdout).toMatch(
      /endpoint-[0-9a-f]{12} \(DECISION_BENCH_BASE_URL\) lists 2 models; \* is configured:\n {2}other\n\* chat-1 \(chat, same\)\nconfigured and not listed: gone\n$/,
    );
    expect(exitCode).toBe(0);
    expect(endpoint.requests).toHaveLength(1);
    expect(endpoint.requests[0]).toMatchObject({ method: "GET", path: "/v1/models", text: "" });
    expect(endpoint.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test.each([
    ["the native form", { models: [{ name: "served-1" }, { name: "served-2" }] }],
    ["a bare list", ["served-1", "served-2"]],
    ["a list of objects", [{ id: "served-1" }, { id: "served-2" }]],
    [
      "both forms at once",
      { models: [{ name: "served-3" }], data: [{ id: "served-1" }, { id: "served-2" }] },
    ],
  ])("reads %s", async (_, body) => {
    endpoint.script({ body: JSON.stringify(body) });
    const { stdout } = await models([model("served", "laya")], { LAYA_BASE_URL: endpoint.baseUrl }, [
      "--remote",
      "--json",
    ]);
    expect(JSON.parse(stdout).remote).toMatchObject([
      {
        variables: ["LAYA_BASE_URL"],
        models: [
          { id: "served-1", configured_as: ["served"] },
          { id: "served-2", configured_as: [] },
        ],
        more: 0,
        not_listed: [],
        problem: null,
      },
    ]);
  });

  test("asks one endpoint once, whatever it is called; another key is another one", async () => {
    endpoint.otherwise({ body: { data: [] } });
    const entries = [
      ...CHAT,
      model("team", "openai-compatible", { endpoint: "team" }),
      model("laya", "laya"),
    ];
    const { stdout } = await models(
      entries,
      env({
        DECISION_BENCH_TEAM_BASE_URL: `${endpoint.baseUrl}/`,
        LAYA_BASE_URL: endpoint.baseUrl,
        LAYA_API_KEY: KEY,
      }),
      ["--remote", "--json"],
    );
    expect(JSON.parse(stdout).remote).toMatchObject([
      {
        variables: ["DECISION_BENCH_BASE_URL", "DECISION_BENCH_TEAM_BASE_URL"],
        not_listed: ["chat", "team"],
      },
      { variables: ["LAYA_BASE_URL"], not_listed: ["laya"] },
    ]);
    expect(endpoint.requests).toHaveLength(2);
  });

  test("shows at most a thousand names, none longer than a name is, and counts the rest", async () => {
    const data = [
      { id: "x".repeat(301) },
      { id: 7 },
      ...Array.from({ length: 1234 }, (_, at) => ({ id: `m-${at}` })),
    ];
    endpoint.script({ body: { data } });
    const { stdout } = await models(CHAT, env());
    expect(stdout).toContain("lists 1234 models");
    expect(stdout).toContain("  m-999\n  … 234 more\n");
    expect(stdout).not.toContain("xxx");
  });

  test("nothing in a name reaches the terminal alive, and no key that a server echoes", async () => {
    endpoint.script({ body: { data: [{ id: "a\u001b[2Jb\nc\u202e" }, { id: `of-${KEY}` }] } });
    const { stdout } = await models(CHAT, env({ DECISION_BENCH_API_KEY: KEY }));
    expect(stdout).toContain("  a\\x1b[2Jb\\nc\\u202e\n  of-[redacted]\n");
  });

  test.each([
    [
      { status: 401, body: { error: { message: `bad key ${KEY}` } } },
      KEY,
      /it does not accept the key in DECISION_BENCH_API_KEY \(HTTP 401: bad key \[redacted\]\)/,
      1,
    ],
    [{ status: 403, body: "" }, "", /it wants a key: set DECISION_BENCH_API_KEY \(HTTP 403\)/, 1],
    [{ status: 404, body: "" }, "", /it does not list its models \(HTTP 404\); a run does not need that/, 0],
    [{ status: 405, body: "" }, "", /it does not list its models \(HTTP 405\)/, 0],
    [{ status: 500, body: { detail: "broken" } }, "", /: HTTP 500: broken/, 1],
    [{ status: 302, headers: { location: "http://127.0.0.1:9/" }, body: "" }, "", /: HTTP 302/, 1],
    [{ body: "<html>" }, "", /: the answer is not JSON/, 1],
    [{ body: { error: "no" } }, "", /: the answer is no list of models: no/, 1],
    [{ body: { data: [{}, 1] } }, "", /: the answer is no list of models/, 1],
    [{ reset: "start" as const }, "", /: the connection was/, 1],
  ])("%j", async (script, key, said, code) => {
    endpoint.script(script);
    const { stdout, exitCode, error } = await models(
      CHAT,
      env(key === "" ? {} : { DECISION_BENCH_API_KEY: key }),
    );
    expect(error).toBeUndefined();
    expect(stdout).toMatch(said);
    expect(exitCode).toBe(code);
    expect(endpoint.requests).toHaveLength(1);
  });

  test("an endpoint that never answers is left at Ctrl-C", async () => {
    endpoint.script({ stall: "start" });
    workspace = makeWorkspace({ models: CHAT });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const opened = { root: workspace.root, workspace: workspace.open(env()), sha256: "", addRun: () => {} };
    const { error } = await run(opened, ["models", "--remote"], { interrupt: stop.signal });
    expect(error).toMatchObject({ exitCode: 130 });
    await expect.poll(() => endpoint.connections).toBe(0);
  });

  test("without a configured endpoint none is asked", async () => {
    const { stdout, exitCode } = await models(CHAT, {});
    expect(stdout).toContain("No endpoint is configured, so none was asked.");
    expect(exitCode).toBe(0);
  });
});
