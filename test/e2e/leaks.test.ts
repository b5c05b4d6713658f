// A server that tells everything it knows, in every place where it can: none of it may be in what a run leaves behind, nor in
// what is published of it. The same for every provider that speaks HTTP.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Writable } from "../../src/answers/json.ts";
import { allFiles, bench } from "../support/bench.ts";
import {
  type RecordedRequest,
  type Script,
  type ScriptedEndpoint,
  startEndpoint,
} from "../support/endpoint.ts";
import { HTTP_TABLE, type HttpCase } from "../support/http-providers.ts";
import { makeScratch, type ScratchWorkspace } from "../support/scratch.ts";

const KEY = "MARKED-key-4f9c2b7e1d";
const OTHER_KEY = "MARKED-other-key-77aa31";
const OTHER_HOST = "marked-host.example.test";
const REQUEST_ID = "req-marked-0e1f2a3b4c5d";
const DEPLOYMENT = "marked-deployment-west-7";
const ROWS = 12;

let endpoint: ScriptedEndpoint;
let scratch: ScratchWorkspace;
let home: string;
beforeEach(async () => {
  endpoint = await startEndpoint();
  scratch = makeScratch(ROWS, 2);
  home = join(scratch.root, "home", "marked-person");
  mkdirSync(home, { recursive: true });
});
afterEach(async () => {
  await endpoint.close();
  scratch.remove();
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** A secret as it is and as servers echo it: encoded, inside a longer text, without its first characters' alignment. */
const formsOf = (text: string): string[] => [
  text,
  base64(text),
  base64(`x:${text}`),
  base64(`xy:${text}!`),
  percent(text),
  encodeURIComponent(text),
];

function secrets(): string[] {
  return [
    KEY,
    OTHER_KEY,
    endpoint.baseUrl,
    `127.0.0.1:${endpoint.port}`,
    OTHER_HOST,
    home,
    REQUEST_ID,
    DEPLOYMENT,
  ];
}

/** Everything at once: as texts, in lists, nested, and as names of fields. */
function told(): Readonly<Record<string, Writable>> {
  const forms = secrets().flatMap(formsOf);
  return {
    request_id: REQUEST_ID,
    deployment: DEPLOYMENT,
    authorization: `Bearer ${KEY}`,
    debug: forms,
    nested: { deeper: [{ text: `saw ${forms.join(" and ")}` }] },
    names: Object.fromEntries(forms.map((form) => [form, 1])),
  };
}

const HEADERS = () => ({
  "x-request-id": REQUEST_ID,
  "x-typesafe-request-id": REQUEST_ID,
  "x-deployment": DEPLOYMENT,
  "x-served-by": OTHER_HOST,
  "set-cookie": `session=${KEY}`,
  "x-echo": KEY,
});

/** What the server does, row by row: right answers, invalid ones, refusals of every kind. */
function scripts(one: HttpCase): ((request: RecordedRequest) => Script)[] {
  const labels = ["second", "other", "first", "third"];
  const shares = Object.fromEntries(labels.map((label, at) => [label, at === 0 ? 0.7 : 0.1]));
  const words = () => secrets().flatMap(formsOf).join(" ");
  const good = () => one.answer("second", shares, told());
  return [
    () => ({ headers: HEADERS(), body: good() }),
    () => ({ headers: HEADERS(), body: one.answer(words(), shares, told()) }),
    () => ({ headers: HEADERS(), body: one.document({ answers: { decision: told() } }) }),
    () => ({ headers: HEADERS(), body: { error: { message: words(), ...told() } } }),
    () => ({ status: 400, headers: HEADERS(), body: { error: { message: words() }, ...told() } }),
    () => ({ status: 422, headers: HEADERS(), body: { detail: [{ msg: words(), input: told() }] } }),
    () => ({ status: 500, headers: HEADERS(), body: `<html>${words()}</html>` }),
    () => ({ headers: HEADERS(), body: `not JSON: ${words()}` }),
    () => ({ status: 401, headers: HEADERS(), body: words() }),
    () => ({ status: 302, headers: { ...HEADERS(), location: `https://${OTHER_HOST}/` }, body: words() }),
    () => ({ headers: HEADERS(), body: { ...(good() as object), model: `served-by-${KEY}` } }),
  ];
}

describe.each(HTTP_TABLE)("%s", (_name, one) => {
  const run = ["run", "--model", "m", "--jobs", "1", "--max-attempts", "1", "--keep-going", "--json"];
  const env = (changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    [one.url]: `${endpoint.baseUrl}/`,
    [one.key]: KEY,
    DECISION_BENCH_OTHER_BASE_URL: `https://${OTHER_HOST}/v1`,
    ANTHROPIC_API_KEY: OTHER_KEY,
    HOME: home,
    ...changes,
  });

  it("nothing that the server tells is in the run or in what is published", async () => {
    scratch.models([one.model]);
    endpoint.script(...scripts(one));
    const ended = await bench(scratch.root, run, env());
    expect(ended.code, ended.stderr).toBe(0);
    const runId = (JSON.parse(ended.stdout) as { runs: [{ run_id: string }] }).runs[0].run_id;
    const sql = "select status from answers order by row_id";
    const statuses = JSON.parse((await bench(scratch.root, ["sql", "--format", "json", sql], env())).stdout);
    expect(statuses.map((row: { status: string }) => row.status)).toEqual([
      "ok",
      "invalid_output",
      "invalid_output",
      "model_error",
      "400",
      "422",
      "500",
      "invalid_transport_output",
      "401",
      "302",
      "ok",
      "ok",
    ]);
    const published = await bench(scratch.root, ["publish", runId], env());
    expect(published.code, published.stderr).toBe(0);
    const validated = await bench(scratch.root, ["validate"], env());
    expect(validated.code, validated.stdout).toBe(0);

    const files = [...allFiles(join(scratch.root, "runs")), ...allFiles(join(scratch.root, "results"))];
    expect(files.length).toBeGreaterThanOrEqual(10);
    const seen = [
      ...files,
      ["the terminal", [ended, published].map((one) => one.stdout + one.stderr).join()] as const,
    ];
    for (const [path, text] of seen) {
      for (const marker of secrets()) {
        // Base64 of anything around the marker holds this much of it, whichever way it is aligned.
        const cores = [0, 1, 2].map((skip) => base64(marker.slice(skip)).slice(0, -4));
        for (const form of [...formsOf(marker), ...cores, percent(marker).toUpperCase()]) {
          expect(text.includes(form), `${form} in ${path}`).toBe(false);
        }
      }
    }
  });

  it("a key that stands inside a label is refused before the run, with the reason", async () => {
    scratch.models([one.model]);
    for (const variable of [one.key, "OPENAI_API_KEY"]) {
      const ended = await bench(scratch.root, run, env({ [variable]: "seco" }));
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(`${variable} cannot be kept out of the results`);
      expect(ended.stderr).toContain("a label of row row-0000000");
    }
    expect(endpoint.requests).toEqual([]);
    expect(allFiles(join(scratch.root, "runs")).size).toBe(0);
  });

  it("--api-model is what is sent and frozen; a key in it or nothing at all is refused", async () => {
    scratch.models([one.model]);
    const ended = await bench(scratch.root, [...run, "--limit", "1", "--api-model", "other-name"], env());
    expect(ended.code, ended.stderr).toBe(0);
    expect(endpoint.requests[0]?.body).toMatchObject({ model: "other-name" });
    const record = [...allFiles(join(scratch.root, "runs"))].find(([path]) => path.endsWith("run.json"))?.[1];
    expect(JSON.parse(record ?? "")).toMatchObject({ config: { api_model: "other-name", model_id: "m" } });
    for (const name of ["", `x-${KEY}`, "https://models.test/v1"]) {
      const refused = await bench(scratch.root, [...run, "--api-model", name], env());
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain("--api-model");
      expect(refused.stderr).not.toContain(KEY);
    }
    expect(endpoint.requests).toHaveLength(1);
  });

  it("a null choice of a native provider is a wrong row without an error, published and all", async () => {
    if (one.source !== "native") return;
    scratch.models([one.model]);
    endpoint.otherwise({ body: one.answer(null, null) });
    const ended = await bench(scratch.root, run, env());
    const report = JSON.parse(ended.stdout) as {
      runs: [{ run_id: string; errors: number; correct: number }];
    };
    expect(report.runs[0]).toMatchObject({ errors: 0, correct: 0, rows_completed: ROWS });
    expect((await bench(scratch.root, ["publish", report.runs[0].run_id], env())).code).toBe(0);
    expect((await bench(scratch.root, ["validate"], env())).code).toBe(0);
    const lines = [...allFiles(join(scratch.root, "results"))].find(([path]) =>
      path.endsWith("predictions.jsonl"),
    )?.[1];
    expect(JSON.parse(lines?.split("\n")[0] ?? "")).toMatchObject({
      status: "ok",
      answer: null,
      correct: false,
      confidence: null,
      probabilities: null,
      probability_source: "native",
    });
  });
});
