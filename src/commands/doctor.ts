// `bench doctor`: what of a damaged run is whole, and the rest moved aside.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench doctor`. */
export function doctorCommand(program: Command, context: Context): void {
  program
    .command("doctor")
    .argument("<run>", "a local run (`bench runs` lists them)")
    .description(
      "examine a run whose files were damaged: what is whole stays, what is broken is moved to files beside, nothing is deleted",
    )
    .option("--dry-run", "say what would be moved; write nothing")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench doctor baseline-lexical-bench-v4-1a2b3c4d --dry-run\n")
    .action(async (run: string, options: { dryRun?: boolean; json?: boolean }, command: Command) => {
      const { doctorRun } = await import("./doctor-run.ts");
      const { root } = command.optsWithGlobals<{ root?: string }>();
      await doctorRun(run, context, { dryRun: options.dryRun === true, json: options.json === true, root });
    });
}
