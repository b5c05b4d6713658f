// A second opinion on a table: characters one by one, as RFC 4180 has them.

/** The records of a table; null when a quote stands where none may, or has no end. */
export function recordsOf(text: string, separator: string): string[][] | null {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = "";
  let at = text.startsWith("\ufeff") ? 1 : 0;
  const endCell = (): void => {
    record.push(cell);
    cell = "";
  };
  const endRecord = (): void => {
    endCell();
    records.push(record);
    record = [];
  };
  while (at < text.length) {
    if (cell === "" && text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) return null;
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') {
          cell += '"';
          at += 1;
        } else break;
      }
      at += 1;
      if (at < text.length && text[at] !== separator && !/^\r?\n|^\r$/.test(text.slice(at, at + 2)))
        return null;
    }
    if (at >= text.length) break;
    if (text[at] === separator) endCell();
    else if (text[at] === "\n") endRecord();
    else if (text[at] === "\r" && (text[at + 1] === "\n" || at + 1 === text.length)) {
      // It belongs to the line feed behind it.
    } else if (text[at] === '"') return null;
    else cell += text[at];
    at += 1;
  }
  if (cell !== "" || record.length > 0) endRecord();
  return records;
}
