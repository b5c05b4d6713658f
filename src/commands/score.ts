// `bench score`: every figure of one run.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench score`. */
export function scoreCommand(program: Command, context: Context): void {
  program
    .command("score")
    .argument(
      "<run>",
      "a local run (`bench runs` lists them), <suite>/<model-id> of a published result, or the id of its model",
    )
    .description("every metric of one run or published result")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench score baseline-lexical-bench-v4-1a2b3c4d\n")
    .action(async (run: string, options: { json?: boolean }) => {
      const { scoreRun } = await import("./score-run.ts");
      await scoreRun(run, context, options.json === true);
    });
}
