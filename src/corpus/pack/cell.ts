// The little syntax of a cell that holds several things: `yes = someone has to come | no`. A backslash before `|`, `=`, a
// space or a backslash takes its meaning away; before anything else it stands for itself.

interface Character {
  readonly text: string;
  /** False behind a backslash that takes its meaning away. */
  readonly means: boolean;
}

/** Parts between `|`, each cut at its first `=`; `after` is null where there is none. Spaces around a part are no part of it. */
export function partsOf(cell: string): { before: string; after: string | null }[] {
  return split(charactersOf(cell), "|").map((part) => {
    const at = part.findIndex((one) => one.means && one.text === "=");
    if (at < 0) return { before: trimmed(part), after: null };
    return { before: trimmed(part.slice(0, at)), after: trimmed(part.slice(at + 1)) };
  });
}

/** The parts between `|`, whole. */
export function listOf(cell: string): string[] {
  return split(charactersOf(cell), "|").map(trimmed);
}

/** The text as a part of a cell that is read back as it is. */
export function escaped(text: string): string {
  return text.replace(/[|=\\]|^[ \t]|[ \t]$/g, "\\$&");
}

function charactersOf(cell: string): Character[] {
  const out: Character[] = [];
  for (let at = 0; at < cell.length; at += 1) {
    const next = cell[at + 1];
    if (cell[at] === "\\" && next !== undefined && "|=\\ \t".includes(next)) {
      out.push({ text: next, means: false });
      at += 1;
    } else out.push({ text: cell[at] ?? "", means: true });
  }
  return out;
}

function split(characters: readonly Character[], separator: string): Character[][] {
  const parts: Character[][] = [[]];
  for (const one of characters) {
    if (one.means && one.text === separator) parts.push([]);
    else parts.at(-1)?.push(one);
  }
  return parts;
}

function trimmed(part: readonly Character[]): string {
  const isBlank = ({ text, means }: Character): boolean => means && (text === " " || text === "\t");
  const start = part.findIndex((one) => !isBlank(one));
  const end = part.findLastIndex((one) => !isBlank(one));
  return start < 0
    ? ""
    : part
        .slice(start, end + 1)
        .map(({ text }) => text)
        .join("");
}
