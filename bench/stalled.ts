// Hundreds of calls that never get an answer, over HTTP and through a command: how much longer than their time limit the run
// takes, and whether a connection or a process is left.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEndpoint } from "../test/support/endpoint.ts";
import { makeScratch, type ScratchWorkspace } from "../test/support/scratch.ts";
import { cli, type Measure, median, runNode } from "./support.ts";

const CALLS = 500;
const LIMIT_S = 2;
const ROUNDS = 3;
/** HTTP alone is held to it: starting hundreds of processes takes as long as the machine needs. */
const MOST = 1.5;

/** Waits as the shell itself, so that one process is left of a call at most. */
const STALLED_COMMAND = `#!/bin/sh
case "$1" in
  --version) echo "2.1.332 (Claude Code)" ;;
  --help) echo "--print --bare --safe-mode --tools --json-schema --strict-mcp-config --setting-sources" ;;
  *) exec sleep 600 ;;
esac
`;

/** Wall time of the whole command by the time limit of its calls, medians. */
export async function measureStalled(): Promise<Measure> {
  const scratch = makeScratch(CALLS);
  const http: number[] = [];
  const command: number[] = [];
  const left = { sockets: 0, processes: 0 };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      http.push(await stalledHttp(scratch, left));
      command.push(await stalledCommand(scratch, left));
    }
  } finally {
    scratch.remove();
  }
  const ratio = median(http);
  const figures = (ratios: readonly number[]): string => ratios.map((value) => value.toFixed(2)).join(", ");
  return {
    what: `${CALLS} stalled calls at once, limit ${LIMIT_S} s: the whole run by the limit, over HTTP`,
    ratio: `${ratio.toFixed(2)}×`,
    limit: `< ${MOST.toFixed(2)}×, nothing left`,
    ok: ratio < MOST && left.sockets === 0 && left.processes === 0,
    detail: `HTTP ${figures(http)}; a command ${figures(command)}; left ${left.sockets} sockets, ${left.processes} processes`,
  };
}

async function stalledHttp(scratch: ScratchWorkspace, left: { sockets: number }): Promise<number> {
  const endpoint = await startEndpoint({ stall: "start" });
  try {
    scratch.models([{ id: "m", label: "M", provider: "openai-compatible", model: "m" }]);
    const ratio = await stalledRun(scratch, { DECISION_BENCH_BASE_URL: endpoint.baseUrl }, "transport_error");
    left.sockets += endpoint.connections;
    if (endpoint.accepted !== CALLS) throw new Error(`${endpoint.accepted} connections for ${CALLS} calls`);
    return ratio;
  } finally {
    await endpoint.close();
  }
}

async function stalledCommand(scratch: ScratchWorkspace, left: { processes: number }): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-stalled-"));
  writeFileSync(join(folder, "claude"), STALLED_COMMAND, { mode: 0o755 });
  try {
    scratch.models([{ id: "m", label: "M", provider: "claude-cli", model: "m" }]);
    const env = { PATH: `${folder}:${process.env.PATH}`, ANTHROPIC_API_KEY: "key-0001", TMPDIR: folder };
    const before = sleepers();
    const ratio = await stalledRun(scratch, env, "timeout");
    left.processes += Math.max(0, sleepers() - before);
    return ratio;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stalledRun(
  scratch: ScratchWorkspace,
  env: NodeJS.ProcessEnv,
  status: string,
): Promise<number> {
  rmSync(join(scratch.root, "runs"), { recursive: true, force: true });
  const args = ["run", "--model", "m", "--jobs", String(CALLS), "--timeout", String(LIMIT_S)];
  const run = await runNode(
    [cli, "--root", scratch.root, ...args, "--max-attempts", "1", "--keep-going", "--json"],
    env,
  );
  const errors = run.stdout.match(/"errors":\s*(\d+)/)?.[1];
  if (run.code !== 0 || errors !== String(CALLS))
    throw new Error(`not all ended with ${status}: ${run.stderr}`);
  return run.wallMs / (LIMIT_S * 1000);
}

/** Processes of our command that are alive now. */
function sleepers(): number {
  const table = execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" });
  return table.split("\n").filter((line) => line.trim() === "sleep 600").length;
}
