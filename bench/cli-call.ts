// What a call through a command costs more than the command itself, alternating, in one run of this program.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProvider } from "../src/providers/registry.ts";
import { makeRow } from "../test/support/rows.ts";
import { type Line, median } from "./figures.ts";
import { rounds } from "./sizes.ts";
import { alternately } from "./support.ts";

const ROUNDS = rounds(60);
const LIMIT_MS = 30;

const ANSWER = '{"answers":{"decision":{"label":"yes","probabilities":{"yes":0.5,"no":0.5}}}}';
const RESULT = `{"type":"result","subtype":"success","is_error":false,"structured_output":${ANSWER}}`;
/** The least that a command can be: what is measured is ours, not its. */
const SCRIPT = `#!/bin/sh
case "$1" in
  --version) echo "2.1.332 (Claude Code)" ;;
  --help) echo "--bare --safe-mode --tools --json-schema --strict-mcp-config --setting-sources" ;;
  *) cat > /dev/null; echo '${RESULT}' ;;
esac
`;

/** A call less the bare run of the same command, which came right after it. */
export async function measureCliCall(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-cli-call-"));
  writeFileSync(join(folder, "claude"), SCRIPT, { mode: 0o755 });
  const env = { PATH: `${folder}:/usr/bin:/bin`, ANTHROPIC_API_KEY: "key-0001" };
  const model = { id: "m", label: "M", provider: "claude-cli", model: "x" } as const;
  const provider = await createProvider(model, { env, corpusDir: folder, jobs: 1 });
  try {
    const [ours = [], bare = []] = await alternately(
      ROUNDS,
      async () => {
        const begun = performance.now();
        const { status } = await provider.call(makeRow(), {
          timeoutMs: 30_000,
          signal: new AbortController().signal,
        });
        if (status !== "ok") throw new Error(`the call ended with ${status}`);
        return performance.now() - begun;
      },
      () => runBare(join(folder, "claude"), env),
    );
    return [
      {
        what: "a call through a command less the command alone",
        unit: "ms",
        values: ours.map((ms, round) => ms - (bare[round] ?? Number.NaN)),
        limit: { below: LIMIT_MS },
        detail: `medians: ours ${median(ours).toFixed(1)} ms, bare ${median(bare).toFixed(1)} ms`,
      },
    ];
  } finally {
    await provider.close();
    rmSync(folder, { recursive: true });
  }
}

function runBare(file: string, env: NodeJS.ProcessEnv): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(file, [], { env, stdio: ["pipe", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.once("error", reject);
    child.once("close", () => resolve(performance.now() - begun));
    child.stdin.end("{}");
  });
}
