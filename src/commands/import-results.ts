// What `bench import` does: finds the results, has them checked and brought in, and says what became of them.
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { loadCorpus } from "../corpus/load.ts";
import { CheckError } from "../errors.ts";
import { interval, percent, UNKNOWN, whole } from "../figures.ts";
import { visible } from "../output.ts";
import { findResults } from "../publish/find-results.ts";
import { type Imported, importResults } from "../publish/import.ts";
import type { LeaderboardEntry } from "../publish/leaderboard.ts";
import { problemText } from "../publish/problem.ts";
import { assertOwnWorkspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import { write, writeJson } from "./output.ts";
import { progressLine } from "./progress.ts";

/**
 * Brings in the published results at some paths; exit code 1 and nothing written when anything is wrong with one of them.
 *
 * @throws {UserError} for a path without a result; {@link CheckError} as {@link importResults}.
 */
export async function importPaths(
  paths: readonly string[],
  context: Context,
  { replace, json }: { readonly replace: boolean; readonly json: boolean },
): Promise<void> {
  const workspace = await context.workspace();
  assertOwnWorkspace(workspace.root);
  // A link to a folder that is named as well is no second result.
  const found = paths.flatMap((path) => findResults(resolve(context.cwd, path), path));
  const folders = [...new Set(found.map((folder) => realpathSync(folder)))];
  const signal = context.interrupt;
  const corpus = await loadCorpus(workspace, { signal });
  const notify = (message: string): void => {
    context.stderr.write(`${visible(message)}\n`);
  };
  const progress = progressLine(context);
  const onProgress = (done: number, of: number): void =>
    progress.show(`${whole(done)} of ${whole(of)} results are checked`);
  const input = { workspace, corpus, folders, replace, notify, onProgress, signal };
  const imported = await importResults(input).finally(progress.clear);
  if (imported.problems.length > 0) context.exitCode = 1;
  if (json) {
    const { entries, ...rest } = imported;
    const ok = imported.problems.length === 0;
    await writeJson(context, { schema_version: 1, ok, suite: corpus.suite, imported: entries, ...rest });
  } else
    for (const line of linesOf(imported, corpus.suite)) await write(context.stdout, `${visible(line)}\n`);
  if (imported.problems.length > 0) {
    const count = imported.omitted.reduce((sum, file) => sum + file.problems, imported.problems.length);
    throw new CheckError(
      `nothing was brought in: ${count} ${count === 1 ? "problem" : "problems"} in what was published. ` +
        "Ask for files that are sound, or leave these results out.",
    );
  }
}

function linesOf({ entries, unchanged, differences, problems, omitted }: Imported, suite: string): string[] {
  if (problems.length > 0) {
    const more = omitted.map(({ file, problems: count }) => `${file}: and ${whole(count)} more in this file`);
    return [...problems.map(problemText), ...more];
  }
  const lines = [
    ...entries.map((entry) => `imported: results/${suite}/${entry.model_id}, ${standing(entry)}`),
    ...unchanged.map((model) => `is there already: results/${suite}/${model}`),
    ...differences.map(
      ({ file, field, found, ours }) =>
        `differs by definition: ${file}: ${field}: ${found} there, ${ours} here (calls with status 429 count, too)`,
    ),
  ];
  if (entries.length > 0) lines.push(`leaderboard: results/${suite}/leaderboard.md`);
  return lines;
}

function standing({ accuracy, wilson95, rows, rank_low: low, rank_high: high }: LeaderboardEntry): string {
  const rank = low === null || high === null ? "not ranked" : `rank ${low === high ? low : `${low}–${high}`}`;
  const ends = wilson95 === null ? UNKNOWN : interval(wilson95[0], wilson95[1]);
  return `${percent(accuracy)} of ${whole(rows)} rows ${ends}, ${rank}`;
}
