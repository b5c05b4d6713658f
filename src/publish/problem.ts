// One thing that is wrong with a published file, and the list of them: bounded, however much is wrong.
import { findingText } from "../corpus/load.ts";
import { foundInstead, type Issue, valueText } from "../fields.ts";

export interface Problem {
  /** Path with "/", relative to the workspace, or to where the checked folder lies when that is outside. */
  readonly file: string;
  /** From 1; null where the file has no lines. */
  readonly line: number | null;
  /** Path inside the document, "" for the whole. */
  readonly field: string;
  /** null when nothing is there, or what is there must not be repeated. */
  readonly found: string | null;
  readonly expected: string | null;
  /** The whole sentence, on one line, without the place. */
  readonly message: string;
}

/** How many problems of one file are kept. The others are counted. */
export const MOST_PROBLEMS = 1000;

/** `file:line: field: message`, on one line. */
export const problemText: (problem: Problem) => string = findingText;

/** What is said of a place: the sentence, and its parts where it has them. */
export type Said = Pick<Issue, "message"> & Partial<Pick<Issue, "found" | "expected">>;

/** A value that is not the one that was expected, and why that one. */
export function differs(found: unknown, expected: unknown, because = ""): Said {
  return unlike(found, valueText(expected), because);
}

/** Takes out of a text about a field what a message must not repeat. */
export type Mask = (text: string, field: string) => string;

/** A value that is not what these words describe, and why it should be. */
export function unlike(found: unknown, words: string, because = ""): Said {
  const reason = because === "" ? "" : ` (${because})`;
  return { ...foundInstead(found, `expected ${words}${reason}`), expected: words };
}

/** The problems of one file, in the order in which they were found. */
export class ProblemList {
  readonly file: string;
  readonly problems: Problem[] = [];
  /** How many there are beyond {@link MOST_PROBLEMS}. */
  omitted = 0;
  readonly #mask: Mask;
  readonly #fields = new Set<string>();

  constructor(file: string, mask: Mask) {
    this.file = file;
    this.#mask = mask;
  }

  get count(): number {
    return this.problems.length + this.omitted;
  }

  /** @param key under which {@link has} knows it; the field when not given. */
  add(line: number | null, field: string, said: Said, key = field): void {
    if (this.problems.length >= MOST_PROBLEMS) {
      this.omitted += 1;
      return;
    }
    this.#fields.add(`${line} ${key}`);
    const masked = (text: string | null | undefined): string | null =>
      text === null || text === undefined ? null : this.#mask(text, field);
    this.problems.push({
      file: this.file,
      line,
      field: this.#mask(field, field),
      found: masked(said.found),
      expected: masked(said.expected),
      message: this.#mask(said.message, field),
    });
  }

  /** Adds what a schema found, but for fields about which something is said already. */
  addIssues(line: number | null, issues: readonly Issue[]): void {
    for (const issue of issues) if (!this.has(line, issue.field)) this.add(line, issue.field, issue);
  }

  /** Whether something was said about a field. */
  has(line: number | null, key: string): boolean {
    return this.#fields.has(`${line} ${key}`);
  }
}

/** The problems of several files, each file's together, in the order in which the files were first spoken of. */
export class ProblemLists {
  readonly #fileOf: (path: string) => string;
  readonly #maskOf: (path: string) => Mask;
  readonly #lists = new Map<string, ProblemList>();

  /** @param fileOf how a path is called. */
  constructor(fileOf: (path: string) => string, maskOf: (path: string) => Mask) {
    this.#fileOf = fileOf;
    this.#maskOf = maskOf;
  }

  /** The list of the file at an absolute path. */
  of(path: string): ProblemList {
    const list = this.#lists.get(path) ?? new ProblemList(this.#fileOf(path), this.#maskOf(path));
    this.#lists.set(path, list);
    return list;
  }

  /** Tells what is wrong with a file or folder as a whole. */
  readonly tell = (path: string, message: string): void => this.of(path).add(null, "", { message });

  get all(): readonly ProblemList[] {
    return [...this.#lists.values()];
  }
}
