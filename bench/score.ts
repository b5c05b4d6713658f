// How long `bench score` of a local run takes, and how much memory: of a million rows, and against a tenth of them.
import { type Line, median, ratios } from "./figures.ts";
import { type LongWorkspace, makeLongWorkspace } from "./long-run.ts";
import { power, rounds, sized } from "./sizes.ts";
import { alternately, type Ended, roomFor, runBench } from "./support.ts";

const ROWS = sized(1_000_000, 10_000);
const FEWER = ROWS / 10;
/** What the files of a row take, with room to spare. */
const BYTES_A_ROW = 5000;

/** A million rows within 25 s and 1 GB; at most twelve times what a tenth of them takes. */
export async function measureScore(): Promise<Line[]> {
  const what = `score of a local run of ${power(ROWS)} rows`;
  const skipped = roomFor(ROWS * BYTES_A_ROW);
  if (skipped !== null) return [{ what, unit: "s", values: [], limit: { most: 25 }, skipped }];
  const fewer = makeLongWorkspace(FEWER);
  const more = makeLongWorkspace(ROWS);
  try {
    const sizes = [fewer, more].map((workspace) => {
      const ledgers = workspace.addRun("long");
      return `corpus of ${mb(workspace.corpusBytes)} MB, ledgers of ${mb(ledgers)} MB`;
    });
    const [few = [], many = []] = await alternately(
      rounds(),
      () => scoreOf(fewer, FEWER),
      () => scoreOf(more, ROWS),
    );
    const line = (runs: readonly Ended[], files: string | undefined) => ({
      unit: "s" as const,
      values: runs.map(({ wallMs }) => wallMs / 1000),
      memory: { mb: runs.map(({ peakMb }) => peakMb) },
      detail: `processor time ${median(runs.map(({ cpuS }) => cpuS)).toFixed(1)} s; ${files}`,
    });
    const large = line(many, sizes[1]);
    const small = line(few, sizes[0]);
    return [
      { what: `score of a local run of ${power(FEWER)} rows`, ...small },
      { what, ...large, limit: { most: 25 }, memory: { ...large.memory, most: 1024 } },
      {
        what: `score: growth from ${power(FEWER)} to ${power(ROWS)} rows`,
        unit: "×",
        values: ratios(large.values, small.values),
        limit: { most: 12 },
      },
    ];
  } finally {
    fewer.remove();
    more.remove();
  }
}

const mb = (bytes: number): number => Math.round(bytes / 1e6);

async function scoreOf({ root }: LongWorkspace, rows: number): Promise<Ended> {
  const ended = await runBench(["--root", root, "score", "long", "--json"]);
  const { overall } = JSON.parse(ended.stdout) as { overall: { rows: number } };
  if (overall.rows !== rows) throw new Error(`${overall.rows} of ${rows} rows were counted`);
  return ended;
}
