// Everything that can be wrong before a run: one clear line, exit code 2, and nothing made.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bench } from "../support/bench.ts";
import { type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";

let endpoint: ScriptedEndpoint;
let scratch: Scratch;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  scratch = makeScratch(4);
});
afterEach(() => scratch.remove());

const RUN = ["run", "--model", "bench"];

async function refused(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ...words: readonly string[]
): Promise<void> {
  const calls = endpoint.requests.length;
  const ended = await bench(scratch.root, args, { DECISION_BENCH_BASE_URL: endpoint.baseUrl, ...env });
  expect(ended.code, ended.stderr).toBe(2);
  const lines = ended.stderr.trimEnd().split("\n");
  for (const word of words) expect(ended.stderr).toContain(word);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
  expect(ended.stderr).not.toContain(scratch.root);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^bench: /);
  expect(ended.stdout).toBe("");
  expect(existsSync(join(scratch.root, "runs"))).toBe(false);
  expect(endpoint.requests).toHaveLength(calls);
}

describe("options", () => {
  it.each([
    [["run"], "--model"],
    [[...RUN, "--jobs", "0"], "expected a whole number from 1 to 1024"],
    [[...RUN, "--jobs", "1.5"], "--jobs"],
    [[...RUN, "--timeout", "-1"], "--timeout"],
    [[...RUN, "--max-attempts", "x"], "--max-attempts"],
    [[...RUN, "--rpm", "0"], "--rpm"],
    [[...RUN, "--max-cost", "nan"], "--max-cost"],
    [[...RUN, "--limit", "0"], "--limit"],
    [[...RUN, "--nonsense"], "--nonsense"],
    [[...RUN, "--job", "1"], "Did you mean --jobs?"],
    [["frobnicate"], "frobnicate"],
    [[...RUN, "--api-model", ""], "--api-model is empty"],
    [[...RUN, "--api-model", " "], "--api-model is empty"],
    [
      [...RUN, "--api-model", "a\nb"],
      "--api-model is longer than 200 characters or holds control characters",
    ],
    [[...RUN, "--api-model", "m".repeat(201)], "--api-model is longer than 200"],
    [[...RUN, "--api-model", "https://models.test/v1"], "--api-model looks like an address"],
    [["run", "--model", "bench,,"], "--model"],
    [["run", "--model", "other"], "Configured: bench"],
    [["run", "--model", "bench,bench2", "--run-id", "x"], "--run-id goes with one model"],
    [[...RUN, "--ids", "row-0000000,nope"], '"nope" is not in the corpus'],
    [[...RUN, "--task", "nope"], "--task"],
    [[...RUN, "--category", "nope"], "--category"],
    [[...RUN, "--task", "T-1", "--ids", "row-0000000"], "no row is selected"],
    [[...RUN, "--run-id", "../up"], "run id"],
    [["--root", "nowhere", ...RUN], "--root nowhere is not a workspace"],
    [["score", "nope"], "nope"],
    [["show", "nope", "row"], "nope"],
    [["sql"], "query"],
    [["sql", "select 1", "--format", "nope"], "--format"],
  ])("%j", async (args, words) => refused(args, {}, words));
});

describe("environment", () => {
  it.each([
    [{ DECISION_BENCH_BASE_URL: "" }, "DECISION_BENCH_BASE_URL is not set"],
    [{ DECISION_BENCH_BASE_URL: "not a url" }, "DECISION_BENCH_BASE_URL"],
    [{ DECISION_BENCH_BASE_URL: "http://models.test/v1" }, "DECISION_BENCH_BASE_URL"],
    [{ DECISION_BENCH_BASE_URL: "ftp://127.0.0.1/v1" }, "DECISION_BENCH_BASE_URL"],
    [{ DECISION_BENCH_BASE_URL: "https://user:secret@models.test/v1" }, "DECISION_BENCH_BASE_URL"],
    [{ DECISION_BENCH_BASE_URL: "https://models.test/v1?x=1" }, "DECISION_BENCH_BASE_URL"],
    [{ DECISION_BENCH_BASE_URL: "https://models.test/v1#x" }, "DECISION_BENCH_BASE_URL"],
    [{ DECISION_BENCH_BASE_URL: "https://models.test/v1" }, "DECISION_BENCH_API_KEY is not set"],
    [{ DECISION_BENCH_API_KEY: "abc" }, "DECISION_BENCH_API_KEY"],
    [{ DECISION_BENCH_API_KEY: "line\nbreak-key" }, "DECISION_BENCH_API_KEY"],
    [{ DECISION_BENCH_API_KEY: "schlüssel" }, "DECISION_BENCH_API_KEY"],
    [{ DECISION_BENCH_API_KEY: "second" }, "DECISION_BENCH_API_KEY"],
    [{ DECISION_BENCH_ROOT: "/nowhere/at/all" }, "DECISION_BENCH_ROOT"],
  ])("%j", async (env, words) => {
    await refused(RUN, env, words);
    const { DECISION_BENCH_BASE_URL: url } = env as { DECISION_BENCH_BASE_URL?: string };
    if (url?.includes("secret")) {
      expect((await bench(scratch.root, RUN, env)).stderr).not.toContain("secret");
    }
  });
});

