// How long `bench report build` takes over twenty published results, against only reading them, and what all of its processes
// hold in memory.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Line, median, ratios } from "./figures.ts";
import { makePublishedSet } from "./published-set.ts";
import { rounds, sized } from "./sizes.ts";
import { alternately, runBench } from "./support.ts";
import { addFigures } from "./validate.ts";

const SIZE = { rows: sized(1071, 200), tasks: 36, categories: 10, results: sized(20, 3) };

/** No limit was set; the table says what it takes. */
export async function measureReportBuild(): Promise<Line[]> {
  const set = makePublishedSet(SIZE);
  try {
    await addFigures(set.root);
    const [built = [], read = []] = await alternately(
      rounds(),
      () => {
        rmSync(join(set.root, "public"), { recursive: true, force: true });
        return runBench(["--root", set.root, "report", "build"], { tree: true });
      },
      () => runBench(["--root", set.root, "sql", "select count(*) from answers"], { tree: true }),
    );
    const [seconds = [], reading = []] = [built, read].map((runs) => runs.map(({ wallMs }) => wallMs / 1000));
    const size = built.at(-1)?.stderr.match(/[\d,]+ files, [\d.]+ MB/)?.[0];
    return [
      {
        what: `report build of ${SIZE.results} results of ${SIZE.rows} rows`,
        unit: "s",
        values: seconds,
        memory: { mb: built.map(({ peakMb }) => peakMb) },
        detail: `${median(ratios(seconds, reading)).toFixed(1)}× the ${median(reading).toFixed(2)} s in which \`bench sql\` counts the same answers${size === undefined ? "" : `; ${size}`}`,
      },
    ];
  } finally {
    set.remove();
  }
}
