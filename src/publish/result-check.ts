// One published result: its folder, its files, and what they say of each other. The figures come later, when all results that
// can be counted are computed again together.

import { basename, join } from "node:path";
import { isJsonObject, type Json, toPlain } from "../answers/json.ts";
import { readDocument, refusalOf } from "../documents.ts";
import { issuesOf } from "../fields.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { sourceOf } from "../providers/probability-sources.ts";
import { readPublishedFolder } from "../warehouse/published.ts";
import type { Workspace } from "../workspace.ts";
import type { Corpora, ReadCorpus } from "./corpora.ts";
import type { Metadata } from "./metadata.ts";
import { checkCorpusOf, checkCoverage, checkMetadata } from "./metadata-check.ts";
import { checkPage, MAX_DOCUMENT_BYTES, scanPage } from "./page-check.ts";
import type { ResultFacts } from "./prediction-line.ts";
import { checkPredictions, type ReadLines } from "./predictions-check.ts";
import { type Mask, type ProblemList, ProblemLists, unlike } from "./problem.ts";
import { README_MARK, readmeText } from "./readme.ts";
import { isPlainFolder, resultFiles } from "./result-folder.ts";
import { type MetadataFile, metadataFileSchema, scoresFileSchema } from "./schema.ts";
import type { Scores } from "./scores.ts";
import type { SecretScan } from "./secret-scan.ts";

