// Brings in results that another checkout has published, the older Python tool's too. The lines come in as they are; every figure
// is computed from them here, and what that tool defines otherwise is said.
import { existsSync, lstatSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { toPlain } from "../answers/json.ts";
import type { Corpus } from "../corpus/load.ts";
import { readDocument } from "../documents.ts";
import { CheckError, UserError } from "../errors.ts";
import { copyWhole, syncFolder } from "../files.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { readMetadata } from "../ledgers/record.ts";
import { modelIdSchema } from "../models/schema.ts";
import { quoted } from "../quote.ts";
import { ANALYSIS_VERSION } from "../warehouse/views.ts";
import type { Workspace } from "../workspace.ts";
import { type WrittenSuite, writeSuite } from "./documents.ts";
import type { Difference } from "./figures-check.ts";
import { LEADERBOARD_FILES, type LeaderboardEntry } from "./leaderboard.ts";
import type { Metadata } from "./metadata.ts";
import { MAX_DOCUMENT_BYTES } from "./page-check.ts";
import type { Problem } from "./problem.ts";
import { differencesFrom } from "./standing-result.ts";
import { type Draft, replaceSuite } from "./swap.ts";
import { type FolderOptions, type ValidationReport, validateFolders } from "./validate.ts";

export interface ImportInput {
  readonly workspace: Workspace;
  /** The active one, checked: only results over it come in. */
  readonly corpus: Corpus;
  /** Absolute paths of the folders of results. */
  readonly folders: readonly string[];
  /** Puts them in place of other results of the same models. */
  readonly replace: boolean;
  readonly notify: (message: string) => void;
  /** Told how many of how many results are checked. */
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal: AbortSignal;
}

export interface Imported {
  /** Where results stand on the leaderboard now, in the order of the folders. */
  readonly entries: readonly LeaderboardEntry[];
  /** Ids of models whose very results were here before. */
  readonly unchanged: readonly string[];
  /** Figures that the other tool defines otherwise; ours were written. */
  readonly differences: readonly Difference[];
  /** Why nothing came in; empty when it did. */
  readonly problems: readonly Problem[];
  readonly omitted: ValidationReport["omitted"];
}

/**
 * Checks results against the active corpus and writes them, with our figures, to `results/<suite>/`: all of them, or none when
 * anything is wrong with one.
 *
 * @throws {CheckError} for results over another corpus, and for models that have another result here already;
 * {@link UserError} for a folder that is no published result.
 */
export async function importResults(input: ImportInput): Promise<Imported> {
  const { workspace, corpus, replace } = input;
  const sources = sourcesOf(input);
  const unchanged: string[] = [];
  const news: Source[] = [];
  const others = new Map<string, readonly string[]>();
  for (const source of sources) {
    const target = join(workspace.resultsDir, corpus.suite, source.model);
    const fields = await differencesFrom(target, source.folder);
    if (fields?.length === 0 && !replace && isWhole(target)) unchanged.push(source.model);
    else news.push(source);
    if (fields !== null && fields.length > 0) others.set(source.model, fields);
  }
  const none = { entries: [], unchanged, differences: [], problems: [], omitted: [] };
  const replaced = new Set([...news.map(({ model }) => model), ...Object.values(LEADERBOARD_FILES)]);
  try {
    const { written, differences } = await replaceSuite(input, corpus.suite, replaced, async (draft) => {
      const report = await checkSources(input, sources, draft);
      if (report.problems.length > 0) throw new Abandoned({ ...none, unchanged: [], ...told(report) });
      if (others.size > 0 && !replace) {
        throw new CheckError(
          `results/${corpus.suite} has other results of ${listed([...others.keys()], ", ")} already. ` +
            `They differ in ${listed([...others].map(differing), "; ")}. ` +
            "Nothing was brought in; --replace puts the new ones in their place.",
        );
      }
      if (news.length === 0) throw new Abandoned(none);
      const ours = news.map(({ model }) => `${corpus.suite}/${model}/`);
      return {
        written: await build(input, news, draft, none),
        differences: report.differences.filter(({ file }) => ours.some((folder) => file.startsWith(folder))),
      };
    });
    const byModel = new Map(written.board.models.map((entry) => [entry.model_id, entry]));
    return { ...none, entries: news.flatMap(({ model }) => byModel.get(model) ?? []), differences };
  } catch (error) {
    if (!(error instanceof Abandoned)) throw error;
    return error.outcome;
  }
}

/** Whether what is made of a result's lines is there as well. */
function isWhole(target: string): boolean {
  return [PUBLISHED_FILES.scores, PUBLISHED_FILES.readme].every((name) => existsSync(join(target, name)));
}

/** Ends the building of a draft that is not to be kept. */
class Abandoned extends Error {
  readonly outcome: Imported;
  constructor(outcome: Imported) {
    super("the draft is not kept");
    this.outcome = outcome;
  }
}

const told = ({ problems, omitted }: ValidationReport) => ({ problems, omitted });

function differing([model, fields]: readonly [string, readonly string[]]): string {
  return `${listed(fields, ", ")} (${model})`;
}

/** The first five. */
function listed(names: readonly string[], between: string): string {
  return names.slice(0, 5).join(between) + (names.length > 5 ? `${between}…` : "");
}

/** A folder with the three files of a result over the active corpus. */
interface Source {
  readonly folder: string;
  readonly model: string;
}

const FILES = [PUBLISHED_FILES.metadata, PUBLISHED_FILES.predictions, PUBLISHED_FILES.scores];

function sourcesOf({ folders, corpus }: ImportInput): Source[] {
  const sources: Source[] = [];
  for (const folder of folders) {
    const source = sourceOf(folder, corpus);
    const first = sources.find(({ model }) => model === source.model);
    if (first !== undefined) {
      throw new UserError(
        `${quoted(basename(first.folder))} and ${quoted(basename(folder))} are both results of ${source.model}: name one of them`,
      );
    }
    sources.push(source);
  }
  return sources;
}

function sourceOf(folder: string, corpus: Corpus): Source {
  const name = quoted(basename(folder));
  for (const file of FILES) {
    const info = lstatSync(join(folder, file), { throwIfNoEntry: false });
    const reason = info === undefined ? "is not there" : info.isFile() ? null : "is not a file";
    if (reason !== null) throw new CheckError(`${name} is no published result: ${file} ${reason}`);
  }
  // A line holds an output of 80 KB at most, and what it took.
  const most = corpus.rowCount * 256 * 1024 + 1024 * 1024;
  if (lstatSync(join(folder, PUBLISHED_FILES.predictions)).size > most) {
    throw new CheckError(
      `${name}: ${PUBLISHED_FILES.predictions} has more than ${most} bytes, which is more than ${corpus.rowCount} rows can take`,
    );
  }
  const metadata = readMetadata(join(folder, PUBLISHED_FILES.metadata));
  if (metadata === null || typeof metadata === "string") {
    throw new CheckError(`${name}: ${PUBLISHED_FILES.metadata} ${metadata ?? "is not there"}`);
  }
  if (metadata.corpus.sha256 !== corpus.sha256 || metadata.suite !== corpus.suite) {
    throw new CheckError(
      `${name} is a result over ${quoted(metadata.suite)} with the digest ${metadata.corpus.sha256}, the active corpus is ` +
        `${quoted(corpus.suite)} with ${corpus.sha256}. Bring its corpus in with \`bench corpus import\`, make it the active one ` +
        "with `bench corpus use`, and repeat the command.",
    );
  }
  const { id } = metadata.model;
  if (!modelIdSchema.safeParse(id).success || (Object.values(LEADERBOARD_FILES) as string[]).includes(id)) {
    throw new CheckError(
      `${name}: ${PUBLISHED_FILES.metadata}: model.id: ${quoted(id)} is no id of a model, and could be no name of a folder`,
    );
  }
  return { folder, model: id };
}

/** Copies the files of all sources beside the draft and checks the copies, those of results that are here already too. */
async function checkSources(
  input: ImportInput,
  sources: readonly Source[],
  draft: Draft,
): Promise<ValidationReport> {
  const copies = copiesIn(draft);
  for (const { folder, model } of sources) {
    const target = join(copies, input.corpus.suite, model);
    await mkdir(target, { recursive: true });
    for (const file of FILES) await copyWhole(join(folder, file), join(target, file));
  }
  return await checked(input, copies, sources, { olderDefinitions: true });
}

/** Goes with the draft; only the folder of the suite beside it is kept. */
function copiesIn({ resultsDir }: Draft): string {
  return join(resultsDir, ".sources");
}

async function checked(
  { workspace, corpus, signal, onProgress }: ImportInput,
  resultsDir: string,
  sources: readonly Source[],
  options: FolderOptions,
): Promise<ValidationReport> {
  const ids = sources.map(({ model }) => `${corpus.suite}/${model}`);
  const progress = onProgress === undefined ? {} : { onProgress };
  return await validateFolders(workspace, {
    resultsDir,
    base: resultsDir,
    ids,
    signal,
    ...progress,
    ...options,
  });
}

/** Moves checked copies into the draft, computes what is ours, and checks what came of it. */
async function build(
  input: ImportInput,
  sources: readonly Source[],
  draft: Draft,
  none: Imported,
): Promise<WrittenSuite> {
  for (const { model } of sources) {
    await rename(join(copiesIn(draft), input.corpus.suite, model), join(draft.suiteDir, model));
  }
  const results = await Promise.all(sources.map(({ model }) => headOf(join(draft.suiteDir, model))));
  const written = await writeSuite({ ...input, draft, results });
  for (const { model } of sources) await syncFolder(join(draft.suiteDir, model));
  const report = await checked(input, draft.resultsDir, sources, { figures: written.scores });
  if (report.problems.length > 0) throw new Abandoned({ ...none, ...told(report) });
  return written;
}

/** What a checked metadata.json says beside its figures; fields that we do not know stay. */
async function headOf(folder: string) {
  const { value, refusal } = await readDocument(join(folder, PUBLISHED_FILES.metadata), MAX_DOCUMENT_BYTES);
  if (refusal !== undefined) throw new Error(`${PUBLISHED_FILES.metadata} was read a moment ago`);
  const { coverage, totals: _totals, ...rest } = toPlain(value) as unknown as Metadata;
  const head = {
    ...rest,
    corpus: { ...rest.corpus, current: true },
    analysis_version: ANALYSIS_VERSION,
  };
  return { head, selected: coverage.rows_selected };
}
