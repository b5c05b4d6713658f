// `bench report`: the published analysis as a site.
import type { Command } from "commander";
import type { Context } from "./context.ts";

export interface ReportOptions {
  readonly includeRuns?: boolean;
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
      "where to write it; an earlier report there is replaced, nothing else ever is (default: dist/report in the workspace)",
    )
    .option("--include-runs", "local runs too, with the texts that they would be published with")
    .addHelpText("after", "\nExample:\n  bench report build --out public\n")
    .action(async (options: ReportBuildOptions) => {
      const { reportBuild } = await import("./report-build.ts");
      await reportBuild(options, context);
    });
}
