// Checks everything that is committed: the corpora, models.json, and every published result, with all figures computed again
// from the predictions.
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { InterruptedError } from "../errors.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { inspectModels } from "../models/registry.ts";
import { restoreResults } from "../warehouse/aside.ts";
import type { Workspace } from "../workspace.ts";
import { Corpora, type ReadCorpus } from "./corpora.ts";
import { checkFigures, type Difference } from "./figures-check.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { checkLeaderboard } from "./leaderboard-check.ts";
import type { Problem, ProblemList, ProblemLists } from "./problem.ts";
import { recompute, type Suite } from "./recompute.ts";
import { type CheckContext, type CheckedResult, checkResult, problemLists } from "./result-check.ts";
import { modelNames, suiteNames } from "./result-folder.ts";
import type { Scores } from "./scores.ts";
import { SecretScan } from "./secret-scan.ts";

export interface ValidateOptions {
  /** Stops everything; it rejects with an {@link InterruptedError}. */
  readonly signal?: AbortSignal | undefined;
  /** Takes the older tool's definition of the cost coverage for a difference and no problem. */
  readonly olderDefinitions?: boolean;
  /** Folder that file names in problems are relative to; the workspace's when not given. */
  readonly base?: string;
  /** Told after each result how many of how many are read. */
  readonly onProgress?: (done: number, of: number) => void;
}

export interface FolderOptions extends ValidateOptions {
  /** The folder that holds `<suite>/<model-id>/`; the workspace's `results/` when not given. */
  readonly resultsDir?: string;
  /** Only these results, `<suite>/<model-id>`, and no leaderboard; all that are there when not given. */
  readonly ids?: readonly string[];
  /** Only this suite, its leaderboard too. */
  readonly suite?: string;
  /** Scores of the results by id that were computed a moment ago, of the lines that are there: they are not computed again. */
  readonly figures?: ReadonlyMap<string, Scores>;
}

export interface ResultReport {
  /** `<suite>/<model-id>`. */
  readonly id: string;
  /** Lines of its predictions; null when they cannot be read. */
  readonly rows: number | null;
  /** Whether every row of its corpus has a line; null when the corpus is not here. */
  readonly full: boolean | null;
  /** Whether every figure was computed again and compared. */
  readonly recomputed: boolean;
  readonly problems: number;
}

export interface CorpusReport {
  /** Name of its folder. */
  readonly name: string;
  readonly active: boolean;
  /** null when something is wrong with it. */
  readonly suite: string | null;
  readonly version: string | null;
  readonly sha256: string | null;
  readonly rows: number | null;
  readonly problems: number;
}

export interface ValidationReport {
  readonly problems: readonly Problem[];
  /** Files of which only the first problems are listed, and how many more there are. */
  readonly omitted: readonly { readonly file: string; readonly problems: number }[];
  /** What could not be checked, and why. */
  readonly notices: readonly string[];
  readonly differences: readonly Difference[];
  readonly results: readonly ResultReport[];
  /** Those that were read. */
  readonly corpora: readonly CorpusReport[];
}

/**
 * Checks a whole workspace: all corpora, `config/models.json` if it is there, all published results.
 *
 * @throws {InterruptedError} when it was stopped; {@link UserError} when a folder of the workspace cannot be read.
 */
export async function validateWorkspace(
  workspace: Workspace,
  options: ValidateOptions = {},
): Promise<ValidationReport> {
  const context = await contextOf(workspace, options);
  const lists = problemLists(context);
  await context.corpora.all();
  if (existsSync(workspace.modelsFile)) {
    const { findings } = await inspectModels(workspace);
    const list = lists.of(workspace.modelsFile);
    for (const { field, message } of findings) list.add(null, field, { message });
  }
  return await validate(context, options, lists);
}

/**
 * Checks results below any folder against the corpora of a workspace; of these, those are read that the results name.
 *
 * @throws as {@link validateWorkspace}.
 */
export async function validateFolders(
  workspace: Workspace,
  options: FolderOptions = {},
): Promise<ValidationReport> {
  const resultsDir = options.resultsDir ?? workspace.resultsDir;
  const context = await contextOf({ ...workspace, resultsDir }, options);
  return await validate(context, options, problemLists(context));
}

async function contextOf(workspace: Workspace, options: ValidateOptions): Promise<CheckContext> {
  const base = options.base ?? workspace.root;
  return {
    workspace,
    corpora: await Corpora.in(workspace, options.signal),
    scan: new SecretScan(workspace.env),
    fileOf: (path) => relative(base, path).split(sep).join("/"),
    olderDefinitions: options.olderDefinitions === true,
    signal: options.signal,
  };
}

