// Which text colour is readable on a background: contrast as WCAG 2 computes it, over brand colours.
import { z } from "zod";
import { type Random, randomFrom } from "../../random.ts";
import { drawing, rect, text } from "../pictures/svg.ts";
import type { Candidate, Options, Picture, Task } from "../task.ts";
import { cielab, contrastRatio, difference, type Lab } from "./color.ts";

const colorSchema = z.strictObject({ id: z.string() });

const SAMPLES: readonly string[] = ["sample-1", "sample-2", "sample-3", "sample-4", "sample-5"];
const NONE = "none-passes";
const OPTIONS: Options = [
  ...SAMPLES.map((name): Options[number] => [name, `The text of ${name.replace("-", " ")} passes`]),
  [NONE, "All five are under the minimum"],
];

/** Level AA for text of this size. */
const MINIMUM = 4.5;
/** A ratio this far below or above the minimum is told apart without a doubt. */
const BELOW = 4.25;
const ABOVE = 4.75;
/** One of the five comes at least this close, and no answer stands out at first sight. */
const CLOSE = 3.3;
const HIGHEST = 6;
/** Colours of a row differ at least so much in CIELAB, and text is never lost on its background. */
const APART = 12;
const FAINTEST = 1.6;

/** The label of the one sample that passes on the background; `none-passes` where none does, null where several do. */
export function passingSample(
  background: string,
  samples: readonly { readonly sample: string; readonly color: string }[],
): string | null {
  const passing = samples.filter(({ color }) => contrastRatio(background, color) >= MINIMUM);
  if (passing.length === 0) return NONE;
  return passing.length === 1 ? (passing[0]?.sample ?? null) : null;
}

interface TextColor {
  readonly hex: string;
  readonly lab: Lab;
  /** Contrast to the background. */
  readonly ratio: number;
}

/** Five text colours of which just the one at `answer`'s place passes; null where the background has none. */
function draw(colors: readonly TextColor[], answer: string, random: Random): string[] | null {
  const chosen: TextColor[] = [];
  const passes = answer !== NONE;
  const ranges = Array.from(SAMPLES, (): readonly [number, number] => [FAINTEST, BELOW]);
  ranges[passes ? 1 : 0] = [CLOSE, BELOW];
  if (passes) ranges[0] = [ABOVE, HIGHEST];
  for (const [least, most] of ranges) {
    const fitting = colors.filter(
      ({ ratio, lab }) =>
        ratio >= least && ratio <= most && chosen.every((other) => difference(lab, other.lab) >= APART),
    );
    if (fitting.length === 0) return null;
    chosen.push(random.pick(fitting));
  }
  const [first = "", ...others] = chosen.map(({ hex }) => hex);
  if (!passes) return random.shuffle([first, ...others]);
  const placed = random.shuffle(others);
  placed.splice(SAMPLES.indexOf(answer), 0, first);
  return placed;
}

const BAND = 58;

function bands(background: string, colors: readonly string[]): Picture {
  return {
    svg: drawing(
      520,
      20 + SAMPLES.length * (BAND + 8),
      colors.flatMap((color, index) => {
        const top = 14 + index * (BAND + 8);
        return [
          text(14, top + 35, SAMPLES[index] ?? ""),
          rect(110, top, 396, BAND, background),
          text(132, top + 35, "Confirm the transfer to your account", { size: 16, color }),
        ];
      }),
    ),
    alt: "Five bands of one background colour, sample-1 to sample-5 from top to bottom; each holds the same line of text in another colour.",
  };
}

export const textContrast: Task = {
  id: "DES-1",
  name: "Readable text colour",
  shape: "verify",
  ask: "Which sample's text passes level AA on this background?",
  instruction:
    "A design review checks text on a coloured background. All five samples have the same background and regular text " +
    "of 16 pixels, which is normal-sized text under WCAG 2. It passes level AA if its contrast ratio to the background is " +
    "at least 4.5 to 1. The ratio is (L1 + 0.05) / (L2 + 0.05), where L1 is the relative luminance of the lighter colour " +
    "and L2 that of the darker one; relative luminance is 0.2126 R + 0.7152 G + 0.0722 B over the linearised sRGB " +
    "channels. Choose the sample that passes, or none-passes if all five are under the minimum; never do two pass.",
  modality: "image",
  options: OPTIONS,
  listed: true,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["banks-db"],
  rows: 24,
  perGroup: 1,
  decision: {
    by: "rule",
    says: "The contrast ratio of each sample's colour to the background, as WCAG 2 defines it.",
    decide: (state) => {
      const { background, samples } = state as {
        background: string;
        samples: { sample: string; color: string }[];
      };
      return passingSample(background, samples);
    },
  },
  chosen:
    "Each colour is a background once. Of the other colours five are drawn that differ from it and from each other by " +
    `at least ${APART} in CIELAB: at most one has a ratio of ${ABOVE} to ${HIGHEST}, the others stay under ${BELOW}, and one of these is over ${CLOSE}. ` +
    "Balanced over the place of the sample that passes and over rows in which none does.",
  changed:
    "The colours are the source's, without the banks that they belong to; which of them meet is drawn by this project.",
  candidates(facts) {
    const colors = facts
      .read("brand-colors.jsonl", colorSchema)
      .map(({ id: hex }) => ({ hex, lab: cielab(hex) }));
    const candidates: Candidate[] = [];
    for (const { hex: background, lab } of colors) {
      const texts = colors
        .filter((color) => difference(color.lab, lab) >= APART)
        .map((color) => ({ ...color, ratio: contrastRatio(background, color.hex) }));
      for (const [answer] of OPTIONS) {
        const drawn = draw(texts, answer, randomFrom(`DES-1/${background}/${answer}`));
        if (drawn === null) continue;
        const samples = drawn.map((hex, index) => ({ sample: SAMPLES[index] ?? "", color: hex }));
        const ratios = samples
          .map((entry) => ({ ...entry, ratio: contrastRatio(background, entry.color).toFixed(2) }))
          .sort((a, b) => Number(b.ratio) - Number(a.ratio));
        candidates.push({
          key: `${background}#${answer}`,
          recordId: [background, ...drawn].join("; "),
          stratum: answer,
          group: background,
          title: "Text samples on one background colour",
          state: { background, text_size_px: 16, text_weight: "regular", samples },
          picture: () => bands(background, drawn),
          gold: answer,
          rationale: `Contrast ratios: ${ratios.map(({ sample, ratio }) => `${sample} ${ratio}`).join(", ")}; the minimum is ${MINIMUM}.`,
          difficulty: "hard",
          originalLabel: ratios.map(({ sample, ratio }) => `${sample} ${ratio}`).join("; "),
        });
      }
    }
    return candidates;
  },
};
