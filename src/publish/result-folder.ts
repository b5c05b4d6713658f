// What lies in results/, without following a link: a published folder is handed on, and nothing outside of it may come along.
import { type Dirent, lstatSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../errors.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { LEADERBOARD_FILES } from "./leaderboard.ts";

/** Takes what is wrong with an entry of a folder, by its path. */
export type TellEntry = (path: string, message: string) => void;

/** Names of the folders in `results/`, in code point order. Plain files there belong to nobody. */
export async function suiteNames(resultsDir: string, tell: TellEntry): Promise<string[]> {
  return foldersOf(resultsDir, (await entriesOf(resultsDir, tell)) ?? [], () => true, tell);
}

/** Names of the folders of a suite, and which of its own files are there. */
export async function modelNames(
  suiteDir: string,
  tell: TellEntry,
): Promise<{ readonly models: readonly string[]; readonly files: ReadonlySet<string> }> {
  const files = new Set<string>();
  const isKnown = (name: string): boolean => (Object.values(LEADERBOARD_FILES) as string[]).includes(name);
  const entries = (await entriesOf(suiteDir, tell)) ?? [];
  for (const entry of entries) if (entry.isFile() && isKnown(entry.name)) files.add(entry.name);
  return { models: foldersOf(suiteDir, entries, isKnown, tell), files };
}

/** Which of {@link PUBLISHED_FILES} a folder holds; tells what else is there, and what is missing of what a result must have. */
export async function resultFiles(folder: string, tell: TellEntry): Promise<ReadonlySet<string>> {
  const names: readonly string[] = Object.values(PUBLISHED_FILES);
  const there = new Set<string>();
  const odd = new Set<string>();
  const entries = await entriesOf(folder, tell);
  if (entries === null) return there;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!names.includes(entry.name))
      tell(path, `does not belong here: a result has ${names.join(", ")} and nothing else`);
    else if (entry.isFile()) there.add(entry.name);
    else {
      odd.add(entry.name);
      tell(path, `is ${kindOf(entry)}: expected a file`);
    }
  }
  for (const name of [PUBLISHED_FILES.metadata, PUBLISHED_FILES.predictions, PUBLISHED_FILES.scores]) {
    if (!there.has(name) && !odd.has(name)) tell(join(folder, name), "is not there");
  }
  return there;
}

/** Whether a path is a folder and no link to one; tells when it is not. */
export async function isPlainFolder(path: string, tell: TellEntry): Promise<boolean> {
  try {
    const info = await lstat(path);
    if (info.isDirectory()) return true;
    tell(path, `is ${kindOf(info)}: expected a folder`);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    tell(path, `cannot be read (${errorCode(error)})`);
  }
  return false;
}

function foldersOf(
  folder: string,
  entries: readonly Dirent[],
  isFile: (name: string) => boolean,
  tell: TellEntry,
): string[] {
  const folders: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) folders.push(entry.name);
    else if (!entry.isFile()) tell(path, `is ${kindOf(entry)}: nothing is read through it, move it away`);
    else if (!isFile(entry.name))
      tell(path, "does not belong here: expected the folders of results, and a leaderboard");
  }
  return folders;
}

/**
 * What is in a folder, in code point order, but for names that begin with a dot. Nothing when it is not there; null when it
 * cannot be read, which is told.
 */
async function entriesOf(folder: string, tell: TellEntry): Promise<Dirent[] | null> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") {
      if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined)
        tell(folder, "is a link that leads nowhere");
      return [];
    }
    if (code === undefined) throw error;
    tell(folder, `cannot be read (${code})`);
    return null;
  }
}

type Kind = Pick<Dirent, "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO">;

function kindOf(entry: Kind): string {
  if (entry.isSymbolicLink()) return "a link";
  if (entry.isDirectory()) return "a folder";
  if (entry.isFIFO()) return "a pipe";
  return entry.isFile() ? "a file" : "a device";
}
