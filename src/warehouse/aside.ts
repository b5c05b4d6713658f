// A publish that was killed at the one moment when neither the old nor the new state of a suite has its name: the old one
// is put back by whoever looks next.
import { existsSync, lstatSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../errors.ts";

/** Folder in results/ that holds the old state of a suite while the new one takes its place. */
export const ASIDE = ".old";

/**
 * Gives every suite in results/ that has only its old state, aside, its name back. Costs one look when there is none.
 *
 * @param notify told when that cannot be done.
 */
export function restoreResults(resultsDir: string, notify: (message: string) => void = () => {}): void {
  const aside = join(resultsDir, ASIDE);
  for (const suite of namesAside(aside)) {
    const target = join(resultsDir, suite);
    if (existsSync(target)) continue;
    try {
      renameSync(join(aside, suite), target);
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      // Another process was faster: the suite has a state again.
      if (existsSync(target)) continue;
      notify(
        `results/${suite} was left in results/${ASIDE}/ by a publish that was killed, and cannot be put back (${code})`,
      );
    }
  }
}

/** Names of the suites that were put aside; nothing when there is no such folder, or a link in its place. */
export function namesAside(folder: string): string[] {
  try {
    // A link would have what lies somewhere else moved here.
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch (error) {
    // Gone since: a publish has ended. What cannot be read, or is no folder's, holds nothing that could be put back.
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
