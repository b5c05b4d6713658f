// Pictures are the committed ones while their drawing is today's; otherwise they are drawn.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openPictures } from "../../../../src/corpus/build/pictures/store.ts";
import { drawing, rect } from "../../../../src/corpus/build/pictures/svg.ts";

const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
const svg = drawing(20, 10, [rect(1, 1, 8, 8, "#4477aa")]);
const picture = { svg, alt: "A blue square." };
const PATH = "images/t-1-001.png";
const PNG_START = [0x89, 0x50, 0x4e, 0x47];

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pictures-"));
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true }));
  mkdirSync(join(folder, "images"));
});

/** As if `content` had been committed as the picture of `drawn`. */
function commit(drawn: string, content: string): void {
  writeFileSync(join(folder, PATH), content);
  writeFileSync(
    join(folder, "pictures.json"),
    JSON.stringify({
      schema_version: 1,
      pictures: { [PATH]: { drawing_sha256: sha256(drawn), png_sha256: sha256(content) } },
    }),
  );
}

test("a picture that is not there is drawn, and its asset has its digest and its text", async () => {
  const store = openPictures(folder, folder, false);
  const asset = await store.place(PATH, picture);
  const png = store.files.get(PATH) ?? new Uint8Array();
  expect([...png.slice(0, 4)]).toEqual(PNG_START);
  expect(asset).toEqual({ path: PATH, media_type: "image/png", sha256: sha256(png), alt: "A blue square." });
  expect(JSON.parse(store.document())).toEqual({
    schema_version: 1,
    pictures: { [PATH]: { drawing_sha256: sha256(svg), png_sha256: sha256(png) } },
  });
});

test("the committed picture of the same drawing is taken as it is, and not when all are drawn anew", async () => {
  commit(svg, "committed");
  const kept = openPictures(folder, folder, false);
  expect((await kept.place(PATH, picture)).sha256).toBe(sha256("committed"));
  const anew = openPictures(folder, folder, true);
  expect((await anew.place(PATH, picture)).sha256).not.toBe(sha256("committed"));
});

test("another drawing, or a file that is not the one of pictures.json, is drawn", async () => {
  commit(drawing(20, 10, []), "committed");
  const other = await openPictures(folder, folder, false).place(PATH, picture);
  commit(svg, "committed");
  writeFileSync(join(folder, PATH), "altered");
  const altered = await openPictures(folder, folder, false).place(PATH, picture);
  expect(other.sha256).toBe(altered.sha256);
  expect(other.sha256).not.toBe(sha256("committed"));
});

test("a picture that is too large is refused", async () => {
  commit(svg, "x".repeat(400_001));
  await expect(openPictures(folder, folder, false).place(PATH, picture)).rejects.toThrow(
    `${PATH} has 400001 bytes, at most 400000 are allowed`,
  );
});

test("a pictures.json of another shape is refused", () => {
  writeFileSync(join(folder, "pictures.json"), '{"schema_version": 2}');
  expect(() => openPictures(folder, folder, false)).toThrow("pictures.json: ");
});
