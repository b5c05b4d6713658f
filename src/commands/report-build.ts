// What `bench report build` does.
import { join } from "node:path";
import { whole } from "../figures.ts";
import { visible } from "../output.ts";
import { exportPlace, writeExport } from "../publish/export-folder.ts";
import { publishLocalTexts } from "../publish/local-texts.ts";
import { SecretScan } from "../publish/secret-scan.ts";
import { buildReport } from "../report/build.ts";
import { ANALYSIS_VERSION } from "../warehouse/views.ts";
import { packageVersion } from "../workspace.ts";
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
  const name = options.out ?? join(workspace.root, "dist", "report");
  const place = await exportPlace(workspace, context.cwd, name);
  const localRuns = options.includeRuns === true;
  const scan = new SecretScan(workspace.env);
  const progress = (message: string): void => void context.stderr.write(`${visible(message)}\n`);
  const { runs, skipped } = readableRuns(workspace, scan, { includeRuns: localRuns, notify: progress });
  for (const one of skipped) progress(skippedText(one, scan));
  const { files, bytes } = await writeExport(place, async (folder) => {
    await withWarehouse(context, { workspace, runs }, async (warehouse) => {
      // A site is made to be shown: local runs are in it with the texts that they would be published with.
      if (localRuns) await publishLocalTexts(warehouse, scan);
      await buildReport(warehouse, folder, { workspace, localRuns, signal: context.interrupt, progress });
    });
    return { format: "report", program_version: packageVersion(), analysis_version: ANALYSIS_VERSION };
  });
  const shown = options.out ?? "dist/report";
  progress(`${shown}: ${whole(files)} files, ${(bytes / 1e6).toFixed(1)} MB; any web server can show it`);
}
