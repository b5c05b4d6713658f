// Hundreds of calls that never get an answer: the run ends at their limit, with a result for every row, and no connection, no
// process and no folder left.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allFiles, bench } from "../support/bench.ts";
import { type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";
import { HTTP_TABLE } from "../support/http-providers.ts";
import { makeScratch, type ScratchWorkspace } from "../support/scratch.ts";

const CALLS = 500;
const LIMIT_S = 2;

let scratch: ScratchWorkspace;
beforeEach(() => {
  scratch = makeScratch(CALLS, 2);
});
afterEach(() => scratch.remove());

/** Runs every row at once in a workspace without runs. Resolves with how long it took, in ms, and what it wrote. */
async function run(env: NodeJS.ProcessEnv, timeoutS: number) {
  rmSync(join(scratch.root, "runs"), { recursive: true, force: true });
  const once = ["--max-attempts", "1", "--keep-going", "--json"];
  const args = ["run", "--model", "m", "--jobs", String(CALLS), "--timeout", String(timeoutS), ...once];
  const begun = performance.now();
  const ended = await bench(scratch.root, args, env);
  const wallMs = performance.now() - begun;
  expect(ended.code, ended.stderr).toBe(0);
  const files = [...allFiles(join(scratch.root, "runs"))];
  const text = files.find(([path]) => path.endsWith("results.jsonl"))?.[1] ?? "";
  const results = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { row_id: string; status: string; error: string | null });
  expect(new Set(results.map((result) => result.row_id)).size).toBe(CALLS);
  return { wallMs, outcomes: new Set(results.map(({ status, error }) => `${status}: ${error}`)) };
}

describe.each(HTTP_TABLE)("%s", (_name, one) => {
  let endpoint: ScriptedEndpoint;
  beforeEach(async () => {
    endpoint = await startEndpoint();
  });
  afterEach(() => endpoint.close());

  it("ends 500 stalled calls at their time limit", async () => {
    scratch.models([one.model]);
    const env = { [one.url]: endpoint.baseUrl };
    const answered = await run(env, 600);
    expect(answered.outcomes).toEqual(new Set(["ok: null"]));
    await expect.poll(() => endpoint.connections).toBe(0);

    const before = endpoint.accepted;
    endpoint.otherwise({ stall: "start" });
    const stalled = await run(env, LIMIT_S);
    expect(stalled.outcomes).toEqual(new Set([`transport_error: no complete answer within ${LIMIT_S} s`]));
    expect(endpoint.requests).toHaveLength(2 * CALLS);
    expect(endpoint.accepted - before).toBe(CALLS);
    await expect.poll(() => endpoint.connections).toBe(0);
    // What both runs need beside the calls is measured by the first: no machine is too slow for this.
    expect(stalled.wallMs).toBeLessThan(2 * LIMIT_S * 1000 + answered.wallMs);
  });
});

describe("a command", () => {
  it("ends 500 stalled calls at their time limit", async () => {
    const folder = mkdtempSync(join(tmpdir(), "decision-bench-stalled-"));
    try {
      const temp = join(folder, "temp");
      mkdirSync(temp);
      scratch.models([{ id: "m", label: "M", provider: "claude-cli", model: "m" }]);
      // Nobody else sleeps for exactly as long.
      const sleeper = `sleep 7200.${process.pid}`;
      const write = (does: string): void =>
        writeFileSync(join(folder, "claude"), command(does), { mode: 0o755 });
      const env = { PATH: `${folder}:/usr/bin:/bin`, ANTHROPIC_API_KEY: "key-0001", TMPDIR: temp };

      write(`cat > /dev/null; echo '${RESULT}'`);
      const answered = await run(env, 600);
      expect(answered.outcomes).toEqual(new Set(["ok: null"]));

      write(`exec ${sleeper}`);
      const stalled = await run(env, LIMIT_S);
      expect(stalled.outcomes).toEqual(new Set([`timeout: no complete answer within ${LIMIT_S} s`]));
      expect(stalled.wallMs).toBeLessThan(2 * LIMIT_S * 1000 + answered.wallMs);
      const table = execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" });
      expect(table.split("\n").filter((line) => line.trim() === sleeper)).toEqual([]);
      expect(readdirSync(temp)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const ANSWER =
  '{"answers":{"decision":{"label":"second","probabilities":{"first":0,"second":1,"third":0,"other":0}}}}';
const RESULT = `{"type":"result","subtype":"success","is_error":false,"structured_output":${ANSWER}}`;

function command(does: string): string {
  return `#!/bin/sh
case "$1" in
  --version) echo "2.1.332 (Claude Code)" ;;
  --help) echo "--print --bare --safe-mode --tools --json-schema --strict-mcp-config --setting-sources" ;;
  *) ${does} ;;
esac
`;
}
