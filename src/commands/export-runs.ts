// Which results an export is about, and what keeps others out of it.
import { CheckError } from "../errors.ts";
import type { SecretScan } from "../publish/secret-scan.ts";
import { readRunFolder, runIds } from "../warehouse/folders.ts";
import { isPublishedId, publishedIds, readPublishedFolder } from "../warehouse/published.ts";
import type { Workspace } from "../workspace.ts";

/** A result that is not exported. */
export interface Skipped {
  readonly run_id: string;
  /** In words that follow "it". */
  readonly reason: string;
  /** Whether its files are not what they should be. */
  readonly damaged: boolean;
}

/** The results of a workspace, local runs too if they were asked for. */
export interface Choice {
  /** Those whose files can be read. */
  readonly runs: readonly string[];
  readonly skipped: readonly Skipped[];
}

/**
 * Looks which results there are, and which of them can be read.
 *
 * @param notify told of a suite that cannot be read.
 * @throws {CheckError} when there is none.
 */
export function chooseRuns(
  workspace: Workspace,
  scan: SecretScan,
  { includeRuns, notify }: { readonly includeRuns: boolean; readonly notify: (message: string) => void },
): Choice {
  const choice = readableRuns(workspace, scan, { includeRuns, notify });
  if (choice.runs.length + choice.skipped.length === 0) {
    throw new CheckError(
      `there is nothing to export: no published result${includeRuns ? " and no run" : " (--include-runs exports local runs too)"}`,
    );
  }
  return choice;
}

/** The same for a command that has something to say of a workspace without any. */
export function readableRuns(
  workspace: Workspace,
  scan: SecretScan,
  { includeRuns, notify }: { readonly includeRuns: boolean; readonly notify: (message: string) => void },
): Choice {
  const ids = [...publishedIds(workspace, notify), ...(includeRuns ? runIds(workspace) : [])];
  const runs: string[] = [];
  const skipped: Skipped[] = [];
  for (const id of ids) {
    const folder = isPublishedId(id) ? readPublishedFolder(workspace, id) : readRunFolder(workspace, id);
    if (typeof folder === "string") skipped.push(damagedResult(id, folder, scan));
    else runs.push(id);
  }
  return { runs, skipped };
}

/** A result that is left out for what is wrong with its files; `why` may repeat what stands in them. */
export function damagedResult(id: string, why: string, scan: SecretScan): Skipped {
  return { run_id: id, reason: `cannot be used (${scan.maskOurs(why)})`, damaged: true };
}

/** How a person is told of it. */
export function skippedText({ run_id: id, reason }: Skipped, scan: SecretScan): string {
  return `${scan.mask(id)} is left out: it ${reason}`;
}

/** @throws {CheckError} when nothing is left that could be exported. */
export function assertSomething(count: number, skipped: readonly Skipped[]): void {
  if (count > 0) return;
  throw new CheckError(
    `there is nothing to export: ${skipped.length === 1 ? "the one result" : `each of the ${skipped.length} results`} is left out, for the reason that was said. ` +
      "Nothing was written.",
  );
}
