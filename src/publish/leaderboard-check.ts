// The leaderboard of a suite, held against the one that is made of the results beside it.
import { join } from "node:path";
import { isJsonObject, type Json, toPlain, type Writable } from "../answers/json.ts";
import { compareDocuments } from "./compare-documents.ts";
import { type Difference, isOlderCoverage, OLDER } from "./figures-check.ts";
import { LEADERBOARD_FILES, LEADERBOARD_MARK, type Leaderboard, leaderboardText } from "./leaderboard.ts";
import { checkPage } from "./page-check.ts";
import type { ProblemLists } from "./problem.ts";
import { type CheckContext, type CheckedResult, namesIn, problemLists, readJson } from "./result-check.ts";

/** What was found in the files of a leaderboard. */
export interface CheckedLeaderboard {
  readonly lists: ProblemLists;
  readonly differences: readonly Difference[];
  /** What was not compared, and why. */
  readonly notices: readonly string[];
}

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
): Promise<CheckedLeaderboard> {
  const lists = problemLists(context);
  const notices: string[] = [];
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
  const isOurs = document !== undefined && isOwn(document);
  const page = path(LEADERBOARD_FILES.text);
  if (files.has(LEADERBOARD_FILES.text) && !files.has(LEADERBOARD_FILES.json)) {
    lists.tell(
      path(LEADERBOARD_FILES.json),
      `is not there, and ${LEADERBOARD_FILES.text} can be held against nothing: publish a result of the suite again to have both written`,
    );
  } else if (!files.has(LEADERBOARD_FILES.text)) {
    notices.push(`${context.fileOf(page)} is not there: the next \`bench publish\` writes it`);
  }
  if (document !== undefined && !isOurs) {
    notices.push(`${problems.file} was written by another program: its note was not compared`);
  }
  if (files.has(LEADERBOARD_FILES.text)) {
    const names = results.flatMap(({ documents, corpus }) => [
      ...namesIn(documents.metadata),
      ...(corpus?.sound?.names ?? []),
    ]);
    // The page is held against the document: whether that is right is said of it.
    const text =
      document !== undefined && board !== undefined && problems.count === 0
        ? leaderboardText(toPlain(document) as Leaderboard)
        : null;
    const expected = { mark: LEADERBOARD_MARK, text, isOurs };
    if (await checkPage(page, lists.of(page), context.scan, names, expected)) {
      notices.push(`${context.fileOf(page)} was written by another program: it was not compared`);
    }
  }
  return { lists, differences, notices };
}

/** Whether a document is of this program: only such ones have ranks. */
function isOwn(document: Json): boolean {
  const models = member(document, "models");
  return !Array.isArray(models) || models.every((entry) => isJsonObject(entry) && entry.has("rank_low"));
}

/** What the document should say. The older tool has neither prompts nor ranks, and another note; it writes times otherwise. */
function expectedOf(board: Leaderboard, found: Json): Writable {
  const { note, ...rest } = board;
  const models = member(found, "models");
  const entries = Array.isArray(models) ? models : [];
  const said = member(found, "note");
  return {
    ...rest,
    note: isOwn(found) || typeof said !== "string" ? note : said,
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
