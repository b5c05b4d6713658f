// kill -9 at random moments of a publish. The folder is judged by a reader of this test's own first, then by `bench validate`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import seedrandom from "seedrandom";
import { expect, it } from "vitest";
import { bench, startBench } from "../support/bench.ts";
import { makeScratch } from "../support/scratch.ts";

const ROWS = 120;
const KILLS = 20;

interface Metadata {
  readonly run: { readonly run_id: string };
  readonly totals: { readonly correct: number };
}

/** Which run is published in the folder, which must be whole; throws for anything else. */
function publishedRun(suite: string): string {
  const folder = join(suite, "base");
  expect(readdirSync(suite).sort()).toEqual(["base", "leaderboard.json", "leaderboard.md"]);
  expect(readdirSync(folder).sort()).toEqual([
    "README.md",
    "metadata.json",
    "predictions.jsonl",
    "scores.json",
  ]);
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(suite, name), "utf8")) as T;
  const { run, totals } = read<Metadata>("base/metadata.json");
  const lines = readFileSync(join(folder, "predictions.jsonl"), "utf8").trimEnd().split("\n");
  const correct = lines.filter((line) => (JSON.parse(line) as { correct: boolean }).correct).length;
  expect(lines).toHaveLength(ROWS);
  expect([
    totals.correct,
    read<{ overall: { correct: number } }>("base/scores.json").overall.correct,
    read<{ models: { correct: number }[] }>("leaderboard.json").models[0]?.correct,
  ]).toEqual([correct, correct, correct]);
  expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(run.run_id);
  return run.run_id;
}

it(`a publish that is killed ${KILLS} times at random moments leaves the old result or the new one, whole`, async () => {
  const seed = process.env.BENCH_TEST_SEED ?? String(Date.now());
  const random = seedrandom(seed);
  const scratch = makeScratch(ROWS);
  const model = (guess: number) =>
    JSON.stringify({
      schema_version: 1,
      models: [
        {
          id: "base",
          label: "Base",
          provider: "baseline",
          model: "uniform",
          request: { method: "uniform", seed: guess },
        },
      ],
    });
  const suite = join(scratch.root, "results", "load");
  try {
    for (const guess of [1, 2]) {
      writeFileSync(join(scratch.root, "config", "models.json"), model(guess));
      const run = await bench(scratch.root, ["run", "--model", "base", "--run-id", `run-${guess}`]);
      expect(run).toMatchObject({ code: 0 });
    }
    const begun = performance.now();
    expect(await bench(scratch.root, ["publish", "run-1"])).toMatchObject({ code: 0 });
    const usual = performance.now() - begun;
    const seen = new Set<string>();
    let killed = 0;
    for (let round = 0; killed < KILLS && round < 4 * KILLS; round += 1) {
      const before = publishedRun(suite);
      const next = before === "run-1" ? "run-2" : "run-1";
      const running = startBench(scratch.root, ["publish", next]);
      // Half of them in the second half of the work, where files are written and change places.
      const share = random() < 0.5 ? random() : 0.5 + random() / 2;
      await new Promise((resolve) => setTimeout(resolve, share * usual));
      running.child.kill("SIGKILL");
      const { signal } = await running.ended;
      if (signal === "SIGKILL") killed += 1;
      // Between two names of one moment the old state stands aside, where the next command finds it.
      if (!existsSync(suite))
        expect(existsSync(join(scratch.root, "results", ".old", "load")), `seed ${seed}`).toBe(true);
      else expect([before, next], `seed ${seed}`).toContain(publishedRun(suite));
      const check = await bench(scratch.root, ["validate"]);
      expect(check, `seed ${seed}: ${check.stdout}`).toMatchObject({ code: 0, stderr: "" });
      seen.add(publishedRun(suite));
    }
    expect(killed).toBe(KILLS);
    expect(await bench(scratch.root, ["publish", "run-1"])).toMatchObject({ code: 0 });
    expect(publishedRun(suite)).toBe("run-1");
    // What the killed ones had begun is gone.
    expect(readdirSync(join(scratch.root, "results"))).toEqual(["load"]);
  } finally {
    scratch.remove();
  }
}, 240_000);
