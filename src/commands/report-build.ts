// What `bench report build` does.
import { resolve } from "node:path";
import { visible } from "../output.ts";
import { buildReport } from "../report/build.ts";
import type { Context } from "./context.ts";
import type { ReportBuildOptions } from "./report.ts";
import { withWarehouse } from "./warehouse.ts";

/** Makes the report of the command's workspace. */
export async function reportBuild(options: ReportBuildOptions, context: Context): Promise<void> {
  const workspace = await context.workspace();
  const out =
    options.out === undefined ? resolve(workspace.root, "dist", "report") : resolve(context.cwd, options.out);
  await withWarehouse(context, { workspace }, (warehouse) =>
    buildReport(warehouse, {
      workspace,
      localRuns: options.includeRuns === true,
      out,
      signal: context.interrupt,
      progress: (message) => context.stderr.write(`${visible(message)}\n`),
    }),
  );
}
