// What `bench report preview` does.
import { dirname } from "node:path";
import { fillWorkshop } from "../report/build.ts";
import { previewReport } from "../report/preview.ts";
import type { Context } from "./context.ts";
import type { ReportPreviewOptions } from "./report.ts";
import { progressOn, withReportData } from "./report-source.ts";

/**
 * Serves the report of the command's workspace until it is stopped.
 *
 * @throws {CheckError} when the server cannot be started or ends.
 */
export async function reportPreview(options: ReportPreviewOptions, context: Context): Promise<void> {
  const workspace = await context.workspace();
  await previewReport({
    host: "127.0.0.1",
    port: options.port,
    signal: context.interrupt,
    watched: [
      workspace.resultsDir,
      dirname(workspace.corpusPointer),
      ...(options.includeRuns === true ? [workspace.runsDir] : []),
    ],
    fill: (workshop) =>
      withReportData(options, context, (warehouse, build) => fillWorkshop(warehouse, workshop, build)),
    progress: progressOn(context),
  });
}