it("a key or a host as the name of a model is not repeated, nor written", async () => {
  const env = {
    DECISION_BENCH_API_KEY: "plain-but-secret",
    DECISION_BENCH_TEAM_BASE_URL: "https://llm.test/v1",
  };
  for (const name of ["sk-abcdefghijklmnopqrstuvwxyz", "my-plain-but-secret", "llm.test/m"]) {
    await refused([...RUN, "--api-model", name], env, "--api-model looks like");
    expect((await bench(scratch.root, [...RUN, "--api-model", name], env)).stderr).not.toContain(name);
  }
});

it("a model that is named by a folder of this machine is refused, since its name would be masked in every record", async () => {
  const env = { DECISION_BENCH_BASE_URL: endpoint.baseUrl, HOME: "/srv/marked-person" };
  const name = "/srv/marked-person/models/m.gguf";
  await refused([...RUN, "--api-model", name], env, "have the server list the model under a plain name");
  expect((await bench(scratch.root, [...RUN, "--api-model", name], env)).stderr).not.toContain(
    "marked-person",
  );
});

it("a message names files from the workspace on, wherever inside it the command was given", async () => {
  const env = { DECISION_BENCH_BASE_URL: endpoint.baseUrl };
  expect((await bench(scratch.root, [...RUN, "--run-id", "odd"], env)).code).toBe(0);
  const ledger = join(scratch.root, "runs", "odd", "results.jsonl");
  rmSync(ledger);
  mkdirSync(ledger);
  const below = join(scratch.root, "data", "corpus");
  for (const args of [
    ["score", "odd"],
    ["sql", "select count(*) from runs"],
    [...RUN, "--run-id", "odd"],
  ]) {
    const { stderr } = await bench(below, args, env);
    expect(stderr).toContain("runs/odd/results.jsonl");
    expect(stderr).not.toContain(scratch.root);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
});

describe("files", () => {
  const write = (path: string, text: string): void => writeFileSync(join(scratch.root, path), text);

  it("models.json: missing, not JSON, a wrong field, a key, an address", async () => {
    rmSync(join(scratch.root, "config", "models.json"));
    await refused(RUN, {}, "config/models.json", "is not there");
    write("config/models.json", '{"schema_version": 1,\n "models": [}');
    await refused(RUN, {}, "config/models.json", "line 2");
    const model = { id: "bench", label: "B", provider: "openai-compatible", model: "m" };
    const withModel = (change: object): void =>
      write("config/models.json", JSON.stringify({ schema_version: 1, models: [{ ...model, ...change }] }));
    withModel({ request: { temprature: 0 } });
    await refused(RUN, {}, "models[0] (bench)", "temprature");
    withModel({ notes: "sk-abcdefghijklmnopqrstuvwxyz" });
    await refused(RUN, {}, "notes", "looks like a key");
    withModel({ base_url: "https://models.test/v1" });
    await refused(RUN, {}, "base_url", "looks like an address");
    withModel({ provider: "telepathy" });
    await refused(RUN, {}, "models[0] (bench)", "provider");
  });

  it("the corpus: changed by one letter, or pointing out of the workspace", async () => {
    const cases = join(scratch.root, "data", "corpus", "load", "cases.jsonl");
    writeFileSync(cases, readFileSync(cases, "utf8").replace('"amount":', '"amounT":'));
    await refused(RUN, {}, "data/corpus/load/cases.jsonl", "the manifest froze");
    const verify = await bench(scratch.root, ["corpus", "verify"]);
    expect(verify.code).toBe(1);
    expect(verify.stdout).toContain("the manifest froze");
    writeFileSync(cases, "");
    await refused(RUN, {}, "data/corpus/load/cases.jsonl", "holds no row");
    write("data/corpus/current.json", '{"path": "../../etc/passwd"}');
    await refused(RUN, {}, "data/corpus/current.json", "leads out of the workspace");
  });
});
