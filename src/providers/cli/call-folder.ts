// The folder of one call: an empty working directory and a home of its own, in the folder for temporary files and so
// outside of every repository. It goes when the call ends; what a killed process left behind goes with the next one.
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../processes.ts";
import { endTree } from "./process-end.ts";
import { CALL_PREFIX, plantTree } from "./process-tree.ts";

const NAME = new RegExp(`^${CALL_PREFIX}(\\d+)-[A-Za-z0-9]{6}$`);

export interface CallFolder {
  /** Absolute; it occurs in no other process than those of this call. */
  readonly path: string;
  /** Empty: where the command works. */
  readonly work: string;
  /** Empty: the home of a command that does not need the person's own. */
  readonly home: string;
  readonly temp: string;
}

/** Makes the folder of one call. */
export async function makeCallFolder(): Promise<CallFolder> {
  const path = await mkdtemp(join(tmpdir(), `${CALL_PREFIX}${process.pid}-`));
  const folder = { path, work: join(path, "work"), home: join(path, "home"), temp: join(path, "tmp") };
  await Promise.all([folder.work, folder.home, folder.temp].map((part) => mkdir(part, { mode: 0o700 })));
  return folder;
}

/** Removes a folder with all that a command has written into it. */
export async function removeCallFolder(path: string): Promise<void> {
  // A process that was killed a moment ago may still have been writing.
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

/** The same while this process is on its way out. */
export function removeFolderNow(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Ends and removes what calls of processes that are dead (killed, say) have left behind. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = NAME.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const folder = join(tmpdir(), name);
    await endTree(plantTree(null, folder));
    // It may be another person's: then it is theirs to remove.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
