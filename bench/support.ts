// What the benchmarks share: a scratch workspace, child processes that are timed, ratios as a table.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("..", import.meta.url));
export const cli = join(projectRoot, "dist", "cli.js");

/** One line of the table: a ratio in one run of this program. */
export interface Measure {
  readonly what: string;
  /** The ratio as text, with its unit. */
  readonly ratio: string;
  readonly limit: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Starts the endpoint for benchmarks in a process of its own; resolves with its base URL. */
export async function startFastEndpoint(delayMs: number): Promise<{ baseUrl: string; stop(): void }> {
  const script = join(projectRoot, "test", "support", "fast-endpoint.mjs");
  const child = spawn(process.execPath, [script, String(delayMs)], { stdio: ["pipe", "pipe", "inherit"] });
  const baseUrl = await new Promise<string>((resolve) => {
    child.stdout.once("data", (data: Buffer) => resolve(data.toString().trim()));
  });
  return { baseUrl, stop: () => void child.kill() };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
  /** Largest resident size in MB. */
  readonly peakMb: number;
  /** Processor time in s, all threads: what a busy machine does not stretch. */
  readonly cpuS: number;
}

/** Runs a node program to its end and measures it. */
export async function runNode(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const report = join(mkdtempSync(join(tmpdir(), "decision-bench-peak-")), "peak");
  const preload = `data:text/javascript,import{writeFileSync}from"node:fs";process.on("exit",()=>writeFileSync(${JSON.stringify(report)},(({maxRSS,userCPUTime,systemCPUTime})=>[maxRSS,userCPUTime+systemCPUTime].join())(process.resourceUsage())))`;
  const begun = performance.now();
  const child = spawn(process.execPath, ["--import", preload, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    collect(child, "stdout"),
    collect(child, "stderr"),
    closed(child),
  ]);
  const wallMs = performance.now() - begun;
  const [peakKb = 0, cpuMicros = 0] = readFileSync(report, "utf8").split(",").map(Number);
  rmSync(report);
  return { code, stdout, stderr, wallMs, peakMb: peakKb / 1024, cpuS: cpuMicros / 1e6 };
}

async function collect(child: ChildProcess, name: "stdout" | "stderr"): Promise<string> {
  let text = "";
  for await (const chunk of child[name] ?? []) text += String(chunk);
  return text;
}

function closed(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("close", resolve));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The table as Markdown, under the machine that it was measured on. */
export function printMeasures(measures: readonly Measure[]): void {
  const [cpu] = cpus();
  console.log(
    `\nNode ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB\n`,
  );
  console.log("| what | measured | limit | met | detail |\n| --- | --- | --- | --- | --- |");
  for (const { what, ratio, limit, ok, detail } of measures) {
    console.log(`| ${what} | ${ratio} | ${limit} | ${ok ? "yes" : "NO"} | ${detail} |`);
  }
}
