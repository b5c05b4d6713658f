// The job from end to end, through the built binary: run, interrupt, resume, query, and nothing private in any file.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allFiles, bench, startBench, until } from "../support/bench.ts";
import { type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";

const KEY = "MARKED-key-4f9c2b7e1d";
const ROWS = 30;

let endpoint: ScriptedEndpoint;
let scratch: Scratch;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  endpoint = await startEndpoint({ delayMs: 15 });
  scratch = makeScratch(ROWS);
  env = { DECISION_BENCH_BASE_URL: `${endpoint.baseUrl}/`, DECISION_BENCH_API_KEY: KEY };
});
afterEach(async () => {
  await endpoint.close();
  scratch.remove();
});

const RUN = ["run", "--model", "bench", "--jobs", "3"];
const runIds = () => (existsSync(join(scratch.root, "runs")) ? readdirSync(join(scratch.root, "runs")) : []);
const asked = () =>
  endpoint.requests.map((request) =>
    /\\"record\\":(\d+)|"record":(\d+)/.exec(request.text)?.slice(1).find(Boolean),
  );

describe("bench run", () => {
  it("runs, is interrupted, resumes, answers SQL, and leaves no key, URL, host or path in any file", async () => {
    const first = startBench(scratch.root, RUN, env);
    await until(() => endpoint.requests.length >= 9, "nine calls");
    first.child.kill("SIGINT");
    const stopped = await first.ended;
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain("the same command goes on from here");
    const before = endpoint.requests.length;
    expect(before).toBeLessThan(ROWS);
    const [runId = ""] = runIds();
    const status = () =>
      (JSON.parse(readFileSync(join(scratch.root, "runs", runId, "run.json"), "utf8")) as { status: string })
        .status;
    expect(status()).toBe("interrupted");

    const second = await bench(scratch.root, RUN, env);
    expect(second).toMatchObject({ code: 0 });
    expect(runIds()).toEqual([runId]);
    expect(status()).toBe("completed");
    // No row was called twice, and none was left out.
    expect(endpoint.requests).toHaveLength(ROWS);
    expect(new Set(asked()).size).toBe(ROWS);

    const query =
      "select count(*) as n, count(distinct row_id) as rows, sum(attempts) as attempts, bool_and(is_valid) as valid from answers";
    const sql = await bench(scratch.root, ["sql", "--format", "json", query], env);
    expect(JSON.parse(sql.stdout)).toEqual([{ n: ROWS, rows: ROWS, attempts: ROWS, valid: true }]);
    const accuracy = await bench(
      scratch.root,
      ["sql", "--format", "json", "select * from accuracy_overall"],
      env,
    );
    const correct = readFileSync(join(scratch.root, "runs", runId, "results.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .filter((line) => (JSON.parse(line) as { correct: boolean }).correct).length;
    expect(JSON.parse(accuracy.stdout)).toMatchObject([
      { rows: ROWS, correct, accuracy: correct / ROWS, errors: 0 },
    ]);

    const markers = [
      KEY,
      Buffer.from(KEY).toString("base64").slice(0, 20),
      endpoint.baseUrl,
      `127.0.0.1:${endpoint.port}`,
      "127.0.0.1",
      // A machine may be called by a word that stands in every run ("node").
      ...(hostname().length >= 8 ? [hostname()] : []),
      homedir(),
      scratch.root,
      tmpdir(),
    ];
    const files = allFiles(join(scratch.root, "runs"));
    expect(files.size).toBeGreaterThanOrEqual(6);
    for (const [path, text] of files) {
      for (const marker of markers) expect(text.includes(marker), `${marker} in ${path}`).toBe(false);
    }
    for (const output of [stopped, second, sql]) {
      for (const marker of markers.slice(0, 5)) expect(output.stdout + output.stderr).not.toContain(marker);
    }
  });

  it("sends the key to the endpoint and shows nothing but plain lines where there is no terminal", async () => {
    const done = await bench(scratch.root, [...RUN, "--limit", "3"], env);
    expect(done.code).toBe(0);
    expect(endpoint.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(
      done.stderr.split("\n").filter((line) => /^\[\d\/3\] row-\d+ (right|wrong) \d+ ms$/.test(line)),
    ).toHaveLength(3);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point of the test
    expect(done.stdout + done.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(done.stdout).toContain("3/3");
    expect(runIds()[0]).toMatch(/-subset$/);
  });

  it("prints one JSON document with --json and nothing else on standard output", async () => {
    const done = await bench(scratch.root, [...RUN, "--limit", "2", "--json"], env);
    expect(JSON.parse(done.stdout)).toMatchObject({
      runs: [{ status: "completed", rows_selected: 2, rows_completed: 2, errors: 0, stopped: null }],
    });
  });

  it("treats SIGTERM as Ctrl-C, also while rows are called again that have a result", async () => {
    endpoint.otherwise({ status: 400, body: {} });
    expect((await bench(scratch.root, [...RUN, "--keep-going"], env)).code).toBe(0);
    endpoint.otherwise({ delayMs: 30 });
    const running = startBench(scratch.root, [...RUN, "--retry-errors"], env);
    await until(() => endpoint.requests.length >= ROWS + 4, "calls");
    running.child.kill("SIGTERM");
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain("the same command goes on from here");
    expect(endpoint.requests.length).toBeLessThan(2 * ROWS);
    expect((await bench(scratch.root, [...RUN, "--retry-errors"], env)).code).toBe(0);
    expect(endpoint.requests).toHaveLength(2 * ROWS);
  });

  it("ends at once at the second Ctrl-C", async () => {
    endpoint.otherwise({ stall: "start" });
    const running = startBench(scratch.root, RUN, env);
    await until(() => endpoint.requests.length >= 3, "calls in flight");
    running.child.kill("SIGINT");
    await until(() => running.stderr().includes("stopping"), "the notice");
    const begun = performance.now();
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    expect(performance.now() - begun).toBeLessThan(3000);
    // The three calls have begun and never ended; they are no results, and no obstacle.
    endpoint.otherwise({});
    expect((await bench(scratch.root, RUN, env)).code).toBe(0);
    const sql = await bench(
      scratch.root,
      ["sql", "--format", "json", "select status, count(*) as n from attempts group by 1 order by 1"],
      env,
    );
    expect(JSON.parse(sql.stdout)).toEqual([
      { status: "incomplete", n: 3 },
      { status: "ok", n: ROWS },
    ]);
  });

  it("refuses a second process on the same run with the first one's id, and goes on with it untouched", async () => {
    endpoint.otherwise({ delayMs: 100 });
    const running = startBench(scratch.root, RUN, env);
    await until(() => endpoint.requests.length >= 1, "the first call");
    const second = await bench(scratch.root, RUN, env);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`locked by process ${running.child.pid}`);
    expect((await running.ended).code).toBe(0);
    expect(endpoint.requests).toHaveLength(ROWS);
  });

  it("stops after twenty failures in a row with the command that goes on, and that command works", async () => {
    endpoint.otherwise({ status: 401, body: { error: { message: `bad key ${KEY}` } } });
    const failed = await bench(scratch.root, RUN, env);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("20 rows in a row ended with 401");
    const command = /go on with: bench (run .*? --retry-errors)/.exec(failed.stderr)?.[1] ?? "";
    expect(failed.stderr).not.toContain(KEY);
    endpoint.otherwise({});
    const done = await bench(scratch.root, command.split(" "), env);
    expect(done.code).toBe(0);
    const runs = await bench(scratch.root, ["runs", "--json"], env);
    expect(JSON.parse(runs.stdout)).toMatchObject({
      runs: [{ status: "completed", errors: 0, rows_completed: ROWS }],
    });
  });

  it("keeps to --max-cost, exits 1 and can be resumed", async () => {
    endpoint.otherwise({ headers: { "x-litellm-response-cost": "0.25" } });
    const stopped = await bench(scratch.root, [...RUN, "--max-cost", "1"], env);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain("--max-cost 1");
    expect(stopped.stderr).toContain("bench has no price in config/models.json");
    const calls = endpoint.requests.length;
    expect(calls).toBeGreaterThanOrEqual(4);
    expect(calls).toBeLessThanOrEqual(6);
    expect((await bench(scratch.root, [...RUN, "--max-cost", "100"], env)).code).toBe(0);
    expect(endpoint.requests).toHaveLength(ROWS);
  });

  it("shows the plan and calls and writes nothing with --dry-run", async () => {
    const plan = await bench(scratch.root, [...RUN, "--dry-run", "--json"], env);
    expect(plan.code).toBe(0);
    const document = JSON.parse(plan.stdout) as { selection: string[]; plans: Record<string, unknown>[] };
    expect(document.selection).toHaveLength(ROWS);
    expect(document.plans[0]).toMatchObject({
      calls_min: ROWS,
      calls_max: 2 * ROWS,
      estimated_cost_usd: null,
      first_row: "row-0000000",
    });
    expect(plan.stdout).not.toContain(KEY);
    expect(plan.stdout).not.toContain("127.0.0.1");
    expect(endpoint.requests).toEqual([]);
    expect(runIds()).toEqual([]);
  });
});
