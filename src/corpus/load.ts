// Reads the active corpus and refuses anything that is not exactly what its manifest froze. Loading names the first
// problem; `corpus verify` and `validate` list them all, found by the same rules.
import { stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type Json, JsonError, parseJson } from "../answers/json.ts";
import { refusalOf } from "../documents.ts";
import { InterruptedError, UserError } from "../errors.ts";
import { fieldPath } from "../fields.ts";
import { readBatches } from "../ledgers/reader.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { checkAsset } from "./assets.ts";
import { digestFile, isBlank, LARGE_BYTES, notJson } from "./digest-file.ts";
import type { SoundBytes } from "./known.ts";
import { type Add, checkCounts, readManifest, readPointer } from "./manifest.ts";
import { checkPlace, type OptionLists, type Report, readRow, readUsualRow } from "./row.ts";
import { fileVersion, RowFile } from "./row-file.ts";
import type { CorpusRow, Finding, Manifest } from "./schema.ts";
import { Words } from "./words.ts";

export { isInnerPath } from "./assets.ts";

/** A corpus whose structure and digest were checked, without its rows. */
export interface CorpusFile {
  readonly suite: string;
  readonly version: string;
  readonly sha256: string;
  /** Absolute path of the folder that holds `cases.jsonl` and `manifest.json`. */
  readonly dir: string;
  readonly manifest: Manifest;
  /** Absolute path of `cases.jsonl`. */
  readonly path: string;
  readonly rowCount: number;
  /** No line of the file has more bytes. */
  readonly longestBytes: number;
}

/** A corpus whose structure and digest were checked. */
export interface Corpus extends CorpusFile {
  readonly rows: readonly CorpusRow[];
  /** All labels and question ids of the rows; null when nobody asked, and when they are too many. */
  readonly words: readonly string[] | null;
}

/** The corpus if nothing is wrong with it, and everything that is wrong with it. */
export interface CorpusReport {
  readonly corpus: Corpus | null;
  readonly findings: readonly Finding[];
  /** The finding about the digest, if the rows are not those that the manifest froze. */
  readonly mismatch: Finding | null;
}

/** So many problems of the rows are looked for: a file of a gigabyte that holds none of them has more than memory holds. */
export const MOST_FINDINGS = 1000;

/** Largest `cases.jsonl` that is read, in bytes: its lines stay in memory. */
export const MAX_CASES_BYTES = 1024 * 1024 * 1024;

/**
 * The active corpus of a workspace.
 *
 * @throws {UserError} naming file, line and field of the first problem, and how many more there are.
 */
export async function loadCorpus(workspace: Workspace, options: InspectOptions = {}): Promise<Corpus> {
  const { corpus, findings, mismatch } = await inspectCorpus(workspace, options);
  if (corpus !== null) return corpus;
  const [first] = findings;
  if (first === undefined) throw new Error("a corpus without a finding is sound");
  // Rows that are not the frozen ones are always told with both digests, also where something else comes first.
  const digests = mismatch === null || mismatch === first ? "" : `; ${mismatch.message}`;
  const others = findings.length - (digests === "" ? 1 : 2);
  const more = others > 0 ? ` (and ${others} more: \`bench corpus verify\` lists them)` : "";
  throw new UserError(`${findingText(first)}${digests}${more}`);
}

export interface InspectOptions {
  /** False: `rows` of the corpus stays empty. */
  readonly keepRows?: boolean;
  /** Rows of a large corpus are kept as places in the file, which stays open as long as the program runs. */
  readonly leaveInFile?: boolean;
  /** Told of every row that has the shape of one, in file order, also of rows that are not kept. */
  readonly onRow?: (row: CorpusRow) => void;
  /** Told when the rows are read and nothing is wrong with them, before the digest is known. */
  readonly onRead?: (corpus: Corpus) => void;
  /** Told of the bytes of a large corpus without pictures when nothing is wrong with it at all. */
  readonly onSound?: (bytes: SoundBytes) => void;
  /** Stops the reading and the digest. */
  readonly signal?: AbortSignal | undefined;
}

/** `file:line: field: message`, on one line. */
export function findingText(finding: Finding): string {
  const line = finding.line === null ? "" : `:${finding.line}`;
  const field = finding.field === "" ? "" : `${finding.field}: `;
  return `${finding.file}${line}: ${field}${finding.message}`;
}

