// A folder of exported files: whole or not there. Only an empty folder or a former export is ever replaced.
import { createHash, randomBytes } from "node:crypto";
import {
  createReadStream,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isJsonObject, stringifyJson, type Writable } from "../answers/json.ts";
import { readDocument } from "../documents.ts";
import { errorCode, errorMessage, UserError } from "../errors.ts";
import { syncFolder, writeDurable } from "../files.ts";
import { isAlive } from "../processes.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";

/** Says what a folder holds, and that it is ours to replace. */
export const EXPORT_FILE = "decision-bench-export.json";
const MAX_MARKER_BYTES = 64 * 1024 * 1024;
const KIND = "decision-bench export";

/** What an export says of itself; the list of its files is added. */
export type ExportHead = Readonly<Record<string, Writable>>;

/** Where an export goes. */
export interface ExportPlace {
  /** Absolute; of a link, the folder that it leads to. */
  readonly path: string;
  /** As it was named. */
  readonly name: string;
}

/**
 * The place for an export, checked before anything is computed.
 *
 * @throws {UserError} when something else stands there, or it lies among the workspace's own files.
 */
export async function exportPlace(workspace: Workspace, cwd: string, name: string): Promise<ExportPlace> {
  if (name === "") throw new UserError("the name of the folder is empty: name one, such as export/eee");
  const path = followed(resolve(cwd, name), name);
  const root = realpathSync(workspace.root);
  for (const own of ["config", "data", "results", "runs"]) {
    const inner = relative(join(root, own), path);
    if (inner === "" || (inner !== ".." && !inner.startsWith(`..${sep}`) && resolve(inner) !== inner)) {
      throw new UserError(`${name} lies in ${own}/ of the workspace: name another place, such as export/eee`);
    }
  }
  await assertOurs(path, name);
  return { path, name };
}

/** The path with every link on it followed, as far as it is there. */
function followed(path: string, name: string): string {
  for (let there = path; ; there = dirname(there)) {
    try {
      const real = join(realpathSync(there), relative(there, path));
      if (lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return real;
    } catch (error) {
      if (errorCode(error) === "ENOENT" && there !== dirname(there)) continue;
      throw cannot(name, error);
    }
    throw new UserError(`${name} is a link that leads nowhere: remove it, or name another place`);
  }
}

/** Accepts nothing, an empty folder, or a former export to which nothing was added. */
async function assertOurs(path: string, name: string): Promise<void> {
  let info: ReturnType<typeof statSync> | undefined;
  try {
    info = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw cannot(name, error);
  }
  if (info === undefined) return;
  if (!info.isDirectory()) throw new UserError(`${name} is there and is not a folder: name another place`);
  const files = filesIn(path, name);
  if (files.length === 0) return;
  const { value } = await readDocument(join(path, EXPORT_FILE), MAX_MARKER_BYTES);
  const marker = isJsonObject(value) && value.get("kind") === KIND ? value.get("files") : undefined;
  const entries = Array.isArray(marker) ? marker : [];
  const ours = new Set([
    EXPORT_FILE,
    ...entries.map((entry) => (isJsonObject(entry) ? entry.get("path") : null)),
  ]);
  const foreign = files.find((file) => !ours.has(file));
  if (marker === undefined) {
    throw new UserError(
      `${name} holds files that are no export of ours (${quoted(files[0] ?? "")}): name an empty or new folder`,
    );
  }
  if (foreign !== undefined) {
    throw new UserError(
      `${name} is a former export with a file of somebody else in it (${quoted(foreign)}): move that away, or name another folder`,
    );
  }
}

/** Every file below a folder (links and the like too), relative with "/", in code point order. */
function filesIn(path: string, name: string): string[] {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .sort();
  } catch (error) {
    throw cannot(name, error);
  }
}

/** What was written. */
export interface Exported {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Has a folder filled beside its place and puts it there, in place of what {@link exportPlace} accepted, when it is whole.
 *
 * @param fill writes into the folder that it is given, and says what the export says of itself.
 * @throws {UserError} when it cannot be written, or something else appeared there; whatever `fill` throws.
 */
export async function writeExport(
  place: ExportPlace,
  fill: (folder: string) => Promise<ExportHead>,
): Promise<Exported> {
  const { path, name } = place;
  const parent = dirname(path);
  let made: string | undefined;
  let draft: string;
  try {
    made = mkdirSync(parent, { recursive: true });
    mendLeftovers(path);
    draft = join(parent, `.${basename(path)}.${process.pid}-${randomBytes(6).toString("hex")}.new`);
    mkdirSync(draft);
  } catch (error) {
    throw cannot(name, error);
  }
  let isDone = false;
  try {
    const head = await fill(draft);
    const files: Awaited<ReturnType<typeof described>>[] = [];
    for (const file of filesIn(draft, name)) files.push(await described(draft, file));
    await writeDurable(
      join(draft, EXPORT_FILE),
      `${stringifyJson({ kind: KIND, ...head, files: files as unknown as Writable })}\n`,
    );
    await syncAll(draft);
    // It may have changed while we computed.
    await assertOurs(path, name);
    swap(draft, path);
    isDone = true;
    await syncFolder(parent);
    return { files: files.length + 1, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  } catch (error) {
    // What the file system says; what we say ourselves has no code.
    throw /^E[A-Z0-9]+$/.test(errorCode(error) ?? "") ? cannot(name, error) : error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    if (!isDone && made !== undefined) removeEmpty(parent, made);
  }
}

async function described(
  folder: string,
  path: string,
): Promise<{ path: string; bytes: number; sha256: string }> {
  const digest = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(join(folder, path)) as AsyncIterable<Buffer>) {
    digest.update(piece);
    bytes += piece.length;
  }
  return { path, bytes, sha256: digest.digest("hex") };
}

/** The old folder steps aside for a moment; a process that dies in it leaves both beside the place, and the next one mends it. */
function swap(draft: string, path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    renameSync(draft, path);
    return;
  }
  const old = draft.replace(/\.new$/, ".old");
  renameSync(path, old);
  try {
    renameSync(draft, path);
  } catch (error) {
    renameSync(old, path);
    throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

const HOUR_MS = 3_600_000;

/** What a killed export left beside the same place; an hour later, lest a process on another machine is at it. */
function mendLeftovers(path: string): void {
  const parent = dirname(path);
  for (const name of readdirSync(parent)) {
    const rest = name.startsWith(`.${basename(path)}.`) ? name.slice(basename(path).length + 2) : "";
    const [, pid, kind] = /^([0-9]+)-[0-9a-f]{12}\.(new|old)$/.exec(rest) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const left = join(parent, name);
    if (kind === "old" && statSync(path, { throwIfNoEntry: false }) === undefined) renameSync(left, path);
    else if (Date.now() - (statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN) > HOUR_MS)
      rmSync(left, { recursive: true, force: true });
  }
}

/** Removes the folders from `parent` up to `made` as far as nobody put anything into them. */
function removeEmpty(parent: string, made: string): void {
  for (let folder = parent; ; folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return;
    }
    if (folder === made || folder === dirname(folder)) return;
  }
}

async function syncAll(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) {
      await syncFolder(path);
      continue;
    }
    const file = await open(path, "r");
    await file.sync().finally(() => file.close());
  }
  await syncFolder(folder);
}

function cannot(name: string, error: unknown): UserError {
  return new UserError(`${name} cannot be written (${errorCode(error) ?? errorMessage(error)})`);
}
