// The leaderboard of a suite, held against the results beside it.
import { join } from "node:path";
import { isJsonObject, type Json, type Writable } from "../answers/json.ts";
import { fieldPath, valueText } from "../fields.ts";
import { quoted } from "../quote.ts";
import { compareDocuments } from "./compare-documents.ts";
import { isOlderCoverage } from "./figures-check.ts";
import { differs, type ProblemList, type ProblemLists, unlike } from "./problem.ts";
import {
  type CheckContext,
  type CheckedResult,
  checkPage,
  namesIn,
  problemLists,
  readJson,
} from "./result-check.ts";
import { SUITE_FILES } from "./result-folder.ts";
import { type Scores, totalsOf } from "./scores.ts";

/** A result and its figures; undefined when they could not be computed again. */
export interface Scored {
  readonly result: CheckedResult;
  readonly scores: Scores | undefined;
  /** Ranks that the data allow; null for a partial result. */
  readonly ranks: { readonly rank_low: number | null; readonly rank_high: number | null } | undefined;
}

/**
 * Checks the files beside the folders of a suite: that every result stands in `leaderboard.json`, with its own figures, in their
 * order.
 *
 * @param files names of those of {@link SUITE_FILES} that are there.
 * @param notify told when results without figures keep it from being checked.
 */
export async function checkLeaderboard(
  suite: string,
  files: ReadonlySet<string>,
  entries: readonly Scored[],
  context: CheckContext,
  notify: (message: string) => void,
): Promise<ProblemLists> {
  const lists = problemLists(context);
  const path = (name: string): string => join(context.workspace.resultsDir, suite, name);
  const names = entries.flatMap(({ result }) => [
    ...namesIn(result.documents.metadata),
    ...(result.corpus?.sound?.names ?? []),
  ]);
  if (files.has(SUITE_FILES.page)) {
    await checkPage(path(SUITE_FILES.page), lists.of(path(SUITE_FILES.page)), context.scan, names);
  }
  if (!files.has(SUITE_FILES.json)) return lists;
  const problems = lists.of(path(SUITE_FILES.json));
  const document = await readJson(path(SUITE_FILES.json), problems, context.scan);
  if (document === undefined) return lists;
  context.scan.ours(document, problems);
  compareDocuments(document, { schema_version: 1, suite }, (field, said) => problems.add(null, field, said));
  const models = isJsonObject(document) ? document.get("models") : undefined;
  if (!Array.isArray(models)) {
    if (isJsonObject(document)) problems.add(null, "models", unlike(models, "a list"));
    return lists;
  }
  const unknown = entries.filter(({ scores }) => scores === undefined);
  if (unknown.length > 0) {
    const named = unknown
      .map(({ result }) => result.id)
      .slice(0, 3)
      .join(", ");
    notify(
      `${problems.file} was checked in part: figures of ${named}${unknown.length > 3 ? ", …" : ""} were not computed again`,
    );
  }
  checkEntries(models, entries, problems);
  const sha256 = isJsonObject(document) ? document.get("corpus_sha256") : undefined;
  checkCorpusDigest(sha256, entries, problems);
  return lists;
}

function checkEntries(models: readonly Json[], entries: readonly Scored[], problems: ProblemList): void {
  const byModel = new Map(entries.map((entry) => [entry.result.id.split("/")[1] ?? "", entry]));
  const seen = new Map<string, number>();
  let last: { accuracy: number; model: string } | null = null;
  for (const [index, found] of models.entries()) {
    const at = (name: string): string => fieldPath(["models", index, name]);
    const model = isJsonObject(found) ? found.get("model_id") : undefined;
    const entry = typeof model === "string" ? byModel.get(model) : undefined;
    if (typeof model !== "string" || entry === undefined || !isJsonObject(found)) {
      problems.add(null, at("model_id"), unlike(model, "the id of a result beside it"));
      continue;
    }
    const first = seen.get(model);
    if (first !== undefined)
      problems.add(null, at("model_id"), { message: `is that of models[${first}] already` });
    seen.set(model, index);
    const { scores, result } = entry;
    compareDocuments(
      found,
      figuresOf(entry, found),
      (field, said, numbers) => {
        const older =
          numbers !== undefined &&
          result.lines !== null &&
          isOlderCoverage(field, numbers.found, result.lines.tally);
        problems.add(
          null,
          field,
          older ? { ...said, message: `${said.message} (the older tool's definition)` } : said,
        );
      },
      ["models", index],
      `of ${quoted(model)}`,
    );
    const accuracy = scores?.overall.accuracy ?? null;
    if (accuracy === null) continue;
    if (last !== null && (accuracy > last.accuracy || (accuracy === last.accuracy && model < last.model))) {
      problems.add(null, at("model_id"), {
        message: `${valueText(model)} stands behind ${valueText(last.model)}: expected the order of accuracy, then of ids`,
        found: valueText(model),
      });
    }
    last = { accuracy, model };
  }
  for (const [model] of byModel) {
    if (!seen.has(model)) {
      problems.add(null, "models", {
        message: `has no entry of ${valueText(model)}, a result beside it`,
        expected: valueText(model),
      });
    }
  }
}

/** What an entry should say; keys that the found one lacks and an older tool does not write are left out. */
function figuresOf({ result, scores, ranks }: Scored, found: ReadonlyMap<string, Json>): Writable {
  const { metadata, corpus } = result;
  const said =
    metadata === null
      ? {}
      : {
          label: metadata.model.label ?? null,
          vendor: metadata.model.vendor ?? null,
          provider: metadata.model.provider,
          api_model: metadata.model.api_model,
          completed_at: metadata.run.completed_at,
          ...(found.has("prompt_version") ? { prompt_version: metadata.prompt_version } : {}),
        };
  if (scores === undefined) return said;
  const { errors: _errors, input_tokens, output_tokens, ...totals } = totalsOf(scores);
  const { rows, errors } = scores.overall;
  const full = rows === corpus?.sound?.rows.length;
  return {
    ...said,
    ...(totals as Record<string, Writable>),
    rows,
    errors,
    cost_per_1000_rows_usd: scores.cost.per_1000_rows_usd,
    full_coverage: full,
    ...Object.fromEntries(Object.entries(ranks ?? {}).filter(([name]) => found.has(name))),
  };
}

function checkCorpusDigest(
  sha256: Json | undefined,
  entries: readonly Scored[],
  problems: ProblemList,
): void {
  const digests = entries.flatMap(({ result }) => result.metadata?.corpus.sha256 ?? []);
  if (typeof sha256 === "string" && (digests.length === 0 || digests.includes(sha256))) return;
  problems.add(null, "corpus_sha256", differs(sha256, digests[0], "the digest of a result beside it"));
}