async function validate(
  context: CheckContext,
  options: FolderOptions,
  lists: ProblemLists,
): Promise<ValidationReport> {
  const suites = await suitesOf(context, options, lists);
  const ids = suites.flatMap((suite) => suite.ids);
  const results: CheckedResult[] = [];
  for (const id of ids) {
    if (options.signal?.aborted) throw new InterruptedError("interrupted");
    results.push(await checkResult(id, context));
    options.onProgress?.(results.length, ids.length);
  }
  const notices: string[] = [];
  const notify = (message: string): void => void notices.push(message);
  const { figures } = options;
  const { scores, boards } =
    figures === undefined
      ? await recompute(results, suites, context, notify)
      : { scores: figures, boards: new Map<string, Leaderboard>() };
  const differences = results.flatMap((result) => checkFigures(result, scores.get(result.id), context));
  const pages: ProblemLists[] = [];
  for (const { name, ids: members, files } of suites) {
    if (files.size === 0) {
      if (name !== "" && members.length > 0) notify(noLeaderboard(name, context));
      continue;
    }
    const own = results.filter(({ id }) => members.includes(id));
    const checked = await checkLeaderboard(name, files, own, boards.get(name), context);
    pages.push(checked.lists);
    differences.push(...checked.differences);
    notices.push(...checked.notices);
  }
  notices.push(...uncompared(results));
  const corpora = await context.corpora.opened();
  const all = [lists, ...results.map((result) => result.lists), ...pages].flatMap((some) => some.all);
  return {
    problems: [...corpora.flatMap(problemsOf), ...all.flatMap((list) => list.problems)],
    omitted: all
      .filter((list) => list.omitted > 0)
      .map(({ file, omitted: problems }) => ({ file, problems })),
    notices,
    differences,
    results: results.map((result) => reportOf(result, scores.has(result.id))),
    corpora: corpora.map(corpusReport),
  };
}

function noLeaderboard(suite: string, { fileOf, workspace }: CheckContext): string {
  return `${fileOf(join(workspace.resultsDir, suite))} has no leaderboard: the next \`bench publish\` or \`bench import --replace\` writes it`;
}

/** What of the results was left out, a sentence a kind. */
function uncompared(results: readonly CheckedResult[]): string[] {
  const told = (
    found: readonly CheckedResult[],
    why: string,
    much: (result: CheckedResult) => string = () => "",
  ): string[] => {
    if (found.length === 0) return [];
    const names = found.slice(0, 3).map((result) => {
      const said = much(result);
      return said === "" ? result.id : `${result.id} (${said})`;
    });
    const more = found.length > names.length ? `, and ${found.length - names.length} more` : "";
    return [`${why}: ${names.join(", ")}${more}`];
  };
  const readme = PUBLISHED_FILES.readme;
  return [
    ...told(
      results.filter((result) => result.readme === "foreign"),
      `${readme} was written by another program and not compared`,
    ),
    ...told(
      results.filter((result) => result.readme === "missing"),
      `${readme} is not there, publishing the result or importing it with --replace writes it`,
    ),
    ...told(
      results.filter(({ lines }) => (lines?.tally.unpriced ?? 0) > 0),
      "estimated costs were taken as they are, since metadata.json does not name the prices that they were made with",
    ),
    ...told(
      results.filter(({ lines }) => (lines?.tally.unread ?? 0) > 0),
      "answers were taken as they are where output_text is missing, cut, masked or no answer",
      ({ lines }) => `${lines?.tally.unread} of ${lines?.tally.ok}`,
    ),
  ];
}

async function suitesOf(
  context: CheckContext,
  options: FolderOptions,
  lists: ProblemLists,
): Promise<Suite[]> {
  const { resultsDir } = context.workspace;
  if (options.ids !== undefined) return [{ name: "", ids: options.ids, files: new Set() }];
  // What a killed publish left aside comes back first, as for every reader.
  if (options.resultsDir === undefined)
    restoreResults(resultsDir, (message) => lists.tell(resultsDir, message));
  const names = options.suite === undefined ? await suiteNames(resultsDir, lists.tell) : [options.suite];
  const suites: Suite[] = [];
  for (const name of names) {
    const { models, files } = await modelNames(join(resultsDir, name), lists.tell);
    suites.push({ name, ids: models.map((model) => `${name}/${model}`), files });
  }
  return suites;
}

function reportOf({ id, lines, corpus, lists }: CheckedResult, recomputed: boolean): ResultReport {
  const rows = lines?.tally.lines ?? null;
  const full = corpus?.sound == null ? null : rows === corpus.sound.rows.length;
  return { id, rows, full, recomputed, problems: countOf(lists.all) };
}

function countOf(lists: readonly ProblemList[]): number {
  return lists.reduce((sum, list) => sum + list.count, 0);
}

function problemsOf({ findings }: ReadCorpus): Problem[] {
  return findings.map((finding) => ({ ...finding, found: null, expected: null }));
}

function corpusReport({ name, active, findings, sound }: ReadCorpus): CorpusReport {
  return {
    name,
    active,
    suite: sound?.suite ?? null,
    version: sound?.version ?? null,
    sha256: sound?.sha256 ?? null,
    rows: sound?.rows.length ?? null,
    problems: findings.length,
  };
}
