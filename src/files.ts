// Files that are whole or absent, whenever the process dies.
import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, lstat, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { errorCode, errorMessage, UserError, whyTooManyFiles } from "./errors.ts";

/** Writes a file, on disk when this resolves. The parent folder must be synced by the caller if it is new. */
export async function writeDurable(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes a new file piece by piece. Whoever wants it to survive a power cut syncs it. */
export async function writePieces(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  await pipeline(Readable.from(pieces), createWriteStream(path, { flags: "wx" }));
}

/** Copies the bytes of a file, and nothing else of it, into a new one. */
export async function copyWhole(from: string, to: string): Promise<void> {
  await writePieces(to, createReadStream(from));
}

/** Replaces a file: at every moment its old content or its new one is there, never a part. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = join(dirname(path), `.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`);
  try {
    await writeDurable(draft, content);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * Accepts a regular file, or nothing at all. A folder cannot be read, and a named pipe would be waited for without end.
 *
 * @param name what a message calls it.
 * @throws {UserError} for anything else.
 */
export async function assertFileOrNothing(path: string, name: string): Promise<void> {
  try {
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return;
    throw new UserError(`${name} cannot be read (${code ?? "error"})`);
  }
  throw new UserError(`${name} is not a file. Move it away and repeat the command.`);
}

/**
 * {@link assertFileOrNothing} for a file that is added to: a link is refused too, for what is written through one lands in
 * a file that may be anybody's.
 */
export async function assertOwnFileOrNothing(path: string, name: string): Promise<void> {
  const isLink = await lstat(path).then(
    (info) => info.isSymbolicLink(),
    // What it is then, the next look says.
    () => false,
  );
  if (isLink) {
    throw new UserError(
      `${name} is a link, and nothing is written through one. Move it away and repeat the command.`,
    );
  }
  await assertFileOrNothing(path, name);
}

/** Why something could not be written, in the words of a message that goes on with what to do. */
export function whyUnwritable(error: unknown): string {
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") return `the disk is full (${code})`;
  if (code === "EFBIG") return "the file must not grow any further (EFBIG; `ulimit -f` shows the limit)";
  if (code === "EACCES" || code === "EROFS" || code === "EPERM") return `it is write-protected (${code})`;
  if (["EEXIST", "ENOTEMPTY", "EISDIR", "ENOTDIR"].includes(code ?? "")) {
    return `something else stands in its place (${code}); move that away`;
  }
  return whyTooManyFiles(error) ?? code ?? errorMessage(error);
}

/** Makes new names in a folder survive a power cut, where the system can do that. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle;
  try {
    folder = await open(path, "r");
  } catch (error) {
    // Windows cannot open folders; its names are durable with the file.
    if (errorCode(error) === "EISDIR" || errorCode(error) === "EPERM") return;
    throw error;
  }
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems refuse to sync a folder; there is nothing more to be done.
    if (errorCode(error) !== "EINVAL" && errorCode(error) !== "ENOTSUP") throw error;
  } finally {
    await folder.close();
  }
}
