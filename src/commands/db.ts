// `bench db build`: everything as one DuckDB file.
import type { Command } from "commander";
import type { Context } from "./context.ts";
import { nameList } from "./options.ts";

export interface DbBuildOptions {
  /** Only these runs. */
  readonly runs?: readonly string[];
  readonly json?: boolean;
}

/** Adds `bench db build`. */
export function dbCommand(program: Command, context: Context): void {
  const db = program
    .command("db")
    .description("a DuckDB file with all rows and views, for other tools")
    .addHelpText("after", "\nExample:\n  bench db build bench.duckdb\n");
  db.command("build")
    .argument("<file>", "where to write it; a DuckDB file that is there is replaced")
    .description(
      "write the rows as they are now, with the same views, macros and comments, into a DuckDB file",
    )
    .option(
      "--runs <names>",
      "only these local runs and published results, with commas between them",
      nameList,
    )
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench db build bench.duckdb && duckdb bench.duckdb\n")
    .action(async (file: string, options: DbBuildOptions) => {
      const { buildDatabase } = await import("./db-build.ts");
      await buildDatabase(file, options, context);
    });
}
