// Builds the corpus from committed facts: the same bytes on every machine, without a network or a package.
// Reading and composing are one pure step; writing is another, so that a test can compare without touching a file.
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { indentedJson } from "../../answers/indented.ts";
import { parseJson, stringifyJson } from "../../answers/json.ts";
import { errorCode } from "../../errors.ts";
import { replaceFile } from "../../files.ts";
import { corpusDigest } from "../digest.ts";
import { CATEGORIES } from "./categories.ts";
import { type CorpusIdentity, corpusManifest } from "./manifest.ts";
import { type Row, taskRows } from "./rows.ts";
import { selectCandidates } from "./selection.ts";
import { type FactStore, openSources } from "./sources.ts";
import { sourcesDocument } from "./sources-document.ts";
import type { Category } from "./task.ts";

/** The corpus that this build makes. */
export const BENCH_V4: CorpusIdentity = {
  suite: "bench-v4",
  version: "4.0.0-pre.1",
  label: "Decision Bench v4",
  license: "MIT",
};

/** A corpus in memory. */
export interface BuiltCorpus {
  readonly suite: string;
  readonly version: string;
  readonly rows: readonly Row[];
  /** The digest that `manifest.json` states. */
  readonly sha256: string;
  /** Path relative to the data folder → content. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Composes the corpus from `dataDir/sources.json` and `dataDir/sources/*.jsonl`; writes nothing.
 *
 * @throws {CheckError} when a source is missing or altered, or a selection rule cannot be met.
 */
export function composeCorpus(dataDir: string): BuiltCorpus {
  const facts = openSources(dataDir);
  const { suite, version } = BENCH_V4;
  const rows = CATEGORIES.flatMap((category) => categoryRows(suite, category, facts));
  const lines = rows.map((row) => stringifyJson(row));
  const sha256 = corpusDigest(lines.map(parseJson));
  const manifest = corpusManifest(BENCH_V4, CATEGORIES, rows, facts.sources, sha256);
  return {
    suite,
    version,
    rows,
    sha256,
    files: new Map([
      ["SOURCES.md", sourcesDocument(suite, CATEGORIES, rows, facts.sources)],
      [`corpus/${suite}/cases.jsonl`, lines.map((line) => `${line}\n`).join("")],
      [`corpus/${suite}/manifest.json`, `${indentedJson(manifest)}\n`],
      ["corpus/current.json", `${indentedJson({ path: `data/corpus/${suite}/cases.jsonl`, version })}\n`],
    ]),
  };
}

/** What a build came to. */
export interface BuildReport {
  readonly suite: string;
  readonly version: string;
  readonly rows: number;
  readonly sha256: string;
  /** Paths relative to the data folder whose content differed from the built one, sorted. */
  readonly changed: readonly string[];
}

/**
 * Builds the corpus and writes the files that differ under `outDir` (the data folder itself, unless told otherwise). Each
 * file is replaced whole; the pointer to the active corpus comes last. With `check` nothing is written.
 *
 * @throws {CheckError} when a source is missing or altered.
 */
export async function buildCorpus(options: {
  readonly dataDir: string;
  readonly outDir?: string | undefined;
  readonly check?: boolean;
}): Promise<BuildReport> {
  const built = composeCorpus(options.dataDir);
  const changed: string[] = [];
  for (const [path, content] of built.files) {
    const file = join(options.outDir ?? options.dataDir, path);
    if ((await textOf(file)) === content) continue;
    changed.push(path);
    if (options.check === true) continue;
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(file, content);
  }
  const { suite, version, sha256 } = built;
  return { suite, version, rows: built.rows.length, sha256, changed: changed.sort() };
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function categoryRows(suite: string, category: Category, facts: FactStore): Row[] {
  return category.tasks.flatMap((task) => {
    const chosen = selectCandidates(task.candidates(facts), {
      name: `${suite}/${task.id}`,
      rows: task.rows,
      perGroup: task.perGroup,
    });
    return taskRows(suite, category, task, chosen, facts);
  });
}
