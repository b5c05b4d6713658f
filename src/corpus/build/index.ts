// Builds the corpus from committed facts: the same bytes on every machine, without a network or a package.
// Reading and composing are one pure step; writing is another, so that a test can compare without touching a file.
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { indentedJson } from "../../answers/indented.ts";
import { parseJson, stringifyJson } from "../../answers/json.ts";
import { errorCode } from "../../errors.ts";
import { replaceFile } from "../../files.ts";
import { corpusDigest } from "../digest.ts";
import { type BuiltTask, buildTask } from "./built.ts";
import { CATEGORIES } from "./categories.ts";
import { assertAsFrozen } from "./lock.ts";
import { type CorpusIdentity, corpusManifest } from "./manifest.ts";
import { openPictures } from "./pictures/store.ts";
import type { Row } from "./rows.ts";
import { openSources } from "./sources.ts";
import { sourcesDocument } from "./sources-document.ts";
import { tasksDocument } from "./tasks-document.ts";

/** The corpus that this build makes. */
export const BENCH_V4: CorpusIdentity = {
  suite: "bench-v4",
  version: "4.0.0",
  label: "Decision Bench v4",
  license: "MIT",
};

/** A corpus in memory. */
export interface BuiltCorpus {
  readonly suite: string;
  readonly version: string;
  readonly tasks: readonly BuiltTask[];
  readonly rows: readonly Row[];
  /** The digest that `manifest.json` states. */
  readonly sha256: string;
  /** Path relative to the workspace → content. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

/**
 * Composes the corpus from `root/data/sources.json` and `root/data/sources/*.jsonl`; writes nothing. Pictures are the
 * committed ones wherever these are of today's drawings.
 *
 * @param root the workspace.
 * @param redraw draw every picture anew.
 * @throws {CheckError} when a source is missing or altered, a selection rule cannot be met, or a picture must be drawn
 * and cannot be.
 */
export async function composeCorpus(root: string, redraw = false): Promise<BuiltCorpus> {
  const dataDir = join(root, "data");
  const facts = openSources(dataDir);
  const { suite, version } = BENCH_V4;
  const corpusDir = `data/corpus/${suite}`;
  const pictures = openPictures(dataDir, join(root, corpusDir), redraw);
  const tasks: BuiltTask[] = [];
  for (const category of CATEGORIES) {
    for (const task of category.tasks) tasks.push(await buildTask(suite, category, task, facts, pictures));
  }
  const rows = tasks.flatMap((built) => built.rows);
  const lines = rows.map((row) => stringifyJson(row));
  const sha256 = corpusDigest(lines.map(parseJson));
  const manifest = corpusManifest(BENCH_V4, CATEGORIES, rows, facts.sources, sha256);
  return {
    suite,
    version,
    tasks,
    rows,
    sha256,
    files: new Map<string, string | Uint8Array>([
      ["docs/tasks.md", tasksDocument(suite, tasks, facts.sources)],
      ["data/SOURCES.md", sourcesDocument(suite, CATEGORIES, rows, facts.sources)],
      ["data/pictures.json", pictures.document()],
      ...Array.from(pictures.files, ([path, png]) => [`${corpusDir}/${path}`, png] as const),
      [`${corpusDir}/cases.jsonl`, lines.map((line) => `${line}\n`).join("")],
      [`${corpusDir}/manifest.json`, `${indentedJson(manifest)}\n`],
      ["data/corpus/current.json", `${indentedJson({ path: `${corpusDir}/cases.jsonl`, version })}\n`],
    ]),
  };
}

/** What a build came to. */
export interface BuildReport {
  readonly suite: string;
  readonly version: string;
  readonly rows: number;
  readonly sha256: string;
  /** Paths relative to the workspace whose content differed from the built one, sorted. */
  readonly changed: readonly string[];
}

/**
 * Builds the corpus and writes the files that differ under `out` (the workspace itself, unless told otherwise). Each
 * file is replaced whole; the pointer to the active corpus comes last. With `check` nothing is written.
 *
 * @throws {CheckError} when a source is missing or altered, or the corpus of the workspace is frozen and would become
 * another one.
 */
export async function buildCorpus(options: {
  readonly root: string;
  readonly out?: string | undefined;
  readonly check?: boolean;
  readonly redraw?: boolean;
}): Promise<BuildReport> {
  const built = await composeCorpus(options.root, options.redraw);
  if (options.check !== true && options.out === undefined) assertAsFrozen(options.root, built);
  const changed: string[] = [];
  for (const [path, content] of built.files) {
    const file = join(options.out ?? options.root, path);
    if ((await contentOf(file))?.equals(Buffer.from(content)) === true) continue;
    changed.push(path);
    if (options.check === true) continue;
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(file, content);
  }
  const { suite, version, sha256 } = built;
  return { suite, version, rows: built.rows.length, sha256, changed: changed.sort() };
}

async function contentOf(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
