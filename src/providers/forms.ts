// Regular expressions for one text in every form in which it could come back from a server or a command.

/** The text itself, any of its characters percent-encoded (once or more often), or escaped as JSON does. */
export function anyForm(text: string, options: { readonly ignoreCase?: boolean } = {}): string {
  return [...text].map((character) => characterForms(character, options.ignoreCase === true)).join("");
}

function characterForms(character: string, ignoreCase: boolean): string {
  const forms = [literal(character), percentForm(character), unicodeForm(character)];
  // JSON may, and for some must, put a backslash before these; JSON inside JSON puts more.
  if (character === "/" || character === '"' || character === "\\")
    forms.push(`\\\\{1,8}${literal(character)}`);
  if (ignoreCase) {
    for (const other of [character.toLowerCase(), character.toUpperCase()]) {
      if (other !== character) forms.push(literal(other), percentForm(other));
    }
  }
  return `(?:${forms.join("|")})`;
}

function percentForm(character: string): string {
  return [...Buffer.from(character, "utf8")].map((byte) => `%(?:25)*${hexForm(byte, 2)}`).join("");
}

function unicodeForm(character: string): string {
  return character
    .split("")
    .map((unit) => `\\\\u${hexForm(unit.charCodeAt(0), 4)}`)
    .join("");
}

function hexForm(value: number, digits: number): string {
  const hex = value.toString(16).padStart(digits, "0");
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/**
 * What the base64 of any text around `text` must contain, for each of the three places at which it can begin. The
 * characters at the ends also depend on the neighbours and are left out. Both alphabets; `+` and `/` percent-encoded too.
 */
export function base64Forms(text: string): string[] {
  return base64Cores(text).map((core) =>
    core.replace(/[+/]/g, (sign) =>
      sign === "+" ? "(?:[+-]|%(?:25)*2[bB])" : "(?:[/_]|\\\\/|%(?:25)*2[fF])",
    ),
  );
}

/** The same as plain texts, in the standard alphabet; short ones, which would be met by chance, are left out. */
export function base64Cores(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  const cores = [0, 1, 2].map((offset) => {
    const base64 = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const bits = (offset + bytes.length) * 8;
    return base64.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
  });
  return cores.filter((core) => core.length > 3);
}
