// Files of the site that no page names, since there are as many as there are rows or results: pages load them one by
// one. They lie below `_file/`, as the files do that Framework builds, in the preview and on a server alike.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { SnapshotFile } from "../warehouse/snapshot-file.ts";
import { ANALYSIS_VERSION } from "../warehouse/views.ts";
import { packageVersion, type Workspace } from "../workspace.ts";
import { CONFUSIONS, makeConfusions } from "./confusions.ts";
import { hasConsole, writeConsole } from "./console-files.ts";
import { writeDownloads } from "./downloads.ts";
import { PAIRS, writePairs } from "./pairs.ts";
import { writePictures } from "./pictures.ts";
import { type PageQuery, protocolData } from "./protocol-data.ts";
import { ROW_ANSWERS, ROWS, writeRows } from "./rows.ts";
import { RUN_PARTS, writeRuns } from "./runs.ts";
import type { Workshop } from "./workshop.ts";

/** What the files are made of. */
export interface FileSource {
  readonly workspace: Workspace;
  /** The report's database. */
  readonly snapshot: SnapshotFile;
  readonly workshop: Workshop;
  /** Whether local runs are part of the report. */
  readonly localRuns: boolean;
  readonly signal: AbortSignal;
  /** Told what is left out, and why. */
  readonly notify: (message: string) => void;
}

/** Makes the files of one kind in a folder of its own below {@link Workshop.pages}. */
type Maker = (source: FileSource, folder: string) => Promise<void>;

/** Folder below the pages → who fills it, in this order: rows name the files of their pictures. */
const MAKERS: Readonly<Record<string, Maker>> = {
  confusions: makeConfusions,
  console: writeConsole,
  downloads: writeDownloads,
  pairs: writePairs,
  pictures: writePictures,
  rows: writeRows,
  runs: writeRuns,
};

/** What is asked for them, for the page that shows every query. `$run` and `$first` stand for a result's id and a row's place. */
const QUERIES: readonly PageQuery[] = [
  { file: "confusions/", text: CONFUSIONS },
  { file: "pairs/", text: PAIRS },
  { file: "rows/", text: [ROWS, ROW_ANSWERS].join(";\n") },
  { file: "runs/", text: Object.values(RUN_PARTS).join(";\n") },
].map(({ file, text }) => ({ file, text: text.trim() }));

/** Writes all of them, and `data/about.json`, which says how they are to be asked for. */
export async function makeSiteFiles(source: FileSource): Promise<void> {
  const { pages } = source.workshop;
  for (const [name, make] of Object.entries(MAKERS)) {
    const folder = join(pages, name);
    mkdirSync(folder, { recursive: true });
    await make(source, folder);
  }
  writeWhole(join(pages, "data", "protocol.json"), JSON.stringify(protocolData(QUERIES)));
  const about = {
    program_version: packageVersion(),
    analysis_version: ANALYSIS_VERSION,
    console: hasConsole(),
    local_runs: source.localRuns,
    digest: digestOf(pages),
  };
  writeWhole(join(pages, "data", "about.json"), JSON.stringify(about));
}

/** Puts them into the site that Framework has built. */
export function copySiteFiles({ pages, site }: Workshop): void {
  for (const name of Object.keys(MAKERS)) {
    cpSync(join(pages, name), join(site, "_file", name), { recursive: true });
  }
  // GitHub Pages, where it serves a branch, else passes over folders like `_file`.
  writeWhole(join(site, ".nojekyll"), "");
}

/** Writes a file, with the folders above it. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Of all names and contents. */
function digestOf(pages: string): string {
  const hash = createHash("sha256");
  for (const name of Object.keys(MAKERS)) {
    const folder = join(pages, name);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    for (const file of files) {
      const path = join(folder, file);
      if (!statSync(path).isFile()) continue;
      hash.update(`${name}/${file.split(sep).join("/")}\0`).update(readFileSync(path));
    }
  }
  return hash.digest("hex").slice(0, 12);
}
