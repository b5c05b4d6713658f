// One writer at a time. The lock is a file that names the process which holds it; the file of a process that died is taken
// over. Lock files are numbered and the highest number holds: a process takes over by creating the next number, which
// only one can do, so two processes that find the same dead lock cannot both get it.
import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { errorCode, UserError, whyTooManyFiles } from "./errors.ts";
import { whyUnwritable } from "./files.ts";
import { isAlive } from "./processes.ts";

interface Holder {
  readonly pid: number;
  /** What tells this process from a later one with the same number; null where the system does not say. */
  readonly born: string | null;
  /** Digest of the machine's name: a process number says nothing on another machine. */
  readonly machine: string;
  /** Tells this claim from every other one, also of the same process. */
  readonly token: string;
  readonly released: boolean;
}

/** What a lock is for, in the words of a message. */
export interface Locked {
  /** Such as `run r`. */
  readonly what: string;
  /** The folder of the lock as a path inside the workspace, such as `runs/r/lock`. */
  readonly place: string;
}

export interface Lock {
  /** Gives it free. Never rejects: a lock that stays behind is taken over. */
  release(): Promise<void>;
}

/** Somebody else holds it. */
export class LockedError extends UserError {}

/** Tokens of the locks that this very process holds: its own process number would not tell. */
const held = new Set<string>();

/**
 * Takes the lock that is kept in `folder`, which is made when it is not there.
 *
 * @throws {LockedError} when a living process holds it, with that process's id; {@link UserError} when the folder refuses it.
 */
export async function acquireLock(folder: string, locked: Locked): Promise<Lock> {
  try {
    return await takeLock(folder, locked);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const isFull = code === "ENOSPC" || code === "EDQUOT";
    throw new UserError(
      isFull
        ? `the lock of ${locked.what} cannot be taken: ${whyUnwritable(error)}. Make space and repeat the command.`
        : `the lock of ${locked.what} cannot be taken (${whyTooManyFiles(error) ?? code}). Is ${dirname(locked.place)} writable, is there space, ` +
            `and is ${locked.place} a folder of files?`,
    );
  }
}

/**
 * Refuses when a living process holds the lock; takes and writes nothing.
 *
 * @throws {LockedError} with that process's id.
 */
export async function assertUnlocked(folder: string, locked: Locked): Promise<void> {
  try {
    const newest = (await lockNumbers(folder)).at(-1);
    const holder = newest === undefined ? "gone" : await readHolder(lockFile(folder, newest));
    if (holder !== "gone" && holder !== "broken" && !(await isFree(holder))) throw refused(locked, holder);
  } catch (error) {
    // No folder, or something else in its place: nobody holds a lock in it.
    if (error instanceof LockedError || errorCode(error) === undefined) throw error;
  }
}

async function takeLock(folder: string, locked: Locked): Promise<Lock> {
  await mkdir(folder, { recursive: true });
  for (let tries = 0; tries < 50; tries += 1) {
    const numbers = await lockNumbers(folder);
    const newest = numbers.at(-1) ?? 0;
    if (newest > 0) {
      const holder = await readHolder(lockFile(folder, newest));
      if (holder === "gone") continue;
      if (holder !== "broken" && !(await isFree(holder))) throw refused(locked, holder);
    }
    const mine = newest + 1;
    const claim = await self();
    // Ours from before it is there: another caller in this process may look at any moment in between.
    held.add(claim.token);
    if (!(await create(folder, mine, claim))) {
      held.delete(claim.token);
      continue;
    }
    // Somebody who was faster may hold a higher number already, if ours was cleaned away between two looks.
    const after = await lockNumbers(folder);
    if ((after.at(-1) ?? 0) !== mine) {
      await remove(lockFile(folder, mine));
      held.delete(claim.token);
      continue;
    }
    for (const number of after) if (number < mine) await remove(lockFile(folder, number));
    await removeLeftDrafts(folder);
    return { release: () => release(lockFile(folder, mine), claim) };
  }
  throw new UserError(`${locked.what} is being taken by several processes at once. Try again.`);
}

