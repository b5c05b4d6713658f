// `bench sql`: ad-hoc SQL over all runs, published results and the corpus.
import { type Command, Option } from "commander";
import type { Context } from "./context.ts";

export const TEXT_FORMATS = ["table", "json", "jsonl", "csv", "markdown"] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];
export const SQL_FORMATS = [...TEXT_FORMATS, "arrow", "parquet"] as const;

export interface SqlOptions {
  readonly file?: string;
  readonly format: (typeof SQL_FORMATS)[number];
  readonly output?: string;
}

/** True for the forms that a person can read and that can follow each other. */
export function isTextFormat(format: string): format is TextFormat {
  return (TEXT_FORMATS as readonly string[]).includes(format);
}

/** Adds `bench sql`. */
export function sqlCommand(program: Command, context: Context): void {
  program
    .command("sql")
    .argument("[query]", "one or more statements; the result of the last one is shown")
    .description(
      "ad-hoc SQL over all runs, published results and the corpus (`SHOW TABLES` lists the views); without a query, " +
        "a prompt, or the statements on standard input, one after another",
    )
    .option("-f, --file <file>", "read the statements from a file")
    .addOption(
      new Option(
        "--format <format>",
        "form of the result: table shows the first 200 rows, all others give every row; arrow is an Arrow IPC file",
      )
        .choices(SQL_FORMATS)
        .default("table"),
    )
    .option("-o, --output <file>", "write the result to a file, which is whole or not there")
    .addHelpText(
      "after",
      '\nExample:\n  bench sql "SELECT run_id, accuracy, wilson_low, wilson_high FROM accuracy_overall ORDER BY accuracy DESC"\n',
    )
    .action(async (query: string | undefined, options: SqlOptions) => {
      if (query === undefined && options.file === undefined) {
        const { openSession } = await import("./sql-terminal.ts");
        await openSession(options, context);
        return;
      }
      const { runQuery } = await import("./sql-query.ts");
      await runQuery(query, options, context);
    });
}
