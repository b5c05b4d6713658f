// Reads the active corpus and refuses anything that is not exactly what its manifest froze. Loading stops at the first
// problem; `corpus verify` and `validate` list them all with the same rules.
import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { CanonicalError } from "../answers/canonical.ts";
import { isJsonObject, type Json, JsonError, parseJson } from "../answers/json.ts";
import { errorCode, UserError } from "../errors.ts";
import { issuesOf } from "../fields.ts";
import { decodeUtf8, splitLines } from "../lines.ts";
import type { Workspace } from "../workspace.ts";
import { corpusDigest } from "./digest.ts";
import {
  type Asset,
  type CorpusRow,
  categorySchema,
  type Finding,
  type Manifest,
  manifestSchema,
  plainEntry,
  pointerSchema,
  rowSchema,
  taskSchema,
  unwrap,
} from "./schema.ts";

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

/** A corpus as far as it could be read, and everything that is wrong with it. */
export interface CorpusReport {
  readonly corpus: Corpus | null;
  readonly findings: readonly Finding[];
}

/** Largest file of a corpus that is read, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;
const MAX_JSON_BYTES = 16 * 1024 * 1024;

/**
 * The active corpus of a workspace.
 *
 * @throws {UserError} naming file, line and field of the first problem, and how many more there are.
 */
export async function loadCorpus(workspace: Workspace): Promise<Corpus> {
  const { corpus, findings } = await inspectCorpus(workspace);
  const [first] = findings;
  if (first === undefined && corpus !== null) return corpus;
  const more =
    findings.length > 1 ? ` (and ${findings.length - 1} more: \`bench corpus verify\` lists them)` : "";
  throw new UserError(`${first === undefined ? "the corpus cannot be read" : findingText(first)}${more}`);
}

/** `file:line: field: message`. */
export function findingText(finding: Finding): string {
  const line = finding.line === null ? "" : `:${finding.line}`;
  const field = finding.field === "" ? "" : `${finding.field}: `;
  return `${finding.file}${line}: ${field}${finding.message}`;
}

/** Reads the active corpus and lists all problems of structure, digest and pictures. Quality is not judged here. */
export async function inspectCorpus(workspace: Workspace): Promise<CorpusReport> {
  const findings: Finding[] = [];
  const name = (path: string): string => relative(workspace.root, path).split(sep).join("/");
  const add = (path: string, line: number | null, field: string, message: string): void => {
    findings.push({ file: name(path), line, field, message });
  };

  const pointer = await readPointer(workspace, add);
  if (pointer === null) return { corpus: null, findings };
  const casesFile = pointer.path;
  const dir = dirname(casesFile);
  const manifestFile = join(dir, "manifest.json");
  const manifest = await readManifest(manifestFile, add);
  const lines = await readCases(casesFile, add);
  if (manifest === null || lines === null) return { corpus: null, findings };

  if (pointer.version !== null && pointer.version !== manifest.version) {
    add(
      workspace.corpusPointer,
      null,
      "version",
      `says ${pointer.version}, the manifest says ${manifest.version}`,
    );
  }
  if (manifest.cases !== null && manifest.cases !== lines.length) {
    add(manifestFile, null, "counts.cases", `says ${manifest.cases}, the corpus has ${lines.length} rows`);
  }

  const rows: CorpusRow[] = [];
  const seen = new Map<string, number>();
  for (const { number, value } of lines) {
    const row = readRow(value, (field, message) => add(casesFile, number, field, message));
    if (row === null) continue;
    const first = seen.get(row.id);
    if (first !== undefined) add(casesFile, number, "id", `${show(row.id)} stands on line ${first} already`);
    else seen.set(row.id, number);
    checkPlace(row, manifest, (field, message) => add(casesFile, number, field, message));
    for (const [index, asset] of row.assets.entries()) {
      const problem = await checkAsset(dir, asset);
      if (problem !== null) add(casesFile, number, `assets[${index}].${problem.field}`, problem.message);
    }
    rows.push(row);
  }

  const sha256 = digestOf(lines, (line, message) => add(casesFile, line, "", message));
  if (sha256 !== null && sha256 !== manifest.sha256) {
    add(
      casesFile,
      null,
      "",
      `the rows have the digest ${sha256}, the manifest froze ${manifest.sha256}. ` +
        "The file was changed after it was frozen: bring the committed one back, or make a new corpus version",
    );
  }
  if (lines.length === 0) add(casesFile, null, "", "holds no row");
  const corpus = {
    suite: manifest.suite,
    version: manifest.version,
    sha256: manifest.sha256,
    dir,
    manifest,
    rows,
  };
  return { corpus: findings.length === 0 ? corpus : null, findings };
}

