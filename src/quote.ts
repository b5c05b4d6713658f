// Foreign text inside a message of ours: one line, short, and nothing in it that a terminal obeys.

/** Control characters, line and paragraph separators, marks that change the direction of writing, the byte order mark. */
export const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** The text in double quotes with everything invisible escaped; past `limit` UTF-16 units it ends in `…`. */
export function quoted(text: string, limit = 80): string {
  const last = text.charCodeAt(limit - 1);
  // A cut must not leave half a surrogate pair behind.
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  const brief = text.length <= limit ? text : `${text.slice(0, end)}…`;
  // JSON.stringify has escaped those below U+0020 already.
  return JSON.stringify(brief).replace(
    HIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
