// `bench import`: results that others have published come into this workspace.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench import`. */
export function importCommand(program: Command, context: Context): void {
  program
    .command("import")
    .argument("<path...>", "a published result, a suite or a folder of results, or another checkout")
    .description("bring in published results of another checkout, checked against the active corpus")
    .option("--replace", "put them in place of other results of the same models")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench import ../other-checkout/results/bench-v4\n")
    .action(async (paths: string[], options: { replace?: boolean; json?: boolean }) => {
      const { importPaths } = await import("./import-results.ts");
      await importPaths(paths, context, {
        replace: options.replace === true,
        json: options.json === true,
      });
    });
}