type Add = (path: string, line: number | null, field: string, message: string) => void;

interface Case {
  readonly number: number;
  readonly value: Json;
}

async function readBytes(path: string, limit: number, add: Add): Promise<Buffer | null> {
  try {
    const info = await stat(path);
    if (!info.isFile()) add(path, null, "", "is not a file");
    else if (info.size > limit) add(path, null, "", `is larger than ${limit / (1024 * 1024)} MiB`);
    else return await readFile(path);
  } catch (error) {
    add(
      path,
      null,
      "",
      errorCode(error) === "ENOENT" ? "is not there" : `cannot be read (${errorCode(error) ?? "error"})`,
    );
  }
  return null;
}

async function readJson(path: string, add: Add): Promise<Json | undefined> {
  const bytes = await readBytes(path, MAX_JSON_BYTES, add);
  if (bytes === null) return undefined;
  const text = decodeUtf8(bytes);
  if (text === null) {
    add(path, null, "", "is not UTF-8");
    return undefined;
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    add(path, null, "", `is not JSON: ${error.message}`);
    return undefined;
  }
}

async function readPointer(
  workspace: Workspace,
  add: Add,
): Promise<{ path: string; version: string | null } | null> {
  const file = workspace.corpusPointer;
  const value = await readJson(file, add);
  if (value === undefined) return null;
  const parsed = pointerSchema.safeParse(unwrap(value));
  if (!parsed.success) {
    for (const issue of issuesOf(parsed.error)) add(file, null, issue.field, issue.message);
    return null;
  }
  const { path, version } = parsed.data;
  if (!isInnerPath(path)) {
    add(file, null, "path", `${show(path)} leads out of the workspace: name a path below it`);
    return null;
  }
  return { path: join(workspace.root, path), version: version ?? null };
}

async function readManifest(file: string, add: Add): Promise<Manifest | null> {
  const value = await readJson(file, add);
  if (value === undefined) return null;
  const parsed = manifestSchema.safeParse(unwrap(value));
  if (!parsed.success) {
    for (const issue of issuesOf(parsed.error)) add(file, null, issue.field, issue.message);
    return null;
  }
  const data = parsed.data;
  const categories: Map<string, ReturnType<typeof categorySchema.parse>> = new Map();
  for (const [id, entry] of data.categories) {
    const category = categorySchema.safeParse(plainEntry(entry));
    if (category.success) categories.set(id, category.data);
    else
      for (const issue of issuesOf(category.error))
        add(file, null, `categories.${id}.${issue.field}`, issue.message);
  }
  const tasks: Map<string, ReturnType<typeof taskSchema.parse>> = new Map();
  for (const [id, entry] of data.tasks) {
    const task = taskSchema.safeParse(plainEntry(entry));
    if (!task.success) {
      for (const issue of issuesOf(task.error)) add(file, null, `tasks.${id}.${issue.field}`, issue.message);
      continue;
    }
    if (!data.categories.has(task.data.category)) {
      add(file, null, `tasks.${id}.category`, `${show(task.data.category)} is not among the categories`);
    }
    tasks.set(id, task.data);
  }
  return { ...data, categories, tasks, cases: data.counts?.cases ?? null };
}

async function readCases(file: string, add: Add): Promise<Case[] | null> {
  const bytes = await readBytes(file, MAX_FILE_BYTES, add);
  if (bytes === null) return null;
  const cases: Case[] = [];
  for (const line of splitLines(bytes)) {
    const text = decodeUtf8(line.bytes);
    if (text === null) {
      add(file, line.number, "", "is not UTF-8");
      continue;
    }
    // An empty line is no row, in Python's reader as here.
    if (text.trim() === "") continue;
    try {
      cases.push({ number: line.number, value: parseJson(text) });
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      add(file, line.number, "", `is not JSON: ${error.message}`);
    }
  }
  return cases;
}

