// `bench report build`: everything that is published becomes a site of plain files.
import { cp, rename, rm } from "node:fs/promises";
import { openSnapshotFile } from "../warehouse/snapshot-file.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Workspace } from "../workspace.ts";
import { buildSite } from "./framework.ts";
import { fillNpmCache } from "./npm-cache.ts";
import { copySiteFiles, makeSiteFiles } from "./site-files.ts";
import { inWorkshop, makeWorkshop, removeWorkshop, type Workshop } from "./workshop.ts";

/** Views whose rows the report's database holds, since every page asks them, or they take long. */
export const STORED = ["attempts", "answers", "leaderboard", "comparisons"];

export interface BuildOptions {
  readonly workspace: Workspace;
  /** Whether the warehouse holds local runs. */
  readonly localRuns: boolean;
  readonly signal: AbortSignal;
  /** Told what is being done. */
  readonly progress: (message: string) => void;
}

/**
 * Makes the site in a folder.
 *
 * @param out absolute path; what is made is copied there at the end, since temporary files may lie on another disk.
 */
export async function buildReport(warehouse: Warehouse, out: string, options: BuildOptions): Promise<void> {
  const workshop = makeWorkshop();
  try {
    await inWorkshop(async () => {
      options.progress("reading the ledgers");
      await fillWorkshop(warehouse, workshop, options);
      options.progress("making the pages");
      await fillNpmCache(workshop.pages);
      await buildSite(workshop, options.signal, options.progress);
      copySiteFiles(workshop);
    });
    await cp(workshop.site, out, { recursive: true });
  } finally {
    removeWorkshop(workshop);
  }
}

/** Puts the data into a workshop, in place of those that are there. */
export async function fillWorkshop(
  warehouse: Warehouse,
  workshop: Workshop,
  { workspace, localRuns, signal, progress }: BuildOptions,
): Promise<void> {
  const draft = `${workshop.database}.new`;
  await rm(draft, { force: true });
  await warehouse.snapshot(draft, STORED);
  await rename(draft, workshop.database);
  const snapshot = await openSnapshotFile(workshop.database);
  try {
    await makeSiteFiles({ workspace, snapshot, workshop, localRuns, signal, notify: progress });
  } finally {
    snapshot.close();
  }
}
