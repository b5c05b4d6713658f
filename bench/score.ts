// How long `bench score` of a local run takes, and how much memory: of a million rows, and against a tenth of them.

import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { makeLongWorkspace } from "./long-run.ts";
import { cli, type Ended, type Measure, runNode } from "./support.ts";

const ROWS = 1_000_000;
const FEWER = 100_000;
/** What the files of a row take, with room to spare. */
const BYTES_A_ROW = 5000;

/** A million rows within 25 s and 1 GB; at most twelve times what a tenth of them takes. */
export async function measureScore(): Promise<Measure> {
  const what = `score of a local run of ${ROWS} rows: time, peak memory, growth from ${FEWER} rows`;
  const limit = "≤ 25 s, ≤ 1 GB, ≤ 12×";
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < ROWS * BYTES_A_ROW) {
    return { what, ratio: "not measured", limit, ok: false, detail: "there is no room for the files" };
  }
  const few = await scoreOf(FEWER);
  const many = await scoreOf(ROWS);
  const growth = many.wallMs / few.wallMs;
  return {
    what,
    ratio: `${(many.wallMs / 1000).toFixed(1)} s, ${many.peakMb.toFixed(0)} MB, ${growth.toFixed(1)}×`,
    limit,
    ok: many.wallMs <= 25_000 && many.peakMb <= 1024 && growth <= 12,
    detail: `processor time ${many.cpuS.toFixed(1)} s; of ${FEWER} rows ${(few.wallMs / 1000).toFixed(1)} s, ${few.cpuS.toFixed(1)} s of processor time, ${few.peakMb.toFixed(0)} MB; ${many.files}`,
  };
}

async function scoreOf(rows: number): Promise<Ended & { readonly files: string }> {
  const workspace = makeLongWorkspace(rows);
  try {
    const ledgers = workspace.addRun("long");
    const ended = await runNode([cli, "--root", workspace.root, "score", "long", "--json"]);
    if (ended.code !== 0) throw new Error(ended.stderr);
    const { overall } = JSON.parse(ended.stdout) as { overall: { rows: number } };
    if (overall.rows !== rows) throw new Error(`${overall.rows} of ${rows} rows were counted`);
    const mb = (bytes: number): number => Math.round(bytes / 1e6);
    return { ...ended, files: `corpus of ${mb(workspace.corpusBytes)} MB, ledgers of ${mb(ledgers)} MB` };
  } finally {
    workspace.remove();
  }
}
