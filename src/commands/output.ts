// Where a command's output goes: standard output, waited for when it is slow, or a file that is whole or not there.
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { createWriteStream, lstatSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringifyJson, type Writable } from "../answers/json.ts";
import { errorCode, errorMessage, UserError } from "../errors.ts";
import type { Context } from "./context.ts";

type Output = Context["stdout"];

/** Writes a text and waits when the other side is slower than we are. */
export async function write(output: Output, text: string): Promise<void> {
  if (output.write(text) !== false || !(output instanceof EventEmitter)) return;
  await new Promise<void>((ready) => {
    const done = (): void => {
      output.off("drain", done);
      output.off("close", done);
      ready();
    };
    output.on("drain", done);
    output.on("close", done);
  });
}

/** One JSON document on standard output. `value` is plain data; maps keep the order of their keys. */
export async function writeJson(context: Context, value: object): Promise<void> {
  await write(context.stdout, `${stringifyJson(value as Writable)}\n`);
}

/**
 * Writes all texts to a file: beside it first, then in its place, so that a crash leaves the old file or the new one.
 * What is there and is no regular file (a pipe, a terminal) is written to as it is.
 *
 * @throws {UserError} when it cannot be written; whatever the texts throw.
 */
export async function writeFileWhole(
  context: Context,
  name: string,
  texts: AsyncIterable<string>,
): Promise<void> {
  const target = resolve(context.cwd, name);
  const special = lstatSync(target, { throwIfNoEntry: false })?.isFile() === false;
  const path = special
    ? target
    : join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  const stream = createWriteStream(path, { flags: special ? "w" : "wx" });
  let failed: unknown;
  stream.once("error", (error) => {
    failed = error;
  });
  try {
    await pipeline(Readable.from(texts), stream);
    if (!special) {
      const file = await open(path, "r");
      await file.sync().finally(() => file.close());
      renameSync(path, target);
    }
  } catch (error) {
    if (!special) rmSync(path, { force: true });
    if (failed !== error || error === undefined) throw error;
    throw new UserError(`${name} cannot be written (${errorCode(error) ?? errorMessage(error)})`);
  }
}
