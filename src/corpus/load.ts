// Reads the active corpus and refuses anything that is not exactly what its manifest froze. Loading names the first
// problem; `corpus verify` and `validate` list them all, found by the same rules.
import { dirname, join, relative, sep } from "node:path";
import { type Json, JsonError, parseJson } from "../answers/json.ts";
import { readBytes } from "../documents.ts";
import { UserError } from "../errors.ts";
import { fieldPath } from "../fields.ts";
import { decodeUtf8, splitLines } from "../lines.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { checkAsset } from "./assets.ts";
import { corpusDigest } from "./digest.ts";
import { type Add, checkCounts, readManifest, readPointer } from "./manifest.ts";
import { checkPlace, type Report, readRow } from "./row.ts";
import type { CorpusRow, Finding, Manifest } from "./schema.ts";

export { isInnerPath } from "./assets.ts";

/** A corpus whose structure and digest were checked. */
export interface Corpus {
  readonly suite: string;
  readonly version: string;
  readonly sha256: string;
  /** Absolute path of the folder that holds `cases.jsonl` and `manifest.json`. */
  readonly dir: string;
  readonly manifest: Manifest;
  readonly rows: readonly CorpusRow[];
}

/** The corpus if nothing is wrong with it, and everything that is wrong with it. */
export interface CorpusReport {
  readonly corpus: Corpus | null;
  readonly findings: readonly Finding[];
  /** The finding about the digest, if the rows are not those that the manifest froze. */
  readonly mismatch: Finding | null;
}

/** Largest `cases.jsonl` that is read, in bytes: each of its lines then fits into one text. */
const MAX_CASES_BYTES = 256 * 1024 * 1024;

/**
 * The active corpus of a workspace.
 *
 * @throws {UserError} naming file, line and field of the first problem, and how many more there are.
 */
export async function loadCorpus(workspace: Workspace): Promise<Corpus> {
  const { corpus, findings, mismatch } = await inspectCorpus(workspace);
  if (corpus !== null) return corpus;
  const [first] = findings;
  if (first === undefined) throw new Error("a corpus without a finding is sound");
  // Rows that are not the frozen ones are always told with both digests, also where something else comes first.
  const digests = mismatch === null || mismatch === first ? "" : `; ${mismatch.message}`;
  const others = findings.length - (digests === "" ? 1 : 2);
  const more = others > 0 ? ` (and ${others} more: \`bench corpus verify\` lists them)` : "";
  throw new UserError(`${findingText(first)}${digests}${more}`);
}

/** `file:line: field: message`, on one line. */
export function findingText(finding: Finding): string {
  const line = finding.line === null ? "" : `:${finding.line}`;
  const field = finding.field === "" ? "" : `${finding.field}: `;
  return `${finding.file}${line}: ${field}${finding.message}`;
}

/** Reads the active corpus and lists all problems of structure, digest and pictures. Quality is not judged here. */
export async function inspectCorpus(workspace: Workspace): Promise<CorpusReport> {
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
  const { manifest, broken } = await readManifest(join(dir, "manifest.json"), addToManifest);
  const cases = await readCases(pointer.path, addToCases);

  if (manifest !== null && pointer.version !== null && pointer.version !== manifest.version) {
    addToPointer(
      null,
      "version",
      `says ${quoted(pointer.version)}, the manifest says ${quoted(manifest.version)}: name the version that is there`,
    );
  }
  if (cases === null) return { corpus: null, findings, mismatch: null };
  const rows = await readRows(cases.lines, dir, addToCases, (row, report) => {
    if (manifest !== null && !broken.has(row.task)) checkPlace(row, manifest, report);
  });
  if (cases.whole && cases.lines.length === 0) addToCases(null, "", "holds no row");
  let mismatch: Finding | null = null;
  if (cases.whole && cases.lines.length > 0 && manifest !== null) {
    // A row without a shape cannot be counted, and is reported itself.
    if (rows.length === cases.lines.length) checkCounts(rows, manifest, addToManifest);
    if (checkDigest(cases.lines, manifest, addToCases)) mismatch = findings.at(-1) ?? null;
  }
  if (manifest === null || findings.length > 0) return { corpus: null, findings, mismatch };
  const { suite, version, sha256 } = manifest;
  return { corpus: { suite, version, sha256, dir, manifest, rows }, findings, mismatch };
}

/** A line of cases.jsonl that is JSON. */
interface Case {
  readonly number: number;
  readonly value: Json;
}

/** The lines that are JSON; `whole` when every line is. */
async function readCases(file: string, add: Add): Promise<{ lines: Case[]; whole: boolean } | null> {
  const { value: bytes, refusal } = await readBytes(file, MAX_CASES_BYTES);
  if (refusal !== undefined) {
    add(null, "", refusal.message);
    return null;
  }
  const lines: Case[] = [];
  let whole = true;
  const refuse = (number: number, message: string): void => {
    whole = false;
    add(number, "", message);
  };
  for (const line of splitLines(bytes)) {
    const text = decodeUtf8(line.bytes);
    if (text === null) {
      refuse(line.number, "is not UTF-8");
      continue;
    }
    // An empty line is no row, in Python's reader as here.
    if (/^[ \t\r]*$/.test(text)) continue;
    try {
      lines.push({ number: line.number, value: parseJson(text) });
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      refuse(line.number, `is not JSON: ${error.message}`);
    }
  }
  return { lines, whole };
}

async function readRows(
  lines: readonly Case[],
  dir: string,
  add: Add,
  check: (row: CorpusRow, report: Report) => void,
): Promise<CorpusRow[]> {
  const rows: CorpusRow[] = [];
  const seen = new Map<string, number>();
  for (const { number, value } of lines) {
    const report: Report = (field, message) => add(number, field, message);
    const row = readRow(value, report);
    if (row === null) continue;
    const first = seen.get(row.id);
    if (first !== undefined) report("id", `${quoted(row.id)} stands on line ${first} already`);
    else seen.set(row.id, number);
    check(row, report);
    for (const [index, asset] of row.assets.entries()) {
      const problem = await checkAsset(dir, asset);
      if (problem !== null) report(fieldPath(["assets", index, problem.field]), problem.message);
    }
    rows.push(row);
  }
  return rows;
}

/** True when it found that the rows are not the frozen ones; rows without a canonical form are told one by one. */
function checkDigest(lines: readonly Case[], manifest: Manifest, add: Add): boolean {
  let whole = true;
  const values = lines.map((line) => line.value);
  const sha256 = corpusDigest(values, (index, error) => {
    whole = false;
    add(lines[index]?.number ?? null, "", error.message);
  });
  if (!whole || sha256 === manifest.sha256) return false;
  add(
    null,
    "",
    `the rows have the digest ${sha256}, the manifest froze ${manifest.sha256}. ` +
      "The file was changed after it was frozen: bring the committed one back, or make a new corpus version",
  );
  return true;
}
