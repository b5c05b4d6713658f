// How long an ad-hoc query takes: over twenty full runs, and with two thousand run folders around it.
import { type Line, median } from "./figures.ts";
import { type LongWorkspace, makeLongWorkspace } from "./long-run.ts";
import { rounds, sized } from "./sizes.ts";
import { alternately, runBench } from "./support.ts";

const FULL_RUNS = 20;
const FULL_ROWS = sized(1071, 100);
const FOLDERS = sized(2000, 100);
const FOLDER_ROWS = 2;

const COUNT = "select count(*) from answers";

/** A count over twenty full runs within 1.5 s; `select 1` beside 2,000 run folders within 2 s. */
export async function measureQuery(): Promise<Line[]> {
  const full = withRuns(FULL_RUNS, FULL_ROWS);
  const many = withRuns(FOLDERS, FOLDER_ROWS);
  try {
    const asked =
      ({ root }: LongWorkspace, query: string) =>
      () =>
        runBench(["--root", root, "sql", query]);
    const found = await alternately(
      rounds(),
      asked(full, COUNT),
      asked(many, "select 1"),
      asked(many, COUNT),
    );
    const whats = [
      `\`count(*)\` from answers over ${FULL_RUNS} runs of ${FULL_ROWS} rows`,
      `\`select 1\` beside ${FOLDERS} run folders`,
      `\`count(*)\` from answers over these ${FOLDERS} folders`,
    ];
    const limits = [1.5, 2];
    return found.map((runs, at): Line => {
      const most = limits[at];
      return {
        what: whats[at] ?? "",
        unit: "s",
        values: runs.map(({ wallMs }) => wallMs / 1000),
        ...(most === undefined ? {} : { limit: { most } }),
        memory: { mb: runs.map(({ peakMb }) => peakMb) },
        detail: `processor time ${median(runs.map(({ cpuS }) => cpuS)).toFixed(2)} s`,
      };
    });
  } finally {
    full.remove();
    many.remove();
  }
}

function withRuns(runs: number, rows: number): LongWorkspace {
  const workspace = makeLongWorkspace(FULL_ROWS);
  for (let run = 0; run < runs; run += 1) workspace.addRun(`run-${String(run).padStart(4, "0")}`, rows);
  return workspace;
}
