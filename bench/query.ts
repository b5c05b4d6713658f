// How long an ad-hoc query takes: over twenty full runs, and with two thousand run folders around it.
import { makeLongWorkspace } from "./long-run.ts";
import { cli, type Ended, type Measure, median, runNode } from "./support.ts";

const FULL_RUNS = 20;
const FULL_ROWS = 1071;
const FOLDERS = 2000;
const FOLDER_ROWS = 2;
const ROUNDS = 3;

/** A count over twenty full runs within 1.5 s; `select 1` beside 2,000 run folders within 2 s. */
export async function measureQuery(): Promise<Measure> {
  const count = "select count(*) from answers";
  const full = await timed(FULL_RUNS, FULL_ROWS, [count]);
  const many = await timed(FOLDERS, FOLDER_ROWS, ["select 1", count]);
  const [counted, one, all] = [full[0], many[0], many[1]].map(
    (ended) => (ended?.wallMs ?? Number.NaN) / 1000,
  );
  const peak = many[1]?.peakMb ?? Number.NaN;
  return {
    what: `count(*) from answers over ${FULL_RUNS} runs of ${FULL_ROWS} rows; select 1 with ${FOLDERS} run folders`,
    ratio: `${counted?.toFixed(2)} s; ${one?.toFixed(2)} s`,
    limit: "≤ 1.5 s; ≤ 2 s",
    ok: (counted ?? Number.NaN) <= 1.5 && (one ?? Number.NaN) <= 2,
    detail: `medians of ${ROUNDS}; processor time ${full[0]?.cpuS.toFixed(2)} s and ${many[0]?.cpuS.toFixed(2)} s; count(*) from answers over the ${FOLDERS} folders ${all?.toFixed(2)} s, ${peak.toFixed(0)} MB`,
  };
}

/** The invocation of median length of every query, over a workspace of its own. */
async function timed(runs: number, rows: number, queries: readonly string[]): Promise<Ended[]> {
  const workspace = makeLongWorkspace(FULL_ROWS);
  try {
    for (let run = 0; run < runs; run += 1) workspace.addRun(`run-${String(run).padStart(4, "0")}`, rows);
    const out: Ended[] = [];
    for (const query of queries) {
      const rounds: Ended[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const ended = await runNode([cli, "--root", workspace.root, "sql", query]);
        if (ended.code !== 0) throw new Error(ended.stderr);
        rounds.push(ended);
      }
      const middle = median(rounds.map(({ wallMs }) => wallMs));
      out.push(...rounds.filter(({ wallMs }) => wallMs === middle).slice(0, 1));
    }
    return out;
  } finally {
    workspace.remove();
  }
}
