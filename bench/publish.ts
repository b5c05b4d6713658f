// How long `bench publish` takes for one run beside twenty published results, and how much of that only reading the run and
// computing its figures takes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Line, median, ratios } from "./figures.ts";
import { makePublishedSet } from "./published-set.ts";
import { rounds } from "./sizes.ts";
import { alternately, type Ended, runBench } from "./support.ts";
import { addFigures } from "./validate.ts";

const SIZE = { rows: 1071, tasks: 36, categories: 10, results: 20 };

/** Within 2 s. */
export async function measurePublish(): Promise<Line[]> {
  const set = makePublishedSet(SIZE);
  try {
    await addFigures(set.root);
    mkdirSync(join(set.root, "config"), { recursive: true });
    const base = { id: "base", label: "Base", provider: "baseline", model: "uniform" };
    const models = [{ ...base, request: { method: "uniform", seed: 1 } }];
    writeFileSync(join(set.root, "config", "models.json"), JSON.stringify({ schema_version: 1, models }));
    const bench = (...args: string[]): Promise<Ended> => runBench(["--root", set.root, ...args]);
    await bench("run", "--model", "base", "--run-id", "one");
    const [published = [], scored = []] = await alternately(
      rounds(),
      () => bench("publish", "one"),
      () => bench("score", "one", "--json"),
    );
    const [seconds = [], scoreSeconds = []] = [published, scored].map((runs) =>
      runs.map(({ wallMs }) => wallMs / 1000),
    );
    const times = median(ratios(seconds, scoreSeconds)).toFixed(1);
    return [
      {
        what: `publish of a run of ${SIZE.rows} rows beside ${SIZE.results} results`,
        unit: "s",
        values: seconds,
        limit: { most: 2 },
        memory: { mb: published.map(({ peakMb }) => peakMb) },
        detail: `${times}× the ${median(scoreSeconds).toFixed(2)} s of bench score`,
      },
    ];
  } finally {
    set.remove();
  }
}
