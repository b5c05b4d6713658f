// `bench publish`: a finished run becomes a small folder that others can check.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench publish`. */
export function publishCommand(program: Command, context: Context): void {
  program
    .command("publish")
    .argument("<run>", "a local run (`bench runs` lists them)")
    .description("write results/<suite>/<model-id>/ from a run, and the suite's leaderboard")
    .option("--force", "publish a run that is not whole; the result says so")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench publish baseline-lexical-bench-v4-1a2b3c4d\n")
    .action(async (run: string, options: { force?: boolean; json?: boolean }) => {
      const { publish } = await import("./publish-run.ts");
      await publish(run, context, { force: options.force === true, json: options.json === true });
    });
}
