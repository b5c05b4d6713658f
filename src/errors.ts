// The three ways to fail. Everything below throws one of these; only cli.ts prints and exits.

/** Wrong usage, configuration or environment: nothing was done. Exit code 2. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly exitCode = 2;
}

/** The work itself failed, or a check found something. Exit code 1. */
export class CheckError extends Error {
  override readonly name = "CheckError";
  readonly exitCode = 1;
}

/** The person stopped the command (Ctrl-C, SIGTERM). Exit code 130. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  readonly exitCode = 130;
}

/** One call to a model failed; it becomes the `status` and `error` of an attempt, never the end of a run. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly status: string;
  readonly retryable: boolean;
  constructor(status: string, message: string, retryable = false) {
    super(message);
    this.status = status;
    this.retryable = retryable;
  }
}

/** The `code` of a file system or network error ("ENOENT", …), if it has one. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** What a person can read of any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
