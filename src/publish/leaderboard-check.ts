// The leaderboard of a suite, held against the one that is made of the results beside it.
import { join } from "node:path";
import { isJsonObject, type Json, toPlain, type Writable } from "../answers/json.ts";
import { compareDocuments } from "./compare-documents.ts";
import { type Difference, isOlderCoverage, OLDER } from "./figures-check.ts";
import { LEADERBOARD_FILES, LEADERBOARD_MARK, type Leaderboard, leaderboardText } from "./leaderboard.ts";
import type { ProblemLists } from "./problem.ts";
import {
  type CheckContext,
  type CheckedResult,
  checkPage,
  namesIn,
  problemLists,
  readJson,
} from "./result-check.ts";

/**
 * Checks the files beside the folders of a suite: every figure and the order of `leaderboard.json`, and that `leaderboard.md`
 * says the same.
 *
 * @param files names of those of {@link LEADERBOARD_FILES} that are there.
 * @param results all of the suite.
 * @param board what is made of them; undefined when some cannot be counted: then only secrets are looked for.
 */
export async function checkLeaderboard(
  suite: string,
  files: ReadonlySet<string>,
  results: readonly CheckedResult[],
  board: Leaderboard | undefined,
  context: CheckContext,
): Promise<{ readonly lists: ProblemLists; readonly differences: readonly Difference[] }> {
  const lists = problemLists(context);
  const differences: Difference[] = [];
  const path = (name: string): string => join(context.workspace.resultsDir, suite, name);
  const problems = lists.of(path(LEADERBOARD_FILES.json));
  const document = files.has(LEADERBOARD_FILES.json)
    ? await readJson(path(LEADERBOARD_FILES.json), problems, context.scan)
    : undefined;
  if (document !== undefined) context.scan.ours(document, problems);
  if (document !== undefined && board !== undefined) {
    const models = member(document, "models");
    compareDocuments(document, expectedOf(board, document), (field, said, numbers) => {
      const index = Number(/^models\[(\d+)\]\.cost_coverage$/.exec(field)?.[1] ?? Number.NaN);
      const model = Array.isArray(models) ? member(models[index], "model_id") : undefined;
      const tally = results.find(({ id }) => id === `${suite}/${model}`)?.lines?.tally;
      const older =
        numbers !== undefined && tally !== undefined && isOlderCoverage(field, numbers.found, tally);
      if (older && context.olderDefinitions) {
        differences.push({ file: problems.file, field, found: numbers.found, ours: numbers.expected });
      } else {
        problems.add(null, field, older ? { ...said, message: said.message + OLDER } : said);
      }
    });
  }
  if (files.has(LEADERBOARD_FILES.text)) {
    const names = results.flatMap(({ documents, corpus }) => [
      ...namesIn(documents.metadata),
      ...(corpus?.sound?.names ?? []),
    ]);
    // The page is held against the document: whether that is right is said of it.
    const written =
      document !== undefined && board !== undefined && problems.count === 0
        ? { mark: LEADERBOARD_MARK, text: leaderboardText(toPlain(document) as Leaderboard) }
        : null;
    await checkPage(
      path(LEADERBOARD_FILES.text),
      lists.of(path(LEADERBOARD_FILES.text)),
      context.scan,
      names,
      written,
    );
  }
  return { lists, differences };
}

/** What the document should say. The older tool has neither prompts nor ranks, and another note; it writes times otherwise. */
function expectedOf(board: Leaderboard, found: Json): Writable {
  const { note: _note, ...rest } = board;
  const models = member(found, "models");
  const entries = Array.isArray(models) ? models : [];
  return {
    ...rest,
    models: board.models.map((entry) => {
      const own = entries.find((other) => member(other, "model_id") === entry.model_id);
      const lacks = (name: string): boolean => isJsonObject(own) && !own.has(name);
      const kept = Object.entries(entry).filter(([name]) => !(NEW_FIELDS.has(name) && lacks(name)));
      const time = member(own, "completed_at");
      const same = typeof time === "string" && Date.parse(time) === Date.parse(entry.completed_at ?? "");
      return { ...Object.fromEntries(kept), ...(same ? { completed_at: time } : {}) };
    }),
  };
}

/** Fields that the older tool does not write. */
const NEW_FIELDS: ReadonlySet<string> = new Set(["prompt_version", "prompt_sha256", "rank_low", "rank_high"]);

function member(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? value.get(key) : undefined;
}
