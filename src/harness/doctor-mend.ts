// Takes lines out of a ledger without losing a byte: they are on disk in a file beside before the ledger is replaced, and
// the ledger is replaced at once. Whenever the process dies, every line is in one of the two files, or in both.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode, InterruptedError } from "../errors.ts";
import { assertOwnFileOrNothing, replaceFile, syncFolder } from "../files.ts";
import { type LedgerLine, readBatches } from "../ledgers/reader.ts";
import type { Moved } from "./doctor-report.ts";
import { unwritable } from "./ledger.ts";

/** What the name of the file beside a ledger ends in. */
export const ASIDE = ".damaged";

/** So much is read and written at once, in bytes; a multiple of 3, so that pieces of base64 can be joined. */
const CHUNK_BYTES = 3 * 256 * 1024;

export interface MoveOptions {
  /** Why a line has to go; null for one that stays. Asked once for every line, in order. */
  readonly reason: (line: LedgerLine) => string | null;
  /** What takes the place of the lines that stay; without it they stay as they are. */
  readonly replacement?: string;
  /** Told from time to time how far it is, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Moves lines of a ledger to `<ledger>.damaged`. The other lines keep their bytes and their order. Each moved line becomes
 * one line of JSON: `ledger_sha256` (of the ledger it was taken from), `line` and `offset` in it (from 1, from 0), `bytes`,
 * `reason`, and its content as `text`, or as `base64` when it is no text. A line that an earlier, interrupted call has
 * moved already is not moved twice.
 *
 * @param name what messages call the ledger. @throws {CheckError} when a file cannot be written; the ledger is as it was then.
 */
export async function moveAside(path: string, name: string, options: MoveOptions): Promise<Moved> {
  const folder = dirname(path);
  // One name, so that a process that is killed again and again leaves one of them; whoever calls this holds the lock.
  const draft = join(folder, `.${basename(path)}.tmp`);
  await assertOwnFileOrNothing(`${path}${ASIDE}`, `${name}${ASIDE}`);
  try {
    const sha256 = await digestOf(path, options.signal);
    const before = await movedBefore(`${path}${ASIDE}`, sha256);
    await rm(draft, { force: true });
    const aside = new Aside(await openAside(`${path}${ASIDE}`), sha256, before);
    let counted: { readonly lines: number; readonly bytes: number };
    try {
      const kept = new Writer(await open(draft, "wx"));
      try {
        counted = await sortLines(path, options, aside, kept);
        await aside.close();
        await kept.close();
      } finally {
        await kept.abandon();
      }
    } finally {
      await aside.abandon();
    }
    await chmod(draft, (await stat(path)).mode & 0o777);
    // The lines are on disk under their new name first.
    await syncFolder(folder);
    await rename(draft, path);
    await syncFolder(folder);
    return { file: name, to: `${name}${ASIDE}`, ...counted };
  } catch (error) {
    await rm(draft, { force: true });
    if (errorCode(error) === undefined) throw error;
    throw unwritable(name, error);
  }
}

/** Writes every line of a ledger to one of two files, and counts those that go. */
async function sortLines(
  path: string,
  { reason, replacement, onProgress, signal }: MoveOptions,
  aside: Aside,
  kept: Writer,
): Promise<{ readonly lines: number; readonly bytes: number }> {
  let lines = 0;
  let bytes = 0;
  const source = await open(path, "r");
  try {
    const { size } = await source.stat();
    for await (const batch of readBatches(path)) {
      if (signal.aborted) throw new InterruptedError("interrupted; the ledger is as it was");
      let end = 0;
      for (const line of batch) {
        end = line.offset + line.bytes;
        const why = reason(line);
        if (why !== null) {
          lines += 1;
          bytes += line.bytes;
          await aside.add(line, why, source);
        } else if (replacement === undefined) await kept.write(`${line.text}\n`);
      }
      if (end > 0) onProgress?.(end / size);
    }
  } finally {
    await source.close();
  }
  if (replacement !== undefined) await kept.write(replacement);
  return { lines, bytes };
}

/**
 * Replaces a document by another text, after the old one is on disk in `<document>.damaged`, in one entry as if it were a
 * line of a ledger.
 *
 * @throws {CheckError} when a file cannot be written; the document is as it was then.
 */
export async function replaceAside(
  path: string,
  name: string,
  { old, text, reason }: { readonly old: string; readonly text: string; readonly reason: string },
): Promise<Moved> {
  await assertOwnFileOrNothing(`${path}${ASIDE}`, `${name}${ASIDE}`);
  const bytes = Buffer.byteLength(old);
  try {
    const sha256 = createHash("sha256").update(old, "utf8").digest("hex");
    const file = await openAside(`${path}${ASIDE}`);
    const aside = new Aside(file, sha256, await movedBefore(`${path}${ASIDE}`, sha256));
    try {
      await aside.add({ line: 1, offset: 0, bytes, text: old, problem: null }, reason, file);
      await aside.close();
    } finally {
      await aside.abandon();
    }
    await syncFolder(dirname(path));
    await replaceFile(path, text);
    return { file: name, to: `${name}${ASIDE}`, lines: 1, bytes };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw unwritable(name, error);
  }
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    if (signal.aborted) throw new InterruptedError("interrupted; the ledger is as it was");
    digest.update(chunk as Buffer);
  }
  return digest.digest("hex");
}

