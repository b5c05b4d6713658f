// Rows that stay in cases.jsonl until somebody asks for them: of a large corpus only where each row is, and the few things
// that rows are chosen by, stand in memory.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { stat } from "node:fs/promises";
import { CheckError } from "../errors.ts";
import { quoted } from "../quote.ts";
import { type OptionLists, readRowLine } from "./row.ts";
import type { CorpusRow } from "./schema.ts";

/** What rows are chosen by. */
export type RowHead = Pick<CorpusRow, "id" | "task" | "category">;

/** Where the line of a row is, in bytes; the `\n` is not part of it. */
export interface RowPlace {
  readonly offset: number;
  readonly bytes: number;
}

/** An open cases.jsonl whose rows were checked. */
export class RowFile {
  readonly #file: number;
  readonly #version: string;
  readonly #lists: OptionLists = new Map();
  // Tasks and categories are few.
  readonly #names = new Map<string, string>();
  #last: { readonly ref: RowRef; readonly row: CorpusRow } | null = null;

  /** @throws the system's error when the file cannot be opened. */
  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.#version = versionOf(this.#file);
  }

  /** A row that is read when it is asked for. */
  row(head: RowHead, place: RowPlace): CorpusRow {
    return new RowRef(this, ownText(head.id), this.#name(head.task), this.#name(head.category), place);
  }

  /**
   * The whole row.
   *
   * @throws {CheckError} when the file was changed after it was opened.
   */
  read(ref: RowRef): CorpusRow {
    // Who asks for one thing of a row mostly asks for the next one too.
    if (this.#last?.ref === ref) return this.#last.row;
    const line = Buffer.allocUnsafe(ref.bytes);
    const found = readSync(this.#file, line, 0, ref.bytes, ref.offset);
    const same = found === ref.bytes && versionOf(this.#file) === this.#version;
    const row = same ? readRowLine(line.toString("utf8"), this.#lists) : null;
    if (row === null || row.id !== ref.id) {
      throw new CheckError(
        `the corpus was changed after it was checked (row ${quoted(ref.id)}): bring the frozen rows back and repeat the command`,
      );
    }
    this.#last = { ref, row };
    return row;
  }

  /** No row can be read afterwards. */
  close(): void {
    closeSync(this.#file);
  }

  #name(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const own = ownText(name);
    this.#names.set(own, own);
    return own;
  }
}

/** A row in a file. */
class RowRef implements CorpusRow {
  readonly #file: RowFile;
  readonly id: string;
  readonly task: string;
  readonly category: string;
  readonly offset: number;
  readonly bytes: number;

  constructor(file: RowFile, id: string, task: string, category: string, { offset, bytes }: RowPlace) {
    this.#file = file;
    this.id = id;
    this.task = task;
    this.category = category;
    this.offset = offset;
    this.bytes = bytes;
  }

  whole(): CorpusRow {
    return this.#file.read(this);
  }

  get suite() {
    return this.whole().suite;
  }
  get categoryName() {
    return this.whole().categoryName;
  }
  get taskName() {
    return this.whole().taskName;
  }
  get modality() {
    return this.whole().modality;
  }
  get title() {
    return this.whole().title;
  }
  get state() {
    return this.whole().state;
  }
  get assets() {
    return this.whole().assets;
  }
  get question() {
    return this.whole().question;
  }
  get source() {
    return this.whole().source;
  }
  get sourceKind() {
    return this.whole().sourceKind;
  }
  get provenance() {
    return this.whole().provenance;
  }
}

/**
 * The row with all that it holds in memory, for who works with it for a while.
 *
 * @throws {CheckError} when it has to be read and its file was changed.
 */
export function wholeRow(row: CorpusRow): CorpusRow {
  return row instanceof RowRef ? row.whole() : row;
}

/** Changes whenever a file is written or replaced. */
export async function fileVersion(path: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(path, { bigint: true });
  return [ino, size, mtimeNs].join();
}

/** Changes whenever the file is written. */
function versionOf(file: number): string {
  const { size, mtimeNs } = fstatSync(file, { bigint: true });
  return `${size},${mtimeNs}`;
}

/** A part of a text keeps the whole of it in memory; this one does not. */
export function ownText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
