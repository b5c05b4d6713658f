// The figures of a published result, held against those that are computed from its predictions.
import { join } from "node:path";
import { isJsonObject, toPlain, type Writable } from "../answers/json.ts";
import { issuesOf } from "../fields.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { compareDocuments, type Differ } from "./compare-documents.ts";
import type { Tally } from "./predictions-check.ts";
import type { ProblemList } from "./problem.ts";
import type { CheckContext, CheckedResult } from "./result-check.ts";
import { isSameNumber } from "./same-number.ts";
import { scoresFileSchema } from "./schema.ts";
import { type Scores, totalsOf } from "./scores.ts";

/** A figure that is right by another definition than ours. */
export interface Difference {
  readonly file: string;
  readonly field: string;
  readonly found: number;
  readonly ours: number;
}

/**
 * Compares every figure of `scores.json` and of `totals` in `metadata.json`, as far as these can be read.
 *
 * @param scores what was computed; undefined when that could not be done: then only the shape is checked.
 * @returns the figures that differ by definition, when the context allows them.
 */
export function checkFigures(
  { id, folder, documents, metadata, lines, lists }: CheckedResult,
  scores: Scores | undefined,
  context: CheckContext,
): Difference[] {
  const differences: Difference[] = [];
  const differ =
    (problems: ProblemList): Differ =>
    (field, said, numbers) => {
      if (problems.has(null, field)) return;
      const older =
        numbers !== undefined && lines !== null && isOlderCoverage(field, numbers.found, lines.tally);
      if (older && context.olderDefinitions) {
        differences.push({ file: problems.file, field, found: numbers.found, ours: numbers.expected });
      } else {
        problems.add(null, field, older ? { ...said, message: said.message + OLDER } : said);
      }
    };
  const listOf = (name: string): ProblemList => lists.of(join(folder, name));
  if (documents.scores !== undefined) {
    const list = listOf(PUBLISHED_FILES.scores);
    const tell = differ(list);
    if (scores !== undefined) {
      const isOurs = metadata?.analysis_version != null;
      compareDocuments(documents.scores, written(scores, documents.scores, isOurs), tell);
    }
    const [suite = "", model = ""] = id.split("/");
    const sha256 = metadata === null ? {} : { corpus_sha256: metadata.corpus.sha256 };
    if (isJsonObject(documents.scores)) {
      compareDocuments(documents.scores, { suite, model_id: model, ...sha256 }, tell);
    }
    const parsed = scoresFileSchema.safeParse(toPlain(documents.scores), { reportInput: true });
    if (!parsed.success) list.addIssues(null, issuesOf(parsed.error));
  }
  if (scores !== undefined && isJsonObject(documents.metadata)) {
    const tell = differ(listOf(PUBLISHED_FILES.metadata));
    compareDocuments(documents.metadata.get("totals"), { ...totalsOf(scores) }, tell, ["totals"]);
  }
  return differences;
}

/** What the file should hold: an older tool has no extensions. */
function written(scores: Scores, found: unknown, isOurs: boolean): Writable {
  const { extensions, ...older } = scores;
  const document =
    !isOurs && isJsonObject(found) && !found.has("extensions") ? older : { ...older, extensions };
  return document as unknown as Writable;
}

const COVERAGE_FIELDS = ["cost.coverage", "totals.cost_coverage", "cost_coverage"];
/** What is said of a coverage by the older definition. */
export const OLDER =
  ": the older tool leaves attempts with status 429 out of it; `bench import` brings such a result in with ours";

/** Whether a coverage is the share of known costs among the attempts that are not 429, those counted above or not. */
export function isOlderCoverage(field: string, found: number, tally: Tally): boolean {
  if (!COVERAGE_FIELDS.some((name) => field === name || field.endsWith(`.${name}`))) return false;
  const attempts = tally.attempts - tally.throttled;
  if (tally.throttled === 0 || attempts === 0) return false;
  const known = [tally.knownCosts, tally.knownCosts - tally.throttledKnown];
  return known.some((count) => isSameNumber(found, count / attempts));
}
