// `bench compare`: two runs against each other on the rows that both have finished.
import { type Command, Option } from "commander";
import { DEFAULT_REPETITIONS, DEFAULT_SEED } from "../warehouse/bootstrap.ts";
import type { Context } from "./context.ts";
import { numberFrom, wholeNumber } from "./options.ts";

export const GROUPINGS = ["task", "category"] as const;

export interface CompareOptions {
  readonly json?: boolean;
  readonly by?: (typeof GROUPINGS)[number];
  readonly reps: number;
  readonly seed: number;
  /** In percentage points. */
  readonly failIfWorse?: number;
  /** In percentage points. */
  readonly failUnlessWithin?: number;
}

const RUN = "a run as `bench score` takes it";

/** Adds `bench compare`. */
export function compareCommand(program: Command, context: Context): void {
  program
    .command("compare")
    .argument("<a>", RUN)
    .argument("<b>", RUN)
    .description("paired comparison of two runs on their shared rows, with tasks as clusters (A minus B)")
    .addOption(new Option("--by <group>", "also every task or category").choices(GROUPINGS))
    .option("--reps <n>", "repetitions of the task bootstrap", wholeNumber(1, 1_000_000), DEFAULT_REPETITIONS)
    .option("--seed <n>", "seed of the task bootstrap", wholeNumber(0, Number.MAX_SAFE_INTEGER), DEFAULT_SEED)
    .option(
      "--fail-if-worse <points>",
      "end with exit code 1 when A is surely worse than B by more than this many percentage points",
      numberFrom(0, 100),
    )
    .option(
      "--fail-unless-within <points>",
      "end with exit code 1 unless A is surely at most this many percentage points worse than B",
      numberFrom(0, 100),
    )
    .option("--json", "one JSON document")
    .addHelpText(
      "after",
      "\nExample:\n  bench compare new-model old-model --by task --fail-unless-within 2\n" +
        "\nSurely: by the 95 % jackknife interval (docs/statistics.md).\n",
    )
    .action(async (a: string, b: string, options: CompareOptions) => {
      const { compareRuns } = await import("./compare-runs.ts");
      await compareRuns([a, b], options, context);
    });
}
