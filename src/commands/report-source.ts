// What `bench report` is about: published results, and local runs when they are asked for.
import { namesNoCorpus } from "../corpus/manifest.ts";
import { visible } from "../output.ts";
import { publishLocalTexts } from "../publish/local-texts.ts";
import { SecretScan } from "../publish/secret-scan.ts";
import type { BuildOptions } from "../report/build.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { Context } from "./context.ts";
import { readableRuns, skippedText } from "./export-runs.ts";
import type { ReportOptions } from "./report.ts";
import { withWarehouse } from "./warehouse.ts";

/** Opens the warehouse over them, as they are now. What is damaged is left out, and said. */
export async function withReportData(
  options: ReportOptions,
  context: Context,
  work: (warehouse: Warehouse, options: BuildOptions) => Promise<void>,
): Promise<void> {
  const workspace = await context.workspace();
  const localRuns = options.includeRuns === true;
  const scan = new SecretScan(workspace.env);
  const progress = progressOn(context);
  const empty = await namesNoCorpus(workspace);
  if (empty) progress("no corpus is active: the pages say so, and how to make one active");
  const { runs, skipped } = readableRuns(workspace, scan, { includeRuns: localRuns, notify: progress });
  for (const one of skipped) progress(skippedText(one, scan));
  await withWarehouse(context, { workspace, runs, empty }, async (warehouse) => {
    // A site is made to be shown: local runs are in it with the texts that they would be published with.
    if (localRuns) await publishLocalTexts(warehouse, scan);
    await work(warehouse, { workspace, localRuns, signal: context.interrupt, progress });
  });
}

/** Says what is being done. */
export function progressOn(context: Context): (message: string) => void {
  return (message) => void context.stderr.write(`${visible(message)}\n`);
}
