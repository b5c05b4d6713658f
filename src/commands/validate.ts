// `bench validate`: whether everything that is committed is as it should be.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench validate`. */
export function validateCommand(program: Command, context: Context): void {
  program
    .command("validate")
    .argument(
      "[path]",
      "a published result, a suite's folder, a results folder, or another workspace; everything here when not given",
    )
    .description(
      "check corpora, models.json and published results, and compute every published figure again; exit code 1 on any problem",
    )
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench validate results/bench-v4/some-model\n")
    .action(async (path: string | undefined, options: { json?: boolean }) => {
      const { validatePath } = await import("./validate-workspace.ts");
      await validatePath(path, context, options.json === true);
    });
}
