// Copies of everything that the report's numbers come from, as it was published: results, corpus, SQL, documents.
import { copyFileSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { readPointer } from "../corpus/manifest.ts";
import { modelNames, resultFiles, suiteNames } from "../publish/result-folder.ts";
import { ANALYSIS_VERSION } from "../warehouse/views.ts";
import { packageRoot, type Workspace } from "../workspace.ts";
import { type FileSource, writeWhole } from "./site-files.ts";

/** One file that can be taken away. */
export interface Download {
  /** What it belongs to: `results`, `corpus`, `sql` or `docs`. */
  readonly group: string;
  /** Where it belongs, with `/`. */
  readonly path: string;
  /** Where it lies below the folder of downloads. */
  readonly file: string;
  readonly bytes: number;
}

/** A file to copy: from an absolute path to one below the folder of downloads. */
interface Copy {
  readonly group: string;
  readonly from: string;
  readonly to: string;
}

/** Copies the files, and lists them in `index.json`. What is not published, such as runs and links, stays behind. */
export async function writeDownloads({ workspace, signal }: FileSource, folder: string): Promise<void> {
  const copies = [
    ...(await results(workspace)),
    ...(await corpus(workspace)),
    ...below(join(packageRoot, "sql", ANALYSIS_VERSION), `sql/${ANALYSIS_VERSION}`, "sql"),
    ...below(join(packageRoot, "docs", "queries"), "docs/queries", "sql"),
    ...documents(workspace),
  ];
  const list: Download[] = [];
  for (const { group, from, to } of copies) {
    signal.throwIfAborted();
    const info = lstatSync(from, { throwIfNoEntry: false });
    if (info === undefined || !info.isFile()) continue;
    const file = fileOf(to);
    const target = join(folder, ...file.split("/"));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(from, target);
    list.push({ group, path: to, file, bytes: info.size });
  }
  writeWhole(join(folder, "index.json"), JSON.stringify(list));
}

/** Framework makes a page of every file that ends in `.md`. */
function fileOf(path: string): string {
  return path.endsWith(".md") ? `${path}.txt` : path;
}

/** The files of every published result, by the names that such files have; nothing else that lies there. */
async function results({ resultsDir }: Workspace): Promise<Copy[]> {
  const silent = (): void => {};
  const copies: Copy[] = [];
  const add = (...parts: string[]): void => {
    copies.push({ group: "results", from: join(resultsDir, ...parts), to: ["results", ...parts].join("/") });
  };
  for (const suite of await suiteNames(resultsDir, silent)) {
    const { models, files } = await modelNames(join(resultsDir, suite), silent);
    for (const file of [...files].sort()) add(suite, file);
    for (const model of models) {
      for (const file of [...(await resultFiles(join(resultsDir, suite, model), silent))].sort()) {
        add(suite, model, file);
      }
    }
  }
  return copies;
}

/** The active corpus, and what is said of its sources. */
async function corpus(workspace: Workspace): Promise<Copy[]> {
  const pointer = await readPointer(workspace, () => {});
  if (pointer === null) return [];
  const cases = pointer.path;
  const name = basename(dirname(cases));
  const copy = (from: string, to: string): Copy => ({ group: "corpus", from, to });
  return [
    copy(cases, `corpus/${name}/cases.jsonl`),
    copy(join(dirname(cases), "manifest.json"), `corpus/${name}/manifest.json`),
    copy(join(workspace.root, "data", "SOURCES.md"), "corpus/SOURCES.md"),
  ];
}

/** What is written about the measurement; decisions of engineers are for those who have the code. */
function documents(workspace: Workspace): Copy[] {
  const folder = join(packageRoot, "docs");
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort();
  // A workspace of its own has tasks and errata of its own.
  const own = workspace.root === packageRoot;
  return [
    ...pages
      .filter((name) => own || !["tasks.md", "errata.md"].includes(name))
      .map((name) => ({ group: "docs", from: join(folder, name), to: `docs/${name}` })),
    ...below(join(folder, "schemas"), "docs/schemas", "docs"),
  ];
}

function below(folder: string, to: string, group: string): Copy[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => ({ group, from: join(folder, name), to: `${to}/${name.split(sep).join("/")}` }));
}
