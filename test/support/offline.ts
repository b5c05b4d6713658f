// Runs a command where there is no network: in a namespace without interfaces where the system lets us have one, else with
// every connection refused from within.
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cleanEnv, cli } from "./bench.ts";

const REFUSING = pathToFileURL(fileURLToPath(new URL("no-network.mjs", import.meta.url))).href;

/** No command of a test takes as long. */
const LIMIT_MS = 240_000;

/** How a command is kept from the network. */
export type Isolation = "namespace" | "refused";

/** What comes before the command; null where no namespace can be had. */
function namespace(): readonly string[] | null {
  // The second works without root, where users may have namespaces of their own.
  const ways = [
    ["unshare", "-n"],
    ["unshare", "-r", "-n"],
  ];
  return ways.find(([program = "", ...args]) => spawnSync(program, [...args, "true"]).status === 0) ?? null;
}

/**
 * Runs `bench` in `root` without a network, to its end.
 *
 * @throws {Error} with its output when it fails.
 */
export function benchOffline(root: string, args: readonly string[]): Isolation {
  const before = namespace();
  const [program = process.execPath, ...rest] = [...(before ?? []), process.execPath, cli, ...args];
  const refusing = before === null ? { NODE_OPTIONS: `--import ${REFUSING}` } : {};
  execFileSync(program, rest, {
    cwd: root,
    env: cleanEnv(refusing),
    stdio: ["ignore", "ignore", "pipe"],
    timeout: LIMIT_MS,
  });
  return before === null ? "refused" : "namespace";
}
