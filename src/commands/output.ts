// Where a command's output goes: standard output, waited for when it is slow, or a file that is whole or not there.
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { createReadStream, createWriteStream, lstatSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringifyJson, type Writable } from "../answers/json.ts";
import { errorCode, errorMessage, UserError } from "../errors.ts";
import type { Context } from "./context.ts";

type Output = Context["stdout"];

/** Writes a piece and waits when the other side is slower than we are, unless somebody stops the command. */
export async function write(output: Output, data: string | Uint8Array, signal?: AbortSignal): Promise<void> {
  if (output.write(data) !== false || !(output instanceof EventEmitter) || signal?.aborted) return;
  await new Promise<void>((ready) => {
    const done = (): void => {
      output.off("drain", done);
      output.off("close", done);
      signal?.removeEventListener("abort", done);
      ready();
    };
    output.on("drain", done);
    output.on("close", done);
    signal?.addEventListener("abort", done);
  });
}

/** One JSON document on standard output. `value` is plain data; maps keep the order of their keys. */
export async function writeJson(context: Context, value: object): Promise<void> {
  await write(context.stdout, `${stringifyJson(value as Writable)}\n`);
}

/**
 * Writes all pieces to a file: beside it first, then in its place, so that a crash leaves the old file or the new one.
 * What is there and is no regular file (a pipe, a terminal) is written to as it is.
 *
 * @throws {UserError} when it cannot be written; whatever the pieces throw.
 */
export async function writeFileWhole(
  context: Context,
  name: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const target = resolve(context.cwd, name);
  if (isSpecial(target)) return pour(name, target, "w", pieces);
  await replaced(target, (draft) => pour(name, draft, "wx", pieces));
}

/**
 * Has a file made by somebody who wants its path, and puts it in its place when it is whole, as {@link writeFileWhole}
 * does. `make` finds an empty file.
 *
 * @throws {UserError} when it cannot be written; whatever `make` throws.
 */
export async function makeFileWhole(
  context: Context,
  name: string,
  make: (path: string) => Promise<void>,
): Promise<void> {
  const target = resolve(context.cwd, name);
  if (isSpecial(target)) return pour(name, target, "w", temporaryFile(make));
  await replaced(target, async (draft) => {
    await pour(name, draft, "wx", Readable.from([]));
    await make(draft);
  });
}

/** The bytes of a file that `make` writes and that is gone afterwards. */
export async function* temporaryFile(make: (path: string) => Promise<void>): AsyncGenerator<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-"));
  try {
    const path = join(folder, "file");
    await make(path);
    yield* createReadStream(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isSpecial(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

async function replaced(target: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await fill(draft);
    const file = await open(draft, "r");
    await file.sync().finally(() => file.close());
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** @throws {UserError} for what the file system says, not for what the pieces throw. */
async function pour(
  name: string,
  path: string,
  flags: "w" | "wx",
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const stream = createWriteStream(path, { flags });
  let failed: unknown;
  stream.once("error", (error) => {
    failed = error;
  });
  try {
    await pipeline(Readable.from(pieces), stream);
  } catch (error) {
    if (failed !== error || error === undefined) throw error;
    throw new UserError(`${name} cannot be written (${errorCode(error) ?? errorMessage(error)})`);
  }
}
