// How long `bench --version` takes, against a node that does nothing.
import { type Line, median, ratios } from "./figures.ts";
import { rounds } from "./sizes.ts";
import { alternately, cli, runNode } from "./support.ts";

const ROUNDS = rounds(15);

/** Within three times of `node -e 0`. */
export async function measureStartup(): Promise<Line[]> {
  const [bare = [], ours = []] = await alternately(
    ROUNDS,
    () => runNode(["-e", "0"]),
    () => runNode([cli, "--version"]),
  );
  const [bareMs, oursMs] = [bare, ours].map((runs) => runs.map(({ wallMs }) => wallMs));
  return [
    {
      what: "start of `bench --version` against `node -e 0`",
      unit: "×",
      values: ratios(oursMs ?? [], bareMs ?? []),
      limit: { most: 3 },
      memory: { mb: ours.map(({ peakMb }) => peakMb) },
      detail: `medians ${median(oursMs ?? []).toFixed(0)} ms and ${median(bareMs ?? []).toFixed(0)} ms`,
    },
  ];
}
