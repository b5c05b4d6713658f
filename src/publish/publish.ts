// Publishing a run: its predictions, figures and documents are written beside what is published, computed and checked there
// as a stranger would, and only then put in place.
import { createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseJson } from "../answers/json.ts";
import type { Corpus } from "../corpus/load.ts";
import { CheckError, InterruptedError } from "../errors.ts";
import { whole } from "../figures.ts";
import { syncFolder } from "../files.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { RUN_FILES, type RunRecord } from "../ledgers/schema.ts";
import { modelIdSchema } from "../models/schema.ts";
import { assertKeysOutsideLabels, configuredKeys } from "../providers/redact.ts";
import { quoted } from "../quote.ts";
import { ANALYSIS_VERSION } from "../warehouse/views.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Workspace } from "../workspace.ts";
import { writeSuite } from "./documents.ts";
import { isOneFamily, LEADERBOARD_FILES, type LeaderboardEntry } from "./leaderboard.ts";
import {
  CLOCK_WARNING,
  cliVersionsOf,
  cliVersionsWarning,
  coverageWarning,
  type MetadataHead,
  metadataHead,
  timeOutOfOrder,
} from "./metadata.ts";
import { predictionLines } from "./predictions.ts";
import { ProblemList, problemText } from "./problem.ts";
import type { Scores } from "./scores.ts";
import { SecretScan } from "./secret-scan.ts";
import { type Draft, replaceSuite } from "./swap.ts";
import { validateFolders } from "./validate.ts";

/** What is to be published. */
export interface PublishInput {
  readonly workspace: Workspace;
  /** Holds the run, all columns of it. */
  readonly warehouse: Warehouse;
  readonly run: RunRecord;
  /** Folder name of the run. */
  readonly runId: string;
  /** The active one, checked. */
  readonly corpus: Corpus;
  /** Publishes a run that is not whole, with its warnings. */
  readonly force: boolean;
  readonly now: Date;
  readonly notify: (message: string) => void;
  /** Told what is being done. */
  readonly onProgress?: (text: string) => void;
  readonly signal: AbortSignal;
}

/** What was published. */
export interface Published {
  /** `<suite>/<model-id>`. */
  readonly id: string;
  readonly scores: Scores;
  /** Its place on the leaderboard. */
  readonly entry: LeaderboardEntry;
  /** How many results are ranked among each other there, its own too. */
  readonly ranked: number;
  readonly warnings: readonly string[];
}

/**
 * Writes `results/<suite>/<model-id>/` and the suite's leaderboard, in place of what stands there.
 *
 * @throws {CheckError} for a run on another corpus, one without a finished row, one that is not whole and not forced, one
 * whose ledgers say what the corpus denies; {@link UserError} for a key that is part of a label.
 */
export async function publishRun(input: PublishInput): Promise<Published> {
  const { workspace, warehouse, run, runId, corpus } = input;
  const { config } = run;
  assertPublishable(run, runId, corpus);
  assertKeysOutsideLabels(configuredKeys(workspace.env), corpus.rows);
  const warnings = await warningsOf(input);
  const scan = new SecretScan(workspace.env);
  const { mask } = scan;
  const head = metadataHead({
    run,
    // A server may name the file that it has loaded: that is for nobody to mend.
    resolvedModels: [...new Set((await resolvedModels(warehouse, runId)).map(scan.maskOurs))].sort(),
    warnings,
    publishedAt: input.now.toISOString(),
    analysisVersion: ANALYSIS_VERSION,
    mask,
  });
  assertPublic(head, runId, scan);
  const id = `${config.suite}/${config.model_id}`;
  const replaced = new Set<string>([config.model_id, ...Object.values(LEADERBOARD_FILES)]);
  const build = async (draft: Draft) => {
    const folder = join(draft.suiteDir, config.model_id);
    await mkdir(folder);
    const rows = corpus.rows.map((row) => row.id);
    await writeLines(
      join(folder, PUBLISHED_FILES.predictions),
      counted(predictionLines(warehouse, runId, rows, mask), rows.length, input.onProgress),
      input.signal,
    );
    const selected = config.selected_rows.count;
    input.onProgress?.("computing the figures");
    const written = await writeSuite({ ...input, draft, results: [{ head, selected }] });
    await syncFolder(folder);
    input.onProgress?.("checking what was written");
    await assertSound(input, draft, id, written.scores);
    return written;
  };
  const { scores, board } = await replaceSuite(input, config.suite, replaced, build);
  const entry = board.models.find((model) => model.model_id === config.model_id);
  const own = scores.get(id);
  if (entry === undefined || own === undefined) throw new Error(`${id} was not read`);
  return { id, scores: own, entry, ranked: rankedWith(entry, board.models), warnings };
}

/** What others would refuse is not published: the run's ledgers say something that cannot be. */
async function assertSound(
  { workspace, runId, signal }: PublishInput,
  { resultsDir }: Draft,
  id: string,
  figures: ReadonlyMap<string, Scores>,
): Promise<void> {
  const where = { resultsDir, base: resultsDir, ids: [id] };
  const { problems } = await validateFolders(workspace, { ...where, figures, signal });
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  throw new CheckError(
    `run ${runId} is not published, its result would not be sound: results/${problemText(first)}${more}. ` +
      `\`bench doctor ${runId}\` tells whether the run's ledgers are damaged.`,
  );
}

