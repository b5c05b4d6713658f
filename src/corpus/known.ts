// A large corpus that was found sound need not be checked row by row again: what is remembered of it is the SHA-256 of its
// bytes, and bytes with the same digest are the same rows. Reading a gigabyte for its digest takes a second, checking it a
// quarter of a minute.
import { createHash } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { toPlain } from "../answers/json.ts";
import { readDocument } from "../documents.ts";
import { errorCode, InterruptedError } from "../errors.ts";
import { isRecord } from "../fields.ts";
import { replaceFile } from "../files.ts";
import { readBatches } from "../ledgers/reader.ts";
import { packageVersion, type Workspace } from "../workspace.ts";
import { digestBytes, isBlank, LARGE_BYTES } from "./digest-file.ts";
import type { Corpus } from "./load.ts";
import { readManifest, readPointer } from "./manifest.ts";
import { fileVersion, RowFile, type RowHead } from "./row-file.ts";
import type { CorpusRow } from "./schema.ts";

/** Which bytes a corpus consists of. */
export interface SoundBytes {
  /** Lower-case hex SHA-256 of cases.jsonl. */
  readonly sha256: string;
  /** Lower-case hex SHA-256 of the manifest's canonical JSON. */
  readonly manifestSha256: string;
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const noteSchema = z.object({
  format: z.literal(1),
  /** Another version may check more. */
  harness: z.string(),
  cases_bytes: count,
  cases_sha256: sha256,
  manifest_sha256: sha256,
  corpus_sha256: sha256,
  rows: count,
  longest_bytes: count,
  words: z.array(z.string()).nullable(),
});

const NOTE = ".known-corpus.json";
const MAX_NOTE_BYTES = 16 * 1024 * 1024;

/**
 * Notes that the corpus is sound, in `runs/`. The note saves time and nothing else, so one that cannot be written is done
 * without.
 *
 * @param mayMakeFolder makes `runs/`, if the workspace has none.
 */
export async function rememberCorpus(
  workspace: Workspace,
  { sha256, manifestSha256 }: SoundBytes,
  corpus: Corpus,
  mayMakeFolder: boolean,
): Promise<void> {
  if (workspace.casesFile !== undefined) return;
  try {
    if (mayMakeFolder) await mkdir(workspace.runsDir, { recursive: true });
    const { size } = await stat(corpus.path);
    const note: z.infer<typeof noteSchema> = {
      format: 1,
      harness: packageVersion(),
      cases_bytes: size,
      cases_sha256: sha256,
      manifest_sha256: manifestSha256,
      corpus_sha256: corpus.sha256,
      rows: corpus.rowCount,
      longest_bytes: corpus.longestBytes,
      words: corpus.words === null ? null : [...corpus.words],
    };
    await replaceFile(join(workspace.runsDir, NOTE), `${JSON.stringify(note)}\n`);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/**
 * The active corpus, when it is large and consists of exactly the bytes that were found sound before; null when it has to be
 * checked.
 *
 * @throws {InterruptedError} when it was stopped.
 */
export async function recallCorpus(
  workspace: Workspace,
  keepRows: boolean,
  signal?: AbortSignal,
): Promise<Corpus | null> {
  if (workspace.casesFile !== undefined) return null;
  const note = await readNote(join(workspace.runsDir, NOTE));
  if (note === null || note.harness !== packageVersion()) return null;
  // Whatever is wrong is found, and told, by who checks everything.
  const nobody = (): void => {};
  const pointer = await readPointer(workspace, nobody);
  if (pointer === null) return null;
  const dir = dirname(pointer.path);
  const { manifest, sha256: manifestSha256 } = await readManifest(join(dir, "manifest.json"), nobody);
  if (manifest === null || manifestSha256 !== note.manifest_sha256) return null;
  if (pointer.version !== null && pointer.version !== manifest.version) return null;
  if (manifest.sha256 !== note.corpus_sha256) return null;
  const rows = await readKnown(pointer.path, note, keepRows, signal);
  if (rows === null) return null;
  const { suite, version, sha256 } = manifest;
  return {
    suite,
    version,
    sha256,
    dir,
    manifest,
    path: pointer.path,
    rowCount: note.rows,
    longestBytes: note.longest_bytes,
    rows,
    words: note.words,
  };
}

async function readNote(path: string): Promise<z.infer<typeof noteSchema> | null> {
  const { value, refusal } = await readDocument(path, MAX_NOTE_BYTES);
  if (refusal !== undefined) return null;
  return noteSchema.safeParse(toPlain(value)).data ?? null;
}

/** The rows of a file of exactly these bytes (none when they are not to be kept); null for any other file. */
async function readKnown(
  path: string,
  note: z.infer<typeof noteSchema>,
  keepRows: boolean,
  signal?: AbortSignal,
): Promise<readonly CorpusRow[] | null> {
  let rowFile: RowFile | null = null;
  try {
    const info = await stat(path);
    if (!info.isFile() || info.size !== note.cases_bytes || info.size < LARGE_BYTES) return null;
    const before = await fileVersion(path);
    rowFile = keepRows ? new RowFile(path) : null;
    const { sha256, rows } =
      rowFile === null
        ? { sha256: await digestBytes(path, signal), rows: [] }
        : await readPlaces(path, rowFile, signal);
    const isSame = sha256 === note.cases_sha256 && (await fileVersion(path)) === before;
    if (isSame && (rowFile === null || rows.length === note.rows)) return rows;
  } catch (error) {
    // A file that cannot be read, and a line that is no row.
    if (!(error instanceof SyntaxError) && errorCode(error) === undefined) throw error;
  }
  rowFile?.close();
  return null;
}

/**
 * Where the rows are, and the digest of the bytes that say so: only if it is the known one is each line certainly a row.
 *
 * @throws {SyntaxError} for a line that is none.
 */
async function readPlaces(
  path: string,
  file: RowFile,
  signal?: AbortSignal,
): Promise<{ readonly sha256: string; readonly rows: readonly CorpusRow[] }> {
  const hash = createHash("sha256");
  const rows: CorpusRow[] = [];
  const onChunk = (chunk: Buffer): void => void hash.update(chunk);
  for await (const batch of readBatches(path, { wholeTail: true, onChunk })) {
    if (signal?.aborted) throw new InterruptedError("interrupted");
    for (const { text, offset, bytes } of batch) {
      if (!isBlank(text)) rows.push(file.row(headOf(text), { offset, bytes }));
    }
  }
  return { sha256: hash.digest("hex"), rows };
}

/** How rows mostly begin; the rest of such a line need not be looked at. */
const HEAD =
  /^\{"id":"([^"\\]+)","suite":"[^"\\]+","category":"([^"\\]+)",(?:"category_name":"[^"\\]*",)?"task":"([^"\\]+)",/;

function headOf(text: string): RowHead {
  const [, id, category, task] = HEAD.exec(text) ?? [];
  if (id !== undefined && category !== undefined && task !== undefined) return { id, category, task };
  const row: unknown = JSON.parse(text);
  if (!isRecord(row)) throw new SyntaxError("no row");
  return { id: String(row.id), category: String(row.category), task: String(row.task) };
}
