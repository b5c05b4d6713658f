// Appends lines to a ledger so that a crash can take the last one at most, and never glue two together. Lines that are
// ready together share one write, and lines that are written share one fdatasync.
import { ftruncateSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { CheckError, errorCode } from "../errors.ts";
import { whyUnwritable } from "../files.ts";

/** Lines that nobody waits for are synced this long after they were written, at the latest, in ms. */
const LAZY_SYNC_MS = 1000;

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Line extends Waiter {
  readonly text: string;
}

/** One writer a file. A file whose last line is torn must be repaired before (see `repairTail`). */
export class LedgerWriter {
  readonly #file: FileHandle;
  readonly #name: string;
  #size: number;
  #lines: Line[] = [];
  #unsynced: Waiter[] = [];
  #writing: Promise<void> | null = null;
  #syncing: Promise<void> | null = null;
  #failure: Error | null = null;
  #lazy: NodeJS.Timeout | undefined;

  private constructor(file: FileHandle, name: string, size: number) {
    this.#file = file;
    this.#name = name;
    this.#size = size;
  }

  /**
   * Opens (or makes) the file for appending. `name` is what messages call it.
   *
   * @throws {CheckError} when the file cannot be opened.
   */
  static async open(path: string, name: string): Promise<LedgerWriter> {
    try {
      const file = await open(path, "a");
      return new LedgerWriter(file, name, (await file.stat()).size);
    } catch (error) {
      throw unwritable(name, error);
    }
  }

  /** Resolves when the line is on disk. */
  append(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure);
        return;
      }
      this.#lines.push({ text, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /**
   * Hands the line to the system before it returns: it survives the end of this process at once, and a power cut from
   * {@link LAZY_SYNC_MS} later on. A short write costs less than a turn through the thread pool. For files that are
   * never appended to: the two ways would overtake each other.
   *
   * @throws {CheckError} when the file cannot be written.
   */
  write(text: string): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#writing !== null) throw new Error(`${this.#name} is written in two ways at once`);
    const bytes = Buffer.from(`${text}\n`, "utf8");
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file.fd, bytes, done);
      this.#size += bytes.length;
    } catch (error) {
      this.#failure = unwritable(this.#name, error);
      this.#cutBack(() => ftruncateSync(this.#file.fd, this.#size));
      throw this.#failure;
    }
    this.#lazy ??= setTimeout(() => this.#syncLater(), LAZY_SYNC_MS);
  }

  /** Waits for everything that was appended, syncs it and closes the file. */
  async close(): Promise<void> {
    clearTimeout(this.#lazy);
    while (this.#writing !== null || this.#syncing !== null) {
      await this.#writing;
      await this.#syncing;
    }
    try {
      if (this.#failure === null) await this.#file.datasync();
    } finally {
      await this.#file.close();
    }
  }

  async #writeAll(): Promise<void> {
    // Lets everything that becomes ready in this turn of the event loop into the same write.
    await Promise.resolve();
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      this.#lines = [];
      if (this.#failure !== null) {
        for (const line of lines) line.reject(this.#failure);
        continue;
      }
      const bytes = Buffer.from(`${lines.map((line) => line.text).join("\n")}\n`, "utf8");
      try {
        await this.#file.appendFile(bytes);
        this.#size += bytes.length;
      } catch (error) {
        await this.#fail(error, lines);
        continue;
      }
      this.#unsynced.push(...lines);
      this.#syncing ??= this.#syncAll();
    }
    this.#writing = null;
  }

  #syncLater(): void {
    this.#lazy = undefined;
    this.#syncing ??= this.#syncAll(true);
  }

  async #syncAll(lazily = false): Promise<void> {
    let due = lazily;
    while (due || this.#unsynced.length > 0) {
      due = false;
      const waiters = this.#unsynced;
      this.#unsynced = [];
      try {
        await this.#file.datasync();
        for (const waiter of waiters) waiter.resolve();
      } catch (error) {
        this.#failure ??= unwritable(this.#name, error);
        for (const waiter of waiters) waiter.reject(this.#failure);
      }
    }
    this.#syncing = null;
  }

  async #fail(error: unknown, lines: readonly Line[]): Promise<void> {
    this.#failure ??= unwritable(this.#name, error);
    await this.#cutBack(() => this.#file.truncate(this.#size));
    for (const line of lines) line.reject(this.#failure);
  }

  /** A failed write may have left part of its bytes: they are cut off, so that the file ends with a whole line. */
  async #cutBack(truncate: () => void | Promise<void>): Promise<void> {
    try {
      await truncate();
    } catch (error) {
      // The torn line stays; the next resume moves it aside.
      if (errorCode(error) === undefined) throw error;
    }
  }
}

/** The error of a file that cannot be written, in words that say what to do. */
export function unwritable(name: string, error: unknown): CheckError {
  return new CheckError(
    `${name} cannot be written: ${whyUnwritable(error)}. Everything before is kept; mend it and repeat the command to go on.`,
  );
}

/**
 * Does some writing.
 *
 * @throws {CheckError} {@link unwritable}, where the system refuses it.
 */
export async function writing<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw unwritable(name, error);
  }
}
