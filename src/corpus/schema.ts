// The shape of a corpus file. What a model may see (`state`, option order) stays as ordered JSON; the rest is plain data.
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject, setOwn, toPlain } from "../answers/json.ts";
import { folderNameSchema } from "../folder-name.ts";

const text = z.string().min(1, "expected a text, not empty");
const jsonObject = z.custom<JsonObject>(isJsonObject, "expected an object");

// What the schemas of a row do not name is read over: it stays in the file, and in its digest. (Strict or loose objects
// would have to look at every such field, in every row.)
export const assetSchema = z.object({
  path: text,
  media_type: z.enum(["image/png", "image/jpeg", "image/webp", "image/gif"]),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "expected 64 lower-case hex digits"),
  alt: z.string(),
});

/** A picture of a row. */
export type Asset = z.infer<typeof assetSchema>;

const questionSchema = z.object({
  id: text,
  type: z.literal("choice"),
  instructions: text,
  options: jsonObject,
  option_order: z.array(z.string()).nullish(),
  gold: z.string(),
  rationale: z.string().nullish(),
  ask: z.string().nullish(),
});

export const rowSchema = z.object({
  id: text,
  suite: text,
  category: text,
  category_name: z.string().nullish(),
  task: text,
  task_name: z.string().nullish(),
  modality: z.enum(["text", "image"]),
  tags: z.array(z.string()).nullish(),
  title: z.string(),
  summary: z.string().nullish(),
  note: z.string().nullish(),
  state: z.custom<string | JsonObject>(
    (value) => (typeof value === "string" ? value !== "" : isJsonObject(value) && value.size > 0),
    "expected a text or an object, not empty",
  ),
  assets: z.array(assetSchema).nullish(),
  questions: z.array(questionSchema).length(1, "expected exactly one question"),
  source: z.custom<Json>((value) => value !== undefined, "expected the source of the row"),
  source_kind: text,
  provenance: z.string(),
});

/** One option as the model sees it. */
export interface Option {
  readonly label: string;
  readonly description: string;
}

/**
 * One row of a corpus, checked. A loaded row parses `state`, `source` and `provenance` each time they are asked for, and
 * `{...row}` does not copy them.
 */
export interface CorpusRow {
  readonly id: string;
  readonly suite: string;
  readonly category: string;
  readonly categoryName: string | null;
  readonly task: string;
  readonly taskName: string | null;
  readonly modality: "text" | "image";
  readonly title: string;
  readonly state: string | JsonObject;
  readonly assets: readonly Asset[];
  readonly question: {
    readonly id: string;
    readonly type: "choice";
    readonly instructions: string;
    /** In the shown order. */
    readonly options: readonly Option[];
    readonly gold: string;
    readonly rationale: string | null;
    readonly ask: string | null;
  };
  readonly source: Json;
  readonly sourceKind: string;
  readonly provenance: string;
}

/** The name of a suite: it becomes the name of a folder. */
export const suiteSchema: typeof folderNameSchema = folderNameSchema;

export const manifestSchema = z.looseObject({
  version: text,
  suite: suiteSchema,
  label: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "expected 64 lower-case hex digits"),
  license: z.string(),
  categories: jsonObject,
  tasks: jsonObject,
  counts: z.looseObject({ cases: z.number().int().nonnegative().nullish() }).nullish(),
});

export const categorySchema = z.looseObject({ name: z.string(), description: z.string() });

export const taskSchema = z.looseObject({
  category: text,
  name: z.string(),
  ask: z.string(),
  instruction: z.string(),
  shape: z.string().nullish(),
  modality: z.string().nullish(),
  label_origin: z.string().nullish(),
  per_row_options: z.boolean().nullish(),
  picture_needed: z.boolean().nullish(),
  rows: z.number().int().nonnegative().nullish(),
});

export type CorpusCategory = z.infer<typeof categorySchema>;
export type CorpusTask = z.infer<typeof taskSchema>;

export interface Manifest {
  readonly version: string;
  readonly suite: string;
  readonly label: string;
  readonly sha256: string;
  readonly license: string;
  readonly categories: ReadonlyMap<string, CorpusCategory>;
  readonly tasks: ReadonlyMap<string, CorpusTask>;
  /** `counts.cases`, if the manifest says it. */
  readonly cases: number | null;
}

export const pointerSchema = z.looseObject({ path: text, version: z.string().nullish() });

/** One thing that is wrong with a corpus. */
export interface Finding {
  /** Path relative to the workspace. */
  readonly file: string;
  /** From 1; null where the file has no lines. */
  readonly line: number | null;
  /** Path inside the document, "" for the whole. */
  readonly field: string;
  readonly message: string;
}

/** Places inside a document; `true` marks one whose keys may be anything. Lists add nothing to a place. */
interface Places {
  readonly [key: string]: Places | true | undefined;
}

/** Where a row, and a manifest, hold keys that may be anything. They are places, not names: a `source` of an asset is plain. */
const ORDERED: Places = {
  __proto__: null as never,
  state: true,
  source: true,
  questions: { __proto__: null as never, options: true },
  categories: true,
  tasks: true,
};

/**
 * Plain data for the schemas to read, from a row, a manifest or a pointer; the places whose keys may be anything stay
 * ordered JSON.
 */
export function unwrap(value: Json, places: Places = ORDERED): unknown {
  if (Array.isArray(value)) return value.map((item) => unwrap(item, places));
  if (!isJsonObject(value)) return toPlain(value);
  const out: Record<string, unknown> = {};
  for (const [key, item] of value) {
    // Most of what a row holds is text.
    if (typeof item === "string") {
      setOwn(out, key, item);
      continue;
    }
    const place = places[key];
    setOwn(out, key, place === true ? item : place === undefined ? toPlain(item) : unwrap(item, place));
  }
  return out;
}
