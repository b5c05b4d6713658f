// `bench report`: the published analysis as a site.
import type { Command } from "commander";
import type { Context } from "./context.ts";
import { wholeNumber } from "./options.ts";

/** Where a report goes that is told no place, in the workspace; not below dist/, which holds the program in a checkout. */
export const DEFAULT_PLACE = "public";

export interface ReportOptions {
  readonly includeRuns?: boolean;
}

export interface ReportPreviewOptions extends ReportOptions {
  readonly port: number;
}

export interface ReportBuildOptions extends ReportOptions {
  readonly out?: string;
}

/** Adds `bench report build` and `bench report preview`. */
export function reportCommand(program: Command, context: Context): void {
  const report = program
    .command("report")
    .description("the published analysis as a site of plain files, which needs no network")
    .addHelpText("after", "\nExample:\n  bench report build --out public\n");
  report
    .command("build")
    .description("make the site; it can be put on any web server as it is")
    .option(
      "--out <dir>",
      `where to write it; an earlier report there is replaced, nothing else ever is (default: ${DEFAULT_PLACE} in the workspace)`,
    )
    .option("--include-runs", "local runs too, with the texts that they would be published with")
    .addHelpText("after", "\nExample:\n  bench report build --out public\n")
    .action(async (options: ReportBuildOptions) => {
      const { reportBuild } = await import("./report-build.ts");
      await reportBuild(options, context);
    });
  report
    .command("preview")
    .description("serve the report on this machine; pages follow when a result is published")
    .option("--port <number>", "port on 127.0.0.1", wholeNumber(1, 65_535), 3000)
    .option("--include-runs", "local runs too, with the texts that they would be published with")
    .addHelpText("after", "\nExample:\n  bench report preview --port 4000\n")
    .action(async (options: ReportPreviewOptions) => {
      const { reportPreview } = await import("./report-preview.ts");
      await reportPreview(options, context);
    });
}
