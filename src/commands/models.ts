// `bench models`: which models are configured, what they cost, and whether they can run now.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench models`. */
export function modelsCommand(program: Command, context: Context): void {
  program
    .command("models")
    .description("configured models, their prices, and whether they can run now")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench models\n")
    .action(async (options: { json?: boolean }) => {
      const { listModels } = await import("./models-list.ts");
      await listModels(context, options.json === true);
    });
}
