// Which processes there are now, and what each of them shows of where it came from. Who belongs to a call is judged in
// process-tree.ts.
import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { TETHER_ENDING } from "./tether.ts";

/** A process, as far as it matters here. Zombies are none. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not say. */
  readonly session: number;
  /** When it began, in a unit of the system's own: a number that was given to another process since is told apart by it. */
  readonly start: number;
  /** The number of the user it runs as; null when it has ended. */
  user(): number | null;
  /**
   * Whether its environment, as it was when it began, holds exactly this `NAME=value`. Where only `ps` tells, the words of
   * its command count as well. Nothing is told of another person's.
   */
  environment(): (setting: string) => boolean;
  /** Its working directory, with every link resolved; null for another person's and where the system does not say. */
  workingFolder(): string | null;
  /** The names of the pipes, sockets and tethers (see tether.ts) that it has open; none where the system does not say. */
  pipes(): readonly string[];
}

/** The processes of this machine. Rejects where they cannot be listed. */
export async function readProcesses(): Promise<readonly ProcessEntry[]> {
  return process.platform === "linux" ? readProc() : listWithPs();
}

/** The same while the process is on its way out and can wait for nothing. */
export function readProcessesNow(): readonly ProcessEntry[] {
  if (process.platform === "linux") return readProc();
  return parsePs(execFileSync("ps", PS_ARGUMENTS, { encoding: "utf8", ...psOptions() }));
}

/** What a child that was started a moment ago is known by beside its number; nothing where only `ps` could tell. */
export function describeChild(pid: number): { start: number; pipes: readonly string[] } {
  if (process.platform !== "linux") return { start: 0, pipes: [] };
  return { start: readStat(String(pid))?.start ?? 0, pipes: pipesOf(String(pid), ["0", "1", "2"]) };
}

/**
 * When a process began, as {@link ProcessEntry.start}; null when it has ended, and where the system does not say. Waits for
 * `ps` where only that tells.
 */
export function startOf(pid: number): number | null {
  if (process.platform === "linux") return readStat(String(pid))?.start ?? null;
  const text = readOrNull(() =>
    execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      ...psOptions(),
    }),
  );
  const start = Date.parse(text?.trim() ?? "");
  return Number.isNaN(start) ? null : start;
}

/** Linux: one small file for every process; the rest is read only of those that somebody asks about. */
function readProc(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync("/proc")) {
    const first = name.charCodeAt(0);
    if (first < 48 || first > 57) continue;
    const stat = readStat(name);
    if (stat === null) continue;
    entries.push({
      ...stat,
      user: () => readOrNull(() => statSync(`/proc/${name}`).uid),
      environment: () => {
        const text = readOrNull(() => readFileSync(`/proc/${name}/environ`, "utf8")) ?? "";
        const settings = new Set(text.split("\0"));
        return (setting) => settings.has(setting);
      },
      workingFolder: () => readOrNull(() => readlinkSync(`/proc/${name}/cwd`)),
      pipes: () => pipesOf(name, readOrNull(() => readdirSync(`/proc/${name}/fd`)) ?? []),
    });
  }
  return entries;
}

type Stat = Pick<ProcessEntry, "pid" | "parent" | "group" | "session" | "start">;

function readStat(name: string): Stat | null {
  const stat = readOrNull(() => readFileSync(`/proc/${name}/stat`, "latin1"));
  // The name of the program stands in parentheses and may hold anything, parentheses too.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields === undefined || fields[0] === "Z" || fields[0] === "X") return null;
  const [, parent, group, session] = fields.map(Number);
  return {
    pid: Number(name),
    parent: parent ?? 0,
    group: group ?? 0,
    session: session ?? 0,
    // In ticks since the system began.
    start: Number(fields[19]),
  };
}

/** What stands behind file descriptors of a process, of that which has no other name than its number in the system, and tethers. */
function pipesOf(name: string, descriptors: readonly string[]): string[] {
  return descriptors.flatMap((descriptor) => {
    const link = readOrNull(() => readlinkSync(`/proc/${name}/fd/${descriptor}`));
    if (link === null) return [];
    return /^(?:pipe|socket):/.test(link) || link.endsWith(TETHER_ENDING) ? [link] : [];
  });
}

/** A process that has ended meanwhile, or is another user's, tells nothing. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

// -E: the environment behind the command, of our own processes (BSD and macOS).
const PS_ARGUMENTS = ["-A", "-E", "-ww", "-o", "pid=,ppid=,pgid=,uid=,stat=,lstart=,command="];

/** Dates are written in the language of the environment. */
function psOptions() {
  return { maxBuffer: 256 * 1024 * 1024, timeout: 5000, env: { ...process.env, LC_ALL: "C" } } as const;
}

async function listWithPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)("ps", PS_ARGUMENTS, psOptions());
  return parsePs(stdout);
}

/** Reads the list of `ps`; see {@link PS_ARGUMENTS} for its columns. */
export function parsePs(text: string): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const line of text.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\w+ +\w+ +\d+ [\d:]+ \d+)\s(.*)$/.exec(
      line,
    );
    if (match === null || match[5]?.startsWith("Z")) continue;
    const words = ` ${match[7] ?? ""} `;
    entries.push({
      pid: Number(match[1]),
      parent: Number(match[2]),
      group: Number(match[3]),
      session: 0,
      start: Date.parse(match[6] ?? ""),
      user: () => Number(match[4]),
      environment: () => (setting) => words.includes(` ${setting} `),
      workingFolder: () => null,
      pipes: () => [],
    });
  }
  return entries;
}
