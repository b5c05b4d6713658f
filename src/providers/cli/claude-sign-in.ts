// The person's sign-in to Claude Code where it is kept in a file (Linux). Each call gets a copy in a home of its own: calls
// that share a home write into it at the same time.
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { errorCode } from "../../errors.ts";
import type { Environment } from "../../workspace.ts";
import { member, tryJson } from "../response.ts";
import { SignInError } from "./sign-in.ts";

/** Where it is, below the home. */
export const CLAUDE_SIGN_IN = join(".claude", ".credentials.json");

/**
 * What a call is given of the sign-in: the token of access alone. A copy that could renew itself would use up the renewal that
 * the person's own file is waiting for.
 *
 * @returns JSON; null where the sign-in is in no such file: in the system's key store, or nowhere.
 * @throws {SignInError} when it has expired, or the file is there and cannot be read.
 */
export async function readClaudeSignIn(env: Environment, now: () => number): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(join(env.HOME || homedir(), CLAUDE_SIGN_IN), "utf8");
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new SignInError(
      `the sign-in of claude (~/${CLAUDE_SIGN_IN}) cannot be read (${code ?? "error"}): sign in again, or set ANTHROPIC_API_KEY`,
    );
  }
  const all = member(tryJson(text), "claudeAiOauth");
  if (typeof member(all, "accessToken") !== "string") return null;
  const { refreshToken: _, ...claudeAiOauth } = all as Record<string, unknown>;
  const { expiresAt } = claudeAiOauth;
  if (typeof expiresAt === "number" && expiresAt <= now()) {
    throw new SignInError(
      "the sign-in of claude has expired: ask `claude` anything, which renews it, or set ANTHROPIC_API_KEY",
    );
  }
  return JSON.stringify({ claudeAiOauth });
}
