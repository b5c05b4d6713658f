// Writes a corpus folder: filled and checked under a name that begins with a dot, then renamed. At every moment the
// workspace has the whole new corpus or none of it.
import { randomBytes } from "node:crypto";
import { lstat, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CheckError, errorCode, UserError } from "../errors.ts";
import { syncFolder, whyUnwritable } from "../files.ts";
import { isAlive } from "../processes.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { suiteSchema } from "./schema.ts";
import { shelfOf } from "./shelf.ts";

/**
 * Accepts the name of a suite that a person gave.
 *
 * @throws {UserError} for any other text.
 */
export function checkSuite(name: string, option: string): string {
  const { success, error } = suiteSchema.safeParse(name);
  if (success) return name;
  throw new UserError(
    `${option} ${quoted(name)} is no name of a suite: ${error.issues[0]?.message ?? "expected another one"}`,
  );
}

/**
 * Makes `data/corpus/<suite>/`.
 *
 * @param fill writes every file into the folder that it is given, and throws if what stands there is not what it should be.
 * @throws {CheckError} when something stands under that name; {@link UserError} when the folder cannot be written; whatever
 * `fill` throws. In each case nothing is left behind.
 */
export async function writeCorpusFolder(
  workspace: Workspace,
  suite: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const shelf = shelfOf(workspace);
  const place = join(shelf, suite);
  const draft = join(shelf, `.${suite}.${process.pid}-${randomBytes(6).toString("hex")}.draft`);
  try {
    await removeLeftovers(shelf);
    await mkdir(draft);
    await fill(draft);
    await syncAll(draft);
    if (await isThere(place)) throw taken(suite);
    await rename(draft, place);
    await syncFolder(shelf);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code)) throw taken(suite);
    throw new UserError(
      `data/corpus/${suite} cannot be written: ${whyUnwritable(error)}. Make data/corpus writable, with space in it, and repeat the command.`,
    );
  }
}

function taken(suite: string): CheckError {
  return new CheckError(`data/corpus/${suite} stands already: move it away, or choose another name`);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncAll(path);
    else {
      const file = await open(path, "r+");
      await file.sync().finally(() => file.close());
    }
  }
  await syncFolder(folder);
}

/** What killed commands began; an hour later, lest a process on another machine is at it. */
async function removeLeftovers(shelf: string): Promise<void> {
  for (const name of await readdir(shelf)) {
    const pid = /^\..+\.([0-9]+)-[0-9a-f]{12}\.draft$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(shelf, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      (error: unknown) => {
        // Another command has just removed it.
        if (errorCode(error) === "ENOENT") return Number.NaN;
        throw error;
      },
    );
    if (Date.now() - changed > HOUR_MS) await rm(path, { recursive: true, force: true });
  }
}

const HOUR_MS = 3_600_000;
