// `bench models`: which models are configured, what they cost, and whether they can run now.
import type { Command } from "commander";
import type { Context } from "./context.ts";

export interface ModelsOptions {
  readonly remote?: boolean;
  readonly json?: boolean;
}

/** Adds `bench models`. */
export function modelsCommand(program: Command, context: Context): void {
  program
    .command("models")
    .description("configured models, their prices, and whether they can run now")
    .option(
      "--remote",
      "also ask every configured endpoint which models it has; the answer is shown, never stored",
    )
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench models --remote\n")
    .action(async (options: ModelsOptions) => {
      const { listModels } = await import("./models-list.ts");
      await listModels(context, options);
    });
}
