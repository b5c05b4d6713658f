// Searches the evidence of all rows. It is loaded when somebody asks for it, and read in pieces between which the page
// can do something else.
import { fold, hasAll } from "./fold.js";
import type { RowEntry } from "./row-index.js";
import { shard } from "./site.js";

/** Text that is worked on at a stretch, in ms. */
const STRETCH_MS = 40;

/** Folded texts by the place of their row. */
const texts: string[] = [];
let files: readonly { readonly file: string; readonly first: number }[] | null = null;
let read = 0;
/** Only one may read on. */
let reading: Promise<void> = Promise.resolve();

/** Places of the rows that have all words in what the list knows of them and in their texts taken together. */
export async function searchTexts(
  rows: readonly RowEntry[],
  words: readonly string[],
  progress: (share: number) => void,
): Promise<ReadonlySet<number>> {
  const mine = reading.then(() => readAll(progress));
  reading = mine.catch(() => {});
  await mine;
  const found = new Set<number>();
  let since = performance.now();
  for (const { place, words: short } of rows) {
    const text = texts[place] ?? "";
    if (words.every((word) => short.includes(word) || hasAll(text, [word]))) found.add(place);
    if (performance.now() - since < STRETCH_MS) continue;
    await pause();
    progress(1);
    since = performance.now();
  }
  return found;
}

async function readAll(progress: (share: number) => void): Promise<void> {
  files ??= (await shard<{ files: { file: string; first: number }[] }>("rows/texts.json")).files;
  while (read < files.length) {
    progress(read / files.length);
    const entry = files[read];
    if (entry === undefined) break;
    const content = await shard<readonly string[]>(`rows/${entry.file}`);
    let since = performance.now();
    for (const [i, text] of content.entries()) {
      texts[entry.first + i] = fold(text);
      if (performance.now() - since < STRETCH_MS) continue;
      await pause();
      since = performance.now();
    }
    read += 1;
    await pause();
  }
}

/** Lets the browser do what waits. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
