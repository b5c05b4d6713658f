// Where the facts come from: data/sources.json names every package, its licence and what was taken from it, and
// data/sources/*.jsonl holds the facts. A build reads nothing else, so it needs no package and no network.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { compareCodePoints } from "../../answers/canonical.ts";
import { CheckError, errorMessage } from "../../errors.ts";

/** Licences that let anyone copy, change and redistribute, commercially too. SPDX expressions as the sources state them. */
export const ALLOWED_LICENSES: ReadonlySet<string> = new Set([
  "(MIT AND Apache-2.0)",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT or MPL-2.0",
  "Unicode-3.0",
  "Unlicense",
]);

const text = z.string().min(1);
const hex64 = z.string().regex(/^[0-9a-f]{64}$/);

export const sourceSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  title: text,
  registry: z.enum(["npm", "debian"]),
  package: text,
  version: text,
  license: z.string().refine((name) => ALLOWED_LICENSES.has(name), "not a licence of the allowed list"),
  /** Digest of the package as its registry serves it. */
  integrity: text,
  /** Files of the package that were read. */
  files: z.array(text).min(1),
  attribution: text,
  /** What is known of the rights in the data, where they are not those of the package. */
  rights: text.optional(),
  /** What was taken from those files, in one sentence. */
  taken: text,
  facts: z.array(z.strictObject({ file: text, sha256: hex64, records: z.number().int().positive() })).min(1),
});

/** A package from which facts were taken. */
export type Source = z.infer<typeof sourceSchema>;

export const sourcesSchema = z.strictObject({
  schema_version: z.literal(1),
  sources: z.array(sourceSchema).min(1),
});

/** Every fact has an id that is unique within its file; the rest is the source's own. */
export const factSchema = z.looseObject({ id: text });

/** The facts of all sources, checked against the digests in `sources.json`. */
export interface FactStore {
  readonly sources: ReadonlyMap<string, Source>;
  /**
   * The records of one fact file, in code point order of their ids whatever the order of the file.
   *
   * @throws {CheckError} for an unknown file, a record of another shape, or an id that stands twice.
   */
  read<T extends { id: string }>(file: string, schema: z.ZodType<T>): readonly T[];
}

/**
 * Opens `sources.json` in `dir` and the fact files under `dir/sources/`.
 *
 * @throws {CheckError} when a file is missing, malformed, or not the one that `sources.json` describes.
 */
export function openSources(dir: string): FactStore {
  const found = sourcesSchema.safeParse(JSON.parse(readText(join(dir, "sources.json"))));
  if (!found.success) throw new CheckError(`sources.json: ${z.prettifyError(found.error)}`);
  const sources = new Map(found.data.sources.map((source) => [source.id, source]));
  const described = new Map(
    found.data.sources.flatMap((source) => source.facts.map((f) => [f.file, f] as const)),
  );
  return {
    sources,
    read(file, schema) {
      const entry = described.get(file);
      if (entry === undefined) throw new CheckError(`sources.json does not list the fact file ${file}`);
      const content = readText(join(dir, "sources", file));
      const digest = createHash("sha256").update(content, "utf8").digest("hex");
      if (digest !== entry.sha256) {
        throw new CheckError(`${file} has the digest ${digest}, sources.json says ${entry.sha256}`);
      }
      return parseFacts(file, content, schema);
    },
  };
}

/** Parses a fact file: one record a line, sorted by id. */
export function parseFacts<T extends { id: string }>(
  file: string,
  content: string,
  schema: z.ZodType<T>,
): readonly T[] {
  const records = content
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => {
      const parsed = schema.safeParse(JSON.parse(line));
      if (!parsed.success) throw new CheckError(`${file}:${index + 1}: ${z.prettifyError(parsed.error)}`);
      return parsed.data;
    })
    .sort((a, b) => compareCodePoints(a.id, b.id));
  records.forEach((record, index) => {
    if (index > 0 && records[index - 1]?.id === record.id) {
      throw new CheckError(`${file}: the id ${JSON.stringify(record.id)} stands twice`);
    }
  });
  return records;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CheckError(`a source of the corpus cannot be read: ${errorMessage(error)}`);
  }
}
