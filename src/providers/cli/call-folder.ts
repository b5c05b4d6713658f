// The folder of one call: an empty working directory and a home of its own, in the folder for temporary files and so
// outside of every repository. It goes when the call ends; what a killed process left behind goes with the next one.
import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { errorCode, UserError } from "../../errors.ts";
import { isAlive } from "../../processes.ts";
import { endTree } from "./process-end.ts";
import { processSpace } from "./process-space.ts";
import { startOf } from "./process-table.ts";
import { CALL_PREFIX, plantTree, tempFolderOf } from "./process-tree.ts";

const NAME = new RegExp(`^${CALL_PREFIX}(\\d+)-([0-9a-f]{6})-([0-9a-z]+)-[A-Za-z0-9]{6}$`);
/** No call takes as long (`--timeout` takes a day at most), in ms. */
const FOREIGN_AGE_MS = 25 * 60 * 60 * 1000;

export interface CallFolder {
  /** Absolute. */
  readonly path: string;
  /** Empty: where the command works. */
  readonly work: string;
  /** Empty: the home of a command that does not need the person's own. */
  readonly home: string;
  /** What marks the processes of the call: the value of TMPDIR in the environment of its command. */
  readonly temp: string;
}

/** Variables that name the folder for temporary files, the first one that is set. */
const TEMP_VARIABLES = ["TMPDIR", "TMP", "TEMP"];

/**
 * Makes the folder of one call.
 *
 * @throws {UserError} when the folder for temporary files cannot be used, naming its variable and never its path.
 */
export async function makeCallFolder(): Promise<CallFolder> {
  const unusable = (why: string): UserError => {
    const variable = TEMP_VARIABLES.find((name) => process.env[name]);
    const named = variable === undefined ? "/tmp, TMPDIR is not set" : variable;
    return new UserError(
      `the folder for temporary files (${named}) ${why}: set TMPDIR to the absolute path of a folder that can be written`,
    );
  };
  if (!isAbsolute(tmpdir()))
    throw unusable("is a relative path, which would be another folder for every command");
  const path = await mkdtemp(join(tmpdir(), ownPrefix())).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw unusable(code === "ENOENT" ? "does not exist" : `cannot be written (${code})`);
  });
  const folder = { path, work: join(path, "work"), home: join(path, "home"), temp: tempFolderOf(path) };
  await Promise.all([folder.work, folder.home, folder.temp].map((part) => mkdir(part, { mode: 0o700 })));
  return folder;
}

let prefix: string | null = null;

/** How the folders of our own calls begin: with our number, where it is ours, and since when. */
function ownPrefix(): string {
  prefix ??= `${CALL_PREFIX}${process.pid}-${processSpace()}-${startText(startOf(process.pid))}-`;
  return prefix;
}

/** Short, since commands put sockets below the folder, whose paths have a limit; 0 where nobody knows. */
function startText(start: number | null): string {
  return (start ?? 0).toString(36);
}

/**
 * Removes a folder with all that a command has written into it, whatever it has forbidden.
 *
 * @returns the code of the system's refusal, e.g. `EACCES`; null when it is gone.
 */
export async function removeCallFolder(path: string): Promise<string | null> {
  // A process that was killed a moment ago may still have been writing.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  try {
    await remove().catch(() => {
      openUp(path);
      return remove();
    });
    return null;
  } catch (error) {
    return errorCode(error) ?? "unknown reason";
  }
}

/** The same while this process is on its way out, when nobody can be told. */
export function removeFolderNow(path: string): void {
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    remove();
  } catch {
    try {
      openUp(path);
      remove();
    } catch {
      // Other folders are still to be removed.
    }
  }
}

/** Allows us everything in a folder of our own and those below; what is linked to lies elsewhere and stays as it is. */
function openUp(folder: string): void {
  if (!isOwnFolder(folder)) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openUp(join(folder, entry.name));
  }
}

/** A real folder of this user: in a folder for temporary files anybody may make a link or a folder of any name. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
}

function isOlder(path: string, ms: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > ms;
}

/** Whether a process lives and is the one that has made a folder: its number may have been given to another since. */
function isStillAlive(pid: number, start: string): boolean {
  if (!isAlive(pid)) return false;
  const found = startText(startOf(pid));
  const isUnknown = [start, found].includes(startText(null));
  return isUnknown || found === start;
}

/** Ends and removes what calls of processes that are dead (killed, say) have left behind. */
export async function removeLeftovers(): Promise<void> {
  // Where nobody may look nothing is found.
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [, owner, space, start] = NAME.exec(name) ?? [];
    if (owner === undefined || start === undefined) continue;
    const folder = join(tmpdir(), name);
    // Another person's is theirs to remove, and a link leads to what no call has made.
    if (!isOwnFolder(folder)) continue;
    // Whether a process of another container or machine lives cannot be asked here, so only age tells.
    const isKept =
      space === processSpace() ? isStillAlive(Number(owner), start) : !isOlder(folder, FOREIGN_AGE_MS);
    if (isKept) continue;
    await endTree(plantTree(null, folder));
    await removeCallFolder(folder);
  }
}
