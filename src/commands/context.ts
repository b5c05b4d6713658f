// What every command gets: where it runs and where it writes. Tests pass their own.
import type { Environment, Workspace } from "../workspace.ts";

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface Context {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The workspace of `--root`, the environment or the current folder. Throws a UserError when the named one is none. */
  workspace(): Promise<Workspace>;
  /** Aborted at the first Ctrl-C or SIGTERM. */
  readonly interrupt: AbortSignal;
  /** Aborted at the second one. */
  readonly abort: AbortSignal;
}
