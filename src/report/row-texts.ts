// `rows/texts.json` and `rows/texts-<number>.json`: what is searched when somebody searches the evidence too. In files of
// moderate size, so that no browser is busy with one of them for long.
import { join } from "node:path";
import type { Writable } from "../answers/json.ts";
import { writeWhole } from "./site-files.ts";

/** Characters (UTF-16 units) after which a file ends. */
const FILE_CHARACTERS = 500_000;

/** Columns of a row that are searched. */
const SEARCHED = ["title", "state", "ask", "rationale", "note", "summary"] as const;

/** Collects the texts of the rows in their order. */
export class RowTexts {
  readonly #folder: string;
  readonly #files: { readonly file: string; readonly first: number }[] = [];
  #texts: string[] = [];
  #characters = 0;
  #rows = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(row: ReadonlyMap<string, Writable>): void {
    const parts = SEARCHED.map((name) => row.get(name)).filter((text) => typeof text === "string");
    const text = parts.join("\n");
    this.#texts.push(text);
    this.#characters += text.length;
    this.#rows += 1;
    if (this.#characters >= FILE_CHARACTERS) this.#write();
  }

  /** Writes what is left, and the list of the files: where each begins among the rows. */
  end(): void {
    if (this.#texts.length > 0) this.#write();
    writeWhole(join(this.#folder, "texts.json"), JSON.stringify({ files: this.#files }));
  }

  #write(): void {
    const file = `texts-${String(this.#files.length).padStart(4, "0")}.json`;
    this.#files.push({ file, first: this.#rows - this.#texts.length });
    writeWhole(join(this.#folder, file), JSON.stringify(this.#texts));
    this.#texts = [];
    this.#characters = 0;
  }
}
