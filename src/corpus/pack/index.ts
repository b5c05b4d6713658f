// Makes a corpus of a person's own rows: everything is checked first, then written, then checked again where it stands.
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { indentedJson } from "../../answers/indented.ts";
import { refusalOf } from "../../documents.ts";
import { CheckError, InterruptedError, UserError } from "../../errors.ts";
import { copyWhole, writeDurable, writePieces } from "../../files.ts";
import type { Workspace } from "../../workspace.ts";
import { checkedCorpus } from "../check.ts";
import { checkSuite, writeCorpusFolder } from "../folder.ts";
import { MAX_CASES_BYTES } from "../load.ts";
import type { Finding } from "../schema.ts";
import { assertFree } from "../standing.ts";
import { Packer, type PackSource } from "./packer.ts";
import type { Format } from "./records.ts";
import type { TaskSummary } from "./tasks.ts";

export interface PackOptions {
  /** Absolute path. */
  readonly path: string;
  /** What messages call it. */
  readonly said: string;
  readonly format: Format;
  readonly suite: string;
  readonly version: string;
  readonly label: string;
  readonly license: string;
  readonly seed: number;
  /** Only report: nothing is written. */
  readonly check: boolean;
  readonly signal?: AbortSignal;
}

export interface PackReport {
  /** The problems that were found, in file order, at most {@link MAX_PROBLEMS}. */
  readonly problems: readonly Finding[];
  readonly problem_count: number;
  readonly warnings: readonly string[];
  readonly written: boolean;
  /** The folder of data/corpus/ that holds these very rows; null: none does. */
  readonly name: string | null;
  /** That of the corpus that is there, or the one that was asked for. */
  readonly version: string;
  readonly rows: number;
  readonly pictures: number;
  /** Null when there is a problem. */
  readonly sha256: string | null;
  readonly categories: number;
  readonly tasks: readonly TaskSummary[];
}

/** Problems beyond these are only counted. */
export const MAX_PROBLEMS = 1000;

/**
 * Packs the file into `data/corpus/<suite>/`.
 *
 * @throws {UserError} when there is no such file, or the suite has an impossible name; {@link CheckError} when other rows
 * stand under that name.
 */
export async function packCorpus(workspace: Workspace, options: PackOptions): Promise<PackReport> {
  const { path, said, signal } = options;
  const suite = checkSuite(options.suite, "--suite");
  const refusal = await refusalOf(path, MAX_CASES_BYTES);
  if (refusal !== null) throw new UserError(`${said} ${refusal.message}`);
  const source: PackSource = { ...options, suite, dir: dirname(path), signal };
  const problems: Finding[] = [];
  let count = 0;
  const add = (line: number, field: string, message: string): void => {
    count += 1;
    if (count <= MAX_PROBLEMS) problems.push({ file: said, line, field, message });
  };
  const packer = new Packer(source, add);
  for await (const _ of packer.lines());
  if (packer.rows === 0 && count === 0) add(1, "", "holds no row");
  const report = {
    problems,
    problem_count: count,
    warnings: count > 0 ? [] : packer.book.warnings(),
    rows: packer.rows,
    pictures: packer.pictures.size,
    categories: packer.book.categories,
    tasks: packer.book.summaries(),
  };
  if (count > 0) return { ...report, written: false, name: null, version: options.version, sha256: null };
  const sha256 = packer.digest.hex();
  const hint = (free: string): string =>
    `a correction is a corpus of its own, such as --suite ${free} --version 2.0.0`;
  const standing = await assertFree(workspace, { suite, sha256 }, hint, signal);
  if (standing !== null || options.check) {
    const { name, version } = standing ?? { name: null, version: options.version };
    return { ...report, written: false, name, version, sha256 };
  }
  await writeCorpusFolder(workspace, suite, async (draft) => {
    await writeRows(source, join(draft, "cases.jsonl"), said);
    for (const [to, from] of packer.pictures) {
      if (signal?.aborted) throw new InterruptedError("interrupted");
      await mkdir(dirname(join(draft, to)), { recursive: true });
      await copyWhole(join(source.dir, from), join(draft, to));
    }
    const { version, label, license, seed } = options;
    const manifest = { version, suite, label, sha256, license, ...packer.book.manifest(), packed: { seed } };
    await writeDurable(join(draft, "manifest.json"), `${indentedJson(manifest)}\n`);
    // Also when the file was changed meanwhile: then these are not the rows that were checked.
    await checkedCorpus(
      { ...workspace, root: draft, casesFile: join(draft, "cases.jsonl") },
      { signal },
      `${said} as a corpus: `,
    );
  });
  return { ...report, written: true, name: suite, version: options.version, sha256 };
}

async function writeRows(source: PackSource, to: string, said: string): Promise<void> {
  const packer = new Packer(source, (line) => {
    throw new CheckError(`${said} was changed while it was packed (line ${line}): try again`);
  });
  await writePieces(to, packer.lines());
}
