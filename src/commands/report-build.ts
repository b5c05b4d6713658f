// What `bench report build` does.
import { resolve } from "node:path";
import { visible } from "../output.ts";
import { publishLocalTexts } from "../publish/local-texts.ts";
import { SecretScan } from "../publish/secret-scan.ts";
import { buildReport } from "../report/build.ts";
import type { Context } from "./context.ts";
import { readableRuns, skippedText } from "./export-runs.ts";
import type { ReportBuildOptions } from "./report.ts";
import { withWarehouse } from "./warehouse.ts";

/**
 * Makes the report of the command's workspace. A crash leaves the old report or the new one.
 *
 * @throws {UserError} when it cannot be written there; {@link CheckError} when it cannot be made;
 * {@link InterruptedError} when it was stopped.
 */
export async function reportBuild(options: ReportBuildOptions, context: Context): Promise<void> {
  const workspace = await context.workspace();
  const out = resolve(context.cwd, options.out ?? resolve(workspace.root, "dist", "report"));
  const localRuns = options.includeRuns === true;
  const scan = new SecretScan(workspace.env);
  const progress = (message: string): void => void context.stderr.write(`${visible(message)}\n`);
  const { runs, skipped } = readableRuns(workspace, scan, { includeRuns: localRuns, notify: progress });
  for (const one of skipped) progress(skippedText(one, scan));
  await withWarehouse(context, { workspace, runs }, async (warehouse) => {
    // A site is made to be shown: local runs are in it with the texts that they would be published with.
    if (localRuns) await publishLocalTexts(warehouse, scan);
    await buildReport(warehouse, { workspace, localRuns, out, signal: context.interrupt, progress });
  });
  progress(
    `the report is in ${options.out ?? "dist/report"}: put it on any web server, or look at it with bench report preview`,
  );
}
