// What the benchmarks share: the binary, child processes that are timed, the endpoint that answers at once.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { watchTree } from "./tree.ts";

export const projectRoot = fileURLToPath(new URL("..", import.meta.url));
export const cli = join(projectRoot, "dist", "cli.js");

/** No single program of a measure takes as long. */
const LIMIT_MS = 15 * 60_000;
const START_MS = 30_000;

/** What the endpoint for benchmarks saw. Times are in ms on one clock. */
export interface EndpointStats {
  readonly requests: number;
  /** Bodies that differ. */
  readonly distinct: number;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly most_in_flight: number;
}

export interface FastEndpoint {
  readonly baseUrl: string;
  /** What it saw since it was last asked. */
  stats(): Promise<EndpointStats>;
  stop(): void;
}

/**
 * Starts the endpoint for benchmarks in a process of its own.
 *
 * @throws {Error} when it does not listen in time.
 */
export async function startFastEndpoint(delayMs: number): Promise<FastEndpoint> {
  const script = join(projectRoot, "test", "support", "fast-endpoint.mjs");
  const child = mind(
    spawn(process.execPath, [script, String(delayMs)], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const stop = (): void => void child.kill();
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => {
      stop();
      reject(new Error("the endpoint did not start"));
    }, START_MS);
    child.once("error", reject);
    child.stdout.once("data", (data: Buffer) => {
      clearTimeout(late);
      resolve(data.toString().trim());
    });
  });
  const stats = async (): Promise<EndpointStats> => {
    const answer = await fetch(new URL("/stats", baseUrl), {
      method: "DELETE",
      signal: AbortSignal.timeout(START_MS),
    });
    return (await answer.json()) as EndpointStats;
  };
  return { baseUrl, stats, stop };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
  /** Largest resident size in MB, of the process alone; with `tree` of the process and all that it has started. */
  readonly peakMb: number;
  /** Processor time in s, all threads: what a busy machine does not stretch. NaN with `tree`. */
  readonly cpuS: number;
}

export interface RunOptions {
  /** What is set besides the own environment. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Watches the memory of all processes that it starts, from outside. */
  readonly tree?: boolean;
}

const running = new Set<ChildProcess>();

/** From now on an end by a signal is an end like any other: nothing that was started here outlives it. */
export function endChildrenWithUs(): void {
  process.once("exit", () => {
    for (const child of running) child.kill("SIGTERM");
  });
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
}

/** Keeps `child` in mind until it has ended; see {@link endChildrenWithUs}. */
export function mind<T extends ChildProcess>(child: T): T {
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

/** Runs a node program to its end and measures it; one that never ends is killed. */
export async function runNode(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-peak-"));
  const report = join(folder, "peak");
  const preload = `data:text/javascript,import{writeFileSync}from"node:fs";process.on("exit",()=>writeFileSync(${JSON.stringify(report)},(({maxRSS,userCPUTime,systemCPUTime})=>[maxRSS,userCPUTime+systemCPUTime].join())(process.resourceUsage())))`;
  try {
    const begun = performance.now();
    // What it starts would inherit the preload and write over the report.
    const child = mind(
      spawn(process.execPath, [...(options.tree ? [] : ["--import", preload]), ...args], {
        env: { ...process.env, ...options.env },
        cwd: options.cwd,
        stdio: ["ignore", "pipe", "pipe"],
        timeout: LIMIT_MS,
        killSignal: "SIGKILL",
      }),
    );
    const watch = options.tree && child.pid !== undefined ? watchTree(child.pid) : null;
    const [stdout, stderr, code] = await Promise.all([
      collect(child, "stdout"),
      collect(child, "stderr"),
      closed(child),
    ]).catch(async (error) => {
      await watch?.stop();
      throw error;
    });
    const wallMs = performance.now() - begun;
    const tree = await watch?.stop();
    const [peakKb = Number.NaN, cpuMicros = Number.NaN] = reportOf(report);
    return { code, stdout, stderr, wallMs, peakMb: tree?.sumMb ?? peakKb / 1024, cpuS: cpuMicros / 1e6 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * {@link runNode} of the binary.
 *
 * @throws {Error} with its output when it does not end with 0.
 */
export async function runBench(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const ended = await runNode([cli, ...args], options);
  if (ended.code !== 0) {
    throw new Error(`bench ${args.join(" ")}: ${ended.code}\n${ended.stdout.slice(0, 2000)}${ended.stderr}`);
  }
  return ended;
}

/** Nothing of a program that was killed. */
function reportOf(path: string): number[] {
  try {
    return readFileSync(path, "utf8").split(",").map(Number);
  } catch {
    return [];
  }
}

async function collect(child: ChildProcess, name: "stdout" | "stderr"): Promise<string> {
  let text = "";
  for await (const chunk of child[name] ?? []) text += String(chunk);
  return text;
}

function closed(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}

/** Why files of so many bytes cannot be made; null when they can. */
export function roomFor(bytes: number): string | null {
  const { bavail, bsize } = statfsSync(tmpdir());
  return bavail * bsize < bytes ? "there is no room for the files" : null;
}

/** Does the ways one after the other, `rounds` times, and gives what each gave, round by round. */
export async function alternately<T extends readonly unknown[]>(
  rounds: number,
  ...ways: { readonly [K in keyof T]: (round: number) => T[K] | Promise<T[K]> }
): Promise<{ -readonly [K in keyof T]: T[K][] }> {
  const found = ways.map((): unknown[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, way] of ways.entries()) found[at]?.push(await way(round));
  }
  return found as { -readonly [K in keyof T]: T[K][] };
}

/** The figures as they came, for the detail of a line. */
export function listed(values: readonly number[], places = 0): string {
  return values.map((value) => value.toFixed(places)).join(", ");
}
