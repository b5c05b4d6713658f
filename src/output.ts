// Where a command writes: the terminal, a pipe, or a test.
import { HIDDEN } from "./quote.ts";

export interface Output {
  write(data: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** The text with control characters written out (`\n`, `\x1b`, `\u202e`), so that it stays on one line and is harmless. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0);
    if (character === "\n") return "\\n";
    if (character === "\r") return "\\r";
    if (character === "\t") return "\\t";
    return code < 256
      ? `\\x${code.toString(16).padStart(2, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
