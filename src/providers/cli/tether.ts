// An empty file of no name that a command and all that comes of it hold open, unless they close what they do not know. It ties
// those to the call that have left their group, session, parent, environment, folder and standard streams. Only Linux says
// who holds a file.
import { constants, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";

const NAME = "tether";
/** How Linux names it. */
export const TETHER_ENDING = `/${NAME} (deleted)`;
/** Its number in a command: Node and others close the low ones to what they start themselves. */
const DESCRIPTOR = 24;
/** Numbers of standard streams. */
const STANDARD = 3;

/** What the tether of a call is called among the files that a process has open; the folder has every link resolved. */
export function tetherOf(realFolder: string): string {
  return `${realFolder}${TETHER_ENDING}`;
}

/** Makes the tether of a call: its file descriptor, to be closed when the command has its own; null where it is of no use or cannot be made. */
export function openTether(folder: string): number | null {
  if (process.platform !== "linux") return null;
  try {
    const path = join(folder, NAME);
    const tether = openSync(path, constants.O_RDONLY | constants.O_CREAT | constants.O_EXCL, 0o400);
    unlinkSync(path);
    return tether;
  } catch {
    // A full disk, say: the other ties are left.
    return null;
  }
}

/** What stands behind the standard streams, with the tether among it. Execa takes the number of an open file without declaring it. */
export function withTether(others: readonly "ignore"[], tether: number | null): readonly "ignore"[] {
  if (tether === null) return others;
  const at = DESCRIPTOR - STANDARD;
  return Array.from({ length: Math.max(others.length, at + 1) }, (_, index) =>
    index === at ? (tether as unknown as "ignore") : (others[index] ?? "ignore"),
  );
}
