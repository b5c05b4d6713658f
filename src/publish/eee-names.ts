// Names in an export for Every Eval Ever: what its datastore calls a collection, a developer, a model and a file. The rules
// and where they come from: docs/decisions/0008-exports.md.
import { createHash } from "node:crypto";
import { cutExactly } from "../answers/text.ts";

/** What the names are made of. */
export interface Named {
  /** As in the view `runs`. */
  readonly run_id: string;
  readonly source_run_id: string | null;
  readonly suite: string;
  readonly model_id: string;
  readonly vendor: string | null;
  readonly api_model: string | null;
  readonly corpus_sha256: string;
}

/** Where the two files of a result go, and what the datastore calls its model. */
export interface DatastoreNames {
  /** `developer/model`. */
  readonly modelId: string;
  readonly developer: string;
  /** `data/<collection>/<developer>/<model>/<uuid>.json`. */
  readonly aggregate: string;
  /** The same with `_samples.jsonl`. */
  readonly samples: string;
}

/** The namespace of a suite among everybody's benchmarks; also the name of its collection. */
export function collectionOf(suite: string): string {
  return `decision-bench__${suite}`;
}

/** The names of a result; the same whenever and wherever it is exported. */
export function datastoreNames(run: Named): DatastoreNames {
  const name = run.api_model ?? run.model_id;
  const parts = name.split("/");
  // "qwen/qwen3-32b" names its developer itself; a path or an address does not.
  const isNamespaced = parts.length > 1 && parts.every((part) => NAME.test(part));
  const developer = isNamespaced ? (parts[0] as string) : slug(run.vendor ?? "unknown");
  const model = isNamespaced ? parts.slice(1).join("/") : name.replaceAll("/", "_");
  const folder = ["data", collectionOf(run.suite), developer, model.replaceAll("/", "_")]
    .map((part, i) => (i === 0 ? part : portable(part)))
    .join("/");
  const uuid = uuidOf([run.suite, run.model_id, run.run_id, run.source_run_id, run.corpus_sha256]);
  return {
    modelId: `${developer}/${model}`,
    developer,
    aggregate: `${folder}/${uuid}.json`,
    samples: `${folder}/${uuid}_samples.jsonl`,
  };
}

/** A part of a model's name in an interface, such as "qwen3-32b" or "qwen3-32b:free". */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._:@+-]*[A-Za-z0-9_:@+-])?$/;

function slug(text: string): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._]+/gu, "-");
  return plain.replace(/^[-.]+|[-.]+$/g, "") || "unknown";
}

const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;
/** Longest name of a folder in UTF-16 units: at most 3 bytes each, where a file system allows 255. */
const MAX_NAME = 80;

/** A text as the name of a folder on every system; "data" is reserved by the datastore. */
function portable(text: string): string {
  const plain = text.replace(/[<>:"/\\|?*\p{C}\p{Z}]/gu, "_").replace(/[. ]+$/, "_");
  const name =
    plain === "" || plain === "data" || /^\.+$/.test(plain) || RESERVED.test(plain) ? `_${plain}` : plain;
  if (name.length <= MAX_NAME) return name;
  // Two long names may share their beginning.
  return `${cutExactly(name, MAX_NAME - 9)}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}

/**
 * A name-based UUID in the form of version 4, the only one that the datastore takes: 122 bits of a SHA-256, so that a result
 * has the same name whenever it is exported.
 */
function uuidOf(name: readonly (string | null)[]): string {
  const bytes = createHash("sha256")
    .update(JSON.stringify(["decision-bench/eee", ...name]))
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
