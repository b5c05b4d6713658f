// How long `bench validate` takes over twenty full results of 1,071 rows, how much memory, and how often it could have parsed
// the same lines meanwhile.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scoresOf, totalsOf } from "../src/publish/scores.ts";
import { Warehouse } from "../src/warehouse/warehouse.ts";
import { openWorkspace } from "../src/workspace.ts";
import { makePublishedSet } from "./published-set.ts";
import { cli, type Ended, type Measure, median, runNode } from "./support.ts";

const SIZE = { rows: 1071, tasks: 36, categories: 10, results: 20 };
const ROUNDS = 3;

/** Within 5 s and 500 MB. */
export async function measureValidate(): Promise<Measure> {
  const set = makePublishedSet(SIZE);
  try {
    await addFigures(set.root);
    const rounds: Ended[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const ended = await runNode([cli, "--root", set.root, "validate"]);
      if (ended.code !== 0) throw new Error(`${ended.stdout.slice(0, 2000)}${ended.stderr}`);
      rounds.push(ended);
    }
    const wall = median(rounds.map(({ wallMs }) => wallMs)) / 1000;
    const cpu = median(rounds.map(({ cpuS }) => cpuS));
    const peak = Math.max(...rounds.map(({ peakMb }) => peakMb));
    const parsed = parseSeconds(set.folder);
    return {
      what: `validate over ${SIZE.results} results of ${SIZE.rows} rows: time, peak memory`,
      ratio: `${wall.toFixed(2)} s, ${peak.toFixed(0)} MB`,
      limit: "≤ 5 s, ≤ 500 MB",
      ok: wall <= 5 && peak <= 500,
      detail: `median of ${ROUNDS}; processor time ${cpu.toFixed(2)} s; ${(wall / parsed).toFixed(0)}× the ${(parsed * 1000).toFixed(0)} ms in which JSON.parse reads the same lines`,
    };
  } finally {
    set.remove();
  }
}

/** What publishing adds to the predictions: scores, totals and the rest of the coverage. */
export async function addFigures(root: string): Promise<void> {
  const warehouse = await Warehouse.open(openWorkspace({ root, cwd: root, env: {} }), { figuresOnly: true });
  try {
    const runs = (await warehouse.rows("SELECT run_id FROM runs")).map((row) => row.run_id as string);
    for (const [run, scores] of await scoresOf(warehouse, runs)) {
      const folder = join(root, "results", run);
      writeFileSync(join(folder, "scores.json"), JSON.stringify(scores));
      const path = join(folder, "metadata.json");
      const metadata = JSON.parse(readFileSync(path, "utf8")) as {
        run: { status: string };
        coverage: Record<string, unknown>;
        totals: unknown;
      };
      const { rows, errors } = scores.overall;
      if (errors > 0) metadata.run.status = "completed_with_errors";
      metadata.coverage = { ...metadata.coverage, rows_ok: rows - errors, rows_error: errors };
      metadata.totals = totalsOf(scores);
      writeFileSync(path, JSON.stringify(metadata));
    }
  } finally {
    warehouse.close();
  }
}

function parseSeconds(folder: string): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const begun = performance.now();
    for (const model of readdirSync(folder)) {
      const text = readFileSync(join(folder, model, "predictions.jsonl"), "utf8");
      for (const line of text.split("\n")) if (line !== "") JSON.parse(line);
    }
    return (performance.now() - begun) / 1000;
  });
  return median(times);
}
