// Which digit a person wrote into the box of a form, from a scan of eight by eight grey values.
import { z } from "zod";
import { drawing, INK, rect } from "../pictures/svg.ts";
import type { Candidate, Features, Picture, Task } from "../task.ts";

const digitSchema = z.strictObject({
  id: z.string(),
  rows: z.array(z.string()).length(8),
  digit: z.number().int().min(0).max(9),
});
type Digit = z.infer<typeof digitSchema>;

const stateSchema = z.object({ ink: z.array(z.string()) });

const MAX_INK = 16;
const label = (digit: number): string => `digit-${digit}`;
const inkOf = (rows: readonly string[]): number[][] => rows.map((row) => row.split(" ").map(Number));

/** A digit with its 64 values, which every other one is held against. */
interface Scan {
  readonly digit: Digit;
  readonly ink: readonly number[];
}

/** The three digits of the facts that look most like this one: least sum of squared differences. */
function nearest({ digit, ink: own }: Scan, all: readonly Scan[]): readonly Digit[] {
  return all
    .filter((other) => other.digit.id !== digit.id)
    .map(({ digit: other, ink }) => {
      let apart = 0;
      for (let i = 0; i < own.length; i += 1) apart += ((own[i] ?? 0) - (ink[i] ?? 0)) ** 2;
      return { other, apart };
    })
    .sort((a, b) => a.apart - b.apart || (a.other.id < b.other.id ? -1 : 1))
    .slice(0, 3)
    .map(({ other }) => other);
}

/** The scan four times as fine as it was taken: between two values in proportion to the distance. */
function scanPicture(rows: readonly string[]): Picture {
  const FINER = 4;
  const SIZE = 9;
  const ink = inkOf(rows);
  const value = (row: number, column: number): number =>
    ink[Math.min(7, Math.max(0, row))]?.[Math.min(7, Math.max(0, column))] ?? 0;
  const cells: string[] = [];
  for (let y = 0; y < 8 * FINER; y += 1) {
    for (let x = 0; x < 8 * FINER; x += 1) {
      const [row, column] = [(y + 0.5) / FINER - 0.5, (x + 0.5) / FINER - 0.5];
      const [top, left] = [Math.floor(row), Math.floor(column)];
      const [down, right] = [row - top, column - left];
      const mean =
        value(top, left) * (1 - down) * (1 - right) +
        value(top, left + 1) * (1 - down) * right +
        value(top + 1, left) * down * (1 - right) +
        value(top + 1, left + 1) * down * right;
      const grey = Math.round(255 * (1 - mean / MAX_INK))
        .toString(16)
        .padStart(2, "0");
      if (grey !== "ff") cells.push(rect(24 + x * SIZE, 24 + y * SIZE, SIZE, SIZE, `#${grey}${grey}${grey}`));
    }
  }
  const side = 8 * FINER * SIZE;
  const frame = rect(16, 16, side + 16, side + 16, "#ffffff", { color: INK, width: 2 });
  return {
    svg: drawing(side + 48, side + 48, [frame, ...cells]),
    alt: "A square form box with one handwritten digit, scanned coarsely in shades of grey.",
  };
}

export const digitBox: Task = {
  id: "DOC-4",
  name: "Digit in a form box",
  shape: "read",
  ask: "Which digit is written in the form box?",
  instruction:
    "A form has boxes for one handwritten digit each. The picture shows one box, scanned coarsely. The state holds the " +
    "scan: eight lines from top to bottom, each with eight values from left to right, from 00 (paper) to 16 (all ink). " +
    "Every box holds exactly one digit, written upright. Choose the digit that the person wrote.",
  modality: "image",
  options: Array.from(
    { length: 10 },
    (_, digit) => [label(digit), `Enter ${digit} into the record`] as const,
  ),
  listed: false,
  labelOrigin: "recorded",
  contamination: "high",
  sources: ["sklearn-digits"],
  rows: 30,
  decision: {
    by: "neighbours",
    features: (state): Features =>
      Object.fromEntries(
        inkOf(stateSchema.parse(state).ink)
          .flat()
          .map((value, index) => [`ink_${index}`, value]),
      ),
    says: "the 64 grey values",
  },
  chosen:
    "Digits of a sample of which two of the three most similar scans show the same digit. Balanced over the ten digits.",
  changed:
    "The grey values are the source's; the picture is drawn from them, four times as fine, by this project.",
  candidates(facts) {
    const digits = facts.read("handwritten-digits.jsonl", digitSchema);
    const scans = digits.map((digit) => ({ digit, ink: inkOf(digit.rows).flat() }));
    return scans.flatMap((scan): Candidate[] => {
      const { digit } = scan;
      const alike = nearest(scan, scans).filter((other) => other.digit === digit.digit).length;
      if (alike < 2) return [];
      return [
        {
          key: digit.id,
          recordId: digit.id,
          stratum: label(digit.digit),
          title: "One box of a form",
          state: { ink: digit.rows },
          picture: () => scanPicture(digit.rows),
          gold: label(digit.digit),
          rationale: `Record ${digit.id} of the source carries the label ${digit.digit}.`,
          difficulty: alike === 3 ? "medium" : "hard",
          originalLabel: String(digit.digit),
        },
      ];
    });
  },
};
