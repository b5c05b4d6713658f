// `bench corpus …`: describe, check, rebuild, switch, bring in, make and compare corpora.
import { type Command, Option } from "commander";
import type { Context } from "./context.ts";
import { wholeNumber } from "./options.ts";

/** Adds `bench corpus info`, `verify`, `build`, `list`, `use`, `import`, `pack` and `diff`. */
export function corpusCommand(program: Command, context: Context): void {
  const corpus = program
    .command("corpus")
    .description("describe, check, rebuild, switch, bring in, make and compare corpora")
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
    .option("--out <dir>", "write data/ and docs/ below this folder instead of into the workspace")
    .option("--check", "compare only: exit 1 when a file differs, write nothing")
    .option("--redraw", "draw every picture anew (needs the development dependencies)")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench corpus build --check\n")
    .action(async (options: { out?: string; check?: boolean; redraw?: boolean; json?: boolean }) => {
      const { rebuildCorpus } = await import("./corpus-build.ts");
      await rebuildCorpus(context, options);
    });
  corpus
    .command("list")
    .description("the corpora in data/corpus by their manifests, and which one is active")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench corpus list\n")
    .action(async (options: { json?: boolean }) => {
      const { listCorpora } = await import("./corpus-shelf.ts");
      await listCorpora(context, options.json === true);
    });
  corpus
    .command("use")
    .description("check a corpus of data/corpus and make it the active one; runs and results stay")
    .argument("<name>", "its folder, as `bench corpus list` shows it")
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench corpus use bench-v4\n")
    .action(async (name: string, options: { json?: boolean }) => {
      const { switchCorpus } = await import("./corpus-shelf.ts");
      await switchCorpus(context, name, options.json === true);
    });
  corpus
    .command("import")
    .description("bring in the active corpus of another checkout, or the folder of a corpus")
    .argument(
      "<dir>",
      "a checkout (data/corpus/current.json), or a folder with manifest.json and cases.jsonl",
    )
    .option(
      "--as <name>",
      "bring it in as another suite: its rows say that name and get a digest of their own",
    )
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench corpus import ../other-checkout --as theirs\n")
    .action(async (folder: string, options: { as?: string; json?: boolean }) => {
      const { bringCorpus } = await import("./corpus-shelf.ts");
      await bringCorpus(context, folder, options);
    });
  corpus
    .command("pack")
    .description("make a corpus of your own rows, CSV or JSONL (docs/own-corpus.md)")
    .argument("<file>", "one row a record")
    .requiredOption("--suite <name>", "the folder in data/corpus, and the suite of the rows")
    .option("--label <text>", "what readers call it (default: the suite)")
    .option("--license <text>", "licence of the rows", "not stated")
    .option("--version <version>", "of the corpus", "1.0.0")
    .option("--seed <n>", "decides the order of the options", wholeNumber(0, Number.MAX_SAFE_INTEGER), 1)
    .addOption(new Option("--format <format>", "instead of the file's ending").choices(["csv", "jsonl"]))
    .option("--use", "make it the active corpus")
    .option("--check", "only report what is wrong or weak: nothing is written")
    .option("--json", "one JSON document")
    .addHelpText("after", PACK_HELP)
    .action(async (file: string, options: PackArguments) => {
      const { packRows } = await import("./corpus-pack.ts");
      await packRows(context, file, options);
    });
  corpus
    .command("diff")
    .description("what differs between two corpora: exit 1 when anything does, 2 when one cannot be compared")
    .argument("<a>", "a folder of data/corpus by its name, or the path of a checkout or of a corpus folder")
    .argument("<b>", "the other one")
    .option(
      "--limit <n>",
      "list at most so many rows, tasks, categories and pictures each; counts are complete",
      wholeNumber(0, 10_000),
      50,
    )
    .option("--json", "one JSON document")
    .addHelpText("after", "\nExample:\n  bench corpus diff tickets tickets-2\n")
    .action(async (a: string, b: string, options: { limit: number; json?: boolean }) => {
      const { compareCorpora } = await import("./corpus-diff.ts");
      await compareCorpora(context, [a, b], options);
    });
}

/** Options of `bench corpus pack`. */
export interface PackArguments {
  readonly suite: string;
  readonly label?: string;
  readonly license: string;
  readonly version: string;
  readonly seed: number;
  readonly format?: "csv" | "jsonl";
  readonly use?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
}

const PACK_HELP = `
A file tickets.csv:
  task,instructions,state.subject,state.text,options,gold
  route,Who takes this ticket?,Refund,"I paid twice, please help.",billing = money and invoices | tech = anything broken,billing
  route,Who takes this ticket?,Crash,It stops when I save.,billing = money and invoices | tech = anything broken,tech

Example:
  bench corpus pack tickets.csv --suite tickets
  bench corpus use tickets
  bench run --model baseline-lexical
`;
