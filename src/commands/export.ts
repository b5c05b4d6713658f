// `bench export`: results in the formats of other tools.
import { type Command, Option } from "commander";
import type { Context } from "./context.ts";

export interface ExportOptions {
  readonly format: "eee" | "parquet";
  readonly out?: string;
  readonly includeRuns?: boolean;
  readonly organization?: string;
  readonly relationship?: "first_party" | "third_party" | "collaborative" | "other";
  readonly withoutInputs?: boolean;
  readonly json?: boolean;
}

/** Adds `bench export`. */
export function exportCommand(program: Command, context: Context): void {
  program
    .command("export")
    .description("published results in another format, in a folder that is replaced whole")
    .addOption(
      new Option(
        "--format <name>",
        "eee: records and samples for Every Eval Ever; parquet: a file for each view",
      )
        .choices(["eee", "parquet"])
        .makeOptionMandatory(),
    )
    .option("--out <dir>", "where to write it: new, empty or a former export (default: export/<format>)")
    .option("--include-runs", "local runs too")
    .option("--organization <name>", 'eee: who provides the data (default: "unknown")')
    .addOption(
      new Option(
        "--relationship <kind>",
        "eee: who evaluates, seen from the makers of the models (default: other)",
      ).choices(["first_party", "third_party", "collaborative", "other"]),
    )
    .option("--without-inputs", "eee: leave out what the models were shown")
    .option("--json", "one JSON document")
    .addHelpText("after", '\nExample:\n  bench export --format eee --organization "Example Lab"\n')
    .action(async (options: ExportOptions) => {
      const { exportResults } = await import("./export-results.ts");
      await exportResults(options, context);
    });
}
