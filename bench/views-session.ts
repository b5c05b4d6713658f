// One session over a workspace, in a process of its own: `views-session.ts <root> <runs, by commas> <view, …>` reads what the
// views stand on once, then computes every column of every row of each, and prints the seconds and memory of each as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { Warehouse } from "../src/warehouse/warehouse.ts";
import { openWorkspace } from "../src/workspace.ts";

export interface ViewTime {
  /** As it stands after FROM: a name, or a macro with its arguments. */
  readonly view: string;
  readonly seconds: number;
  readonly rows: number;
  /** Largest resident size while it was computed, in MB, with all that was read; since the start where it cannot be told. */
  readonly peakMb: number;
}

export interface SessionTimes {
  readonly loadSeconds: number;
  readonly loadPeakMb: number;
  readonly views: readonly ViewTime[];
}

async function session(
  root: string,
  runs: readonly string[],
  views: readonly string[],
): Promise<SessionTimes> {
  const workspace = openWorkspace({ root, cwd: root, env: {} });
  const warehouse = await Warehouse.open(workspace, { runs, notify: (message) => console.error(message) });
  try {
    const begun = performance.now();
    await warehouse.read(views.join(" "));
    const loadSeconds = (performance.now() - begun) / 1000;
    const loadPeakMb = peakMb();
    const times: ViewTime[] = [];
    for (const view of views) {
      forgetPeak();
      const from = performance.now();
      // A table takes every column, as nobody but a database can: a count would leave most of them out.
      await warehouse.rows(`CREATE OR REPLACE TEMP TABLE measured AS FROM ${view}`);
      const seconds = (performance.now() - from) / 1000;
      const [counted] = await warehouse.rows<{ n: number }>("SELECT count(*) AS n FROM measured");
      times.push({ view, seconds, rows: counted?.n ?? Number.NaN, peakMb: peakMb() });
      await warehouse.rows("DROP TABLE measured");
    }
    return { loadSeconds, loadPeakMb, views: times };
  } finally {
    warehouse.close();
  }
}

/** Linux keeps the largest size since it was last told to forget it; elsewhere it is that since the start. */
function peakMb(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1024;
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
}

function forgetPeak(): void {
  if (process.platform !== "linux") return;
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Not allowed to: then it is the largest since the start.
  }
}

if (process.argv[1] === import.meta.filename) {
  const [root = "", runs = "", ...views] = process.argv.slice(2);
  console.log(JSON.stringify(await session(root, runs.split(","), views)));
}
