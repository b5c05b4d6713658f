// Pictures that the rows of a person's file name: found beside it, known by their bytes, called after their digest.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { readBytes } from "../../documents.ts";
import { quoted } from "../../quote.ts";
import { isInnerPath, leadsOut, MAX_ASSET_BYTES } from "../assets.ts";
import type { Asset } from "../schema.ts";

/** A picture of the corpus, without what a row says about it. */
export type Picture = Omit<Asset, "alt">;

const KINDS: readonly { type: Picture["media_type"]; end: string; starts: (bytes: Buffer) => boolean }[] = [
  {
    type: "image/png",
    end: "png",
    starts: (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  },
  {
    type: "image/jpeg",
    end: "jpg",
    starts: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  },
  { type: "image/gif", end: "gif", starts: (bytes) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6)) },
  {
    type: "image/webp",
    end: "webp",
    starts: (bytes) => /^RIFF[\s\S]{4}WEBP/.test(bytes.toString("latin1", 0, 12)),
  },
];

/** The picture at `path` below `dir`, or what is wrong with it. */
export async function pictureAt(dir: string, path: string): Promise<Picture | string> {
  if (!isInnerPath(path)) {
    return `${quoted(path)} is no plain path beside the file: names and '/', no '..', no '\\'`;
  }
  const outside = await leadsOut(dir, path);
  if (outside !== null)
    return `${quoted(path)} ${outside.replace("the corpus folder", "the folder of the file")}`;
  const { value, refusal } = await readBytes(join(dir, path), MAX_ASSET_BYTES);
  if (refusal !== undefined) return `${quoted(path)} ${refusal.message}`;
  const kind = KINDS.find(({ starts }) => starts(value));
  if (kind === undefined)
    return `${quoted(path)} is no picture: expected the bytes of a PNG, JPEG, WebP or GIF file`;
  const sha256 = createHash("sha256").update(value).digest("hex");
  return { path: `assets/${sha256}.${kind.end}`, media_type: kind.type, sha256 };
}