/** What all checks of one command share. */
export interface CheckContext {
  /** Where the corpora are, with `resultsDir` of the results that are checked. */
  readonly workspace: Workspace;
  readonly corpora: Corpora;
  readonly scan: SecretScan;
  /** How a path is called in problems. */
  readonly fileOf: (path: string) => string;
  /** Whether the older tool's definition of the cost coverage is a difference and no problem. */
  readonly olderDefinitions: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A result whose files were read. */
export interface CheckedResult {
  /** `<suite>/<model-id>`. */
  readonly id: string;
  readonly folder: string;
  readonly metadata: MetadataFile | null;
  /** The documents as they stand in the files; undefined for one that cannot be read. */
  readonly documents: { readonly metadata: Json | undefined; readonly scores: Json | undefined };
  readonly lines: ReadLines | null;
  /** The corpus that it names, if the workspace has it. */
  readonly corpus: ReadCorpus | null;
  /** Whether README.md was held against the documents: another program's says what it likes, and ours may be missing. */
  readonly readme: "checked" | "foreign" | "missing";
  /** Why its figures cannot be computed again, as the end of a sentence; null when they can. */
  readonly hindrance: string | null;
  readonly lists: ProblemLists;
}

/** Lists of problems that repeat nothing private: in what a model wrote or a corpus says, an address is nothing private. */
export function problemLists({ fileOf, scan }: CheckContext): ProblemLists {
  const foreign: readonly string[] = [PUBLISHED_FILES.predictions, PUBLISHED_FILES.scores];
  const mixed: Mask = (text, field) => (/(?:^|\.)error$/.test(field) ? scan.maskOurs(text) : scan.mask(text));
  return new ProblemLists(fileOf, (path) => (foreign.includes(basename(path)) ? mixed : scan.maskOurs));
}

/** Reads the files of `results/<id>/` and checks everything but the figures. */
export async function checkResult(id: string, context: CheckContext): Promise<CheckedResult> {
  const { scan, workspace, signal } = context;
  const folder = join(workspace.resultsDir, id);
  const lists = problemLists(context);
  const listOf = (name: string): ProblemList => lists.of(join(folder, name));
  const there = (await isPlainFolder(folder, lists.tell)) ? await resultFiles(folder, lists.tell) : NOTHING;

  const read = async (name: string): Promise<Json | undefined> =>
    there.has(name) ? await readJson(join(folder, name), listOf(name), scan) : undefined;
  const metadataJson = await read(PUBLISHED_FILES.metadata);
  if (metadataJson !== undefined) scan.ours(metadataJson, listOf(PUBLISHED_FILES.metadata));
  const metadata =
    metadataJson === undefined ? null : metadataOf(metadataJson, id, listOf(PUBLISHED_FILES.metadata));
  const corpus = await corpusOf(metadataJson, listOf(PUBLISHED_FILES.metadata), context.corpora);
  const sound = corpus?.sound ?? null;
  if (metadata !== null && sound !== null) checkCorpusOf(metadata, sound, listOf(PUBLISHED_FILES.metadata));

  const lines = await linesOf(
    there.has(PUBLISHED_FILES.predictions),
    join(folder, PUBLISHED_FILES.predictions),
    {
      corpus: sound,
      facts: factsOf(metadata),
      partial: member(member(metadataJson, "coverage"), "full") === false,
      problems: listOf(PUBLISHED_FILES.predictions),
      scan,
      signal,
    },
  );
  if (metadata !== null && lines?.unsound === null) {
    checkCoverage(metadata, lines.tally, sound, listOf(PUBLISHED_FILES.metadata));
  }

  const scores = await read(PUBLISHED_FILES.scores);
  if (scores !== undefined) scan.foreign(scores, listOf(PUBLISHED_FILES.scores), null);
  const isOurs = metadata?.analysis_version != null || metadata?.prompt_sha256 != null;
  let isForeign = false;
  if (there.has(PUBLISHED_FILES.readme)) {
    const names = metadataJson === undefined ? null : [...namesIn(metadataJson), ...(sound?.names ?? [])];
    const page = join(folder, PUBLISHED_FILES.readme);
    const expected = { mark: README_MARK, text: readmeOf(metadata, scores), isOurs };
    isForeign = await checkPage(page, listOf(PUBLISHED_FILES.readme), scan, names, expected);
  }
  return {
    id,
    folder,
    metadata,
    documents: { metadata: metadataJson, scores },
    lines,
    corpus,
    readme:
      isForeign && metadata !== null
        ? "foreign"
        : isOurs && !there.has(PUBLISHED_FILES.readme)
          ? "missing"
          : "checked",
    hindrance:
      there === NOTHING ? "it is no folder" : hindranceOf(lines, metadataJson, corpus, workspace, id),
    lists,
  };
}

/** What is said of all lines of a result; of one whose metadata are not as they should be, nothing. */
function factsOf(metadata: MetadataFile | null): ResultFacts {
  const { pricing, request, model, prompt_sha256: prompt } = metadata ?? {};
  const { input_per_mtok: input, output_per_mtok: output, cached_input_per_mtok: cached } = pricing ?? {};
  const source = sourceOf(model?.provider ?? "");
  return {
    pricing:
      input == null || output == null
        ? null
        : { input_per_mtok: input, output_per_mtok: output, cached_input_per_mtok: cached },
    // The older tool does not record the digest of the prompt.
    isOurs: prompt != null,
    source,
    reading: {
      kind: source === "native" ? "native" : "verbalized",
      policy: request?.json_wrapper_policy === "strict" ? "strict" : "allow_single_code_fence",
    },
    vision: source === null ? null : visionOf(model?.provider ?? "", request?.vision),
  };
}

/** Only chat models are sent pictures, and only when the result says so. */
function visionOf(provider: string, vision: unknown): boolean | null {
  if (provider !== "openai-compatible") return false;
  return typeof vision === "boolean" ? vision : null;
}

async function linesOf(
  isThere: boolean,
  path: string,
  options: Parameters<typeof checkPredictions>[1],
): Promise<ReadLines | null> {
  if (!isThere) return null;
  const refusal = await refusalOf(path, Number.MAX_SAFE_INTEGER);
  if (refusal === null) return await checkPredictions(path, options);
  options.problems.add(refusal.line, "", refusal);
  return null;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The document in a file; what is no JSON is scanned as it is. */
export async function readJson(
  path: string,
  problems: ProblemList,
  scan: SecretScan,
): Promise<Json | undefined> {
  const { value, refusal } = await readDocument(path, MAX_DOCUMENT_BYTES);
  if (refusal === undefined) return value;
  problems.add(refusal.line, "", refusal);
  await scanPage(path, problems, scan, null);
  return undefined;
}

function metadataOf(json: Json, id: string, problems: ProblemList): MetadataFile | null {
  const parsed = metadataFileSchema.safeParse(toPlain(json), { reportInput: true });
  if (parsed.success) {
    checkMetadata(parsed.data, id, problems);
    return parsed.data;
  }
  problems.addIssues(null, issuesOf(parsed.error));
  return null;
}

/** What README.md should be; null when the documents that it is made of are not as they should be. */
function readmeOf(metadata: MetadataFile | null, scores: Json | undefined): string | null {
  if (metadata === null || scores === undefined) return null;
  const parsed = scoresFileSchema.safeParse(toPlain(scores));
  // What the schemas leave open, such as a label that is missing, the page shows as unknown.
  return parsed.success
    ? readmeText(metadata as unknown as Metadata, parsed.data as unknown as Scores)
    : null;
}

async function corpusOf(
  metadata: Json | undefined,
  problems: ProblemList,
  corpora: Corpora,
): Promise<ReadCorpus | null> {
  const sha256 = member(member(metadata, "corpus"), "sha256");
  // The schema has said that there is no digest.
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) return null;
  const corpus = await corpora.find(sha256);
  if (corpus === null) {
    problems.add(null, "corpus.sha256", {
      ...unlike(sha256, "the digest of a corpus in data/corpus"),
      message: `no corpus in data/corpus has the digest ${sha256}: bring it in with \`bench corpus import\`, or move the result away`,
    });
  }
  return corpus;
}

function hindranceOf(
  lines: ReadLines | null,
  metadata: Json | undefined,
  corpus: ReadCorpus | null,
  workspace: Workspace,
  id: string,
): string | null {
  if (lines === null) return `${PUBLISHED_FILES.predictions} cannot be read`;
  if (lines.unsound !== null) return `${PUBLISHED_FILES.predictions}: ${lines.unsound}`;
  if (metadata === undefined) return `${PUBLISHED_FILES.metadata} cannot be read`;
  if (corpus === null) return "its corpus is not in this workspace";
  if (corpus.sound === null) return `its corpus ${corpus.name} is not sound`;
  const folder = readPublishedFolder(workspace, id);
  return typeof folder === "string" ? `${PUBLISHED_FILES.metadata} does not say enough` : null;
}

/** What a page of this result may speak of though it looks like an address. */
export function namesIn(metadata: Json | undefined): string[] {
  const model = member(metadata, "model");
  return [
    ...["label", "short_label", "vendor"].map((name) => member(model, name)),
    member(member(metadata, "pricing"), "source_url"),
  ].filter((name): name is string => typeof name === "string");
}

/** A member of an object; undefined of anything else. */
function member(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? value.get(key) : undefined;
}
