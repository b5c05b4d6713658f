// `bench run`: evaluates models over the active corpus.
import type { Command } from "commander";
import type { Context } from "./context.ts";
import { nameList, positiveNumber, wholeNumber } from "./options.ts";

/** What `--jobs`, `--timeout` and `--max-attempts` are when nobody says. */
export const RUN_DEFAULTS = { jobs: 3, timeout: 180, maxAttempts: 2 } as const;

export interface RunOptions {
  /** The global `--root`, as it was given. */
  readonly root?: string | undefined;
  readonly model: string[];
  readonly jobs: number;
  readonly timeout: number;
  readonly maxAttempts: number;
  readonly limit?: number;
  readonly ids?: string[];
  readonly task?: string[];
  readonly category?: string[];
  readonly rpm?: number;
  readonly retryErrors?: boolean;
  readonly runId?: string;
  readonly apiModel?: string;
  readonly maxCost?: number;
  readonly keepGoing?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Adds `bench run`. */
export function runCommand(program: Command, context: Context): void {
  program
    .command("run")
    .description("evaluate models over the active corpus; the same command again goes on where it stopped")
    .requiredOption("--model <id,…>", "models of config/models.json, one after another", nameList)
    .option("--jobs <n>", "calls in flight", wholeNumber(1, 1024), RUN_DEFAULTS.jobs)
    .option("--timeout <seconds>", "time limit of one call", positiveNumber(86_400), RUN_DEFAULTS.timeout)
    .option(
      "--max-attempts <n>",
      "attempts a row, in this invocation",
      wholeNumber(1, 100),
      RUN_DEFAULTS.maxAttempts,
    )
    .option("--limit <n>", "only the first rows of the selection", wholeNumber(1, 1_000_000_000))
    .option("--ids <id,…>", "only these rows", nameList)
    .option("--task <id,…>", "only rows of these tasks", nameList)
    .option("--category <id,…>", "only rows of these categories", nameList)
    .option("--rpm <n>", "starts of calls a minute, retries included", positiveNumber(1_000_000))
    .option("--retry-errors", "also call rows again whose latest result is an error")
    .option("--run-id <id>", "name of the run (default: made from its settings)")
    .option("--api-model <name>", "name of the model that is sent, instead of the configured one")
    .option(
      "--max-cost <usd>",
      "start no new call once the known cost of the run reaches this",
      positiveNumber(1e9),
    )
    .option("--keep-going", "go on even when many rows in a row fail alike")
    .option("--dry-run", "show the first request, the selection and the estimated cost; call nothing")
    .option("--json", "one JSON document on standard output at the end")
    .addHelpText("after", "\nExample:\n  bench run --model baseline-uniform,baseline-lexical --task ENG-5\n")
    .action(async (options: RunOptions, command: Command) => {
      const { evaluate } = await import("./run-models.ts");
      await evaluate({ ...options, root: command.optsWithGlobals<{ root?: string }>().root }, context);
    });
}