/** Reads the active corpus and lists all problems of structure, digest and pictures. Quality is not judged here. */
export async function inspectCorpus(
  workspace: Workspace,
  {
    keepRows = true,
    leaveInFile = false,
    onRow = () => {},
    onRead = () => {},
    onSound = () => {},
    signal,
  }: InspectOptions = {},
): Promise<CorpusReport> {
  const findings: Finding[] = [];
  const into = (path: string): Add => {
    const file = relative(workspace.root, path).split(sep).join("/");
    return (line, field, message) => findings.push({ file, line, field, message });
  };
  const addToPointer = into(workspace.corpusPointer);
  const pointer = await readPointer(workspace, addToPointer);
  if (pointer === null) return { corpus: null, findings, mismatch: null };
  const dir = dirname(pointer.path);
  const addToManifest = into(join(dir, "manifest.json"));
  const addToCases = into(pointer.path);
  const {
    manifest,
    broken,
    sha256: manifestSha256,
  } = await readManifest(join(dir, "manifest.json"), addToManifest);
  const check = (row: CorpusRow, report: Report): void => {
    if (manifest !== null && !broken.has(row.task)) checkPlace(row, manifest, report);
  };
  const corpusOf = (manifest: Manifest, cases: ReadRows): Corpus => {
    const { rows, rowCount, longestBytes, words } = cases;
    const { suite, version, sha256 } = manifest;
    return { suite, version, sha256, dir, manifest, path: pointer.path, rowCount, longestBytes, rows, words };
  };
  const onRows = (read: ReadRows): void => {
    if (manifest !== null && findings.length === 0) onRead(corpusOf(manifest, read));
  };
  const cases = await readCases(pointer.path, {
    dir,
    keepRows,
    leaveInFile,
    signal,
    add: addToCases,
    check,
    onRow,
    onRows,
  });

  if (manifest !== null && pointer.version !== null && pointer.version !== manifest.version) {
    addToPointer(
      null,
      "version",
      `says ${quoted(pointer.version)}, the manifest says ${quoted(manifest.version)}: name the version that is there`,
    );
  }
  if (cases === null) return { corpus: null, findings, mismatch: null };
  const { lines, countable, sha256: found } = cases;
  if (lines === 0) addToCases(null, "", "holds no row");
  let mismatch: Finding | null = null;
  if (lines > 0 && manifest !== null) {
    // A row without a shape cannot be counted, and is reported itself.
    if (countable && cases.rowCount === lines) {
      checkCounts(cases.rowCount, cases.rowsOfTask, manifest, addToManifest);
    }
    if (found !== null && found !== manifest.sha256) {
      addToCases(null, "", mismatchMessage(found, manifest.sha256));
      mismatch = findings.at(-1) ?? null;
    }
  }
  if (manifest === null || findings.length > 0) return { corpus: null, findings, mismatch };
  if (cases.rawSha256 !== null && !cases.hasPictures && manifestSha256 !== null) {
    onSound({ sha256: cases.rawSha256, manifestSha256 });
  }
  return { corpus: corpusOf(manifest, cases), findings, mismatch };
}

interface ReadRows {
  /** Empty when they are not to be kept. */
  readonly rows: readonly CorpusRow[];
  readonly rowCount: number;
  readonly rowsOfTask: ReadonlyMap<string, number>;
  /** No line has more bytes. */
  readonly longestBytes: number;
  readonly words: readonly string[] | null;
  readonly hasPictures: boolean;
}

interface Cases extends ReadRows {
  /** How many lines hold something. */
  readonly lines: number;
  /** Whether every line is JSON. */
  readonly countable: boolean;
  /** Of all rows; null when a line is not JSON or has no canonical form. */
  readonly sha256: string | null;
  /** Of the bytes; null for a small file. */
  readonly rawSha256: string | null;
}

