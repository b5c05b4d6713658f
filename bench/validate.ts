// How long `bench validate` takes over twenty full results of 1,071 rows, how much memory, and how often it could have parsed
// the same lines meanwhile.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scoresOf, totalsOf } from "../src/publish/scores.ts";
import { Warehouse } from "../src/warehouse/warehouse.ts";
import { openWorkspace } from "../src/workspace.ts";
import { type Line, median, ratios } from "./figures.ts";
import { makePublishedSet } from "./published-set.ts";
import { rounds } from "./sizes.ts";
import { alternately, runBench } from "./support.ts";

const SIZE = { rows: 1071, tasks: 36, categories: 10, results: 20 };

/** Within 5 s and 500 MB. */
export async function measureValidate(): Promise<Line[]> {
  const set = makePublishedSet(SIZE);
  try {
    await addFigures(set.root);
    const [ran = [], parsed = []] = await alternately(
      rounds(),
      () => runBench(["--root", set.root, "validate"]),
      () => parseSeconds(set.folder),
    );
    const seconds = ran.map(({ wallMs }) => wallMs / 1000);
    const cpu = median(ran.map(({ cpuS }) => cpuS)).toFixed(2);
    return [
      {
        what: `validate over ${SIZE.results} results of ${SIZE.rows} rows`,
        unit: "s",
        values: seconds,
        limit: { most: 5 },
        memory: { mb: ran.map(({ peakMb }) => peakMb), most: 500 },
        detail: `processor time ${cpu} s; ${median(ratios(seconds, parsed)).toFixed(0)}× the ${(median(parsed) * 1000).toFixed(0)} ms in which JSON.parse reads the same lines`,
      },
    ];
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
  const begun = performance.now();
  for (const model of readdirSync(folder)) {
    const text = readFileSync(join(folder, model, "predictions.jsonl"), "utf8");
    for (const line of text.split("\n")) if (line !== "") JSON.parse(line);
  }
  return (performance.now() - begun) / 1000;
}
