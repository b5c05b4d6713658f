// The rules of the design tasks, decided by other code than the builder's: from integers, as far as they go.

/** A channel from 0 to 255 as light, through the exact curve of sRGB (IEC 61966-2-1). */
function light(value: number): number {
  const part = value / 255;
  return part <= 0.040449936 ? part / 12.92 : Math.exp(2.4 * Math.log((part + 0.055) / 1.055));
}

/** Ten thousand times the relative luminance of a colour such as `#0c75a5`. */
export function brightness(color: string): number {
  const all = Number.parseInt(color.slice(1), 16);
  return 2126 * light(all >> 16) + 7152 * light((all >> 8) & 255) + 722 * light(all & 255);
}

interface Samples {
  background: string;
  samples: { sample: string; color: string }[];
}

/** Samples joined by "+" whose text is at least four and a half times as light, or as dark, as its background. */
function readableSample({ background, samples }: Samples): string {
  const under = brightness(background) + 500;
  const passing = samples.filter(({ color }) => {
    const own = brightness(color) + 500;
    return own * 2 >= under * 9 || under * 2 >= own * 9;
  });
  return passing.map(({ sample }) => sample).join("+") || "none-passes";
}

/** By task, what {@link Samples} and its like come to. */
// biome-ignore lint/suspicious/noExplicitAny: states of several tasks, read as a stranger would
export const DESIGN_RULES: Readonly<Record<string, (state: any) => string>> = { "DES-1": readableSample };
