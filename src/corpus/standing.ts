// A suite is one corpus: its results lie in results/<suite>/, so other rows under the same name are refused before they come.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CheckError } from "../errors.ts";
import type { Workspace } from "../workspace.ts";
import { checkedCorpus } from "./check.ts";
import { aboutCorpus, corporaOf, type Shelved, shelfOf } from "./shelf.ts";

/**
 * The folder in which these very rows stand under this name already, sound, and their version; null when the name is free.
 *
 * @param hint what to do when other rows stand there, with a name that is free.
 * @throws {CheckError} when others do, with both digests, or when what stands there is not sound.
 */
export async function assertFree(
  workspace: Workspace,
  { suite, sha256 }: { readonly suite: string; readonly sha256: string },
  hint: (free: string) => string,
  signal?: AbortSignal,
): Promise<{ readonly name: string; readonly version: string } | null> {
  // A folder may have another name than its suite.
  const corpora = await corporaOf(workspace);
  const all = corpora.filter(({ name, manifest }) => name === suite || manifest?.suite === suite);
  const same = all.find(({ manifest }) => manifest?.suite === suite && manifest.sha256 === sha256);
  const standing = same ?? all[0];
  const other = (): string => hint(freeName(workspace, suite, corpora));
  if (standing === undefined) {
    if (!existsSync(join(shelfOf(workspace), suite))) return null;
    throw new CheckError(`data/corpus/${suite} stands already and is no corpus: move it away, or ${other()}`);
  }
  const { name, manifest, problem } = standing;
  if (manifest === null) {
    throw new CheckError(
      `data/corpus/${name} stands already and is no corpus (${problem}): move it away, or ${other()}`,
    );
  }
  if (same === undefined) {
    throw new CheckError(
      `data/corpus/${name} is ${manifest.suite} ${manifest.version} already, with the digest ${manifest.sha256}; ` +
        `the new rows have ${sha256}. A corpus is never written over: ${other()}`,
    );
  }
  await checkedCorpus(
    aboutCorpus(workspace, name),
    { signal },
    "the same corpus stands here already, damaged: ",
  );
  return { name, version: manifest.version };
}

/** The next name after this one: `tickets` → `tickets-2` → `tickets-3`. */
function freeName(workspace: Workspace, suite: string, corpora: readonly Shelved[]): string {
  const [, stem = suite, number = "1"] = /^(.+)-([1-9]\d{0,8})$/.exec(suite) ?? [];
  const taken = new Set(corpora.flatMap(({ name, manifest }) => [name, manifest?.suite]));
  for (let next = Number(number) + 1; ; next += 1) {
    const end = `-${next}`;
    const name = `${stem.slice(0, MAX_NAME - end.length)}${end}`;
    if (!taken.has(name) && !existsSync(join(shelfOf(workspace), name))) return name;
  }
}

const MAX_NAME = 64;
