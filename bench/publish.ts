// How long `bench publish` takes for one run beside twenty published results, and how much of that only reading the run and
// computing its figures takes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePublishedSet } from "./published-set.ts";
import { cli, type Ended, type Measure, median, runNode } from "./support.ts";
import { addFigures } from "./validate.ts";

const SIZE = { rows: 1071, tasks: 36, categories: 10, results: 20 };
const ROUNDS = 3;

/** Within 2 s. */
export async function measurePublish(): Promise<Measure> {
  const set = makePublishedSet(SIZE);
  try {
    await addFigures(set.root);
    mkdirSync(join(set.root, "config"), { recursive: true });
    const base = { id: "base", label: "Base", provider: "baseline", model: "uniform" };
    const models = [{ ...base, request: { method: "uniform", seed: 1 } }];
    writeFileSync(join(set.root, "config", "models.json"), JSON.stringify({ schema_version: 1, models }));
    const bench = async (...args: string[]): Promise<Ended> => {
      const ended = await runNode([cli, "--root", set.root, ...args]);
      if (ended.code !== 0) throw new Error(`${ended.stdout.slice(0, 2000)}${ended.stderr}`);
      return ended;
    };
    await bench("run", "--model", "base", "--run-id", "one");
    const rounds: Ended[] = [];
    const scores: Ended[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push(await bench("publish", "one"));
      scores.push(await bench("score", "one", "--json"));
    }
    const wall = median(rounds.map(({ wallMs }) => wallMs)) / 1000;
    const score = median(scores.map(({ wallMs }) => wallMs)) / 1000;
    return {
      what: `publish of a run of ${SIZE.rows} rows beside ${SIZE.results} results: time`,
      ratio: `${wall.toFixed(2)} s`,
      limit: "≤ 2 s",
      ok: wall <= 2,
      detail: `median of ${ROUNDS}; ${(wall / score).toFixed(1)}× the ${score.toFixed(2)} s of bench score; peak memory ${Math.max(...rounds.map(({ peakMb }) => peakMb)).toFixed(0)} MB`,
    };
  } finally {
    set.remove();
  }
}
