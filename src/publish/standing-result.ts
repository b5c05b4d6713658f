// Whether a result that comes in is the one that stands here already: the same lines, and the same said of the run. What an
// import computes or writes itself is no difference.
import { createHash } from "node:crypto";
import { createReadStream, lstatSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { toPlain, type Writable } from "../answers/json.ts";
import { readDocument } from "../documents.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { compareDocuments } from "./compare-documents.ts";
import { MAX_DOCUMENT_BYTES } from "./page-check.ts";

/** Fields of metadata.json that an import computes anew. How many rows a run selected is no figure. */
const COMPUTED =
  /^(?:totals|analysis_version|corpus\.current|coverage\.(?:rows_in_corpus|rows_completed|rows_ok|rows_error|full))(?:\.|\[|$)/;

/**
 * What tells the result in `folder` from the one in `target`: names of files, and fields of metadata.json. Empty when they are
 * the same; null when nothing stands there.
 */
export async function differencesFrom(target: string, folder: string): Promise<string[] | null> {
  const info = lstatSync(target, { throwIfNoEntry: false });
  if (info === undefined) return null;
  if (!info.isDirectory()) return ["what is here is no folder"];
  const { predictions } = PUBLISHED_FILES;
  const lines = (await isSameFile(join(folder, predictions), join(target, predictions))) ? [] : [predictions];
  return [...lines, ...(await differingFields(folder, target))];
}

async function isSameFile(path: string, other: string): Promise<boolean> {
  const info = lstatSync(other, { throwIfNoEntry: false });
  if (info?.isFile() !== true || info.size !== lstatSync(path).size) return false;
  return (await digestOf(path)) === (await digestOf(other));
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function differingFields(folder: string, target: string): Promise<string[]> {
  const name = PUBLISHED_FILES.metadata;
  const theirs = (await readDocument(join(folder, name), MAX_DOCUMENT_BYTES)).value;
  const ours = (await readDocument(join(target, name), MAX_DOCUMENT_BYTES)).value;
  if (theirs === undefined || ours === undefined) return [name];
  const fields = new Set<string>();
  const differ = (field: string): void => {
    if (!COMPUTED.test(field)) fields.add(`${name}: ${field}`);
  };
  // Each way, because a field that only one of the two has is a difference as well.
  compareDocuments(theirs, toPlain(ours) as Writable, differ);
  compareDocuments(ours, toPlain(theirs) as Writable, differ);
  return [...fields];
}
