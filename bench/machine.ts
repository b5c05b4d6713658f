// Under what the figures were taken: when, by which program, on which machine. Nothing tells whose machine it is.
import { execFileSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { projectRoot } from "./support.ts";

export interface Circumstances {
  /** UTC, to the minute. */
  readonly date: string;
  /** The commit of this project; null outside a checkout. */
  readonly commit: string | null;
  /** Processor, memory, Node and system, as one line. */
  readonly machine: string;
  /** Processes that waited for a processor in the last minute. */
  readonly load: number;
}

/** As it is now. */
export function circumstances(): Circumstances {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return {
    date: `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
    commit: commitOf(projectRoot),
    machine: `${cpus().length} × ${cpu?.model.trim()}, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.version}`,
    load: loadavg()[0] ?? 0,
  };
}

/** The commit, and whether the program is another than the committed one. */
function commitOf(folder: string): string | null {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs") !== "";
    return `${git("rev-parse", "--short=12", "HEAD")}${changed ? " with changes" : ""}`;
  } catch {
    return null;
  }
}
