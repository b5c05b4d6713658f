// Pictures of a corpus: each is committed as a PNG, and data/pictures.json says from which drawing it was made. So a
// build without a renderer knows that every picture is the one of today's drawing, and CI can draw them all again.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { indentedJson } from "../../../answers/indented.ts";
import { CheckError, errorCode } from "../../../errors.ts";
import type { Asset } from "../../schema.ts";
import type { Picture } from "../task.ts";
import { openPainter, type Paint } from "./paint.ts";

/** Largest picture of a row, in bytes. */
export const MAX_PICTURE_BYTES = 400_000;

const hex64 = z.string().regex(/^[0-9a-f]{64}$/);
const documentSchema = z.strictObject({
  schema_version: z.literal(1),
  pictures: z.record(z.string(), z.strictObject({ drawing_sha256: hex64, png_sha256: hex64 })),
});
type Entry = z.infer<typeof documentSchema>["pictures"][string];

/** The pictures of a build: those that are there, and those that had to be drawn. */
export interface PictureStore {
  /**
   * The asset of one picture.
   *
   * @param path within the corpus folder.
   * @throws {CheckError} for a picture that must be drawn and cannot be, or that is too large.
   */
  place(path: string, picture: Picture): Promise<Asset>;
  /** Content by path within the corpus folder, of the pictures that were placed. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Content of `pictures.json` for the pictures that were placed. */
  document(): string;
}

/**
 * Opens the pictures of a corpus.
 *
 * @param dataDir holds `pictures.json`.
 * @param corpusDir holds the pictures.
 * @param redraw draw every picture, whatever is there.
 */
export function openPictures(dataDir: string, corpusDir: string, redraw: boolean): PictureStore {
  const known = redraw ? {} : readKnown(join(dataDir, "pictures.json"));
  const files = new Map<string, Uint8Array>();
  const entries = new Map<string, Entry>();
  let paint: Paint | undefined;
  return {
    files,
    async place(path, { svg, alt }) {
      const drawing = sha256(svg);
      const entry = known[path];
      let png = entry?.drawing_sha256 === drawing ? contentOf(join(corpusDir, path)) : null;
      if (png === null || sha256(png) !== entry?.png_sha256) {
        paint ??= await openPainter();
        png = paint(svg);
      }
      if (png.length > MAX_PICTURE_BYTES) {
        throw new CheckError(`${path} has ${png.length} bytes, at most ${MAX_PICTURE_BYTES} are allowed`);
      }
      const digest = sha256(png);
      files.set(path, png);
      entries.set(path, { drawing_sha256: drawing, png_sha256: digest });
      return { path, media_type: "image/png", sha256: digest, alt };
    },
    document: () => `${indentedJson({ schema_version: 1, pictures: entries })}\n`,
  };
}

function readKnown(file: string): Readonly<Record<string, Entry>> {
  const content = contentOf(file);
  if (content === null) return {};
  const parsed = documentSchema.safeParse(JSON.parse(Buffer.from(content).toString("utf8")));
  if (!parsed.success) throw new CheckError(`pictures.json: ${z.prettifyError(parsed.error)}`);
  return parsed.data.pictures;
}

function contentOf(file: string): Uint8Array | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
