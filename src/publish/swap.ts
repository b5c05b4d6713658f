// Replaces what a suite has published, all at once: the new state of results/<suite>/ is built beside it, then the two
// change places. Whenever the process dies, readers find the old state or the new one, never a mixture.
import { randomBytes } from "node:crypto";
import type { Dirent } from "node:fs";
import { existsSync, lstatSync, renameSync, rmSync, statSync } from "node:fs";
import { copyFile, link, mkdir, readdir, readlink, rename, rm, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CheckError, errorCode, UserError } from "../errors.ts";
import { syncFolder, whyUnwritable } from "../files.ts";
import { acquireLock, type Lock, LockedError } from "../lock.ts";
import { ASIDE, namesAside, restoreResults } from "../warehouse/aside.ts";
import type { Workspace } from "../workspace.ts";

/** Where the new state of a suite is built. Readers pass over names that begin with a dot. */
const DRAFT = ".new";
/** Begins the names of folders that nobody needs any more: the next publish tries again to remove what stays of them. */
const LEFT = ".left-";
const WAIT_MS = 15_000;
const LOOK_MS = 50;

/** Whose results are replaced. */
export interface SwapPlace {
  readonly workspace: Workspace;
  /** Told what could not be removed. The new state is in place then all the same. */
  readonly notify: (message: string) => void;
}

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
 * @throws {LockedError} when another process publishes and does not end within 15 s; {@link UserError} when the folder
 * cannot be written; {@link CheckError} for a link where a folder belongs; whatever `build` throws.
 */
export async function replaceSuite<T>(
  { workspace, notify }: SwapPlace,
  suite: string,
  replaced: ReadonlySet<string>,
  build: (draft: Draft) => Promise<T>,
): Promise<T> {
  const { resultsDir } = workspace;
  const lock = await takeLock(workspace);
  try {
    assertFolder(resultsDir);
    for (const name of [ASIDE, DRAFT, suite]) assertNoLink(resultsDir, name);
    return await replaceLocked(resultsDir, suite, { replaced, build, notify });
  } finally {
    await lock.release();
  }
}

interface Work<T> {
  readonly replaced: ReadonlySet<string>;
  readonly build: (draft: Draft) => Promise<T>;
  readonly notify: SwapPlace["notify"];
}

async function replaceLocked<T>(
  resultsDir: string,
  suite: string,
  { replaced, build, notify }: Work<T>,
): Promise<T> {
  const draftsDir = join(resultsDir, DRAFT);
  const draft: Draft = { resultsDir: draftsDir, suiteDir: join(draftsDir, suite) };
  // A second Ctrl-C ends the process at once, and no `finally` runs.
  const onExit = (): void => removeNow(draftsDir);
  process.once("exit", onExit);
  try {
    await removeLeft(resultsDir);
    await told(notify, `results/${ASIDE}`, () => settle(resultsDir, notify));
    if (existsSync(draftsDir)) await discard(resultsDir, DRAFT);
    await mkdir(draft.suiteDir, { recursive: true });
    await linkEntries(join(resultsDir, suite), draft.suiteDir, replaced);
    const built = await build(draft);
    await syncFolder(draft.suiteDir);
    await swap(resultsDir, suite, draft.suiteDir);
    await finish(resultsDir, suite, notify);
    return built;
  } catch (error) {
    // The new state may have failed to take the place that the old one had left.
    restoreResults(resultsDir, notify);
    const code = errorCode(error);
    if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) throw error;
    throw new UserError(
      `results/${suite} cannot be written: ${whyUnwritable(error)}. What was published before is as it was; mend it and repeat the command.`,
    );
  } finally {
    await told(notify, `results/${DRAFT}`, () => rm(draftsDir, { recursive: true, force: true }));
    process.off("exit", onExit);
  }
}

/** For a process that is about to end. What resists stays: the next publish removes it. */
function removeNow(folder: string): void {
  try {
    // A write that is under way may add a file meanwhile.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 10 });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

async function takeLock(workspace: Workspace): Promise<Lock> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    try {
      // Beside the runs: what is in results/ is committed.
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
      return;
    } catch (error) {
      if (tries > 20 || !["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
    }
  }
}

/** What remains to be done when the new state has its place. Nothing that goes wrong here takes that back. */
async function finish(resultsDir: string, suite: string, notify: SwapPlace["notify"]): Promise<void> {
  try {
    await syncFolder(resultsDir);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    notify(
      `results/${suite} is in place, but the system does not say that this would survive a power cut (${code})`,
    );
  }
  await told(notify, `results/${ASIDE}/${suite}`, () => settle(resultsDir, notify));
  for (const [name, code] of await removeLeft(resultsDir)) notify(stays(`results/${name}`, code));
}

/** Puts back what a killed publish left aside, and takes away what has a new state. */
async function settle(resultsDir: string, notify: SwapPlace["notify"]): Promise<void> {
  restoreResults(resultsDir, notify);
  for (const name of namesAside(join(resultsDir, ASIDE))) {
    if (existsSync(join(resultsDir, name))) await discard(resultsDir, join(ASIDE, name));
  }
  try {
    await rmdir(join(resultsDir, ASIDE));
  } catch (error) {
    // Not there most of the time; what could not be put back stays.
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
  }
}

/**
 * Takes something in results/ away: first from its name, which is done or not, so that half of it is never put back for
 * the whole, and so that its name is free even if something in it resists.
 */
async function discard(resultsDir: string, name: string): Promise<void> {
  await rename(join(resultsDir, name), join(resultsDir, `${LEFT}${randomBytes(6).toString("hex")}`));
  await removeLeft(resultsDir);
}

/** Removes what was taken from its name; what resists is answered with the reason. */
async function removeLeft(resultsDir: string): Promise<ReadonlyMap<string, string>> {
  const staying = new Map<string, string>();
  for (const { name } of await entriesOf(resultsDir)) {
    if (!name.startsWith(LEFT)) continue;
    try {
      await rm(join(resultsDir, name), { recursive: true, force: true });
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      staying.set(name, code);
    }
  }
  return staying;
}

/** Does something that may fail on the disk without harm, and tells what stays where then. */
async function told(notify: SwapPlace["notify"], name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    notify(stays(name, code));
  }
}

function stays(name: string, code: string): string {
  return `${name} holds what nobody needs any more and cannot be removed (${code}): delete it; nothing reads it`;
}

/** A link in the place of results/ itself is how a person keeps them elsewhere; all names that change lie behind it. */
function assertFolder(resultsDir: string): void {
  if (lstatSync(resultsDir, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  if (statSync(resultsDir, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new CheckError(
    "results is a link that leads to no folder. Make the folder it leads to, or remove the link, and repeat the command.",
  );
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