/** A process that was killed here may have left half a line, to which nothing must be glued. */
async function openAside(path: string): Promise<FileHandle> {
  const file = await open(path, "a+");
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0 && (await file.read(last, 0, 1, size - 1)).bytesRead === 1 && last[0] !== 0x0a) {
      await file.appendFile("\n");
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

const ENTRY = /^\{"ledger_sha256":"([0-9a-f]{64})","line":\d+,"offset":(\d+),/;

/** Offsets of the lines that stand beside a ledger with this digest already. Those too long for a reader are not found. */
async function movedBefore(path: string, sha256: string): Promise<ReadonlySet<number>> {
  const offsets = new Set<number>();
  for await (const batch of readBatches(path)) {
    for (const { text } of batch) {
      const [, digest, offset] = ENTRY.exec(text) ?? [];
      if (digest === sha256 && text.endsWith('"}')) offsets.add(Number(offset));
    }
  }
  return offsets;
}

/** Collects what is written into pieces of about a megabyte. */
class Writer {
  readonly #file: FileHandle;
  #open = true;
  #pieces: string[] = [];
  #units = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(text: string): Promise<void> {
    this.#pieces.push(text);
    this.#units += text.length;
    if (this.#units >= CHUNK_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#units = 0;
    if (text !== "") await this.#file.appendFile(text, "utf8");
  }

  /** On disk when it resolves. */
  async close(): Promise<void> {
    await this.#flush();
    await this.#file.sync();
    await this.abandon();
  }

  async abandon(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#file.close();
  }
}

/** The file beside a ledger. */
class Aside extends Writer {
  readonly #sha256: string;
  readonly #before: ReadonlySet<number>;

  constructor(file: FileHandle, sha256: string, before: ReadonlySet<number>) {
    super(file);
    this.#sha256 = sha256;
    this.#before = before;
  }

  async add(
    { line, offset, bytes, text, problem }: LedgerLine,
    reason: string,
    source: FileHandle,
  ): Promise<void> {
    if (this.#before.has(offset)) return;
    const head = JSON.stringify({ ledger_sha256: this.#sha256, line, offset, bytes, reason }).slice(0, -1);
    if (problem === null) {
      await this.write(`${head},"text":${JSON.stringify(text)}}\n`);
      return;
    }
    // What is no text may be a gigabyte long.
    await this.write(`${head},"base64":"`);
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, Math.max(bytes, 1)));
    for (let done = 0; done < bytes; ) {
      let filled = 0;
      const wanted = Math.min(chunk.length, bytes - done);
      while (filled < wanted) {
        const { bytesRead } = await source.read(chunk, filled, wanted - filled, offset + done + filled);
        if (bytesRead === 0) throw new Error("the ledger became shorter while it was read");
        filled += bytesRead;
      }
      await this.write(chunk.toString("base64", 0, filled));
      done += filled;
    }
    await this.write('"}\n');
  }
}
