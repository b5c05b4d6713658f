// How long each metric view takes over ten thousand, a hundred thousand and a million rows, once they are read: the query alone.
// Views of one run are asked about a local run, views of pairs and standings about two published results of as many rows.
import { join } from "node:path";
import { type Line, ratios, spread } from "./figures.ts";
import { writeRun } from "./long-run.ts";
import { makePublishedSet, type PublishedSet } from "./published-set.ts";
import { power, rounds, sized } from "./sizes.ts";
import { alternately, projectRoot, roomFor, runNode } from "./support.ts";
import { type MetricView, metricViews } from "./view-list.ts";
import type { SessionTimes, ViewTime } from "./views-session.ts";

const SIZES = [sized(10_000, 200), sized(100_000, 400), sized(1_000_000, 800)];
const RUN = "long";
const PAIR = ["pairs/model-00", "pairs/model-01"] as const;
/** What the files of a row take, with room to spare. */
const BYTES_A_ROW = 6000;

/** A session over the local run and one over the two results, for every size, in turn. No limits were set. */
export async function measureViews(): Promise<Line[]> {
  const missing = roomFor(SIZES.reduce((sum, rows) => sum + rows, 0) * BYTES_A_ROW);
  if (missing !== null) return [{ what: "metric views", unit: "s", values: [], skipped: missing }];
  const views = metricViews(PAIR);
  const parts = [
    { runs: RUN, of: "a local run", views: views.filter(({ ofPublished }) => !ofPublished) },
    { runs: PAIR.join(), of: "two published results", views: views.filter(({ ofPublished }) => ofPublished) },
  ];
  const sets: PublishedSet[] = [];
  try {
    for (const rows of SIZES) {
      const set = makePublishedSet({ rows, tasks: 40, categories: 10, results: PAIR.length });
      sets.push(set);
      writeRun(set.root, { id: RUN, rows, suite: set.suite, corpusSha256: set.corpusSha256 });
    }
    const lines: Line[] = [];
    const found = await alternately(
      rounds(),
      ...parts.flatMap((part) =>
        sets.map(
          ({ root }) =>
            () =>
              session(root, part.runs, part.views),
        ),
      ),
    );
    parts.forEach((part, at) => {
      const sizes = found.slice(at * SIZES.length, (at + 1) * SIZES.length);
      lines.push(...SIZES.map((rows, size) => loadLine(part.of, rows, sizes[size] ?? [])));
    });
    parts.forEach((part, at) => {
      const sizes = found.slice(at * SIZES.length, (at + 1) * SIZES.length);
      for (const view of part.views) lines.push(...viewLines(view, part.of, sizes));
    });
    return lines;
  } finally {
    for (const set of sets) set.remove();
  }
}

async function session(root: string, runs: string, views: readonly MetricView[]): Promise<SessionTimes> {
  const script = join(projectRoot, "bench", "views-session.ts");
  const args = ["--import", "tsx", script, root, runs, ...views.map(({ from }) => from)];
  const ended = await runNode(args, { cwd: projectRoot });
  if (ended.code !== 0 || ended.stderr !== "") throw new Error(ended.stderr);
  return JSON.parse(ended.stdout) as SessionTimes;
}

function loadLine(of: string, rows: number, sessions: readonly SessionTimes[]): Line {
  return {
    what: `reading ${of} of ${power(rows)} rows, before any view`,
    unit: "s",
    values: sessions.map(({ loadSeconds }) => loadSeconds),
    memory: { mb: sessions.map(({ loadPeakMb }) => loadPeakMb) },
  };
}

/** A line for each size. */
function viewLines(
  { name, from }: MetricView,
  of: string,
  sizes: readonly (readonly SessionTimes[])[],
): Line[] {
  const times = sizes.map((sessions) =>
    sessions.flatMap(({ views }): ViewTime[] => views.filter(({ view }) => view === from)),
  );
  const seconds = times.map((ran) => ran.map((one) => one.seconds));
  return SIZES.map((rows, size) => {
    const ran = times[size] ?? [];
    const [own = [], fewer] = [seconds[size], seconds[size - 1]];
    const growth =
      fewer === undefined ? "" : `; ${spread(ratios(own, fewer)).median.toFixed(1)}× the size before`;
    return {
      what: `view \`${name}\` over ${of} of ${power(rows)} rows`,
      unit: "s",
      values: own,
      memory: { mb: ran.map(({ peakMb }) => peakMb) },
      detail: `gives ${(ran[0]?.rows ?? 0).toLocaleString("en-US")} rows${growth}`,
    };
  });
}
