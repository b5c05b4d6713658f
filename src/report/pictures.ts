// `pictures/<digest>.<ending>`: the pictures of the corpus under names that any file system and address can hold.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInnerPath, leadsOut, MAX_ASSET_BYTES } from "../corpus/assets.ts";
import { readPointer } from "../corpus/manifest.ts";
import { readBytes } from "../documents.ts";
import { quoted } from "../quote.ts";
import { plainRows } from "../warehouse/formats.ts";
import { type FileSource, writeWhole } from "./site-files.ts";

/** A path in the corpus → the file's name in the folder. */
export type PictureNames = Readonly<Record<string, string>>;

const INDEX = "index.json";

/** The kinds of pictures that a corpus may hold; nothing else is put into a site, where a browser would run some of it. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
};

const PICTURES = `
  SELECT DISTINCT image.path AS path, image.media_type AS media_type
  FROM (SELECT unnest(images) AS image FROM corpus_texts)
  ORDER BY ALL`;

/** Copies the pictures one by one and names them in `index.json`; what cannot be read is left out, and said. */
export async function writePictures(source: FileSource, folder: string): Promise<void> {
  const { workspace, snapshot, signal, notify } = source;
  // Without a prototype, whatever a path is called.
  const names: Record<string, string> = Object.create(null) as Record<string, string>;
  const pointer = await readPointer(workspace, () => {});
  if (pointer !== null) {
    const corpus = dirname(pointer.path);
    for await (const rows of plainRows(await snapshot.query(PICTURES))) {
      for (const row of rows) {
        signal.throwIfAborted();
        const path = String(row.get("path"));
        const ending = ENDINGS[String(row.get("media_type"))];
        const bytes = ending === undefined ? "is of no known kind" : await bytesOf(corpus, path);
        if (typeof bytes === "string") {
          notify(`the picture ${quoted(path)} ${bytes}: it is left out`);
          continue;
        }
        const name = `${createHash("sha256").update(bytes).digest("hex")}.${ending}`;
        if (!existsSync(join(folder, name))) writeWhole(join(folder, name), bytes);
        names[path] = name;
      }
    }
  }
  writeWhole(join(folder, INDEX), JSON.stringify(names));
}

/** What {@link writePictures} has put into a folder; none when it was not asked. */
export function pictureNames(folder: string): PictureNames {
  const path = join(folder, INDEX);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as PictureNames) : {};
}

/** The file under a path of the corpus, or why it cannot be had. Nothing outside the corpus' folder is read. */
async function bytesOf(corpus: string, path: string): Promise<Buffer | string> {
  if (!isInnerPath(path)) return "leads out of the corpus folder";
  const outside = await leadsOut(corpus, path);
  if (outside !== null) return outside;
  const { value, refusal } = await readBytes(join(corpus, path), MAX_ASSET_BYTES);
  return refusal === undefined ? value : refusal.message;
}
