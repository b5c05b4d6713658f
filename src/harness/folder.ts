// The folder of a run: made whole or not at all, reopened after a crash, repaired where a killed process left half a line.
import { closeSync, fstatSync, readSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CheckError, errorCode, whyTooManyFiles } from "../errors.ts";
import { assertOwnFileOrNothing, replaceFile, syncFolder, writeDurable } from "../files.ts";
import { readLedger, type TornTail } from "../ledgers/reader.ts";
import { openRegular, readRunRecord } from "../ledgers/record.ts";
import { RUN_FILES, type RunRecord } from "../ledgers/schema.ts";
import { writing } from "./ledger.ts";

/** Folders that are still being made begin like this; every reader passes over names with a dot in front. */
export const DRAFT = ".new-";
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
    await writeDurable(join(draft, RUN_FILES.selection), [...selectionPieces(rowIds)].join(""));
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
      `runs/${run.id} cannot be made (${whyTooManyFiles(error) ?? code}). Is the workspace writable, and is there space?`,
    );
  }
}

const ROWS_A_PIECE = 5000;

/** The text of `selection.jsonl`, piece by piece. */
export function* selectionPieces(rowIds: readonly string[]): Generator<string, void> {
  for (let from = 0; from < rowIds.length; from += ROWS_A_PIECE) {
    const ids = rowIds.slice(from, from + ROWS_A_PIECE);
    yield ids.map((id) => `${JSON.stringify({ row_id: id })}\n`).join("");
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

/** The text of `run.json`. */
export function runText(run: RunRecord): string {
  return `${JSON.stringify(run, null, 1)}\n`;
}

/**
 * Replaces `run.json`; never a part of it is there.
 *
 * @throws {CheckError} when it cannot be written.
 */
export async function saveRun(runDir: string, run: RunRecord): Promise<void> {
  await writing(`runs/${run.id}/${RUN_FILES.run}`, () =>
    replaceFile(join(runDir, RUN_FILES.run), runText(run)),
  );
}

/**
 * Reads `run.json`; null when the folder or the file is not there.
 *
 * @throws {CheckError} when it is not a run record; {@link UserError} when it cannot be read.
 */
export function readRun(runDir: string, runId: string): RunRecord | null {
  const found = readRunRecord(join(runDir, RUN_FILES.run));
  if (typeof found !== "string") return found;
  throw new CheckError(
    `runs/${runId}/${RUN_FILES.run} is damaged: it ${found}. Nothing was changed; use another --run-id.`,
  );
}

/** A last line that a killed process left without its end, now moved to `<ledger>.torn`. */
export interface Repair {
  readonly file: string;
  readonly line: number;
  readonly bytes: number;
}

/**
 * Moves a torn last line of a ledger aside, so that the next record begins on a line of its own.
 *
 * @throws {UserError} when something else than a file stands in the place of `<ledger>.torn`.
 * @throws {CheckError} when the files cannot be written.
 */
export async function repairTail(path: string, name: string): Promise<Repair | null> {
  const tail = await findTail(path);
  return tail === null ? null : writing(name, () => moveAside(path, name, tail));
}

async function moveAside(path: string, name: string, tail: TornTail): Promise<Repair> {
  await assertOwnFileOrNothing(`${path}.torn`, `${name}.torn`);
  const ledger = await open(path, "r+");
  try {
    const aside = await open(`${path}.torn`, "a");
    try {
      // A tail may be a gigabyte of zeros.
      const chunk = Buffer.alloc(Math.min(tail.bytes, 1024 * 1024));
      for (let done = 0; done < tail.bytes; ) {
        const wanted = Math.min(chunk.length, tail.bytes - done);
        const { bytesRead } = await ledger.read(chunk, 0, wanted, tail.offset + done);
        if (bytesRead === 0) break;
        await aside.appendFile(chunk.subarray(0, bytesRead));
        done += bytesRead;
      }
      await aside.appendFile("\n");
      await aside.sync();
    } finally {
      await aside.close();
    }
    await syncFolder(dirname(path));
    // Only now: a crash before this line leaves the tail in both files, a crash after it in one.
    await ledger.truncate(tail.offset);
    await ledger.sync();
  } finally {
    await ledger.close();
  }
  return { file: name, line: tail.line, bytes: tail.bytes };
}

async function findTail(path: string): Promise<TornTail | null> {
  const file = openRegular(path);
  if (file === null) return null;
  try {
    // One look at the last byte spares reading the whole ledger.
    const { size } = fstatSync(file);
    if (size === 0) return null;
    const last = Buffer.alloc(1);
    readSync(file, last, 0, 1, size - 1);
    if (last[0] === 0x0a) return null;
  } finally {
    closeSync(file);
  }
  let tail: TornTail | null = null;
  for await (const _ of readLedger(path, {
    onTorn: (found) => {
      tail = found;
    },
  }));
  return tail;
}
