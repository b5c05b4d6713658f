// Rows per second of `bench run` against a bare loop on the same endpoint, alternating, in one run of this program.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../test/support/scratch.ts";
import { cli, type Measure, median, projectRoot, runNode, startFastEndpoint } from "./support.ts";

const ROWS = 5000;
const JOBS = 32;
const DELAY_MS = 20;
const ROUNDS = 3;

/** At least 80 % of the bare loop's rate. */
export async function measureThroughput(): Promise<Measure> {
  const endpoint = await startFastEndpoint(DELAY_MS);
  const scratch = makeScratch(ROWS);
  const tsx = join(projectRoot, "node_modules", "tsx", "dist", "cli.mjs");
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const loop = await runNode([
        tsx,
        join(projectRoot, "bench", "bare-loop.ts"),
        endpoint.baseUrl,
        String(ROWS),
        String(JOBS),
      ]);
      bare.push((JSON.parse(loop.stdout) as { rate: number }).rate);
      rmSync(join(scratch.root, "runs"), { recursive: true, force: true });
      const run = await runNode(
        [cli, "--root", scratch.root, "run", "--model", "bench", "--jobs", String(JOBS), "--json"],
        {
          DECISION_BENCH_BASE_URL: endpoint.baseUrl,
          DECISION_BENCH_API_KEY: "",
        },
      );
      if (run.code !== 0) throw new Error(run.stderr);
      ours.push(rateOf(join(scratch.root, "runs")));
    }
  } finally {
    endpoint.stop();
    scratch.remove();
  }
  const ratios = ours.map((rate, round) => rate / (bare[round] ?? Number.NaN));
  const ratio = median(ratios);
  return {
    what: `${ROWS} rows, ${JOBS} in flight, ${DELAY_MS} ms: rate against a bare loop`,
    ratio: `${ratio.toFixed(2)}×`,
    limit: "≥ 0.80×",
    ok: ratio >= 0.8,
    detail: `ours ${ours.map(Math.round).join(", ")} rows/s; bare ${bare.map(Math.round).join(", ")}; ratios ${ratios.map((value) => value.toFixed(2)).join(", ")}`,
  };
}

/** From the first call to the end of the invocation, both as the run itself recorded them. */
function rateOf(runsDir: string): number {
  const [id = ""] = readdirSync(runsDir).filter((name) => !name.startsWith("."));
  const run = JSON.parse(readFileSync(join(runsDir, id, "run.json"), "utf8")) as {
    executions: { started_at: string; ended_at: string }[];
  };
  const [execution] = run.executions;
  if (execution === undefined) throw new Error("no execution on record");
  return ROWS / ((Date.parse(execution.ended_at) - Date.parse(execution.started_at)) / 1000);
}