function rankedWith(entry: LeaderboardEntry, models: readonly LeaderboardEntry[]): number {
  return models.filter((model) => model.rank_low !== null && isOneFamily(model, entry)).length;
}

function assertPublishable({ config }: RunRecord, runId: string, corpus: Corpus): void {
  if (config.corpus_sha256 !== corpus.sha256) {
    throw new CheckError(
      `run ${runId} was made on ${quoted(config.suite)} with the digest ${config.corpus_sha256}, the active corpus is ` +
        `${quoted(corpus.suite)} with ${corpus.sha256}. A run is published on its own corpus only (--force does not change that): ` +
        "make it the active one with `bench corpus use`.",
    );
  }
  if (config.suite !== corpus.suite) {
    throw new CheckError(
      `run ${runId} names the suite ${quoted(config.suite)}, its corpus is ${quoted(corpus.suite)}: run.json was changed. Bring the file back.`,
    );
  }
  const { error } = modelIdSchema.safeParse(config.model_id);
  // A folder of that name would stand where the leaderboard belongs.
  const taken = (Object.values(LEADERBOARD_FILES) as string[]).includes(config.model_id);
  if (error === undefined && !taken) return;
  const expected = error?.issues[0]?.message ?? "expected a name that is none of a leaderboard file";
  throw new CheckError(
    `run ${runId} names the model ${quoted(config.model_id)}, which is no id that can be published: ${expected}. ` +
      "Give the model another id in config/models.json and evaluate it under that.",
  );
}

/** What readers call a model: no figure and no frozen setting stands on these. */
const NAMES = ["model.label", "model.short_label", "model.vendor"];

/** A run may have been made before a text in it was known to be private. Its ledgers are not to blame. */
function assertPublic(head: MetadataHead, runId: string, scan: SecretScan): void {
  const found = new ProblemList(`runs/${runId}/${RUN_FILES.run}`, scan.mask);
  scan.ours(parseJson(JSON.stringify(head)), found);
  const [first] = found.problems;
  if (first === undefined) return;
  const advice = first.message.includes("configured")
    ? "Take the variable that holds it out of the environment of this command, or use another key."
    : NAMES.includes(first.field)
      ? "It is only what readers call the model: write another name there, and into config/models.json for later runs, and publish again."
      : "It belongs to what was evaluated: change it where it comes from (config/models.json, --api-model) and evaluate the model again.";
  throw new CheckError(
    `run ${runId} is not published: its ${first.field} (${first.file}) ${first.message.replace(/:.*$/, "")}. ${advice}`,
  );
}

async function warningsOf({ warehouse, run, runId, corpus, force, now }: PublishInput): Promise<string[]> {
  const [found] = await warehouse.rows("SELECT rows_completed FROM runs WHERE run_id = $1", [runId]);
  const done = Number(found?.rows_completed ?? 0);
  if (done === 0) throw new CheckError(`run ${runId} has no finished row: there is nothing to publish.`);
  const warnings: string[] = [];
  if (!run.status.startsWith("completed")) warnings.push(`its run is ${run.status}`);
  if (done < corpus.rowCount) warnings.push(coverageWarning(done, corpus.rowCount));
  if (warnings.length > 0 && !force) {
    throw new CheckError(
      `run ${runId} is not published: ${warnings.join(", and ")}. Finish it with the command that began it, or publish it as it is ` +
        "with --force, which writes this down in the result.",
    );
  }
  // Nobody can mend that, and no figure depends on it: durations come from another clock.
  const times = {
    created_at: run.created_at,
    completed_at: run.completed_at,
    published_at: now.toISOString(),
  };
  if (timeOutOfOrder(times) !== null) warnings.push(CLOCK_WARNING);
  const versions = cliVersionsOf(run);
  if (versions.length > 1) warnings.push(cliVersionsWarning(versions));
  return warnings;
}

async function resolvedModels(warehouse: Warehouse, runId: string): Promise<string[]> {
  const rows = await warehouse.rows(
    `SELECT DISTINCT resolved_model FROM attempts
     WHERE run_id = $1 AND resolved_model IS NOT NULL ORDER BY resolved_model ASC`,
    [runId],
  );
  return rows.map((row) => row.resolved_model as string);
}

async function* counted(
  lines: AsyncIterable<string>,
  of: number,
  onProgress: PublishInput["onProgress"],
): AsyncGenerator<string, void> {
  let done = 0;
  for await (const line of lines) {
    yield line;
    done += 1;
    if (done % 1000 === 0) onProgress?.(`${whole(done)} of ${whole(of)} lines are written`);
  }
}

/** Writes lines to a new file, on disk when this resolves. */
async function writeLines(path: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(Readable.from(lines), createWriteStream(path, { flags: "wx" }), { signal });
  } catch (error) {
    // The stream says it in words of its own.
    if (signal.aborted) throw new InterruptedError("interrupted");
    throw error;
  }
  const file = await open(path, "r");
  await file.sync().finally(() => file.close());
}
