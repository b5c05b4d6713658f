// Runs the built binary as a user does, and ends it as a user, a container or a power cut does.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface Ended {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has written to standard error so far. */
  stderr(): string;
}

/** A clean environment: no key, no endpoint and no workspace of whoever runs the tests, and no sign of how they were started. */
export function cleanEnv(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:DECISION_BENCH|TYPESAFE|LAYA|ANTHROPIC|OPENAI|CODEX)|PROXY$|^FORCE_COLOR$|^_$/i.test(name),
  );
  return { ...Object.fromEntries(kept), ...env };
}

/** Starts `bench` in `root`; `command` is another one than that of the checkout, `uid` another user. */
export function startBench(
  root: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  command: readonly string[] = [process.execPath, cli],
  uid?: number,
): Running {
  const [program = "", ...before] = command;
  const child = spawn(program, [...before, ...args], {
    cwd: root,
    env: cleanEnv(env),
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended, stderr: () => stderr };
}

/** Runs `bench` in `root` to its end. */
export function bench(
  root: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  command?: readonly string[],
): Promise<Ended> {
  return startBench(root, args, env, command).ended;
}

/** Every file below a folder, with its text. */
export function allFiles(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (statSync(path).isFile()) files.set(path, readFileSync(path, "utf8"));
  }
  return files;
}

/** Waits until `ready` holds; a test that waits for ever says what for. */
export async function until(ready: () => boolean, what: string, limitMs = 20_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!ready()) {
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
