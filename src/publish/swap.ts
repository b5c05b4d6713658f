// Replaces what a suite has published, all at once: the new state of results/<suite>/ is built beside it, then the two
// change places. Whenever the process dies, readers find the old state or the new one, never a mixture.
import type { Dirent } from "node:fs";
import { existsSync, lstatSync, renameSync } from "node:fs";
import { copyFile, link, mkdir, readdir, readlink, rm, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CheckError, errorCode } from "../errors.ts";
import { syncFolder } from "../files.ts";
import { acquireLock, type Lock, LockedError } from "../lock.ts";
import { ASIDE, namesAside, restoreResults } from "../warehouse/aside.ts";
import type { Workspace } from "../workspace.ts";

/** Where the new state of a suite is built. Readers pass over names that begin with a dot. */
const DRAFT = ".new";
const WAIT_MS = 15_000;
const LOOK_MS = 50;

/** A new state of one suite that is being built. */
export interface Draft {
  /** Takes the place of `resultsDir` for whoever looks at the new state. */
  readonly resultsDir: string;
  /** The folder of the suite in it. */
  readonly suiteDir: string;
}

/**
 * Has `build` write the new state of a suite and puts it in place of the old one, which it begins as a copy of, but for
 * the entries named in `replaced`: those are not there. Files are shared with the old state, so `build` must not write
 * into one that it finds. When it throws, nothing has changed.
 *
 * @param replaced names of folders and files in the suite's folder.
 * @throws {LockedError} when another process publishes and does not end within 15 s; {@link CheckError} when the folder
 * cannot be written; whatever `build` throws.
 */
export async function replaceSuite<T>(
  workspace: Workspace,
  suite: string,
  replaced: ReadonlySet<string>,
  build: (draft: Draft) => Promise<T>,
): Promise<T> {
  const { resultsDir } = workspace;
  const lock = await takeLock(workspace);
  const draftsDir = join(resultsDir, DRAFT);
  const draft: Draft = { resultsDir: draftsDir, suiteDir: join(draftsDir, suite) };
  try {
    for (const name of [ASIDE, DRAFT, suite]) assertNoLink(resultsDir, name);
    await settle(resultsDir);
    await rm(draftsDir, { recursive: true, force: true });
    await mkdir(draft.suiteDir, { recursive: true });
    await linkEntries(join(resultsDir, suite), draft.suiteDir, replaced);
    const built = await build(draft);
    await syncFolder(draft.suiteDir);
    await swap(resultsDir, suite, draft.suiteDir);
    return built;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) throw error;
    throw new CheckError(
      `results/${suite} cannot be written (${code}). Is the workspace writable, and is there space? What was published before is as it was.`,
    );
  } finally {
    await rm(draftsDir, { recursive: true, force: true });
    await lock.release();
  }
}

async function takeLock(workspace: Workspace): Promise<Lock> {
  const end = performance.now() + WAIT_MS;
  // Beside the runs: what is in results/ is committed.
  await mkdir(workspace.runsDir, { recursive: true });
  for (;;) {
    try {
      return await acquireLock(join(workspace.runsDir, ".results-lock"), {
        what: "the folder results",
        place: "runs/.results-lock",
      });
    } catch (error) {
      if (!(error instanceof LockedError) || performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

/** Fills a folder with what stands in another one, without copying what a file holds where the system allows it. */
async function linkEntries(from: string, to: string, without: ReadonlySet<string>): Promise<void> {
  for (const entry of await entriesOf(from)) {
    if (without.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target);
      await linkEntries(source, target, NONE);
      await syncFolder(target);
    } else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) await linkFile(source, target);
    else {
      throw new CheckError(
        `${entry.name} in ${dirname(source)} is neither a file nor a folder. Move it away and repeat the command.`,
      );
    }
  }
}

const NONE: ReadonlySet<string> = new Set();

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // Not every file system knows hard links.
    if (!["EPERM", "ENOTSUP", "EMLINK", "EXDEV", "ENOSYS"].includes(errorCode(error) ?? "")) throw error;
    await copyFile(from, to);
  }
}

async function swap(resultsDir: string, suite: string, draft: string): Promise<void> {
  const target = join(resultsDir, suite);
  const aside = join(resultsDir, ASIDE, suite);
  await mkdir(join(resultsDir, ASIDE), { recursive: true });
  // A reader that looks in between puts the old state back, and the second name is taken again.
  for (let tries = 0; ; tries += 1) {
    if (existsSync(target)) renameSync(target, aside);
    try {
      renameSync(draft, target);
      break;
    } catch (error) {
      if (tries > 20 || !["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
    }
  }
  await syncFolder(resultsDir);
  await settle(resultsDir);
}

/** Puts back what a killed publish left aside, and removes what has a new state. */
async function settle(resultsDir: string): Promise<void> {
  restoreResults(resultsDir);
  const aside = join(resultsDir, ASIDE);
  for (const name of namesAside(aside)) {
    if (existsSync(join(resultsDir, name))) await rm(join(aside, name), { recursive: true, force: true });
  }
  try {
    await rmdir(aside);
  } catch (error) {
    // Not there most of the time; what could not be put back stays.
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
  }
}

/** A link would take what is written here to another place. */
function assertNoLink(resultsDir: string, name: string): void {
  const info = lstatSync(join(resultsDir, name), { throwIfNoEntry: false });
  if (info === undefined || info.isDirectory()) return;
  const found = info.isSymbolicLink() ? "a link" : "no folder";
  throw new CheckError(
    `results/${name} is ${found}. Put a folder in its place, or nothing, and repeat the command.`,
  );
}
