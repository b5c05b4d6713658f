// The leaderboard of a suite, held against the one that is made of the results beside it.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type Json, toPlain, type Writable } from "../answers/json.ts";
import { valueText } from "../fields.ts";
import { compareDocuments } from "./compare-documents.ts";
import { type Difference, isOlderCoverage, OLDER } from "./figures-check.ts";
import { LEADERBOARD_FILES, LEADERBOARD_MARK, type Leaderboard, leaderboardText } from "./leaderboard.ts";
import { checkPage } from "./page-check.ts";
import type { ProblemList, ProblemLists } from "./problem.ts";
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
  const isOurs = document !== undefined && (isOwn(document) || results.every(isByBench));
  if (document !== undefined) tellStrangers(document, results, problems);
  if (document !== undefined && board !== undefined) {
    const models = member(document, "models");
    compareDocuments(document, expectedOf(board, document, isOurs), (field, said, numbers) => {
      if (problems.has(null, field)) return;
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
  const page = path(LEADERBOARD_FILES.text);
  if (results.length === 0) {
    lists.tell(join(context.workspace.resultsDir, suite), "has a leaderboard and no result: remove it");
  } else if (files.has(LEADERBOARD_FILES.text) && !isThere(path(LEADERBOARD_FILES.json))) {
    lists.tell(
      path(LEADERBOARD_FILES.json),
      `is not there, and ${LEADERBOARD_FILES.text} can be held against nothing: publish a result of the suite again to have both written`,
    );
  } else if (!files.has(LEADERBOARD_FILES.text)) {
    notices.push(
      `${context.fileOf(page)} is not there: the next \`bench publish\` or \`bench import --replace\` writes it`,
    );
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

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether a document is of this program: only such ones have ranks. */
function isOwn(document: Json): boolean {
  return entriesOf(document).some((entry) => isJsonObject(entry) && entry.has("rank_low"));
}

/** Whether this program has written a result: it writes the leaderboard at the same time. */
function isByBench({ metadata }: CheckedResult): boolean {
  return metadata?.analysis_version != null;
}

/** Entries about results that are not there, also where nothing can be computed. */
function tellStrangers(document: Json, results: readonly CheckedResult[], problems: ProblemList): void {
  const ids = new Set(results.map(({ id }) => id.split("/").at(-1)));
  for (const [index, entry] of entriesOf(document).entries()) {
    const model = member(entry, "model_id");
    if (typeof model === "string" && ids.has(model)) continue;
    problems.add(null, `models[${index}].model_id`, {
      message: "is about a result that is not in the suite",
      found: valueText(model === undefined ? null : toPlain(model)),
      expected: "the folder of a result",
    });
  }
}

function entriesOf(document: Json): readonly Json[] {
  const models = member(document, "models");
  return Array.isArray(models) ? models : [];
}

/** What the document should say. The older tool has neither prompts nor ranks, and another note; it writes times otherwise. */
function expectedOf(board: Leaderboard, found: Json, isOurs: boolean): Writable {
  const { note, ...rest } = board;
  const models = member(found, "models");
  const entries = Array.isArray(models) ? models : [];
  const said = member(found, "note");
  return {
    ...rest,
    note: isOurs || typeof said !== "string" ? note : said,
    models: board.models.map((entry) => {
      const own = entries.find((other) => member(other, "model_id") === entry.model_id);
      const lacks = (name: string): boolean => !isOurs && isJsonObject(own) && !own.has(name);
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
