// What `bench validate` does: finds out what a path means, has it checked, and prints what was found.
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { errorCode, UserError } from "../errors.ts";
import { whole } from "../figures.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { visible } from "../output.ts";
import { LEADERBOARD_FILES } from "../publish/leaderboard.ts";
import { problemText } from "../publish/problem.ts";
import {
  type FolderOptions,
  type ValidationReport,
  validateFolders,
  validateWorkspace,
} from "../publish/validate.ts";
import { quoted } from "../quote.ts";
import { openWorkspace, type Workspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import { write, writeJson } from "./output.ts";
import { progressLine } from "./progress.ts";

/**
 * Prints every problem of a workspace, or of the published results at a path; exit code 1 when there is one.
 *
 * @throws {UserError} when the path is not there, or holds nothing that can be checked.
 */
export async function validatePath(path: string | undefined, context: Context, json: boolean): Promise<void> {
  const progress = progressLine(context);
  const onProgress = (done: number, of: number): void =>
    progress.show(`${whole(done)} of ${whole(of)} results are read`);
  const options = { signal: context.interrupt, onProgress };
  let report: ValidationReport;
  try {
    report = await validated(path, context, options);
  } finally {
    progress.clear();
  }
  const { problems, omitted, notices } = report;
  if (problems.length > 0) context.exitCode = 1;
  if (json) {
    await writeJson(context, { schema_version: 1, ok: problems.length === 0, ...report });
    return;
  }
  for (const problem of problems) await write(context.stdout, `${visible(problemText(problem))}\n`);
  for (const { file, problems: more } of omitted) {
    await write(context.stdout, `${visible(file)}: and ${whole(more)} more in this file\n`);
  }
  for (const notice of notices) context.stderr.write(`${visible(notice)}\n`);
  await write(context.stdout, `${summary(report)}\n`);
}

async function validated(
  path: string | undefined,
  context: Context,
  options: FolderOptions,
): Promise<ValidationReport> {
  if (path === undefined) return await validateWorkspace(await context.workspace(), options);
  const folder = resolve(context.cwd, path);
  assertFolder(folder, path);
  if (existsSync(join(folder, "data", "corpus", "current.json"))) {
    const other = openWorkspace({ root: folder, cwd: context.cwd, env: context.env });
    return await validateWorkspace(other, options);
  }
  const workspace = await context.workspace();
  const base = isInside(folder, workspace) ? workspace.root : dirname(folder);
  return await validateFolders(workspace, { ...options, base, ...placeOf(folder, path) });
}

function assertFolder(folder: string, path: string): void {
  let reason = "is not a folder";
  try {
    if (statSync(folder).isDirectory()) return;
  } catch (error) {
    reason = errorCode(error) === "ENOENT" ? "is not there" : `cannot be read (${errorCode(error)})`;
  }
  throw new UserError(
    `${quoted(path, 200)} ${reason}: name the folder of a published result, of a suite, of results, or a workspace`,
  );
}

function isInside(folder: string, { root }: Workspace): boolean {
  const way = relative(root, folder);
  return way !== ".." && !/^(?:\.\.[/\\]|[/\\]|[A-Za-z]:)/.test(way);
}

/** What a folder is, by what is in it. */
function placeOf(folder: string, path: string): Pick<FolderOptions, "resultsDir" | "suite" | "ids"> {
  const suite = dirname(folder);
  const hasAny = (dir: string, names: readonly string[]): boolean =>
    names.some((name) => existsSync(join(dir, name)));
  const isResult = (dir: string): boolean => hasAny(dir, SIGNS);
  const isSuite = (dir: string): boolean =>
    hasAny(dir, Object.values(LEADERBOARD_FILES)) || foldersIn(dir).some(isResult);
  if (isResult(folder)) {
    return { resultsDir: dirname(suite), ids: [`${basename(suite)}/${basename(folder)}`] };
  }
  if (isSuite(folder)) return { resultsDir: suite, suite: basename(folder) };
  if (basename(folder) === "results" || foldersIn(folder).some(isSuite)) return { resultsDir: folder };
  throw new UserError(
    `${quoted(path, 200)} holds no published result: name a folder with ${SIGNS.join(", ")}, or one above it`,
  );
}

/** What only the folder of a published result holds. */
const SIGNS = [PUBLISHED_FILES.metadata, PUBLISHED_FILES.predictions, PUBLISHED_FILES.scores];

function foldersIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}

/** `6 results, 2 corpora: sound`, or `14 problems in 3 files`. */
function summary({ problems, omitted, results, corpora }: ValidationReport): string {
  const count = (n: number, one: string, many: string): string => `${whole(n)} ${n === 1 ? one : many}`;
  const checked = `${count(results.length, "result", "results")}, ${count(corpora.length, "corpus", "corpora")}`;
  if (problems.length === 0) return `${checked}: sound`;
  const all = omitted.reduce((sum, file) => sum + file.problems, problems.length);
  const files = new Set(problems.map(({ file }) => file)).size;
  return `${count(all, "problem", "problems")} in ${count(files, "file", "files")} (${checked})`;
}