function lockFile(folder: string, number: number): string {
  return join(folder, `${number}.json`);
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => /^[1-9]\d{0,9}\.json$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}

/** Writes the file whole under another name, then gives it the number, which fails when the number is taken. */
async function create(folder: string, number: number, holder: Holder): Promise<boolean> {
  const draft = join(folder, `draft-${holder.token}`);
  try {
    await writeFile(draft, `${JSON.stringify(holder)}\n`);
    await link(draft, lockFile(folder, number));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await remove(draft);
  }
}

async function readHolder(file: string): Promise<Holder | "gone" | "broken"> {
  try {
    const value = JSON.parse(await readFile(file, "utf8")) as Partial<Holder> | null;
    if (typeof value?.pid !== "number" || !Number.isSafeInteger(value.pid) || value.pid <= 0) return "broken";
    return {
      pid: value.pid,
      born: typeof value.born === "string" ? value.born : null,
      machine: typeof value.machine === "string" ? value.machine : "",
      token: typeof value.token === "string" ? value.token : "",
      released: value.released === true,
    };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "gone";
    // A power cut can leave an empty file behind; its process is gone with it.
    if (error instanceof SyntaxError) return "broken";
    throw error;
  }
}

async function isFree(holder: Holder): Promise<boolean> {
  if (holder.released) return true;
  if (holder.machine !== machineDigest()) return false;
  if (holder.pid === process.pid) return !held.has(holder.token);
  if (!isAlive(holder.pid)) return true;
  if (holder.born === null) return false;
  const born = await birthOf(holder.pid);
  return born !== null && born !== holder.born;
}

function refused({ what, place }: Locked, holder: Holder): LockedError {
  if (holder.machine !== machineDigest()) {
    return new LockedError(
      `${what} is locked by process ${holder.pid} on another machine. ` +
        `Stop that one; if it is gone already, delete the folder ${place} and try again.`,
    );
  }
  return new LockedError(
    `${what} is locked by process ${holder.pid}, which is still working on it. Wait for it, or stop it first.`,
  );
}

/** Start of a process in the system's own words; null where it cannot be told. */
async function birthOf(pid: number): Promise<string | null> {
  if (process.platform === "linux") {
    try {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      // The command's name stands in brackets and may hold anything; the start time is the 20th field after it.
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return null;
    }
  }
  if (process.platform === "win32") return null;
  const { execa } = await import("execa");
  const { failed, stdout } = await execa("ps", ["-o", "lstart=", "-p", String(pid)], {
    reject: false,
    timeout: 5000,
    env: { LC_ALL: "C", TZ: "UTC" },
  });
  return failed || stdout.trim() === "" ? null : stdout.trim();
}

async function self(): Promise<Holder> {
  const born = await birthOf(process.pid);
  return { pid: process.pid, born, machine: machineDigest(), token: randomUUID(), released: false };
}

function machineDigest(): string {
  return createHash("sha256").update(hostname()).digest("hex").slice(0, 12);
}

async function release(file: string, claim: Holder): Promise<void> {
  const draft = `${file}.${claim.token}`;
  try {
    await writeFile(draft, `${JSON.stringify({ ...claim, released: true })}\n`);
    await rename(draft, file);
  } catch (error) {
    // A full disk or a deleted folder: the process ends soon, and then the lock is free anyway.
    if (errorCode(error) === undefined) throw error;
    await unlink(draft).catch(() => {});
  } finally {
    held.delete(claim.token);
  }
}

/** Drafts of processes that died while they wrote one. A young one may be somebody's who is at it right now. */
const DRAFT_LIFE_MS = 60_000;

async function removeLeftDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (/^[1-9]\d{0,9}\.json$/.test(name)) continue;
    const file = join(folder, name);
    const info = await stat(file).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    });
    if (info?.isFile() === true && Date.now() - info.mtimeMs > DRAFT_LIFE_MS) await remove(file);
  }
}

async function remove(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
