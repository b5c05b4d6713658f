// `bench corpus …`: describe, check and rebuild corpora.
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds `bench corpus info`, `verify` and `build`. */
export function corpusCommand(program: Command, context: Context): void {
  const corpus = program
    .command("corpus")
    .description("describe, check and rebuild the corpus")
    .addHelpText("after", "\nExample:\n  bench corpus info\n");
  corpus
    .command("info")
    .description("what the active corpus holds")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench corpus info\n")
    .action(async (options: { json?: boolean }) => {
      const { describeCorpus } = await import("./corpus-info.ts");
      await describeCorpus(context, options.json === true);
    });
  corpus
    .command("verify")
    .description("check structure, digest and pictures of the active corpus; lists every problem")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench corpus verify && echo sound\n")
    .action(async (options: { json?: boolean }) => {
      const { verifyCorpus } = await import("./corpus-info.ts");
      await verifyCorpus(context, options.json === true);
    });
  corpus
    .command("build")
    .description("rebuild the project's corpus from the committed facts in data/sources, without a network")
    .option("--out <dir>", "write below this folder instead of the workspace's data/")
    .option("--check", "compare only: exit 1 when a file differs, write nothing")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench corpus build --check\n")
    .action(async (options: { out?: string; check?: boolean; json?: boolean }) => {
      const { rebuildCorpus } = await import("./corpus-build.ts");
      await rebuildCorpus(context, options);
    });
}
