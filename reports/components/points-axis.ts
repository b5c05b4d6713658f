// The axis of a difference between two results: points, with zero on it and what each side of zero means.
import { COLOR, Plot } from "./chart.js";
import { shortened } from "./format.js";

/** Pixels a bold character takes, about. */
const CHARACTER = 7.2;
/** Characters of a name that say something; with less room the letter alone stands there. */
const LEAST_NAME = 8;
const MOST_NAME = 24;
/** Of the longer side of zero the shorter one has at least so much, for what stands above it. */
const SHORTER = 0.4;

export interface PointsAxis {
  readonly x: Plot.ScaleOptions;
  /** The line at zero, and above it who is better on either side. */
  readonly marks: readonly Plot.Markish[];
}

/**
 * @param pixels its length.
 * @param shares all that is drawn along it.
 * @param names of a and b.
 */
export function pointsAxis(
  pixels: number,
  shares: readonly number[],
  [a, b]: readonly [string, string],
): PointsAxis {
  const longer = Math.max(0.01, ...shares.map(Math.abs));
  const low = Math.min(-longer * SHORTER, ...shares);
  const high = Math.max(longer * SHORTER, ...shares);
  const named = (name: string, letter: string, end: number): string => {
    const characters =
      Math.floor((pixels * Math.abs(end)) / (high - low) / CHARACTER) - " (a) better →".length;
    return characters < LEAST_NAME
      ? `${letter} better`
      : `${shortened(name, Math.min(MOST_NAME, characters))} (${letter}) better`;
  };
  return {
    x: {
      label: "Difference in accuracy (points)",
      labelArrow: "none",
      labelAnchor: "center",
      percent: true,
      grid: true,
      domain: [low * 100, high * 100],
      nice: true,
      ticks: Math.max(3, Math.floor(pixels / 80)),
      tickFormat: (x: number) => (x > 0 ? `+${x}` : String(x).replace("-", "−")),
    },
    marks: [
      Plot.ruleX([0], { stroke: "currentColor", strokeWidth: 1.5 }),
      above(`← ${named(b, "b", low)}`, "end", COLOR.second),
      above(`${named(a, "a", high)} →`, "start", COLOR.main),
    ],
  };
}

function above(text: string, textAnchor: "start" | "end", fill: string): Plot.Markish {
  return Plot.text([0], {
    x: 0,
    frameAnchor: "top",
    dx: textAnchor === "end" ? -8 : 8,
    dy: -16,
    textAnchor,
    text: () => text,
    fill,
    fontWeight: "bold",
  });
}
