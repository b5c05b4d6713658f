// Whether this program was started to go on when its terminal is closed. A program that is started with SIGHUP ignored (nohup)
// is to leave it so, but Node resets every signal before anything of ours runs, so only traces of it are left.
import { readFileSync } from "node:fs";
import { basename } from "node:path";

const SIGHUP_BIT = 1n;

/** Whether SIGHUP is to be ignored. Wrong guesses are harmless: Ctrl-C and SIGTERM end a program as ever. */
export function outlivesTerminal(env: Readonly<Record<string, string | undefined>>): boolean {
  // Shells name the command that they start here, and nohup starts the next one with the same environment.
  return basename(env._ ?? "") === "nohup" || parentIgnoresHangup();
}

/** A child inherits what its parent ignores, such as a shell with `trap '' HUP`. Linux tells. */
function parentIgnoresHangup(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, "utf8");
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1];
    return (BigInt(`0x${ignored ?? "0"}`) & SIGHUP_BIT) !== 0n;
  } catch {
    // The parent has ended, or /proc is not shown: then nothing is known, and a run ends as everywhere.
    return false;
  }
}
