// `bench score`: every figure of one run.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench score`. */
export function scoreCommand(program: Command, context: Context): void {
  program
    .command("score")
    .argument("<run>", "a run_id (`bench runs` lists them)")
    .description("every metric of one run")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench score baseline-lexical-bench-v4-1a2b3c4d\n")
    .action(async (run: string, options: { json?: boolean }) => {
      const { scoreRun } = await import("./score-run.ts");
      await scoreRun(run, context, options.json === true);
    });
}
