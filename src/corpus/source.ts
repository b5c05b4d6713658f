// A corpus that lies anywhere: what a folder must hold to be one, and that nothing outside of it is read.
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { CheckError, UserError } from "../errors.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { leadsOut } from "./assets.ts";
import { readPointer } from "./manifest.ts";

/**
 * A workspace that is about the corpus in the folder (the active one of a checkout, or the folder of a corpus), and about
 * nothing else. Its rows were not looked at.
 *
 * @param said how the person called the folder: no message names another path.
 * @throws {UserError} when the folder holds no corpus; {@link CheckError} when its pointer is broken or a link leads out.
 */
export async function sourceOf(workspace: Workspace, folder: string, said: string): Promise<Workspace> {
  const pointer = join(folder, "data", "corpus", "current.json");
  const source: Workspace = { ...workspace, root: folder, corpusPointer: pointer };
  if (existsSync(pointer)) {
    const problems: string[] = [];
    const found = await readPointer(source, (_, field, message) =>
      problems.push(`${field} ${message}`.trim()),
    );
    if (found === null) throw new CheckError(`${said}: data/corpus/current.json: ${problems[0]}`);
    const inner = relative(folder, found.path).split(sep).join("/");
    const outside = await leadsOut(folder, inner);
    if (outside !== null) throw new CheckError(`${said}: ${quoted(inner)} ${outside}`);
    await assertInside(dirname(found.path), basename(found.path), said);
    return source;
  }
  const cases = join(folder, "cases.jsonl");
  if (!existsSync(cases) || !existsSync(join(folder, "manifest.json"))) {
    throw new UserError(
      `${said} holds no corpus: neither data/corpus/current.json (a checkout) nor manifest.json and cases.jsonl (a corpus)`,
    );
  }
  await assertInside(folder, "cases.jsonl", said);
  return { ...source, casesFile: cases };
}

/** No link is followed out of the folder of a corpus, also not for the two files that every corpus has. */
async function assertInside(dir: string, cases: string, said: string): Promise<void> {
  for (const name of [cases, "manifest.json"]) {
    const outside = await leadsOut(dir, name);
    if (outside !== null) throw new CheckError(`${said}: ${name} ${outside}`);
  }
}
