// The pictures of a row as data URIs. Bytes are checked against the row's digest at the moment they are sent: a corpus
// may have been changed since it was loaded.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isInnerPath } from "../corpus/load.ts";
import type { Asset } from "../corpus/schema.ts";
import { errorCode, UserError } from "../errors.ts";

/**
 * One data URI a picture, in the row's order.
 *
 * @throws {UserError} when a picture cannot be read or is not the one that the corpus froze.
 */
export function readPictures(corpusDir: string, assets: readonly Asset[]): Promise<string[]> {
  return Promise.all(assets.map((asset) => readPicture(corpusDir, asset)));
}

async function readPicture(corpusDir: string, asset: Asset): Promise<string> {
  const name = JSON.stringify(asset.path.slice(0, 80));
  if (!isInnerPath(asset.path)) throw new UserError(`the picture ${name} is outside of the corpus folder`);
  let bytes: Buffer;
  try {
    bytes = await readFile(join(corpusDir, asset.path));
  } catch (error) {
    throw new UserError(`the picture ${name} cannot be read (${errorCode(error) ?? "error"})`);
  }
  if (createHash("sha256").update(bytes).digest("hex") !== asset.sha256) {
    throw new UserError(`the picture ${name} is not the one that the corpus froze: its digest differs`);
  }
  return `data:${asset.media_type};base64,${bytes.toString("base64")}`;
}
