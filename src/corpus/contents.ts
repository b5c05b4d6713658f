// What two corpora are compared by: every field of every row, task and category as a fingerprint of its canonical JSON,
// so that a corpus of any size is compared in little memory.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { CanonicalError, canonicalJson } from "../answers/canonical.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../answers/json.ts";
import { readDocument } from "../documents.ts";
import { CheckError, InterruptedError, UserError } from "../errors.ts";
import { fieldPath } from "../fields.ts";
import { readBatches } from "../ledgers/reader.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { checkedCorpus } from "./check.ts";
import { DigestWriter } from "./digest.ts";
import { isBlank } from "./digest-file.ts";
import { MAX_BYTES } from "./manifest.ts";
import { aboutCorpus, corporaOf } from "./shelf.ts";
import { sourceOf } from "./source.ts";

/** The fields of one thing. */
export interface Fingerprint {
  /** Paths of the fields, as messages name them. Rows with the same fields share one list. */
  readonly names: readonly string[];
  /** {@link MARK} characters a field, in the order of `names`. */
  readonly marks: string;
}

/** How many characters stand for one field: half of a SHA-256, one character a byte. */
export const MARK = 16;

/** A corpus, as far as it is compared. Maps keep the order of the corpus. */
export interface Contents {
  readonly suite: string;
  readonly version: string;
  readonly sha256: string;
  /** By id. */
  readonly rows: ReadonlyMap<string, Fingerprint & { readonly task: string }>;
  readonly tasks: ReadonlyMap<string, Fingerprint>;
  readonly categories: ReadonlyMap<string, Fingerprint>;
  /** SHA-256 of every picture that a row names, by its path. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Everything else that the manifest says. */
  readonly manifest: Fingerprint;
}

/**
 * The corpus that a person names: a folder of data/corpus/ by its name, else a path.
 *
 * @param folder the absolute path that `name` is, if it is one.
 * @param said how messages call it.
 * @throws {UserError} when there is no such corpus, or it is not sound: then there is nothing to compare.
 */
export async function namedContents(
  workspace: Workspace,
  name: string,
  { folder, said, signal }: { readonly folder: string; readonly said: string; readonly signal?: AbortSignal },
): Promise<Contents> {
  const names = (await corporaOf(workspace)).map((corpus) => corpus.name);
  if (!names.includes(name) && !existsSync(folder)) {
    const there = names.length === 0 ? "is empty" : `has ${names.map((one) => quoted(one)).join(", ")}`;
    throw new UserError(`no corpus ${quoted(name)}: data/corpus ${there}, and no folder is at that path`);
  }
  try {
    const source = names.includes(name)
      ? aboutCorpus(workspace, name)
      : await sourceOf(workspace, folder, said);
    return await readContents(source, said, signal);
  } catch (error) {
    // Exit code 1 says that two sound corpora differ, and nothing else.
    throw error instanceof CheckError ? new UserError(error.message) : error;
  }
}

/**
 * Reads the corpus that `source` is about.
 *
 * @throws {CheckError} when it is not sound, or is changed meanwhile; {@link InterruptedError} when it was stopped.
 */
export async function readContents(source: Workspace, said: string, signal?: AbortSignal): Promise<Contents> {
  const pictures = new Map<string, string>();
  const found = await checkedCorpus(
    source,
    {
      signal,
      onRow: ({ assets }) => {
        for (const { path, sha256 } of assets) pictures.set(path, sha256);
      },
    },
    `${said}: `,
  );
  const changed = new CheckError(`${said} was changed while it was read: try again`);
  const rows = new Map<string, Fingerprint & { task: string }>();
  const digest = new DigestWriter();
  const print = fingerprints();
  for await (const batch of readBatches(found.path, { wholeTail: true })) {
    if (signal?.aborted) throw new InterruptedError("interrupted");
    for (const { text, problem } of batch) {
      if (problem !== null) throw changed;
      if (isBlank(text)) continue;
      // The file was checked: what is not blank is a row.
      const row = parseJson(text) as JsonObject;
      digest.add(row);
      rows.set(row.get("id") as string, { task: row.get("task") as string, ...print(fieldsOfRow(row)) });
    }
  }
  if (digest.hex() !== found.sha256) throw changed;
  const { value: manifest } = await readDocument(join(dirname(found.path), "manifest.json"), MAX_BYTES);
  if (!isJsonObject(manifest)) throw changed;
  const entries = (key: string): Map<string, Fingerprint> => {
    const value = manifest.get(key);
    if (!isJsonObject(value)) throw changed;
    return new Map([...value].map(([id, entry]) => [id, print(fieldsOf(entry))]));
  };
  try {
    return {
      suite: found.suite,
      version: found.version,
      sha256: found.sha256,
      rows,
      tasks: entries("tasks"),
      categories: entries("categories"),
      pictures,
      manifest: print(fieldsOf(manifest).filter(([name]) => !TOLD_APART.has(name))),
    };
  } catch (error) {
    if (!(error instanceof CanonicalError)) throw error;
    throw new CheckError(`${said}: manifest.json: ${error.message}`);
  }
}

/** What a comparison says of a manifest on lines of their own. */
const TOLD_APART: ReadonlySet<string> = new Set(["suite", "version", "sha256", "tasks", "categories"]);

type Field = readonly [name: string, value: Json];

function fieldsOf(value: Json, path: readonly PropertyKey[] = []): Field[] {
  return isJsonObject(value)
    ? [...value].map(([key, item]): Field => [nameOf(path, key), item])
    : [[fieldPath(path), value]];
}

/** A key of any length may stand in a row: those that look alike when they are cut are told apart. */
function nameOf(path: readonly PropertyKey[], key: string): string {
  const name = fieldPath([...path, key]);
  if (key.length <= 80) return name;
  return `${name} (${createHash("sha256").update(key, "utf8").digest("hex").slice(0, 12)})`;
}

/**
 * A row has exactly one question, and its fields are the row's. Its suite is its manifest's, which is told once: else no
 * correction could be found in a corpus that stands beside the other under a name of its own.
 */
function fieldsOfRow(row: JsonObject): Field[] {
  const fields = [...row].filter(([key]) => key !== "suite");
  return fields.flatMap(([key, item]) =>
    key === "questions" && Array.isArray(item)
      ? item.flatMap((question, index) => fieldsOf(question, [key, index]))
      : [[nameOf([], key), item] as const],
  );
}

/** Makes fingerprints; lists of names that were seen before are used again. */
function fingerprints(): (fields: readonly Field[]) => Fingerprint {
  const known = new Map<string, readonly string[]>();
  return (fields) => {
    const names = fields.map(([name]) => name);
    const key = JSON.stringify(names);
    const marks = fields.map(([, value]) =>
      createHash("sha256").update(canonicalJson(value), "utf8").digest().toString("latin1", 0, MARK),
    );
    if (!known.has(key) && known.size < MOST_LISTS) known.set(key, names);
    return { names: known.get(key) ?? names, marks: marks.join("") };
  };
}

const MOST_LISTS = 1_000;
