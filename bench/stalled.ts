// Hundreds of calls that never get an answer, over HTTP and through a command: how much longer than their time limit the run
// takes, and whether a connection or a process is left.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEndpoint } from "../test/support/endpoint.ts";
import { makeScratch, type ScratchWorkspace } from "../test/support/scratch.ts";
import type { Line } from "./figures.ts";
import { rounds, sized } from "./sizes.ts";
import { alternately, cli, listed, runNode } from "./support.ts";

const CALLS = sized(500, 50);
const LIMIT_S = 2;
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

interface Stalled {
  /** Wall time of the whole command by the time limit of its calls. */
  readonly ratio: number;
  readonly peakMb: number;
}

/** Calls over HTTP and calls through a command, in turn. */
export async function measureStalled(): Promise<Line[]> {
  const scratch = makeScratch(CALLS);
  const left = { sockets: 0, processes: 0 };
  let http: Stalled[] = [];
  let command: Stalled[] = [];
  try {
    [http = [], command = []] = await alternately(
      rounds(),
      () => stalledHttp(scratch, left),
      () => stalledCommand(scratch, left),
    );
  } finally {
    scratch.remove();
  }
  const line = (ran: readonly Stalled[]) => ({
    unit: "×" as const,
    values: ran.map(({ ratio }) => ratio),
    memory: { mb: ran.map(({ peakMb }) => peakMb) },
    detail: listed(
      ran.map(({ ratio }) => ratio),
      2,
    ),
  });
  const what = `${CALLS} stalled calls at once, limit ${LIMIT_S} s: the whole run by the limit`;
  return [
    {
      what: `${what}, over HTTP`,
      ...line(http),
      limit: { below: MOST },
      besides: [{ text: `left ${left.sockets} sockets`, ok: left.sockets === 0 }],
    },
    {
      what: `${what}, through a command`,
      ...line(command),
      besides: [{ text: `left ${left.processes} processes`, ok: left.processes === 0 }],
    },
  ];
}

async function stalledHttp(scratch: ScratchWorkspace, left: { sockets: number }): Promise<Stalled> {
  const endpoint = await startEndpoint({ stall: "start" });
  try {
    scratch.models([{ id: "m", label: "M", provider: "openai-compatible", model: "m" }]);
    const stalled = await stalledRun(
      scratch,
      { DECISION_BENCH_BASE_URL: endpoint.baseUrl },
      "transport_error",
    );
    left.sockets += endpoint.connections;
    if (endpoint.accepted !== CALLS) throw new Error(`${endpoint.accepted} connections for ${CALLS} calls`);
    return stalled;
  } finally {
    await endpoint.close();
  }
}

async function stalledCommand(scratch: ScratchWorkspace, left: { processes: number }): Promise<Stalled> {
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-stalled-"));
  writeFileSync(join(folder, "claude"), STALLED_COMMAND, { mode: 0o755 });
  try {
    scratch.models([{ id: "m", label: "M", provider: "claude-cli", model: "m" }]);
    const env = { PATH: `${folder}:${process.env.PATH}`, ANTHROPIC_API_KEY: "key-0001", TMPDIR: folder };
    const before = sleepers();
    const stalled = await stalledRun(scratch, env, "timeout");
    left.processes += Math.max(0, sleepers() - before);
    return stalled;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stalledRun(
  scratch: ScratchWorkspace,
  env: NodeJS.ProcessEnv,
  status: string,
): Promise<Stalled> {
  rmSync(join(scratch.root, "runs"), { recursive: true, force: true });
  const args = ["run", "--model", "m", "--jobs", String(CALLS), "--timeout", String(LIMIT_S)];
  const run = await runNode(
    [cli, "--root", scratch.root, ...args, "--max-attempts", "1", "--keep-going", "--json"],
    { env },
  );
  const errors = run.stdout.match(/"errors":\s*(\d+)/)?.[1];
  if (run.code !== 0 || errors !== String(CALLS))
    throw new Error(`not all ended with ${status}: ${run.stderr}`);
  return { ratio: run.wallMs / (LIMIT_S * 1000), peakMb: run.peakMb };
}

/** Processes of our command that are alive now. */
function sleepers(): number {
  const table = execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" });
  return table.split("\n").filter((line) => line.trim() === "sleep 600").length;
}
