// Which processes there are now, and which of them belong to a call. A child that calls setsid, or whose parent has
// ended, is in nobody's group and nobody's tree; what it cannot shake off without meaning to is the environment and the
// working directory that it was born with, and both name the folder of its call.
import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { promisify } from "node:util";

/** A process, as far as it matters here. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not say. */
  readonly session: number;
  /** Whether its environment or its working directory names this folder. */
  mentions(folder: string): boolean;
}

/** What belongs to one call. */
export interface Tree {
  /** The child that was started, leader of a group and a session of its own; null when it is not known any more. */
  readonly root: number | null;
  /** The folder of the call: no other process has heard of it. */
  readonly folder: string;
}

/** The members of a tree that are alive, ourselves excepted; zombies are no members. */
export function membersOf(tree: Tree, table: readonly ProcessEntry[]): number[] {
  const { root, folder } = tree;
  const found = new Set<number>();
  for (const entry of table) {
    const own = entry.pid === root || entry.group === root || entry.session === root;
    if (own || entry.mentions(folder)) found.add(entry.pid);
  }
  // A parent may stand behind its child in the list.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const entry of table) {
      if (found.has(entry.parent) || (root !== null && entry.parent === root)) found.add(entry.pid);
    }
  }
  found.delete(process.pid);
  return [...found];
}

let pending: Promise<readonly ProcessEntry[]> | null = null;

/**
 * The processes of this machine. All who ask before the look begins share it: hundreds of calls may reach their limit
 * in one moment.
 */
export function readProcesses(): Promise<readonly ProcessEntry[]> {
  pending ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    pending = null;
    return process.platform === "linux" ? readProc() : listWithPs();
  });
  return pending;
}

/** The same while the process is on its way out and can wait for nothing. */
export function readProcessesNow(): readonly ProcessEntry[] {
  if (process.platform === "linux") return readProc();
  return parsePs(execFileSync("ps", PS_ARGUMENTS, { encoding: "utf8", ...PS_LIMITS }));
}

/** Linux: one small file for every process; the rest is read only of those that somebody asks about. */
function readProc(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readOrNull(() => readFileSync(`/proc/${name}/stat`, "latin1"));
    // The name of the program stands in parentheses and may hold anything, parentheses too.
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields === undefined || fields[0] === "Z" || fields[0] === "X") continue;
    entries.push({
      pid: Number(name),
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      mentions: once(() => {
        const environment = readOrNull(() => readFileSync(`/proc/${name}/environ`, "utf8")) ?? "";
        const folder = readOrNull(() => readlinkSync(`/proc/${name}/cwd`)) ?? "";
        return `${environment}\0${folder}`;
      }),
    });
  }
  return entries;
}

function once(read: () => string): (folder: string) => boolean {
  let text: string | undefined;
  return (folder) => {
    text ??= read();
    return text.includes(folder);
  };
}

/** A process that has ended meanwhile, or is another user's, tells nothing. */
function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

// -E: the environment behind the command, of our own processes (BSD and macOS).
const PS_ARGUMENTS = ["-A", "-E", "-ww", "-o", "pid=,ppid=,pgid=,stat=,command="];
const PS_LIMITS = { maxBuffer: 256 * 1024 * 1024, timeout: 5000 } as const;

async function listWithPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)("ps", PS_ARGUMENTS, PS_LIMITS);
  return parsePs(stdout);
}

/** Reads the list of `ps`; see {@link PS_ARGUMENTS} for its columns. */
export function parsePs(text: string): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const line of text.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s(.*)$/.exec(line);
    if (match === null || match[4]?.startsWith("Z")) continue;
    const command = match[5] ?? "";
    entries.push({
      pid: Number(match[1]),
      parent: Number(match[2]),
      group: Number(match[3]),
      session: 0,
      mentions: (folder) => command.includes(folder),
    });
  }
  return entries;
}
