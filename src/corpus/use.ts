// Makes another corpus of the workspace the active one.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { indentedJson } from "../answers/indented.ts";
import { errorCode, UserError } from "../errors.ts";
import { replaceFile, whyUnwritable } from "../files.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { isInnerPath } from "./assets.ts";
import { checkedCorpus } from "./check.ts";
import type { CorpusFile } from "./load.ts";
import { readPointer } from "./manifest.ts";
import { aboutCorpus, corporaOf, shelfOf } from "./shelf.ts";

/**
 * Checks the corpus in the folder `name` of data/corpus/ and points current.json to it. Runs and results are not touched.
 *
 * @returns the corpus, and whether current.json was written: it is not when it names the corpus already.
 * @throws {UserError} when there is no such folder, naming those that are there, or current.json cannot be written;
 * {@link CheckError} when the corpus is not sound.
 */
export async function useCorpus(
  workspace: Workspace,
  name: string,
  signal?: AbortSignal,
): Promise<{ readonly corpus: CorpusFile; readonly written: boolean }> {
  const names = (await corporaOf(workspace)).map((corpus) => corpus.name);
  // Only a name that was found there is ever made a path: nothing leads out.
  if (!names.includes(name)) throw new UserError(unknown(workspace, name, names));
  const path = `data/corpus/${name}/cases.jsonl`;
  if (!isInnerPath(path)) throw new UserError(`the folder ${quoted(name)} has an odd name: rename it`);
  const corpus = await checkedCorpus(aboutCorpus(workspace, name), { signal });
  const { version } = corpus;
  const pointer = await readPointer(workspace, () => {});
  if (pointer?.path === corpus.path && (pointer.version ?? version) === version) {
    return { corpus, written: false };
  }
  try {
    await replaceFile(workspace.corpusPointer, `${indentedJson({ path, version })}\n`);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    throw new UserError(
      `data/corpus/current.json cannot be written: ${whyUnwritable(error)}. The active corpus is the one that it was; ` +
        "make data/corpus writable, with space in it, and repeat the command.",
    );
  }
  return { corpus, written: true };
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
