// The ways to fail. Everything below throws one of these; only cli.ts prints and exits. A call to a model that failed is
// none of them: it becomes the status of an attempt, and the run goes on.

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

/** The person stopped the command (Ctrl-C, SIGTERM, SIGHUP, SIGQUIT). Exit code 130. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  readonly exitCode = 130;
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

/** Why nothing can be opened any more, where an error is that; null for every other one. */
export function whyTooManyFiles(error: unknown): string | null {
  if (!["EMFILE", "ENFILE"].includes(errorCode(error) ?? "")) return null;
  return "too many files are open (raise `ulimit -n` or lower --jobs)";
}
