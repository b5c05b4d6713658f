// `bench report build`: everything that is published becomes a site of plain files.
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode, UserError } from "../errors.ts";
import { openSnapshotFile } from "../warehouse/snapshot-file.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Workspace } from "../workspace.ts";
import { buildSite } from "./framework.ts";
import { fillNpmCache } from "./npm-cache.ts";
import { copySiteFiles, makeSiteFiles } from "./site-files.ts";
import { makeWorkshop, removeWorkshop, type Workshop } from "./workshop.ts";

/** Views whose rows the report's database holds, since every page asks them, or they take long. */
export const STORED = ["attempts", "answers", "leaderboard", "comparisons"];

export interface BuildOptions {
  readonly workspace: Workspace;
  /** Whether the warehouse holds local runs. */
  readonly localRuns: boolean;
  /** Absolute path of the folder for the site; an earlier report in it is replaced. */
  readonly out: string;
  readonly signal: AbortSignal;
  /** Told what is being done. */
  readonly progress: (message: string) => void;
}

/** Makes the site and puts it in its place when it is whole. */
export async function buildReport(warehouse: Warehouse, options: BuildOptions): Promise<void> {
  const workshop = makeWorkshop();
  try {
    options.progress("reading the ledgers");
    await warehouse.snapshot(workshop.database, STORED);
    await makeFiles(workshop, options);
    options.progress("making the pages");
    await fillNpmCache(workshop.pages);
    await buildSite(workshop, options.signal, options.progress);
    copySiteFiles(workshop);
    await putInPlace(workshop.site, options.out);
  } finally {
    removeWorkshop(workshop);
  }
}

async function makeFiles(workshop: Workshop, options: BuildOptions): Promise<void> {
  const snapshot = await openSnapshotFile(workshop.database);
  try {
    const { workspace, localRuns, signal } = options;
    await makeSiteFiles({ workspace, snapshot, workshop, localRuns, signal, notify: options.progress });
  } finally {
    snapshot.close();
  }
}

/** The site is copied beside its place first, since temporary files may lie on another disk. */
async function putInPlace(site: string, out: string): Promise<void> {
  const fresh = join(dirname(out), `.${basename(out)}.new-${process.pid}`);
  const old = join(dirname(out), `.${basename(out)}.old-${process.pid}`);
  try {
    await mkdir(dirname(out), { recursive: true });
    await cp(site, fresh, { recursive: true });
    if (existsSync(out)) await rename(out, old);
    await rename(fresh, out);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new UserError(`the report cannot be written (${code}): name another folder with --out`);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
}