function digestOf(lines: readonly Case[], report: (line: number, message: string) => void): string | null {
  let at = 0;
  try {
    return corpusDigest(
      lines.map((line) => line.value),
      (index) => {
        at = lines[index]?.number ?? 0;
      },
    );
  } catch (error) {
    if (!(error instanceof CanonicalError)) throw error;
    report(at, error.message);
    return null;
  }
}

function readRow(value: Json, report: (field: string, message: string) => void): CorpusRow | null {
  if (!isJsonObject(value)) {
    report("", "expected a JSON object");
    return null;
  }
  const parsed = rowSchema.safeParse(unwrap(value));
  if (!parsed.success) {
    for (const issue of issuesOf(parsed.error)) report(issue.field, issue.message);
    return null;
  }
  const data = parsed.data;
  const question = data.questions[0];
  if (question === undefined) return null;
  const descriptions = new Map<string, string>();
  for (const [label, description] of question.options) {
    if (typeof description === "string" && !/[\r\n]/.test(description)) descriptions.set(label, description);
    else report(`questions[0].options.${label}`, "expected a description of one line");
  }
  if (question.options.size < 2)
    report("questions[0].options", `expected two or more, found ${question.options.size}`);
  const order = question.option_order ?? [...question.options.keys()];
  const permutation = order.length === question.options.size && new Set(order).size === order.length;
  if (!permutation || order.some((label) => !question.options.has(label))) {
    report("questions[0].option_order", "expected every option's label exactly once");
    return null;
  }
  if (!question.options.has(question.gold)) {
    report("questions[0].gold", `${show(question.gold)} is not one of the options`);
  }
  if (data.modality === "image" && (data.assets ?? []).length === 0) {
    report("assets", "expected a picture, since the modality is image");
  }
  return {
    id: data.id,
    suite: data.suite,
    category: data.category,
    categoryName: data.category_name ?? null,
    task: data.task,
    taskName: data.task_name ?? null,
    modality: data.modality,
    title: data.title,
    state: data.state,
    assets: data.assets ?? [],
    question: {
      id: question.id,
      type: question.type,
      instructions: question.instructions,
      options: order.map((label) => ({ label, description: descriptions.get(label) ?? "" })),
      gold: question.gold,
      rationale: question.rationale ?? null,
      ask: question.ask ?? null,
    },
    source: data.source,
    sourceKind: data.source_kind,
    provenance: data.provenance,
  };
}

function checkPlace(
  row: CorpusRow,
  manifest: Manifest,
  report: (field: string, message: string) => void,
): void {
  if (row.suite !== manifest.suite)
    report("suite", `${show(row.suite)} is not the manifest's ${show(manifest.suite)}`);
  const task = manifest.tasks.get(row.task);
  if (task === undefined) report("task", `${show(row.task)} is not among the manifest's tasks`);
  else if (task.category !== row.category) {
    report("category", `${show(row.category)} is not the task's category ${show(task.category)}`);
  }
}

/** A relative path of plain parts: not absolute, no `..`, no drive, no backslash. */
export function isInnerPath(path: string): boolean {
  if (isAbsolute(path) || path.includes("\\") || path.includes("\0") || /^[a-zA-Z]:/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

async function checkAsset(dir: string, asset: Asset): Promise<{ field: string; message: string } | null> {
  if (!isInnerPath(asset.path))
    return { field: "path", message: `${show(asset.path)} leads out of the corpus folder` };
  const file = join(dir, asset.path);
  try {
    const [real, home] = await Promise.all([realpath(file), realpath(dir)]);
    if (!real.startsWith(home + sep)) {
      return { field: "path", message: `${show(asset.path)} is a link out of the corpus folder` };
    }
    const info = await stat(real);
    if (!info.isFile() || info.size > MAX_JSON_BYTES) {
      return { field: "path", message: `${show(asset.path)} is not a file of at most 16 MiB` };
    }
    const found = createHash("sha256")
      .update(await readFile(real))
      .digest("hex");
    if (found === asset.sha256) return null;
    return {
      field: "sha256",
      message: `${show(asset.path)} has the digest ${found}, the row says ${asset.sha256}`,
    };
  } catch (error) {
    return { field: "path", message: `${show(asset.path)} cannot be read (${errorCode(error) ?? "error"})` };
  }
}

function show(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
