// Claude Code. With a key it is started bare, so that nothing but our two texts reaches the model; with the person's own
// sign-in in its safe mode, since a bare one reads no sign-in. Measured facts stand in docs/decisions/0011.
import { homedir } from "node:os";
import { join } from "node:path";
import { stringifyJson } from "../../answers/json.ts";
import { POLICY } from "../../answers/prompt.ts";
import { answerSchema } from "../../answers/schema.ts";
import { publicInput } from "../../corpus/input.ts";
import type { CorpusRow } from "../../corpus/schema.ts";
import { effectiveRequest } from "../../models/request.ts";
import type { ModelOf } from "../../models/schema.ts";
import { checkKey, readSafeUrl } from "../endpoints.ts";
import type { Provider } from "../provider.ts";
import type { ProviderOptions } from "../registry.ts";
import { removeLeftovers } from "./call-folder.ts";
import { readClaude } from "./claude-events.ts";
import { CLAUDE_SIGN_IN, readClaudeSignIn } from "./claude-sign-in.ts";
import { Commands } from "./command.ts";
import { claudeEnvironment } from "./environment.ts";
import { createCliProvider, type Invocation } from "./provider.ts";
import type { SignInFile } from "./sign-in.ts";

type Model = ModelOf<"claude-cli">;

/**
 * @throws {UserError} when the command is not there or cannot be used, the sign-in has expired, or a variable that it would
 *   be given is not fit.
 */
export async function createClaude(model: Model, options: ProviderOptions): Promise<Provider> {
  const { env, commands = new Commands(env), now = Date.now } = options;
  if (env.ANTHROPIC_API_KEY) checkKey(env.ANTHROPIC_API_KEY, "ANTHROPIC_API_KEY");
  if (env.ANTHROPIC_BASE_URL) readSafeUrl(env.ANTHROPIC_BASE_URL, "ANTHROPIC_BASE_URL");
  const command = await commands.find("claude");
  await removeLeftovers();
  const bare = Boolean(env.ANTHROPIC_API_KEY);
  const copies = !bare && (await readClaudeSignIn(env, now)) !== null;
  // It is read for every call: it may have been renewed.
  const signIn = async () => ({ [CLAUDE_SIGN_IN]: (await readClaudeSignIn(env, now)) ?? "" });
  return createCliProvider({
    command,
    invocation: (row) => claudeInvocation(model, row, bare),
    environment: (folder) => claudeEnvironment(env, folder, bare || copies ? "own" : "shared"),
    signInFiles: ({ home }) =>
      bare
        ? []
        : [...(copies ? [{ path: join(home, CLAUDE_SIGN_IN) }] : []), ...signInFiles(env.HOME || homedir())],
    ...(copies && { privateFiles: signIn }),
    ...(!bare && !copies && { isOneAtATime: true }),
    read: readClaude,
  });
}

/** Where Claude Code keeps a sign-in, and whose it is, in a person's home; on macOS the tokens are in the key store. */
function signInFiles(home: string): SignInFile[] {
  return [
    { path: join(home, CLAUDE_SIGN_IN) },
    // Much else stands in this one.
    { path: join(home, ".claude.json"), parts: ["primaryApiKey", "oauthAccount"] },
  ];
}

/** How Claude Code is asked about a row; `bare` when a key is there. */
function claudeInvocation(model: Model, row: CorpusRow, bare: boolean): Invocation {
  const { reasoning_effort: effort } = effectiveRequest(model);
  return {
    args: [
      bare ? "--bare" : "--safe-mode",
      "--print",
      ...["--output-format", "stream-json", "--verbose"],
      ...["--model", model.model],
      ...["--system-prompt", POLICY],
      ...["--json-schema", stringifyJson(answerSchema(row.question))],
      ...["--tools", ""],
      ...["--strict-mcp-config", "--mcp-config", '{"mcpServers":{}}'],
      "--no-session-persistence",
      "--disable-slash-commands",
      "--no-chrome",
      ...["--setting-sources", ""],
      ...(effort === null ? [] : ["--effort", effort]),
    ],
    input: withoutMentions(stringifyJson(publicInput(row))),
    files: {},
  };
}

/** The same JSON without an "@": Claude Code would put the file that is named behind one into the prompt. */
function withoutMentions(json: string): string {
  return json.replaceAll("@", "\\u0040");
}
