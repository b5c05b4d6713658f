// The folder of a run: made whole or not at all, reopened after a crash, repaired where a killed process left half a line.
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CheckError, errorCode, UserError } from "../errors.ts";
import { issuesOf } from "../fields.ts";
import { assertFileOrNothing, replaceFile, syncFolder, writeDurable } from "../files.ts";
import { readLedger, type TornTail } from "../ledgers/reader.ts";
import { RUN_FILES, type RunRecord, runSchema } from "../ledgers/schema.ts";

/** Folders that are still being made begin like this; every reader passes over names with a dot in front. */
const DRAFT = ".new-";
const DRAFT_LIFE_MS = 60 * 60 * 1000;

/**
 * Makes `runs/<id>/` with its first files, all of them or none. Resolves false when the folder is there already.
 *
 * @throws {CheckError} when the folder cannot be made.
 */
export async function createRunFolder(
  runsDir: string,
  run: RunRecord,
  rowIds: readonly string[],
): Promise<boolean> {
  const draft = join(runsDir, `${DRAFT}${run.id}-${process.pid}`);
  try {
    await mkdir(runsDir, { recursive: true });
    await removeOldDrafts(runsDir);
    await rm(draft, { recursive: true, force: true });
    await mkdir(join(draft, RUN_FILES.raw), { recursive: true });
    await writeDurable(join(draft, RUN_FILES.run), runText(run));
    const selection = rowIds.map((id) => `${JSON.stringify({ row_id: id })}\n`).join("");
    await writeDurable(join(draft, RUN_FILES.selection), selection);
    await writeDurable(join(draft, RUN_FILES.attempts), "");
    await writeDurable(join(draft, RUN_FILES.results), "");
    await syncFolder(draft);
    await rename(draft, join(runsDir, run.id));
    await syncFolder(runsDir);
    return true;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const code = errorCode(error);
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "ENOTDIR" || code === "EPERM") {
      if (await exists(join(runsDir, run.id))) return false;
    }
    if (code === undefined) throw error;
    throw new CheckError(
      `runs/${run.id} cannot be made (${code}). Is the workspace writable, and is there space?`,
    );
  }
}

async function removeOldDrafts(runsDir: string): Promise<void> {
  for (const name of await readdir(runsDir)) {
    if (!name.startsWith(DRAFT)) continue;
    const path = join(runsDir, name);
    const info = await stat(path).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    });
    if (info !== null && Date.now() - info.mtimeMs > DRAFT_LIFE_MS)
      await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

function runText(run: RunRecord): string {
  return `${JSON.stringify(run, null, 1)}\n`;
}

/** Replaces `run.json`; never a part of it is there. */
export async function saveRun(runDir: string, run: RunRecord): Promise<void> {
  await replaceFile(join(runDir, RUN_FILES.run), runText(run));
}

/**
 * Reads `run.json`; null when the folder or the file is not there.
 *
 * @throws {CheckError} when it is not a run record; {@link UserError} when it cannot be read.
 */
export async function readRun(runDir: string, runId: string): Promise<RunRecord | null> {
  const name = `runs/${runId}/${RUN_FILES.run}`;
  await assertFileOrNothing(join(runDir, RUN_FILES.run), name);
  let text: string;
  try {
    text = await readFile(join(runDir, RUN_FILES.run), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null;
    throw new UserError(`${name} cannot be read (${errorCode(error) ?? "error"})`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CheckError(`${name} is damaged (not JSON). Nothing was changed; use another --run-id.`);
  }
  const parsed = runSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = issuesOf(parsed.error);
  throw new CheckError(
    `${name} is damaged: ${first?.field}: ${first?.message}. Nothing was changed; use another --run-id.`,
  );
}

/** A last line that a killed process left without its end, now moved to `<ledger>.torn`. */
export interface Repair {
  readonly file: string;
  readonly line: number;
  readonly bytes: number;
}

/** Moves a torn last line of a ledger aside, so that the next record begins on a line of its own. */
export async function repairTail(path: string, name: string): Promise<Repair | null> {
  const tail = await findTail(path);
  if (tail === null) return null;
  const ledger = await open(path, "r+");
  try {
    const torn = Buffer.alloc(tail.bytes);
    let done = 0;
    while (done < torn.length) {
      const { bytesRead } = await ledger.read(torn, done, torn.length - done, tail.offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    const aside = await open(`${path}.torn`, "a");
    try {
      await aside.appendFile(Buffer.concat([torn.subarray(0, done), Buffer.from("\n")]));
      await aside.sync();
    } finally {
      await aside.close();
    }
    // Only now: a crash before this line leaves the tail in both files, a crash after it in one.
    await ledger.truncate(tail.offset);
    await ledger.sync();
  } finally {
    await ledger.close();
  }
  return { file: name, line: tail.line, bytes: tail.bytes };
}

async function findTail(path: string): Promise<TornTail | null> {
  // One look at the last byte spares reading the whole ledger.
  let size: number;
  try {
    const file = await open(path, "r");
    try {
      size = (await file.stat()).size;
      if (size === 0) return null;
      const last = Buffer.alloc(1);
      await file.read(last, 0, 1, size - 1);
      if (last[0] === 0x0a) return null;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
  let tail: TornTail | null = null;
  for await (const _ of readLedger(path, {
    onTorn: (found) => {
      tail = found;
    },
  }));
  return tail;
}
