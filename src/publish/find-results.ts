// Finds the published results that a path stands for: one folder, a suite, a folder of results, or a whole checkout.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode, UserError } from "../errors.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { quoted } from "../quote.ts";

/** What only the folder of a published result holds. */
const SIGNS = [PUBLISHED_FILES.metadata, PUBLISHED_FILES.predictions, PUBLISHED_FILES.scores];
const MOST = 10_000;

/** Whether a folder holds one of the files of a published result. */
export function isResultFolder(folder: string): boolean {
  return SIGNS.some((name) => existsSync(join(folder, name)));
}

/**
 * Absolute paths of the folders of published results at a path or below it (in `results/` of a checkout), in code point order.
 * Links, and names that begin with a dot, are passed over.
 *
 * @param path absolute.
 * @param name what a message calls it.
 * @throws {UserError} when it is not there, or holds no result.
 */
export function findResults(path: string, name: string): string[] {
  const say = (reason: string): UserError =>
    new UserError(
      `${quoted(name, 200)} ${reason}: name the folder of a published result, of a suite, of results, or a checkout`,
    );
  try {
    if (!statSync(path).isDirectory()) throw say("is not a folder");
    const results = join(path, "results");
    const start = !isResultFolder(path) && existsSync(results) ? results : path;
    const found = below(start, 2);
    if (found.length === 0) throw say("holds no published result");
    if (found.length > MOST) throw say(`holds more than ${MOST} results`);
    return found;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw say(code === "ENOENT" ? "is not there" : `cannot be read (${code})`);
  }
}

function below(folder: string, levels: number): string[] {
  if (isResultFolder(folder)) return [folder];
  if (levels === 0) return [];
  const inner = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    .sort();
  return inner.flatMap((entry) => below(join(folder, entry), levels - 1));
}
