// Brings a corpus of another checkout, or a corpus folder, into data/corpus/. What was checked where it lies is what
// stands here afterwards: the copy is checked once more before it gets its name.
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { indentedJson } from "../answers/indented.ts";
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "../answers/json.ts";
import { readDocument } from "../documents.ts";
import { CheckError, InterruptedError } from "../errors.ts";
import { copyWhole, writeDurable, writePieces } from "../files.ts";
import { readBatches } from "../ledgers/reader.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { leadsOut } from "./assets.ts";
import { checkedCorpus } from "./check.ts";
import { DigestWriter } from "./digest.ts";
import { isBlank } from "./digest-file.ts";
import { checkSuite, writeCorpusFolder } from "./folder.ts";
import type { CorpusFile } from "./load.ts";
import { MAX_BYTES } from "./manifest.ts";
import { sourceOf } from "./source.ts";
import { assertFree } from "./standing.ts";

/** What an import came to. */
export interface ImportReport {
  /** The folder in data/corpus/. */
  readonly name: string;
  readonly suite: string;
  readonly version: string;
  readonly rows: number;
  readonly sha256: string;
  readonly pictures: number;
  /** False: the very same rows stood there already, and nothing was written. */
  readonly written: boolean;
  /** What the corpus was called where it came from, if it was renamed. */
  readonly renamed_from: { readonly suite: string; readonly version: string; readonly sha256: string } | null;
}

/**
 * Imports the corpus of `folder`, the active one of a checkout or the folder of a corpus.
 *
 * @param said how the person called the folder: no message names another path.
 * @param as another name for the suite: its rows then say that name, so that it has a digest of its own.
 * @throws {UserError} when the folder holds no corpus; {@link CheckError} when it is not sound, or other rows stand
 * under its name.
 */
export async function importCorpus(
  workspace: Workspace,
  folder: string,
  options: { readonly said: string; readonly as?: string | undefined; readonly signal?: AbortSignal },
): Promise<ImportReport> {
  const { said, signal } = options;
  const as = options.as === undefined ? undefined : checkSuite(options.as, "--as");
  const pictures = new Set<string>();
  const source = await sourceOf(workspace, folder, said);
  const found = await checkedCorpus(
    source,
    {
      signal,
      onRow: ({ assets }) => {
        for (const { path } of assets) pictures.add(path);
      },
    },
    `${said}: `,
  );
  const renamed = as !== undefined && as !== found.suite;
  const suite = as ?? found.suite;
  const sha256 = renamed ? await renamedDigest(found.path, suite, signal) : found.sha256;
  const { version, rowCount: rows } = found;
  const report: Omit<ImportReport, "name" | "written"> = {
    suite,
    version,
    rows,
    sha256,
    pictures: pictures.size,
    renamed_from: renamed ? { suite: found.suite, version, sha256: found.sha256 } : null,
  };
  const hint = (free: string): string => `bring it in under another name, such as --as ${free}`;
  const standing = await assertFree(workspace, { suite, sha256 }, hint, signal);
  if (standing !== null) return { ...report, ...standing, written: false };
  await writeCorpusFolder(workspace, suite, async (draft) => {
    const cases = join(draft, "cases.jsonl");
    if (renamed) {
      await writePieces(cases, renamedLines(found.path, suite, signal));
      await writeDurable(join(draft, "manifest.json"), await renamedManifest(found, suite, sha256));
    } else {
      await copyWhole(found.path, cases);
      await copyWhole(join(found.dir, "manifest.json"), join(draft, "manifest.json"));
    }
    await copyPictures(found.dir, draft, pictures, { said, signal });
    const copy = await checkedCorpus(
      { ...workspace, root: draft, casesFile: cases },
      { signal },
      "the copy: ",
    );
    if (copy.sha256 !== sha256 || copy.suite !== suite) {
      throw new CheckError(`${said} was changed while it was copied: try again`);
    }
  });
  return { ...report, name: suite, written: true };
}

async function copyPictures(
  from: string,
  to: string,
  pictures: ReadonlySet<string>,
  { said, signal }: { readonly said: string; readonly signal: AbortSignal | undefined },
): Promise<void> {
  for (const path of pictures) {
    if (signal?.aborted) throw new InterruptedError("interrupted");
    const outside = await leadsOut(from, path);
    if (outside !== null) throw new CheckError(`${said}: ${quoted(path)} ${outside}`);
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyWhole(join(from, path), join(to, path));
  }
}

/** The rows as they stand, but of another suite: order of keys, digits and everything else as it was. */
async function* renamedLines(
  file: string,
  suite: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void> {
  for await (const batch of readBatches(file, { wholeTail: true })) {
    if (signal?.aborted) throw new InterruptedError("interrupted");
    let out = "";
    for (const { text } of batch) {
      // The file was checked: what is not blank is a row.
      if (!isBlank(text)) out += `${stringifyJson((parseJson(text) as JsonObject).set("suite", suite))}\n`;
    }
    if (out !== "") yield out;
  }
}

async function renamedDigest(file: string, suite: string, signal: AbortSignal | undefined): Promise<string> {
  const digest = new DigestWriter();
  for await (const text of renamedLines(file, suite, signal)) {
    for (const line of text.trimEnd().split("\n")) digest.addLine(line);
  }
  return digest.hex();
}

async function renamedManifest(found: CorpusFile, suite: string, sha256: string): Promise<string> {
  const { value } = await readDocument(join(found.dir, "manifest.json"), MAX_BYTES);
  if (!isJsonObject(value)) throw new CheckError("manifest.json was changed while it was copied: try again");
  const before = value.get("renamed_from");
  const from: JsonObject = new Map([
    ["suite", found.suite],
    ["version", found.version],
    ["sha256", found.sha256],
  ]);
  // It may have been renamed before, on its way here.
  if (before !== undefined) from.set("renamed_from", before);
  return `${indentedJson(value.set("suite", suite).set("sha256", sha256).set("renamed_from", from))}\n`;
}
