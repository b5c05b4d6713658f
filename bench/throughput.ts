// Rows per second of `bench run` against a bare loop on the same endpoint, alternating, over enough rows that the start counts
// for little.
import { type Line, ratios } from "./figures.ts";
import { makeLoad, runBareLoop, runHarness } from "./load.ts";
import { rounds, sized } from "./sizes.ts";
import { alternately, listed, startFastEndpoint } from "./support.ts";

const ROWS = sized(5000, 500);
const JOBS = 32;
const DELAY_MS = 20;

/** At least 80 % of the bare loop's rate. */
export async function measureThroughput(): Promise<Line[]> {
  const endpoint = await startFastEndpoint(DELAY_MS);
  const load = await makeLoad(ROWS);
  try {
    const [ours = [], bare = []] = await alternately(
      rounds(),
      () => runHarness(load, endpoint.baseUrl, JOBS),
      () => runBareLoop(load, endpoint.baseUrl, JOBS),
    );
    const rates = [ours, bare].map((runs) => listed(runs.map(({ rate }) => rate)));
    return [
      {
        what: `${ROWS} rows, ${JOBS} in flight, ${DELAY_MS} ms: rows per second against a bare loop`,
        unit: "×",
        values: ratios(
          ours.map(({ rate }) => rate),
          bare.map(({ rate }) => rate),
        ),
        limit: { least: 0.8 },
        memory: { mb: ours.map(({ peakMb }) => peakMb) },
        detail: `ours ${rates[0]} rows/s; bare ${rates[1]}, ${Math.max(...bare.map(({ peakMb }) => peakMb)).toFixed(0)} MB`,
      },
    ];
  } finally {
    endpoint.stop();
    load.remove();
  }
}
