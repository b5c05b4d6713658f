// Which corpora lie in a workspace, by their digests: a result names its corpus by nothing else.
import { dirname, join } from "node:path";
import { type Add, readManifest, readPointer } from "../corpus/manifest.ts";
import { foldersIn } from "../warehouse/folders.ts";
import type { Workspace } from "../workspace.ts";

/**
 * The workspace as it is about each corpus, by the corpus's digest: the active one, then those in `data/corpus/` in code
 * point order. Only manifests are read; whoever reads the rows checks that they are the frozen ones.
 *
 * @throws {UserError} when `data/corpus/` cannot be read.
 */
export async function corporaOf(workspace: Workspace): Promise<ReadonlyMap<string, Workspace>> {
  // What is wrong with the active corpus is said when its rows are read; another one that is broken is none.
  const ignore: Add = () => {};
  const found = new Map<string, Workspace>();
  const add = async (casesFile: string, about: Workspace): Promise<void> => {
    const { manifest } = await readManifest(join(dirname(casesFile), "manifest.json"), ignore);
    if (manifest !== null && !found.has(manifest.sha256)) found.set(manifest.sha256, about);
  };
  const pointer = await readPointer(workspace, ignore);
  if (pointer !== null) await add(pointer.path, workspace);
  const folder = dirname(workspace.corpusPointer);
  for (const name of foldersIn(folder, "data/corpus")) {
    const casesFile = join(folder, name, "cases.jsonl");
    await add(casesFile, { ...workspace, casesFile });
  }
  return found;
}
