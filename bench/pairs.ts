// How long all pairs of twenty published results take, against the same bootstrap written by hand in Python.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { basename, join } from "node:path";
import { makePublishedSet } from "./published-set.ts";
import { cli, type Ended, type Measure, median, projectRoot, runNode } from "./support.ts";

const RESULTS = 20;
const PAIRS = (RESULTS * (RESULTS - 1)) / 2;
const SIZE = { rows: 1071, tasks: 36, categories: 10, results: RESULTS };
const ROUNDS = 3;
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
  readonly cpuS: number;
  /** Without reading the files. */
  readonly pairsS: number;
  readonly version: string;
}

/** All pairs and ranks within 4 s, and six times as fast as plain loops in Python. */
export async function measurePairs(): Promise<Measure> {
  const set = makePublishedSet(SIZE);
  try {
    const file = join(set.root, "pairs.sql");
    writeFileSync(file, PAIRS_QUERY);
    const all: Ended[] = [];
    const reading: Ended[] = [];
    const round = async (): Promise<void> => {
      all.push(await bench(set.root, "--file", file));
      reading.push(await bench(set.root, READ_QUERY));
    };
    // Between the rounds, so that a machine that grows busier is so for all three.
    await round();
    const pairs = pairsOf(all[0]?.stdout ?? "");
    const loops = python(set.folder, pairs);
    await round();
    const tuned = ["--sums", "--choices"].map((way) => [way, python(set.folder, pairs, way)] as const);
    while (all.length < ROUNDS) await round();

    const wallS = median(all.map(({ wallMs }) => wallMs)) / 1000;
    const cpuS = median(all.map(({ cpuS: s }) => s));
    const readS = median(reading.map(({ wallMs }) => wallMs)) / 1000;
    const pairsS = median(all.map(({ wallMs }, i) => wallMs - (reading[i]?.wallMs ?? Number.NaN))) / 1000;
    const ratio = loops === null ? null : loops.wallS / wallS;
    const against = (program: Python): string =>
      `${program.wallS.toFixed(2)} s, ${(program.wallS / wallS).toFixed(1)}× (processor time ${(program.cpuS / cpuS).toFixed(1)}×, without starting and reading ${(program.pairsS / pairsS).toFixed(1)}×)`;
    return {
      what: `all ${PAIRS} pairs of ${RESULTS} results of ${SIZE.rows} rows, and the ranks; against plain Python loops`,
      ratio: `${wallS.toFixed(2)} s; ${ratio === null ? "no python3" : `${ratio.toFixed(1)}×`}`,
      limit: `≤ ${MAX_S} s; ≥ ${MIN_RATIO}×`,
      ok: wallS <= MAX_S && (ratio === null || ratio >= MIN_RATIO),
      detail: [
        `medians of ${ROUNDS}: processor time ${cpuS.toFixed(2)} s, starting and reading alone ${readS.toFixed(2)} s, the rest ${pairsS.toFixed(2)} s`,
        loops === null
          ? "Python not compared: python3 cannot be run"
          : `plain loops in Python ${loops.version} ${against(loops)}`,
        ...tuned.flatMap(([way, program]) => (program === null ? [] : [`with ${way} ${against(program)}`])),
        `load ${loadavg()[0]?.toFixed(1)}`,
      ].join("; "),
    };
  } finally {
    set.remove();
  }
}

async function bench(root: string, ...query: string[]): Promise<Ended> {
  const ended = await runNode([cli, "--root", root, "sql", ...query, "--format", "json"]);
  if (ended.code !== 0 || ended.stderr !== "") throw new Error(ended.stderr);
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
  const { pairs_s, cpu_s, version } = JSON.parse(stderr) as {
    pairs_s: number;
    cpu_s: number;
    version: string;
  };
  return { wallS, cpuS: cpu_s, pairsS: pairs_s, version };
}
