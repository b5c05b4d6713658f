// Makes another corpus of the workspace the active one.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { indentedJson } from "../answers/indented.ts";
import { UserError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { isInnerPath } from "./assets.ts";
import { checkedCorpus } from "./check.ts";
import type { CorpusFile } from "./load.ts";
import { aboutCorpus, corporaOf, shelfOf } from "./shelf.ts";

/**
 * Checks the corpus in the folder `name` of data/corpus/ and points current.json to it. Runs and results are not touched.
 *
 * @throws {UserError} when there is no such folder, naming those that are there; {@link CheckError} when it is not sound.
 */
export async function useCorpus(
  workspace: Workspace,
  name: string,
  signal?: AbortSignal,
): Promise<CorpusFile> {
  const names = (await corporaOf(workspace)).map((corpus) => corpus.name);
  // Only a name that was found there is ever made a path: nothing leads out.
  if (!names.includes(name)) throw new UserError(unknown(workspace, name, names));
  const path = `data/corpus/${name}/cases.jsonl`;
  if (!isInnerPath(path)) throw new UserError(`the folder ${quoted(name)} has an odd name: rename it`);
  const corpus = await checkedCorpus(aboutCorpus(workspace, name), { signal });
  await replaceFile(workspace.corpusPointer, `${indentedJson({ path, version: corpus.version })}\n`);
  return corpus;
}

function unknown(workspace: Workspace, name: string, names: readonly string[]): string {
  const plain = isInnerPath(name) && !name.includes("/");
  if (
    plain &&
    lstatSync(join(shelfOf(workspace), name), { throwIfNoEntry: false })?.isSymbolicLink() === true
  ) {
    return `data/corpus/${name} is a link, and a corpus is a folder of its own: bring it in with \`bench corpus import\``;
  }
  const there =
    names.length === 0 ? "there is none" : `there are ${names.map((one) => quoted(one)).join(", ")}`;
  return `no corpus ${quoted(name)} in data/corpus: ${there}`;
}
