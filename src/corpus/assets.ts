// Paths inside a corpus, and the pictures they name: nothing outside its folder is ever read.
import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { readBytes } from "../documents.ts";
import { errorCode } from "../errors.ts";
import { quoted } from "../quote.ts";
import type { Asset } from "./schema.ts";

/** Largest picture, in bytes. */
export const MAX_ASSET_BYTES = 16 * 1024 * 1024;

/** A relative path of plain parts on any system: not absolute, no `.` or `..`, no drive, no backslash, one line. */
export function isInnerPath(path: string): boolean {
  if (!path.isWellFormed()) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no name of a file needs one, and a message must not obey it
  if (isAbsolute(path) || /^[a-zA-Z]:|[\\\u0000-\u001f\u007f-\u009f]/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Why the file under an inner path of a folder is not there, or not in the folder; null when it is. */
export async function leadsOut(dir: string, path: string): Promise<string | null> {
  try {
    const [real, home] = await Promise.all([realpath(join(dir, path)), realpath(dir)]);
    return real.startsWith(home + sep) ? null : "is a link out of the corpus folder";
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code === "ENOENT" ? "is not there" : `cannot be read (${code})`;
  }
}

/** What is wrong with a picture of the corpus in the folder `dir`, and in which of its fields; null if nothing is. */
export async function checkAsset(
  dir: string,
  asset: Asset,
): Promise<{ field: "path" | "sha256"; message: string } | null> {
  const wrong = (message: string): { field: "path"; message: string } => ({
    field: "path",
    message: `${quoted(asset.path)} ${message}`,
  });
  if (!isInnerPath(asset.path)) {
    return wrong("leads out of the corpus folder or is not a plain path: names and '/', no '..', no '\\'");
  }
  const outside = await leadsOut(dir, asset.path);
  if (outside !== null) return wrong(outside);
  const file = join(dir, asset.path);
  const bytes = await readBytes(file, MAX_ASSET_BYTES);
  if (bytes.refusal !== undefined) return wrong(bytes.refusal.message);
  const found = createHash("sha256").update(bytes.value).digest("hex");
  if (found === asset.sha256) return null;
  return {
    field: "sha256",
    message: `${quoted(asset.path)} has the digest ${found}, the row says ${asset.sha256}`,
  };
}
