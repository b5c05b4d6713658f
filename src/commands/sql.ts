// `bench sql`: ad-hoc SQL over all runs, published results and the corpus.
import { type Command, Option } from "commander";
import type { Context } from "./context.ts";

export const SQL_FORMATS = ["table", "json", "jsonl", "csv"] as const;

export interface SqlOptions {
  readonly file?: string;
  readonly format: (typeof SQL_FORMATS)[number];
  readonly output?: string;
}

/** Adds `bench sql`. */
export function sqlCommand(program: Command, context: Context): void {
  program
    .command("sql")
    .argument("[query]", "one or more statements; the result of the last one is shown")
    .description("ad-hoc SQL over all runs, published results and the corpus (`SHOW TABLES` lists the views)")
    .option("-f, --file <file>", "read the statements from a file")
    .addOption(new Option("--format <format>", "form of the result").choices(SQL_FORMATS).default("table"))
    .option("-o, --output <file>", "write the result to a file")
    .addHelpText(
      "after",
      '\nExample:\n  bench sql "SELECT run_id, accuracy, wilson_low, wilson_high FROM accuracy_overall ORDER BY accuracy DESC"\n',
    )
    .action(async (query: string | undefined, options: SqlOptions) => {
      const { runQuery } = await import("./sql-query.ts");
      await runQuery(query, options, context);
    });
}
