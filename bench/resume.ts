// How long a run with many results behind it takes to its first new call, and how much memory.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Lines, makeScratch, type Scratch } from "../test/support/scratch.ts";
import { type Line, median } from "./figures.ts";
import { power, rounds, sized } from "./sizes.ts";
import { alternately, cli, type Ended, roomFor, runNode } from "./support.ts";

/** Rows that are left to do. */
const LEFT = 50;
/** What the files of a row take, with room to spare. */
const BYTES_A_ROW = 4000;

const SIZES = [
  { results: sized(100_000, 1000), seconds: { most: 3 }, mb: 400 },
  { results: sized(1_000_000, 10_000), seconds: { below: 15 }, mb: 600 },
] as const;

/** First call within 3 s and 400 MB after a hundred thousand results, within 15 s and 600 MB after a million. */
export async function measureResume(): Promise<Line[]> {
  const endpoint = await startRefusing();
  const made: Long[] = [];
  try {
    const missing = roomFor(SIZES.reduce((sum, { results }) => sum + results, 0) * BYTES_A_ROW);
    if (missing !== null) {
      return SIZES.map(({ results, seconds }) => ({
        what: whatOf(results),
        unit: "s",
        values: [],
        limit: seconds,
        skipped: missing,
      }));
    }
    for (const { results } of SIZES) made.push(await makeLong(results, endpoint));
    const found = await alternately(rounds(), ...made.map((long) => () => resumed(long, endpoint)));
    return SIZES.map(({ results, seconds, mb }, at): Line => {
      const runs = found[at] ?? [];
      const cpu = median(runs.map(({ cpuS }) => cpuS)).toFixed(1);
      return {
        what: whatOf(results),
        unit: "s",
        values: runs.map((run) => run.seconds),
        limit: seconds,
        memory: { mb: runs.map(({ peakMb }) => peakMb), below: mb },
        detail: `processor time of the whole invocation ${cpu} s; ${LEFT} rows left; ${made[at]?.files}`,
      };
    });
  } finally {
    endpoint.server.close();
    for (const { scratch } of made) scratch.remove();
  }
}

const whatOf = (results: number): string => `resume after ${power(results)} results: to the first call`;

interface Refusing {
  readonly server: Server;
  readonly env: NodeJS.ProcessEnv;
  /** When the first call came since this was set to 0; on the clock of `performance.now()`. */
  firstCall: number;
}

/** Refuses every call for good, so that the run stops at once. */
async function startRefusing(): Promise<Refusing> {
  const server = createServer((request, response) => {
    if (endpoint.firstCall === 0) endpoint.firstCall = performance.now();
    request.resume();
    request.on("end", () => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = { DECISION_BENCH_BASE_URL: `http://127.0.0.1:${port}/v1`, DECISION_BENCH_API_KEY: "" };
  const endpoint: Refusing = { server, env, firstCall: 0 };
  return endpoint;
}

interface Long {
  readonly scratch: Scratch;
  readonly files: string;
  /** Makes the run what it was before the last invocation. */
  restore(): void;
}

async function makeLong(results: number, endpoint: Refusing): Promise<Long> {
  const scratch = makeScratch(results + LEFT, 2);
  try {
    // The first invocation makes the folder and stops at once; its ledgers are then filled as a long run would have.
    await invoke(scratch, endpoint, 1);
    const dir = join(scratch.root, "runs", "long");
    fillLedgers(dir, results);
    const mb = (folder: string): number => Math.round(bytesOf(folder) / 1e6);
    const files = `ledgers of ${mb(dir)} MB, corpus of ${mb(join(scratch.root, "data", "corpus", "load"))} MB`;
    return { scratch, files, restore: restorer(dir) };
  } catch (error) {
    scratch.remove();
    throw error;
  }
}

function invoke({ root }: Scratch, { env }: Refusing, jobs: number): Promise<Ended> {
  const args = ["run", "--model", "bench", "--run-id", "long", "--json", "--jobs", String(jobs)];
  return runNode([cli, "--root", root, ...args], { env });
}

async function resumed(long: Long, endpoint: Refusing): Promise<Ended & { readonly seconds: number }> {
  long.restore();
  endpoint.firstCall = 0;
  const begun = performance.now();
  const run = await invoke(long.scratch, endpoint, 8);
  if (endpoint.firstCall === 0) throw new Error(`no call was made: ${run.stderr}`);
  return { ...run, seconds: (endpoint.firstCall - begun) / 1000 };
}

/** Ledgers only grow, so that they are cut to what they were; the record is written again, and what is new goes. */
function restorer(dir: string): () => void {
  const names = readdirSync(dir);
  const ledgers = names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => [join(dir, name), statSync(join(dir, name)).size] as const);
  const others = names
    .filter((name) => !name.endsWith(".jsonl") && statSync(join(dir, name)).isFile())
    .map((name) => [join(dir, name), readFileSync(join(dir, name))] as const);
  return () => {
    for (const name of readdirSync(dir)) {
      if (!names.includes(name)) rmSync(join(dir, name), { recursive: true, force: true });
    }
    for (const [path, size] of ledgers) truncateSync(path, size);
    for (const [path, content] of others) writeFileSync(path, content);
  };
}

/** Writes the ledgers of a run of which only the last rows are missing; every attempt has its cost. */
export function fillLedgers(dir: string, count: number): void {
  mkdirSync(dir, { recursive: true });
  const results = new Lines(join(dir, "results.jsonl"));
  const attempts = new Lines(join(dir, "attempts.jsonl"));
  const time = "2026-01-02T03:04:05.678Z";
  for (let index = 0; index < count; index += 1) {
    const row_id = `row-${String(index).padStart(7, "0")}`;
    const started = {
      event: "started",
      attempt_id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      run_id: "long",
      row_id,
      number: 1,
      started_at: time,
    };
    const finished = {
      ...started,
      event: "finished",
      ended_at: time,
      status: "ok",
      error: null,
      duration_ms: 812.345678,
      queued_ms: 0,
      provider_duration_ms: null,
      usage: {
        input_tokens: 641,
        output_tokens: 55,
        cached_input_tokens: 0,
        reasoning_output_tokens: 0,
        cache_creation_input_tokens: null,
      },
      cost_usd: 0.000123,
      cost_basis: "provider_reported",
      cost_source: "usage.cost",
      resolved_model: "bench-2026-01-01",
      http_status: 200,
      images_sent: 0,
    };
    attempts.add(JSON.stringify(started));
    attempts.add(JSON.stringify(finished));
    results.add(
      JSON.stringify({
        run_id: "long",
        row_id,
        status: "ok",
        error: null,
        started_at: time,
        ended_at: time,
        duration_ms: 813.5,
        input_sha256: "0".repeat(64),
        answer: {
          label: "second",
          probabilities: { second: 0.7, other: 0.1, first: 0.1, third: 0.1 },
          raw_probability_sum: 1,
          label_is_argmax: true,
          probability_source: "verbalized",
        },
        gold: "second",
        correct: true,
        output_text:
          '{"answers":{"decision":{"label":"second","probabilities":{"second":0.7,"other":0.1,"first":0.1,"third":0.1}}}}',
        output_wrapper: "none",
        finish_reason: "stop",
        images_sent: 0,
        attempts: [finished],
      }),
    );
  }
  results.close();
  attempts.close();
}

function bytesOf(folder: string): number {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
