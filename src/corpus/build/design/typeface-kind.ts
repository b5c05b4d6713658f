// What kind of typeface has these measures: heights, average letter widths and the number of weights.
import { z } from "zod";
import { drawing, HUES, line, rect, text } from "../pictures/svg.ts";
import type { Candidate, Options, Picture, Task } from "../task.ts";

const measure = z.number().int();
const typefaceSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  cap_height: measure,
  x_height: measure,
  ascent: measure,
  descent: measure,
  width: measure,
  width_bold: measure.nullable(),
  width_italic: measure.nullable(),
  weights: measure,
});
type Typeface = z.infer<typeof typefaceSchema>;

const KINDS: Options = [
  ["sans-serif", "Letters without end strokes, for text and interfaces"],
  ["serif", "Letters with end strokes, for text in books and papers"],
  ["display", "Letters for headings and posters, of unusual shapes"],
  ["handwriting", "Letters as if written by hand, with a pen or a brush"],
  ["monospace", "Letters that all have the same width, for code"],
];

/** What the diagram holds; beyond are fonts of other scripts and fonts whose figures are those of a frame. */
function usual({ cap_height, x_height, ascent, descent, width }: Typeface): boolean {
  return (
    cap_height >= 400 &&
    cap_height <= ascent &&
    x_height >= 150 &&
    x_height <= cap_height &&
    ascent <= 1300 &&
    descent >= 100 &&
    descent <= 650 &&
    width >= 150 &&
    width <= 800
  );
}

/** Pixels for a thousandth of the em. */
const SCALE = 0.2;
const BASELINE = 300;

function diagram(face: Typeface): Picture {
  const y = (height: number): number => BASELINE - height * SCALE;
  const lineAt = (name: string, height: number, value: number, right: boolean, above: boolean): string[] => [
    line(150, y(height), 570, y(height), { color: "#999999" }),
    text(right ? 578 : 142, y(height) + (above ? -1 : 10), `${name} ${value}`, {
      size: 13,
      anchor: right ? "start" : "end",
    }),
  ];
  const widths = widthsOf(face);
  const boxes = widths.flatMap(([name, width], index) => {
    const left = 165 + index * 135;
    return [
      rect(left, y(face.x_height), width * SCALE * 0.8, face.x_height * SCALE, HUES[index] ?? HUES[0]),
      text(left, 452, `${name} ${width}`, { size: 13 }),
    ];
  });
  return {
    svg: drawing(720, 490, [
      ...boxes,
      ...lineAt("ascent", face.ascent, face.ascent, false, true),
      ...lineAt("cap height", face.cap_height, face.cap_height, true, true),
      ...lineAt("x-height", face.x_height, face.x_height, false, false),
      ...lineAt("baseline", 0, 0, true, false),
      ...lineAt("descent", -face.descent, face.descent, false, false),
      text(14, 452, "average width", { size: 13, bold: true }),
      text(14, 477, `weights: ${face.weights}`, { size: 13 }),
      text(165, 477, "all measures in thousandths of the em", { size: 13 }),
    ]),
    alt: "Diagram of a typeface's measures: lines for ascent, cap height, x-height, baseline and descent, and for each style a box as wide as its average letter in proportion, all with figures.",
  };
}

function widthsOf(face: Typeface): (readonly [string, number])[] {
  const all = [
    ["regular", face.width],
    ["bold", face.width_bold],
    ["italic", face.width_italic],
  ] as const;
  return all.flatMap(([name, width]) => (width === null ? [] : [[name, width] as const]));
}

export const typefaceKind: Task = {
  id: "DES-3",
  name: "Kind of typeface",
  shape: "classify",
  ask: "What kind of typeface has these measures?",
  instruction:
    "A font library files a family by its kind, from its measures alone. Lengths are in thousandths of the em. " +
    "average_width is the average advance of the letters of English text, weighted by how often they occur, for the regular " +
    "style and, where the family has them, the bold and the italic one; weights is the number of upright weights. " +
    "Heights and widths are the designer's own figures. Choose the kind under which the font collection lists the family.",
  modality: "image",
  options: KINDS,
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["capsizecss-metrics"],
  rows: 30,
  perGroup: 1,
  decision: {
    by: "neighbours",
    says: "Heights and widths, the change of width in bold and italic, and the number of weights.",
    features: (state) => {
      const face = state as {
        cap_height: number;
        x_height: number;
        ascent: number;
        descent: number;
        average_width: { regular: number; bold?: number; italic?: number };
        weights: number;
      };
      const { regular, bold, italic } = face.average_width;
      return {
        cap_height: face.cap_height,
        x_height: face.x_height / face.cap_height,
        ascent: face.ascent,
        descent: face.descent,
        width: regular / face.x_height,
        bold_alike: bold === undefined ? null : bold === regular,
        italic: italic !== undefined,
        weights: face.weights,
      };
    },
  },
  chosen:
    "Families whose measures lie in the usual range of Latin fonts, at most one whose name begins with the same word. " +
    "Balanced over the five kinds.",
  changed: "Measures are the source's, in thousandths of the em. Family name and kind are hidden.",
  candidates(facts) {
    return facts
      .read("typefaces.jsonl", typefaceSchema)
      .filter(usual)
      .map((face): Candidate => {
        const widths = Object.fromEntries(widthsOf(face));
        return {
          key: face.id,
          recordId: face.id,
          stratum: face.kind,
          group: face.id.replace(/ .*/, ""),
          title: "Measures of one font family",
          state: {
            cap_height: face.cap_height,
            x_height: face.x_height,
            ascent: face.ascent,
            descent: face.descent,
            average_width: widths,
            weights: face.weights,
          },
          picture: () => diagram(face),
          gold: face.kind,
          rationale: `The family is ${face.id}, which the source lists as ${face.kind}.`,
          difficulty: face.kind === "monospace" ? "medium" : "hard",
          originalLabel: face.kind,
        };
      });
  },
};
