// What `bench report build` does.
import { join, relative } from "node:path";
import { whole } from "../figures.ts";
import { exportPlace, writeExport } from "../publish/export-folder.ts";
import { buildReport } from "../report/build.ts";
import { ANALYSIS_VERSION } from "../warehouse/views.ts";
import { packageVersion } from "../workspace.ts";
import type { Context } from "./context.ts";
import { DEFAULT_PLACE, type ReportBuildOptions } from "./report.ts";
import { progressOn, withReportData } from "./report-source.ts";

/**
 * Makes the report of the command's workspace. A crash leaves the old report or the new one.
 *
 * @throws {UserError} when it cannot be written there; {@link CheckError} when it cannot be made;
 * {@link InterruptedError} when it was stopped.
 */
export async function reportBuild(options: ReportBuildOptions, context: Context): Promise<void> {
  const workspace = await context.workspace();
  const name = options.out ?? join(workspace.root, DEFAULT_PLACE);
  const place = await exportPlace(workspace, context.cwd, name);
  const { files, bytes } = await writeExport(place, async (folder) => {
    await withReportData(options, context, (warehouse, build) => buildReport(warehouse, folder, build));
    return { format: "report", program_version: packageVersion(), analysis_version: ANALYSIS_VERSION };
  });
  const size = `${whole(files)} files, ${(bytes / 1e6).toFixed(1)} MB`;
  progressOn(context)(`${options.out ?? relative(context.cwd, name)}: ${size}; any web server can show it`);
}
