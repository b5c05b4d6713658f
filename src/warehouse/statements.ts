// Where one SQL statement ends and the next one begins: at a `;` that stands in no text, no quoted name, no
// dollar-quoted text and no comment. Text may come line by line, as a person types it.

/** One statement of a longer text. */
export interface Statement {
  /** As it was written, without the `;` and without blank space around it; comments are kept. */
  readonly text: string;
  /** Where it begins in the whole text, in UTF-16 units from 0. */
  readonly start: number;
  /** The same place as lines before it, and characters before it on its own line. */
  readonly line: number;
  readonly column: number;
  /** Its first word in lower case, behind comments; empty when it begins with something else. */
  readonly keyword: string;
}

/** What a place in the text is inside of. */
type Inside = "text" | "escaped text" | "name" | "dollar" | "comment" | "line comment";

// Everything that can change what a place is inside of.
const MARK = /[;'"$]|--|\/\*/g;
const COMMENT_MARK = /\/\*|\*\//g;
const ESCAPED_MARK = /''|'|\\[\s\S]?/g;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;
const NAME_CHARACTER = /[A-Za-z0-9_$\u0080-\uffff]/;

/** Takes text in whole lines, or all at once, and gives the statements as they become complete. */
export class StatementReader {
  /** The text that came last, how far it has been looked at, and from where on it belongs to the open statement. */
  #piece = "";
  #at = 0;
  #from = 0;
  /** Units and line ends in all text before it. */
  #unitsBefore = 0;
  #linesBefore = 0;
  /** What the open statement has from earlier pieces. */
  #earlier: string[] = [];
  #length = 0;
  /** Where the open statement begins; null while there is only blank space. */
  #start: Pick<Statement, "start" | "line" | "column"> | null = null;
  /** Its first word; null while there are only comments. */
  #keyword: string | null = null;
  #inside: Inside | null = null;
  /** The closing mark of a dollar-quoted text. */
  #tag = "";
  /** Comments stand inside comments. */
  #depth = 0;

  /** Adds text that ends where a line ends and gives the statements that a `;` completed; empty ones are left out. */
  push(text: string): Statement[] {
    this.#unitsBefore += this.#piece.length;
    this.#linesBefore += this.#piece.split("\n").length - 1;
    this.#piece = text;
    this.#at = 0;
    this.#from = 0;
    const done: Statement[] = [];
    while (this.#at < text.length) {
      if (this.#inside !== null) this.#leave(this.#inside);
      else if (this.#next()) done.push(...this.#take(this.#at - 1));
    }
    const rest = text.slice(this.#from);
    if (this.#start === null && rest.trim() !== "") this.#begin(this.#from);
    this.#earlier.push(rest);
    this.#length += rest.length;
    this.#from = text.length;
    return done;
  }

  /** The statement that no `;` has ended, if there is one. */
  end(): Statement | undefined {
    const [last] = this.#take(this.#piece.length);
    return last;
  }

  /** True when something else than blank space and whole comments has come since the last `;`. */
  get pending(): boolean {
    return this.#keyword !== null || this.#inside !== null;
  }

  /** Units that are held for the open statement. */
  get length(): number {
    return this.#length;
  }

  /** Forgets the open statement. */
  clear(): void {
    this.#earlier = [];
    this.#length = 0;
    this.#start = null;
    this.#keyword = null;
    this.#inside = null;
  }

  /** Goes on to the next mark; true when it is a `;`. */
  #next(): boolean {
    MARK.lastIndex = this.#at;
    const found = MARK.exec(this.#piece);
    const end = found?.index ?? this.#piece.length;
    const word = this.#piece.slice(this.#at, end).search(/\S/);
    if (word >= 0) this.#wordAt(this.#at + word);
    this.#at = found === null ? end : MARK.lastIndex;
    if (found === null) return false;
    const mark = found[0];
    if (mark === ";") return true;
    if (mark === "--") this.#inside = "line comment";
    else if (mark === "/*") {
      this.#inside = "comment";
      this.#depth = 1;
    } else {
      this.#wordAt(end);
      if (mark === '"') this.#inside = "name";
      else if (mark === "'") this.#inside = this.#isEscaped(end) ? "escaped text" : "text";
      else this.#enterDollar(end);
    }
    return false;
  }

  /** `E'it\'s'`: only there a backslash hides the quote behind it. */
  #isEscaped(index: number): boolean {
    return /^e$/i.test(this.#piece.charAt(index - 1)) && !NAME_CHARACTER.test(this.#piece.charAt(index - 2));
  }

  #enterDollar(index: number): void {
    DOLLAR_QUOTE.lastIndex = index;
    const found = DOLLAR_QUOTE.exec(this.#piece);
    // `$1` is a parameter, and a `$` inside a name belongs to it.
    if (found === null || NAME_CHARACTER.test(this.#piece.charAt(index - 1))) return;
    this.#inside = "dollar";
    this.#tag = found[0];
    this.#at = DOLLAR_QUOTE.lastIndex;
  }

  /** Goes to the end of what the place is inside of, or to the end of the piece. */
  #leave(inside: Inside): void {
    if (inside === "comment") this.#leaveComment();
    else if (inside === "escaped text") this.#leaveEscaped();
    // Two quotes stand for one: what they are in seems to end and begins again at once, which is the same.
    else this.#leaveBehind({ "line comment": "\n", dollar: this.#tag, name: '"', text: "'" }[inside]);
  }

  #leaveBehind(mark: string): void {
    const end = this.#piece.indexOf(mark, this.#at);
    this.#at = end < 0 ? this.#piece.length : end + mark.length;
    if (end >= 0) this.#inside = null;
  }

  #leaveEscaped(): void {
    ESCAPED_MARK.lastIndex = this.#at;
    for (let found = ESCAPED_MARK.exec(this.#piece); found !== null; found = ESCAPED_MARK.exec(this.#piece)) {
      if (found[0] !== "'") continue;
      this.#at = ESCAPED_MARK.lastIndex;
      this.#inside = null;
      return;
    }
    this.#at = this.#piece.length;
  }

  #leaveComment(): void {
    while (this.#depth > 0) {
      COMMENT_MARK.lastIndex = this.#at;
      const found = COMMENT_MARK.exec(this.#piece);
      this.#at = found === null ? this.#piece.length : COMMENT_MARK.lastIndex;
      if (found === null) return;
      this.#depth += found[0] === "/*" ? 1 : -1;
    }
    this.#inside = null;
  }

  #wordAt(index: number): void {
    this.#keyword ??= /^[a-z_]*/i.exec(this.#piece.slice(index, index + 64))?.[0].toLowerCase() ?? "";
  }

  /** Notes where the open statement begins: at the first character from `from` on that is not blank. */
  #begin(from: number): void {
    const index = from + this.#piece.slice(from).search(/\S/);
    const before = this.#piece.slice(0, index).split("\n");
    this.#start = {
      start: this.#unitsBefore + index,
      line: this.#linesBefore + before.length - 1,
      column: [...(before.at(-1) ?? "")].length,
    };
  }

  #take(end: number): Statement[] {
    const rest = this.#piece.slice(this.#from, end);
    if (this.#start === null && rest.trim() !== "") this.#begin(this.#from);
    const text = [...this.#earlier, rest].join("").trim();
    const [start, keyword] = [this.#start, this.#keyword];
    this.clear();
    this.#from = end + 1;
    // Comments alone are no statement.
    return start === null || keyword === null ? [] : [{ text, keyword, ...start }];
  }
}

/** The statements of a text, the last one with or without its `;`. */
export function splitStatements(sql: string): Statement[] {
  const reader = new StatementReader();
  const done = reader.push(sql);
  const last = reader.end();
  return last === undefined ? done : [...done, last];
}
