// What `bench db build` does: has the file written beside its place, and puts it there when it is whole.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode, errorMessage, UserError } from "../errors.ts";
import { whole } from "../figures.ts";
import { syncFolder } from "../files.ts";
import { visible } from "../output.ts";
import { isAlive } from "../processes.ts";
import type { SnapshotCounts } from "../warehouse/snapshot.ts";
import type { Context } from "./context.ts";
import type { DbBuildOptions } from "./db.ts";
import { findRun } from "./find-run.ts";
import { write, writeJson } from "./output.ts";
import { withWarehouse } from "./warehouse.ts";

/**
 * Writes a DuckDB file. A crash leaves the old file or the new one.
 *
 * @throws {UserError} when something else stands in its place, it cannot be written there, or a run is not there;
 * {@link CheckError} when the writing fails.
 */
export async function buildDatabase(file: string, options: DbBuildOptions, context: Context): Promise<void> {
  if (file === "") throw new UserError("the name of the file is empty: name one, such as bench.duckdb");
  const target = placeFor(resolve(context.cwd, file), file);
  removeLeftovers(target);
  const draft = join(
    dirname(target),
    `.${basename(target)}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`,
  );
  assertWritable(draft, file);
  const workspace = await context.workspace();
  const runs: string[] = [];
  for (const name of options.runs ?? []) runs.push(await findRun(workspace, name));
  let counts: SnapshotCounts;
  let bytes: number;
  try {
    counts = await withWarehouse(context, options.runs === undefined ? {} : { runs }, (warehouse) =>
      warehouse.snapshot(draft),
    );
    bytes = await putInPlace(draft, target, file);
  } finally {
    // DuckDB's own file beside it is left behind when it was stopped.
    for (const left of [draft, `${draft}.wal`]) rmSync(left, { force: true });
  }
  if (options.json === true) {
    await writeJson(context, { file, bytes, ...counts });
    return;
  }
  const parts = [
    some(counts.local_runs, "local run"),
    some(counts.published_results, "published result"),
    some(counts.answers, "answer"),
    some(counts.attempts, "attempt"),
    some(counts.corpus_rows, "corpus row"),
  ];
  await write(
    context.stdout,
    `${visible(file)}: ${parts.join(", ")}; ${(bytes / 1_000_000).toFixed(1)} MB\n`,
  );
}

function some(count: number, thing: string): string {
  return `${whole(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** What a killed build began beside the same target; an hour later, lest a process on another machine is at it. */
function removeLeftovers(target: string): void {
  let names: string[];
  try {
    names = readdirSync(dirname(target));
  } catch (error) {
    // Whether anything can be written there is found out, and said, afterwards.
    if (errorCode(error) === undefined) throw error;
    return;
  }
  for (const name of names) {
    const draft = name.startsWith(`.${basename(target)}.`) ? name.slice(basename(target).length + 2) : "";
    const pid = /^([0-9]+)-[0-9a-f]{12}\.tmp(?:\.wal)?$/.exec(draft)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(dirname(target), name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
    if (Date.now() - changed > HOUR_MS) rmSync(path, { force: true });
  }
}

const HOUR_MS = 3_600_000;

/** The path that is to be replaced: of a link, the file that it leads to. */
function placeFor(path: string, name: string): string {
  let target: string;
  try {
    target = realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw cannot(name, error);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw new UserError(
        `${name} is a link to a file that is not there: name that file, or remove the link`,
      );
    }
    return path;
  }
  if (!statSync(target).isFile()) {
    throw new UserError(`${name} is there and is not a file: name another place`);
  }
  if (!isDatabase(target, name)) {
    throw new UserError(`${name} is there and is not a DuckDB file: name another place, or move it away`);
  }
  if (existsSync(`${target}.wal`)) {
    // It would be taken for changes to the new file.
    throw new UserError(
      `${name}.wal lies beside ${name}, so another program is writing to it or was killed while it did: ` +
        "close that program (or open and close the file once with DuckDB), or name another place",
    );
  }
  return target;
}

/** Whether a file begins as DuckDB's do; an empty one has nothing to lose. */
function isDatabase(path: string, name: string): boolean {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(12);
      const read = readSync(file, head, 0, head.length, 0);
      return read === 0 || head.toString("latin1", 8, read) === "DUCK";
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw cannot(name, error);
  }
}

/** Finds out before the rows are read. */
function assertWritable(draft: string, name: string): void {
  try {
    closeSync(openSync(draft, "wx"));
    rmSync(draft);
  } catch (error) {
    throw cannot(name, error);
  }
}

async function putInPlace(draft: string, target: string, name: string): Promise<number> {
  try {
    const file = await open(draft, "r");
    let bytes: number;
    try {
      await file.sync();
      bytes = (await file.stat()).size;
    } finally {
      await file.close();
    }
    renameSync(draft, target);
    await syncFolder(dirname(target));
    return bytes;
  } catch (error) {
    throw cannot(name, error);
  }
}

function cannot(name: string, error: unknown): UserError {
  const code = errorCode(error);
  const why = code === "ENOENT" ? "its folder is not there" : (code ?? errorMessage(error));
  return new UserError(`${name} cannot be written (${why})`);
}
