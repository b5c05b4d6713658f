// What every command gets: where it runs and where it writes. Tests pass their own.
import type { Readable } from "node:stream";
import type { Output } from "../output.ts";
import type { Environment, Workspace } from "../workspace.ts";

export interface Context {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Standard input; nothing is read from it before somebody asks for it. */
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  /** The workspace of `--root`, the environment or the current folder. Throws a UserError when the named one is none. */
  workspace(): Promise<Workspace>;
  /**
   * Aborted at the first Ctrl-C, SIGTERM, SIGHUP or SIGQUIT. Whoever reads it promises to end soon after; a command that does not is
   * ended at once, as every command is at the second one.
   */
  readonly interrupt: AbortSignal;
  /** What the process ends with, unless a command throws. */
  exitCode: number;
}
