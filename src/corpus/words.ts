// The labels and question ids of a corpus: what a right answer must be able to hold. Nearly all rows share a few.
import { ownText } from "./row-file.ts";
import type { CorpusRow } from "./schema.ts";

const MOST_WORDS = 10_000;

/** Collects the words of rows, up to a bound. */
export class Words {
  readonly #words = new Set<string>();

  addRow({ question }: CorpusRow): void {
    this.#add(question.id);
    for (const { label } of question.options) this.#add(label);
  }

  /** All of them; null when there are too many to keep. */
  list(): readonly string[] | null {
    return this.#words.size > MOST_WORDS ? null : [...this.#words];
  }

  #add(word: string): void {
    if (this.#words.size > MOST_WORDS || this.#words.has(word)) return;
    this.#words.add(ownText(word));
  }
}
