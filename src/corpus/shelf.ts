// The corpora of a workspace, data/corpus/: which there are, and which one is active.
import { type Dirent, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode, errorMessage, UserError } from "../errors.ts";
import type { Workspace } from "../workspace.ts";
import { readManifest, readPointer } from "./manifest.ts";
import type { Manifest } from "./schema.ts";

/** One folder of data/corpus/. */
export interface Shelved {
  /** Name of the folder. */
  readonly name: string;
  /** Null when `problem` says why it cannot be read. Its rows were not looked at. */
  readonly manifest: Manifest | null;
  readonly problem: string | null;
  readonly active: boolean;
}

/** The folder of all corpora of a workspace. */
export function shelfOf(workspace: Workspace): string {
  return dirname(workspace.corpusPointer);
}

/** The workspace, about the corpus in this folder of data/corpus/ instead of the active one. */
export function aboutCorpus(workspace: Workspace, name: string): Workspace {
  return { ...workspace, casesFile: join(shelfOf(workspace), name, "cases.jsonl") };
}

/**
 * All corpora in code point order of their folders, by their manifests. Links, and names that begin with a dot, are none.
 *
 * @throws {UserError} when data/corpus cannot be read.
 */
export async function corporaOf(workspace: Workspace): Promise<Shelved[]> {
  const active = await activeFolder(workspace);
  const names = entriesOf(shelfOf(workspace))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    .sort();
  return await Promise.all(
    names.map(async (name): Promise<Shelved> => {
      const problems: string[] = [];
      const { manifest } = await readManifest(
        join(shelfOf(workspace), name, "manifest.json"),
        (_, field, message) => problems.push(`manifest.json ${field === "" ? "" : `${field}: `}${message}`),
      );
      const problem = problems[0] ?? null;
      return { name, manifest: problem === null ? manifest : null, problem, active: name === active };
    }),
  );
}

/** The folder of data/corpus/ that the active corpus lies in; null when it lies elsewhere, or nobody can say. */
async function activeFolder(workspace: Workspace): Promise<string | null> {
  const pointer = await readPointer(workspace, () => {});
  if (pointer === null) return null;
  const dir = dirname(pointer.path);
  return dirname(dir) === shelfOf(workspace) ? basename(dir) : null;
}

function entriesOf(shelf: string): Dirent[] {
  try {
    return readdirSync(shelf, { withFileTypes: true });
  } catch (error) {
    throw new UserError(`data/corpus cannot be read (${errorCode(error) ?? errorMessage(error)})`);
  }
}