/** Reads the rows one by one, checks each, and digests them beside that. Null when the file cannot be read. */
async function readCases(
  file: string,
  {
    dir,
    keepRows,
    leaveInFile,
    signal,
    add,
    check,
    onRow,
    onRows,
  }: {
    readonly dir: string;
    readonly keepRows: boolean;
    readonly leaveInFile: boolean;
    readonly signal: AbortSignal | undefined;
    readonly add: Add;
    readonly check: (row: CorpusRow, report: Report) => void;
    readonly onRow: (row: CorpusRow) => void;
    readonly onRows: (read: ReadRows) => void;
  },
): Promise<Cases | null> {
  const refusal = await refusalOf(file, MAX_CASES_BYTES);
  if (refusal !== null) {
    add(null, "", refusal.message);
    return null;
  }
  const before = await fileVersion(file);
  const rowFile =
    keepRows && leaveInFile && (await stat(file)).size >= LARGE_BYTES ? new RowFile(file) : null;
  const digesting = digestFile(file, signal);
  // Awaited below; until then a failure of it is not an unhandled one.
  digesting.catch(() => {});
  const rows: CorpusRow[] = [];
  const found: { line: number; field: string; message: string }[] = [];
  const seen = new Map<string, number>();
  const lists: OptionLists = new Map();
  const rowsOfTask = new Map<string, number>();
  const words = new Words();
  let hasPictures = false;
  let rowCount = 0;
  let longest = 0;
  let lines = 0;
  let at = 0;
  const report: Report = (field, message) => found.push({ line: at, field, message });
  let whole = true;
  for await (const batch of readBatches(file, { wholeTail: true })) {
    if (signal?.aborted) throw new InterruptedError("interrupted");
    if (!whole) break;
    for (const { line, offset, bytes, text, problem } of batch) {
      if (found.length >= MOST_FINDINGS) {
        if (whole) report("", `${found.length} problems up to here: the rest of the file was not read`);
        whole = false;
        break;
      }
      if (problem === null && isBlank(text)) continue;
      at = line;
      lines += 1;
      longest = Math.max(longest, text.length);
      const row = problem === null ? rowOf(text, lists, report) : refuse(`is ${problem}`, report);
      if (row === null) continue;
      const first = seen.get(row.id);
      if (first !== undefined) report("id", `${quoted(row.id)} stands on line ${first} already`);
      else seen.set(row.id, line);
      check(row, report);
      for (const [index, asset] of row.assets.entries()) {
        const wrong = await checkAsset(dir, asset);
        if (wrong !== null) report(fieldPath(["assets", index, wrong.field]), wrong.message);
      }
      rowCount += 1;
      rowsOfTask.set(row.task, (rowsOfTask.get(row.task) ?? 0) + 1);
      hasPictures ||= row.assets.length > 0;
      onRow(row);
      if (leaveInFile) words.addRow(row);
      if (keepRows) rows.push(rowFile?.row(row, { offset, bytes }) ?? row);
    }
  }
  // A UTF-16 unit has at most three bytes in UTF-8.
  const read: ReadRows = {
    rows,
    rowCount,
    rowsOfTask,
    longestBytes: longest * 3,
    words: leaveInFile ? words.list() : null,
    hasPictures,
  };
  if (found.length === 0 && rowCount > 0) onRows(read);
  const { sha256, rawSha256, refusals } = await digesting;
  // What both have found at a line is the same problem of its text.
  const told = new Set(found.map(({ line }) => line));
  for (const { line, message, isJson } of refusals) {
    if (isJson || !told.has(line)) found.push({ line, field: "", message });
  }
  for (const { line, field, message } of found.sort((a, b) => a.line - b.line)) add(line, field, message);
  // Rows and digest must be of the same bytes.
  if ((await fileVersion(file)) !== before) add(null, "", "was changed while it was read: try again");
  const countable = whole && refusals.every(({ isJson }) => isJson);
  return { ...read, lines, countable, sha256, rawSha256 };
}

function refuse(message: string, report: Report): null {
  report("", message);
  return null;
}

function rowOf(text: string, lists: OptionLists, report: Report): CorpusRow | null {
  const usual = readUsualRow(text, lists);
  if (usual !== null) return usual;
  const value = parseLine(text, report);
  return value === undefined ? null : readRow(value, report, text, lists);
}

function parseLine(text: string, report: Report): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    refuse(notJson(error), report);
    return undefined;
  }
}

function mismatchMessage(found: string, frozen: string): string {
  return (
    `the rows have the digest ${found}, the manifest froze ${frozen}. ` +
    "The file was changed after it was frozen: bring the committed one back, or make a new corpus version"
  );
}
