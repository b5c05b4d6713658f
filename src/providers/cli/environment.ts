// What a command is let know of our environment. It is a list of what goes in, so that nothing new ever slips through:
// the keys of this program's own endpoints are in no list.
import type { Environment } from "../../workspace.ts";
import type { CallFolder } from "./call-folder.ts";

/** Where programs are found, and the language in which texts are read and written. */
const COMMON = ["PATH", "LANG", "LC_ALL", "LC_CTYPE"];
/** Whose sign-in a command looks up: in the home folder, or in the system's key store under the name of the person. */
const PERSON = ["HOME", "USER", "LOGNAME"];

/** What every command gets. The folder for temporary files is the call's own, which marks all its descendants, too. */
export function baseEnvironment(env: Environment, folder: CallFolder): Record<string, string> {
  return { ...pick(env, COMMON), TMPDIR: folder.temp };
}

/** Claude Code: the call's own home, or the person's, which leads to a sign-in in the system's key store. */
export function claudeEnvironment(
  env: Environment,
  folder: CallFolder,
  home: "own" | "shared",
): Record<string, string> {
  return {
    ...baseEnvironment(env, folder),
    ...(home === "own" ? { HOME: folder.home } : pick(env, PERSON)),
    ...pick(env, ["ANTHROPIC_API_KEY"]),
    ...pick(env, ["ANTHROPIC_BASE_URL"]),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // Repeating is the harness's business: every attempt is on record, and an invalid answer is a result.
    CLAUDE_CODE_MAX_RETRIES: "0",
    // Of a broken stream, and of an answer that was refused.
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
    CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
    // The model that was asked for answers, or none.
    CLAUDE_CODE_NO_MODEL_FALLBACK: "1",
    MAX_STRUCTURED_OUTPUT_RETRIES: "1",
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
  };
}

/** Codex: always a home of the call's own; a sign-in is copied into it. */
export function codexEnvironment(env: Environment, folder: CallFolder): Record<string, string> {
  return {
    ...baseEnvironment(env, folder),
    HOME: folder.home,
    CODEX_HOME: folder.home,
    ...pick(env, ["OPENAI_API_KEY"]),
  };
}

/** Those of the variables that are set and not empty. */
function pick(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
