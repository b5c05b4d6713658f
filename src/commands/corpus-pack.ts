// What `bench corpus pack` does and prints.
import { basename, extname, resolve } from "node:path";
import { findingText } from "../corpus/load.ts";
import { packCorpus } from "../corpus/pack/index.ts";
import { useCorpus } from "../corpus/use.ts";
import { CheckError, UserError } from "../errors.ts";
import { visible } from "../output.ts";
import { quoted } from "../quote.ts";
import { assertOwnWorkspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import type { PackArguments } from "./corpus.ts";
import { printSummary } from "./corpus-info.ts";
import { write, writeJson } from "./output.ts";

const FORMATS = new Map<string, "csv" | "jsonl">([
  [".csv", "csv"],
  [".tsv", "csv"],
  [".jsonl", "jsonl"],
  [".ndjson", "jsonl"],
]);

/**
 * Makes a corpus of a person's rows and says what it holds.
 *
 * @throws {CheckError} when there is something wrong with the rows (each problem was listed), or others stand under the
 * name; {@link UserError} for a file that is not there or of no known form.
 */
export async function packRows(context: Context, file: string, options: PackArguments): Promise<void> {
  const workspace = await context.workspace();
  const { suite, version, license, seed, check = false, use = false } = options;
  if (!check) assertOwnWorkspace(workspace.root);
  const path = resolve(context.cwd, file);
  // An absolute path names places of this machine.
  const said = visible(basename(path));
  const format = options.format ?? FORMATS.get(extname(path).toLowerCase());
  if (format === undefined) {
    throw new UserError(
      `${said} ends neither in .csv nor in .jsonl: say what it is with --format csv or --format jsonl`,
    );
  }
  if (version.trim() === "")
    throw new UserError(`--version ${quoted(version)} is empty: name a version, such as 1.0.0`);
  if (options.label?.trim() === "")
    throw new UserError("--label is empty: name the corpus for its readers, or leave the option away");
  if (check && use)
    throw new UserError("--check writes nothing, so --use has nothing to switch to: leave one of them away");
  const label = options.label ?? suite;
  const report = await packCorpus(workspace, {
    path,
    said,
    format,
    suite,
    version,
    label,
    license,
    seed,
    check,
    signal: context.interrupt,
  });
  const { problems, problem_count: count, name, sha256, written, warnings } = report;
  if (name !== null && use) await useCorpus(workspace, name, context.interrupt);
  const { rows, categories, tasks } = report;
  const head = { suite, version: report.version, label, license, rows, categories, tasks };
  if (options.json === true) {
    await writeJson(context, {
      ...head,
      sha256,
      name,
      written,
      active: name !== null && use,
      seed,
      pictures: report.pictures,
      warnings,
      problem_count: count,
      problems,
    });
  } else {
    for (const problem of problems) await write(context.stderr, `${visible(findingText(problem))}\n`);
    if (count > problems.length) context.stderr.write(`… and ${count - problems.length} more\n`);
  }
  if (sha256 === null) {
    throw new CheckError(`${count} ${count === 1 ? "problem" : "problems"} in ${said}: nothing was written`);
  }
  if (options.json === true) return;
  printSummary(context, { ...head, sha256 });
  context.stdout.write("\n");
  for (const warning of warnings) context.stdout.write(`weak: ${visible(warning)}\n`);
  if (written) context.stdout.write(`written: data/corpus/${suite}\n`);
  else if (name !== null) context.stdout.write("these rows are there already: nothing was written\n");
  else context.stdout.write("nothing is wrong; nothing was written\n");
  if (name !== null) {
    context.stdout.write(
      use
        ? `${visible(name)} is the active corpus.\n`
        : `\`bench corpus use ${visible(name)}\` makes it the active corpus.\n`,
    );
  }
}
