// What the charts have in common. Colours come from the theme, so that they hold in light and dark.
import * as Plot from "npm:@observablehq/plot";
import { shortNames } from "./format.js";

/** Colours by meaning. */
export const COLOR = {
  /** The thing that is shown. */
  main: "var(--theme-foreground-focus)",
  /** Beside it. */
  second: "var(--bench-second)",
  /** Floors, axes, what stands back. */
  faint: "var(--theme-foreground-muted)",
  right: "var(--bench-right)",
  wrong: "var(--bench-wrong)",
} as const;

/** Pixels a character of an axis takes, about; in the widest of the fonts that a system may have. */
export const CHARACTER = 7.2;

/** Room on the left for names of models or tasks, and the names shortened to it. */
export function nameAxis(
  names: readonly string[],
  width: number,
): { readonly margin: number; readonly short: (name: string) => string } {
  const most = Math.floor((width * 0.42) / CHARACTER);
  const characters = Math.min(most, Math.max(4, ...names.map((name) => [...name].length)));
  const short = shortNames(names, characters);
  return { margin: Math.ceil(characters * CHARACTER) + 14, short: (name) => short.get(name) ?? name };
}

/** A plot of so many pixels in the report's manner. */
export function plot(width: number, options: Plot.PlotOptions): Element {
  return Plot.plot({
    width,
    style: {
      fontFamily: "var(--sans-serif)",
      fontSize: "12px",
      background: "transparent",
      overflow: "visible",
      // What is wider than its place scrolls; made smaller, it could not be read.
      maxWidth: "none",
    },
    ...options,
  });
}

export { Plot };
