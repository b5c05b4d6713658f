// From a drawing to a PNG. Only who changes a drawing needs this: it takes two development dependencies, and the
// committed pictures are the truth.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CheckError, errorMessage } from "../../../errors.ts";

/** Draws SVG; the same bytes for the same drawing on one platform. */
export type Paint = (svg: string) => Uint8Array;

const FONTS = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"];

/**
 * The painter, with fonts from a package and none of the system's.
 *
 * @throws {CheckError} where the development dependencies are not installed.
 */
export async function openPainter(): Promise<Paint> {
  try {
    const { Resvg } = await import("@resvg/resvg-js");
    const package_ = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json");
    const fontFiles = FONTS.map((name) => join(dirname(package_), "ttf", name));
    return (svg) =>
      new Resvg(svg, { font: { loadSystemFonts: false, fontFiles, defaultFontFamily: "DejaVu Sans" } })
        .render()
        .asPng();
  } catch (error) {
    throw new CheckError(
      `a picture has to be drawn, and what draws it is not there: run npm ci in a checkout (${errorMessage(error)})`,
    );
  }
}
