// The two documents beside the rows: current.json, which names the active corpus, and manifest.json, which freezes it.
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { CanonicalError, canonicalJson } from "../answers/canonical.ts";
import { type Json, toPlain } from "../answers/json.ts";
import { readDocument } from "../documents.ts";
import { fieldPath, isRecord, issuesOf } from "../fields.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { isInnerPath } from "./assets.ts";
import {
  type CorpusCategory,
  type CorpusTask,
  categorySchema,
  type Manifest,
  manifestSchema,
  pointerSchema,
  taskSchema,
  unwrap,
} from "./schema.ts";

/** Largest current.json and manifest.json, in bytes. */
export const MAX_BYTES = 16 * 1024 * 1024;

/** What to do in a workspace that was just begun. */
const NO_CORPUS =
  ". No corpus is active yet: bring one in with `bench corpus import` or `bench corpus pack`, and make it the active one with `bench corpus use`";

/** Takes one problem of a file: the line (null for none), the field ("" for the whole) and what is wrong. */
export type Add = (line: number | null, field: string, message: string) => void;

/** Where the corpus is (`path`, absolute, of its rows) and which version it should be; null if that is not said. */
export async function readPointer(
  workspace: Workspace,
  add: Add,
): Promise<{ path: string; version: string | null } | null> {
  if (workspace.casesFile !== undefined) return { path: workspace.casesFile, version: null };
  const { value, refusal } = await readDocument(workspace.corpusPointer, MAX_BYTES);
  if (refusal !== undefined) {
    add(refusal.line, "", refusal.message);
    return null;
  }
  const parsed = pointerSchema.safeParse(unwrap(value), { reportInput: true });
  if (!parsed.success) {
    const document = unwrap(value);
    const advice = isRecord(document) && document.path === undefined ? NO_CORPUS : "";
    for (const { field, message } of issuesOf(parsed.error)) add(null, field, `${message}${advice}`);
    return null;
  }
  const { path, version } = parsed.data;
  if (isInnerPath(path)) return { path: join(workspace.root, path), version: version ?? null };
  const plain = "names and '/', no '..', like data/corpus/mine/cases.jsonl";
  if (!path.isWellFormed()) {
    const half = "holds half of a character (a lone surrogate), which no file name can hold";
    add(null, "path", `${quoted(path)} ${half}: ${plain}`);
    return null;
  }
  add(null, "path", `${quoted(path)} leads out of the workspace or is not a plain path: ${plain}`);
  return null;
}

/** Whether current.json is sound and names no corpus yet, as in a workspace that was just begun. */
export async function namesNoCorpus(workspace: Workspace): Promise<boolean> {
  if (workspace.casesFile !== undefined) return false;
  const { value, refusal } = await readDocument(workspace.corpusPointer, MAX_BYTES);
  if (refusal !== undefined) return false;
  const document = unwrap(value);
  return isRecord(document) && document.path === undefined;
}

/** A manifest, as far as it is sound. */
export interface FoundManifest {
  readonly manifest: Manifest | null;
  /** The tasks that it names but describes wrongly. */
  readonly broken: ReadonlySet<string>;
  /** Lower-case hex SHA-256 of its canonical JSON: another one for another content. */
  readonly sha256: string | null;
}

/** Reads a manifest.json. */
export async function readManifest(file: string, add: Add): Promise<FoundManifest> {
  const broken = new Set<string>();
  const { value, refusal } = await readDocument(file, MAX_BYTES);
  if (refusal !== undefined) {
    add(refusal.line, "", refusal.message);
    return { manifest: null, broken, sha256: null };
  }
  const parsed = manifestSchema.safeParse(unwrap(value), { reportInput: true });
  if (!parsed.success) {
    for (const { field, message } of issuesOf(parsed.error)) add(null, field, message);
    return { manifest: null, broken, sha256: null };
  }
  const data = parsed.data;
  const categories = new Map<string, CorpusCategory>();
  for (const [id, entry] of data.categories) {
    const category = categorySchema.safeParse(toPlain(entry), { reportInput: true });
    if (category.success) categories.set(id, category.data);
    else {
      for (const { field, message } of issuesOf(category.error, ["categories", id]))
        add(null, field, message);
    }
  }
  const tasks = new Map<string, CorpusTask>();
  for (const [id, entry] of data.tasks) {
    const task = taskSchema.safeParse(toPlain(entry), { reportInput: true });
    if (!task.success) {
      broken.add(id);
      for (const { field, message } of issuesOf(task.error, ["tasks", id])) add(null, field, message);
      continue;
    }
    tasks.set(id, task.data);
    const { category } = task.data;
    if (!data.categories.has(category)) {
      add(null, fieldPath(["tasks", id, "category"]), `${quoted(category)} is not among the categories`);
    }
  }
  return {
    manifest: { ...data, categories, tasks, cases: data.counts?.cases ?? null },
    broken,
    sha256: digestOf(value),
  };
}

function digestOf(document: Json): string | null {
  try {
    return createHash("sha256").update(canonicalJson(document), "utf8").digest("hex");
  } catch (error) {
    if (error instanceof CanonicalError) return null;
    throw error;
  }
}

/** The suite that the active corpus belongs to, without reading its rows; null when that cannot be said. */
export async function activeSuite(workspace: Workspace): Promise<string | null> {
  const ignore: Add = () => {};
  const pointer = await readPointer(workspace, ignore);
  if (pointer === null) return null;
  const { manifest } = await readManifest(join(dirname(pointer.path), "manifest.json"), ignore);
  return manifest?.suite ?? null;
}

/** Compares the counts that the manifest gives with the rows that are there, in all and of each task. */
export function checkCounts(
  rows: number,
  rowsOfTask: ReadonlyMap<string, number>,
  manifest: Manifest,
  add: Add,
): void {
  if (manifest.cases !== null && manifest.cases !== rows) {
    add(null, "counts.cases", `says ${manifest.cases}, the corpus has ${rows} rows`);
  }
  for (const [id, task] of manifest.tasks) {
    const count = rowsOfTask.get(id) ?? 0;
    if (typeof task.rows === "number" && task.rows !== count) {
      add(null, fieldPath(["tasks", id, "rows"]), `says ${task.rows}, the corpus has ${count} rows of it`);
    }
  }
}
