// How long `bench --version` takes, against a node that does nothing.
import { cli, type Measure, median, runNode } from "./support.ts";

const ROUNDS = 15;

/** Within three times of `node -e 0`. */
export async function measureStartup(): Promise<Measure> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push((await runNode(["-e", "0"])).wallMs);
    ours.push((await runNode([cli, "--version"])).wallMs);
  }
  const ratio = median(ours) / median(bare);
  return {
    what: "start of `bench --version` against `node -e 0`",
    ratio: `${ratio.toFixed(2)}×`,
    limit: "≤ 3×",
    ok: ratio <= 3,
    detail: `medians of ${ROUNDS}: ${median(ours).toFixed(0)} ms and ${median(bare).toFixed(0)} ms`,
  };
}
