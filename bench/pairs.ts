// How long all pairs of twenty published results take, against the same bootstrap written by hand in Python.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Line, median, ratios } from "./figures.ts";
import { makePublishedSet } from "./published-set.ts";
import { rounds } from "./sizes.ts";
import { alternately, type Ended, projectRoot, runBench } from "./support.ts";

const RESULTS = 20;
const PAIRS = (RESULTS * (RESULTS - 1)) / 2;
const SIZE = { rows: 1071, tasks: 36, categories: 10, results: RESULTS };
const PYTHON_MS = 15 * 60_000;
const MAX_S = 4;
const MIN_RATIO = 6;
/** Two generators of random numbers end 2,000 repetitions this far from each other at most. */
const TOLERANCE = 0.01;

/** Every figure of both views is computed, since every one is stored or written. */
const PAIRS_QUERY = `CREATE TEMP TABLE standings AS FROM leaderboard;
SELECT c.*, a.rank AS rank_a, b.rank AS rank_b
FROM comparisons AS c
JOIN standings AS a ON a.run_id = c.run_a
JOIN standings AS b ON b.run_id = c.run_b`;
/** What comes before: starting, reading, checking. */
const READ_QUERY = "SELECT count(*) FROM answers";

interface Pair {
  readonly run_a: string;
  readonly run_b: string;
  readonly bootstrap_low: number;
  readonly bootstrap_high: number;
  readonly jackknife_se: number;
  readonly p_holm: number;
  readonly rank_a: number;
  readonly rank_b: number;
}

interface Python {
  readonly wallS: number;
  /** Without reading the files. */
  readonly pairsS: number;
  readonly version: string;
  readonly peakMb: number;
}

/** The quicker ways of the Python program, besides its plain loops. */
const TUNED = ["--sums", "--choices"];

/** All pairs and ranks within 4 s, and six times as fast as plain loops in Python. */
export async function measurePairs(): Promise<Line[]> {
  const set = makePublishedSet(SIZE);
  try {
    const file = join(set.root, "pairs.sql");
    writeFileSync(file, PAIRS_QUERY);
    const agreed = pairsOf((await bench(set.root, "--file", file)).stdout);
    const all: Ended[] = [];
    const reading: Ended[] = [];
    // In turn, so that a machine that grows busier is so for all.
    const programs = await alternately(
      rounds(),
      ...[[], ...TUNED.map((way) => [way])].map((options, at) => async () => {
        if (at === 0) {
          all.push(await bench(set.root, "--file", file));
          reading.push(await bench(set.root, READ_QUERY));
        }
        return python(set.folder, agreed, ...options);
      }),
    );
    const wallS = all.map(({ wallMs }) => wallMs / 1000);
    const readS = reading.map(({ wallMs }) => wallMs / 1000);
    const cpuS = median(all.map((ended) => ended.cpuS));
    const what = `all ${PAIRS} pairs of ${RESULTS} results of ${SIZE.rows} rows, and the ranks`;
    return [
      {
        what,
        unit: "s",
        values: wallS,
        limit: { most: MAX_S },
        memory: { mb: all.map(({ peakMb }) => peakMb) },
        detail: `processor time ${cpuS.toFixed(2)} s, starting and reading alone ${median(readS).toFixed(2)} s`,
      },
      ...programs.map((program, at) =>
        againstPython(at === 0 ? "plain Python loops" : `Python with ${TUNED[at - 1]}`, {
          ours: { wallS, readS },
          program: program.filter((ran) => ran !== null),
          limited: at === 0,
        }),
      ),
    ];
  } finally {
    set.remove();
  }
}

interface Compared {
  readonly ours: { readonly wallS: readonly number[]; readonly readS: readonly number[] };
  readonly program: readonly Python[];
  readonly limited: boolean;
}

function againstPython(name: string, { ours, program, limited }: Compared): Line {
  const line = {
    what: `all pairs: how many times as fast as ${name}`,
    unit: "×" as const,
    ...(limited ? { limit: { least: MIN_RATIO } } : {}),
  };
  const [first] = program;
  if (first === undefined) return { ...line, values: [], skipped: "python3 cannot be run" };
  const pairsS = ours.wallS.map((s, round) => s - (ours.readS[round] ?? Number.NaN));
  const alone = ratios(
    program.map((ran) => ran.pairsS),
    pairsS,
  );
  return {
    ...line,
    values: ratios(
      program.map(({ wallS }) => wallS),
      ours.wallS,
    ),
    detail: `Python ${first.version} ${median(program.map(({ wallS }) => wallS)).toFixed(2)} s, ${first.peakMb.toFixed(0)} MB; without starting and reading ${median(alone).toFixed(1)}×`,
  };
}

async function bench(root: string, ...query: string[]): Promise<Ended> {
  const ended = await runBench(["--root", root, "sql", ...query, "--format", "json"]);
  if (ended.stderr !== "") throw new Error(ended.stderr);
  return ended;
}

/** The pairs that the binary wrote, by their runs; nothing is missing. */
function pairsOf(output: string): ReadonlyMap<string, Pair> {
  const pairs = JSON.parse(output) as Pair[];
  const ranks = new Set(pairs.flatMap(({ rank_a, rank_b }) => [rank_a, rank_b]));
  const whole = pairs.every(({ jackknife_se, p_holm }) => jackknife_se > 0 && p_holm >= 0 && p_holm <= 1);
  if (pairs.length !== PAIRS || ranks.size !== RESULTS || !whole) {
    throw new Error(`${pairs.length} pairs with ${ranks.size} ranks were computed`);
  }
  return new Map(pairs.map((pair) => [`${pair.run_a} ${pair.run_b}`, pair]));
}

/**
 * Runs the Python program over the same files and holds its intervals to those of the binary; null when there is no
 * python3.
 */
function python(folder: string, pairs: ReadonlyMap<string, Pair>, ...options: string[]): Python | null {
  const script = join(projectRoot, "bench", "python", "paired_bootstrap.py");
  const begun = performance.now();
  const { status, stdout, stderr, error } = spawnSync("python3", [script, ...options, folder], {
    encoding: "utf8",
    timeout: PYTHON_MS,
  });
  const wallS = (performance.now() - begun) / 1000;
  if (error !== undefined) return null;
  if (status !== 0) throw new Error(stderr);
  const intervals = JSON.parse(stdout) as [a: string, b: string, low: number, high: number][];
  const suite = basename(folder);
  const agreed = intervals.filter(([a, b, low, high]) => {
    const pair = pairs.get(`${suite}/${a} ${suite}/${b}`);
    return (
      pair !== undefined &&
      Math.abs(pair.bootstrap_low - low) <= TOLERANCE &&
      Math.abs(pair.bootstrap_high - high) <= TOLERANCE
    );
  });
  if (intervals.length !== PAIRS || agreed.length !== PAIRS) {
    throw new Error(`${agreed.length} of ${intervals.length} intervals of the Python program agree`);
  }
  const { pairs_s, version, peak_mb } = JSON.parse(stderr) as {
    pairs_s: number;
    version: string;
    peak_mb: number;
  };
  return { wallS, pairsS: pairs_s, version, peakMb: peak_mb };
}
