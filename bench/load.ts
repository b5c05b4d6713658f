// A load for harnesses: a scratch workspace, the requests that the harness makes of its rows, and the two runs that are
// compared everywhere, the harness itself and a bare loop with the same bodies.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stringifyJson } from "../src/answers/json.ts";
import { loadCorpus } from "../src/corpus/load.ts";
import { loadModels } from "../src/models/registry.ts";
import { chatRequest } from "../src/providers/openai-compatible.ts";
import { openWorkspace } from "../src/workspace.ts";
import { Lines, makeScratch } from "../test/support/scratch.ts";
import { cli, type Ended, projectRoot, type RunOptions, runNode } from "./support.ts";

export interface Load {
  readonly root: string;
  readonly rows: number;
  /** The body of every request, as it is sent. */
  readonly bodies: readonly string[];
  remove(): void;
}

export async function makeLoad(rows: number): Promise<Load> {
  const { root, remove } = makeScratch(rows);
  try {
    const workspace = openWorkspace({ root, cwd: root, env: {} });
    const [model] = await loadModels(workspace);
    if (model?.provider !== "openai-compatible") throw new Error("the scratch workspace has another model");
    const corpus = await loadCorpus(workspace);
    const bodies = corpus.rows.map((row) => stringifyJson(chatRequest(model, row, [])));
    const file = new Lines(bodiesFile(root));
    for (const body of bodies) file.add(body);
    file.close();
    return { root, rows, bodies, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

const bodiesFile = (root: string): string => join(root, "bodies.jsonl");

/** A run of all rows, to its end; `rate` is in rows per second of the run itself, from opening to closing. */
export interface Rated extends Ended {
  readonly rate: number;
}

/** @throws {Error} when not every row has an answer. */
export async function runHarness(
  load: Load,
  baseUrl: string,
  jobs: number,
  options: RunOptions = {},
): Promise<Rated> {
  const runs = join(load.root, "runs");
  rmSync(runs, { recursive: true, force: true });
  const args = [cli, "--root", load.root, "run", "--model", "bench", "--jobs", String(jobs), "--json"];
  const env = { ...options.env, DECISION_BENCH_BASE_URL: baseUrl, DECISION_BENCH_API_KEY: "" };
  const run = await runNode(args, { ...options, env });
  if (run.code !== 0) throw new Error(run.stderr);
  const [id = ""] = readdirSync(runs).filter((name) => !name.startsWith("."));
  const results = readFileSync(join(runs, id, "results.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  const right = results.filter((line) => (JSON.parse(line) as { correct: boolean }).correct).length;
  if (right !== load.rows) throw new Error(`${right} of ${load.rows} rows are right`);
  return { ...run, rate: rateOf(join(runs, id), load.rows) };
}

/** From the first call to the end of the invocation, both as the run itself recorded them. */
function rateOf(dir: string, rows: number): number {
  const run = JSON.parse(readFileSync(join(dir, "run.json"), "utf8")) as {
    executions: { started_at: string; ended_at: string }[];
  };
  const [execution] = run.executions;
  if (execution === undefined) throw new Error("no execution on record");
  return rows / ((Date.parse(execution.ended_at) - Date.parse(execution.started_at)) / 1000);
}

/** @throws {Error} when it does not end well. */
export async function runBareLoop(
  load: Load,
  baseUrl: string,
  jobs: number,
  options: RunOptions = {},
): Promise<Rated> {
  const script = join(projectRoot, "bench", "bare-loop.mjs");
  const loop = await runNode([script, baseUrl, bodiesFile(load.root), String(jobs)], options);
  if (loop.code !== 0) throw new Error(loop.stderr);
  const { rate, rows } = JSON.parse(loop.stdout) as { rate: number; rows: number };
  if (rows !== load.rows) throw new Error(`${rows} of ${load.rows} rows were sent`);
  return { ...loop, rate };
}
