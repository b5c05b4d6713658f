// Memory of a process and of all that it has started, watched from outside while it runs.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

export interface TreePeak {
  /** Largest sum of resident sizes over the tree at one moment, in MB; pages that processes share count for each. */
  readonly sumMb: number;
  /** Largest resident size that any single process had at any time, in MB; on Linux the kernel's own record. */
  readonly processMb: number;
  /** Most processes at one moment. */
  readonly processes: number;
}

interface Seen {
  readonly residentMb: number;
  readonly peakMb: number;
}

const EVERY_MS = 50;
const PS_LIMIT_MS = 5000;
const run = promisify(execFile);

/** Watches the tree below `pid`, itself included, until `stop` is called. */
export function watchTree(pid: number): { stop(): Promise<TreePeak> } {
  const peak = { sumMb: 0, processMb: 0, processes: 0 };
  let stopped = false;
  const note = (seen: readonly Seen[]): void => {
    peak.sumMb = Math.max(
      peak.sumMb,
      seen.reduce((sum, { residentMb }) => sum + residentMb, 0),
    );
    peak.processMb = Math.max(peak.processMb, ...seen.map(({ peakMb }) => peakMb));
    peak.processes = Math.max(peak.processes, seen.length);
  };
  const watching = (async () => {
    while (!stopped) {
      note(process.platform === "linux" ? seenInProc(pid) : await seenByPs(pid));
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await watching;
      // A short peak between two looks is still on the kernel's record of a single process.
      return { ...peak, sumMb: Math.max(peak.sumMb, peak.processMb) };
    },
  };
}

function seenInProc(root: number): Seen[] {
  const seen: Seen[] = [];
  const left = [root];
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const kb = (field: string): number =>
        Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      seen.push({ residentMb: kb("VmRSS") / 1024, peakMb: kb("VmHWM") / 1024 });
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const children = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
        left.push(...children.split(" ").filter(Boolean).map(Number));
      }
    } catch {
      // It, or a thread of it, has ended meanwhile.
    }
  }
  return seen;
}

async function seenByPs(root: number): Promise<Seen[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,rss="], { timeout: PS_LIMIT_MS });
  const processes = stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0, kb = 0]) => ({ pid, parent, mb: kb / 1024 }));
  const tree = new Set([root]);
  // A list of processes is in no order: until nothing is added.
  for (let before = 0; before !== tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  return processes.filter(({ pid }) => tree.has(pid)).map(({ mb }) => ({ residentMb: mb, peakMb: mb }));
}
