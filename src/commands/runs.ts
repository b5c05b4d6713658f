// `bench runs`: all local runs at a glance.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench runs`. */
export function runsCommand(program: Command, context: Context): void {
  program
    .command("runs")
    .description("all local runs: how far they are, how often they are right, what they cost")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench runs --json | jq '.runs[].accuracy'\n")
    .action(async (options: { json?: boolean }) => printRuns(context, { json: options.json === true }));
}

/** Prints all local runs, the one that did something last first; or only the named ones, in the given order. */
export async function printRuns(
  context: Context,
  options: { readonly only?: readonly string[]; readonly json?: boolean },
): Promise<void> {
  const { listRuns } = await import("./list-runs.ts");
  await listRuns(context, options);
}
