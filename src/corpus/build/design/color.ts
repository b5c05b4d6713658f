// Colours by the formulas of the standards: contrast as WCAG 2 computes it, difference in CIELAB (1976, D65 white).

/** Lightness from 0 to 100, then green to red and blue to yellow. */
export type Lab = readonly [lightness: number, a: number, b: number];

/** Red, green and blue of `#rrggbb` as light intensities from 0 to 1. */
function intensities(hex: string): readonly [number, number, number] {
  const channel = (start: number): number => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Relative luminance of `#rrggbb`, from 0 (black) to 1 (white). */
export function luminance(hex: string): number {
  const [red, green, blue] = intensities(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours, from 1 to 21, whichever is the lighter one. */
export function contrastRatio(one: string, two: string): number {
  const [a, b] = [luminance(one), luminance(two)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** `#rrggbb` in CIELAB. */
export function cielab(hex: string): Lab {
  const [red, green, blue] = intensities(hex);
  const x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047;
  const y = 0.2126729 * red + 0.7151522 * green + 0.072175 * blue;
  const z = (0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883;
  const [fx, fy, fz] = [lightnessPart(x), lightnessPart(y), lightnessPart(z)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

function lightnessPart(t: number): number {
  return t > 216 / 24389 ? Math.cbrt(t) : (t * 841) / 108 + 4 / 29;
}

/** Difference of two colours in CIELAB: about 2 is just seen, 12 is seen at a glance. */
export function difference(one: Lab, two: Lab): number {
  return Math.hypot(one[0] - two[0], one[1] - two[1], one[2] - two[2]);
}
