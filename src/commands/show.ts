// `bench show`: one row of one run, from what was sent to how the answer was read.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench show`. */
export function showCommand(program: Command, context: Context): void {
  program
    .command("show")
    .argument("<run>", "a local run (`bench runs` lists them)")
    .argument("<row>", "a row_id of that run")
    .description("one row of one run: what was sent, what came back, how it was read, every attempt")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench show baseline-lexical-bench-v4-1a2b3c4d eng-5-001\n")
    .action(async (run: string, row: string, options: { json?: boolean }) => {
      const { showRow } = await import("./show-row.ts");
      await showRow(run, row, context, options.json === true);
    });
}
