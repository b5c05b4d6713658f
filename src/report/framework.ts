// Observable Framework's own command, run in the workshop.
import { join } from "node:path";
import { CheckError, InterruptedError } from "../errors.ts";
import { DATABASE_VARIABLE } from "./loader.ts";
import { requirePackage } from "./packages.ts";
import type { Workshop } from "./workshop.ts";

/** A build that takes longer hangs. In ms. */
const BUILD_LIMIT_MS = 20 * 60_000;
/** Lines of output that a failed build shows. */
const SHOWN_LINES = 30;

/**
 * Builds the site into {@link Workshop.site}.
 *
 * @param log told the end of its output when it fails.
 * @throws {CheckError} when it fails; {@link InterruptedError} when it was stopped.
 */
export async function buildSite(
  workshop: Workshop,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  const { execa } = await import("execa");
  const result = await execa(process.execPath, [frameworkCommand(), "build"], {
    ...surroundings(workshop),
    all: true,
    reject: false,
    stdin: "ignore",
    timeout: BUILD_LIMIT_MS,
    cancelSignal: signal,
    maxBuffer: 1_000_000,
  });
  if (signal.aborted) throw new InterruptedError("interrupted");
  if (!result.failed) return;
  for (const line of result.all.split("\n").slice(-SHOWN_LINES)) log(line.replaceAll(workshop.folder, "…"));
  const why = result.timedOut ? `did not end within ${BUILD_LIMIT_MS / 60_000} minutes` : "failed";
  throw new CheckError(`Observable Framework ${why}; its last lines stand above`);
}

/** Absolute path of the command's script. */
export function frameworkCommand(): string {
  return join(requirePackage("@observablehq/framework").folder, "dist", "bin", "observable.js");
}

/** Where the command works, and what it is told. */
export function surroundings(workshop: Workshop): {
  readonly cwd: string;
  readonly env: Record<string, string>;
} {
  return {
    cwd: workshop.folder,
    env: {
      [DATABASE_VARIABLE]: workshop.database,
      OBSERVABLE_TELEMETRY_DISABLE: "1",
      // What Framework runs TypeScript with would leave a folder beside the workshop.
      TSX_DISABLE_CACHE: "1",
      // Dates in a page, were there any, must not depend on where it was made.
      TZ: "UTC",
    },
  };
}
