// How much of a model's own words is published.

/** Longest published output of a model, in characters (code points); what is longer is cut and marked. */
export const MAX_OUTPUT_CHARACTERS = 20_000;

/** The beginning of a text, at most {@link MAX_OUTPUT_CHARACTERS} of it, and whether something was left out. */
export function publishedOutput(text: string): { readonly text: string; readonly truncated: boolean } {
  // A character has one UTF-16 unit or two.
  if (text.length <= MAX_OUTPUT_CHARACTERS) return { text, truncated: false };
  let units = 0;
  let characters = 0;
  for (const character of text) {
    if (characters === MAX_OUTPUT_CHARACTERS) return { text: text.slice(0, units), truncated: true };
    units += character.length;
    characters += 1;
  }
  return { text, truncated: false };
}
