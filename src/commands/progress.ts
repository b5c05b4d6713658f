// One line on a terminal that says how far a command is, gone when the command is done.
import { visible } from "../output.ts";
import type { Context } from "./context.ts";

/** Faster work needs no word. */
const QUIET_MS = 1000;
/** A line is not written more often. */
const PAUSE_MS = 100;

export interface ProgressLine {
  /** Says what is being done, unless the command is young, or something was said a moment ago. */
  readonly show: (text: string) => void;
  readonly clear: () => void;
}

/** Writes to standard error, and only when that is a terminal. */
export function progressLine({ stderr }: Pick<Context, "stderr">): ProgressLine {
  const begun = performance.now();
  let told = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const now = performance.now();
      if (stderr.isTTY !== true || now - begun < QUIET_MS || now - told < PAUSE_MS) return;
      told = now;
      stderr.write(`\r${visible(text)} …\u001b[K`);
    },
    clear() {
      if (told > 0) stderr.write("\r\u001b[K");
    },
  };
}
