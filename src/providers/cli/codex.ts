// Codex. Nothing of the person's own configuration is read: each call has a home of its own, with the policy, the schema
// and a catalogue in which the model has no tools. Measured facts stand in docs/decisions/0011.
import { homedir } from "node:os";
import { join } from "node:path";
import { stringifyJson } from "../../answers/json.ts";
import { POLICY, userText } from "../../answers/prompt.ts";
import { answerSchema } from "../../answers/schema.ts";
import type { CorpusRow } from "../../corpus/schema.ts";
import { readBytes } from "../../documents.ts";
import { UserError } from "../../errors.ts";
import { effectiveRequest } from "../../models/request.ts";
import type { ModelOf } from "../../models/schema.ts";
import type { Environment } from "../../workspace.ts";
import { checkKey, readSafeUrl } from "../endpoints.ts";
import type { Provider } from "../provider.ts";
import type { ProviderOptions } from "../registry.ts";
import { removeLeftovers } from "./call-folder.ts";
import { readCodex } from "./codex-events.ts";
import { type Command, Commands } from "./command.ts";
import { codexEnvironment } from "./environment.ts";
import { createCliProvider, type Invocation } from "./provider.ts";
import { MAX_SIGN_IN_BYTES, SignInError } from "./sign-in.ts";

type Model = ModelOf<"codex-cli">;

/** Where the key goes when nobody says otherwise. */
const DEFAULT_BASE_URL = "https://api.openai.com/v1";
const SIGN_IN = "auth.json";
/** Codex's name for the endpoint that a key is for, and the setting that holds its URL. */
const ENDPOINT = "model_providers.bench";
const BASE_URL = `${ENDPOINT}.base_url=`;

/** What gives a model hands, or talks to it beside us; switched off where the version knows it. */
const FEATURES = [
  "shell_tool",
  "unified_exec",
  "shell_snapshot",
  "view_image",
  "goals",
  "multi_agent",
  "apps",
  "plugins",
  "skill_search",
  "tool_suggest",
  "hooks",
  "image_generation",
  "browser_use",
  "browser_use_external",
  "computer_use",
  "in_app_browser",
  "workspace_dependencies",
  "daemon_auto_start",
  // With it a refused connection is tried again for ever.
  "unbounded_connection_retries",
];

/** The same for what is no feature but a setting. */
const SETTINGS = [
  'web_search="disabled"',
  "tools.experimental_request_user_input.enabled=false",
  "include_permissions_instructions=false",
  "include_environment_context=false",
  "include_apps_instructions=false",
  "include_collaboration_mode_instructions=false",
  "skills.include_instructions=false",
  "skills.bundled.enabled=false",
  "project_doc_max_bytes=0",
  "analytics.enabled=false",
  "check_for_update_on_startup=false",
];

/** Of a model's entry in the catalogue: no tools, no other agents, and our policy in place of the instructions. */
const NO_TOOLS = {
  apply_patch_tool_type: null,
  shell_type: "disabled",
  tool_mode: null,
  experimental_supported_tools: [],
  supports_search_tool: false,
  multi_agent_version: null,
  // The light form of a request repeats the policy.
  use_responses_lite: false,
};

/**
 * @throws {UserError} when the command is not there or cannot be used, nobody is signed in, or a variable that it would
 *   be given is not fit or without effect.
 */
export async function createCodex(model: Model, options: ProviderOptions): Promise<Provider> {
  const { env, commands = new Commands(env) } = options;
  if (env.OPENAI_API_KEY) checkKey(env.OPENAI_API_KEY, "OPENAI_API_KEY");
  if (env.OPENAI_BASE_URL) readSafeUrl(env.OPENAI_BASE_URL, "OPENAI_BASE_URL");
  const signedIn = !env.OPENAI_API_KEY;
  if (signedIn && env.OPENAI_BASE_URL) {
    throw new UserError(
      "OPENAI_BASE_URL is set without OPENAI_API_KEY: signed in, codex asks its own service and no other. " +
        "Set the key too, or set OPENAI_BASE_URL to nothing for this run.",
    );
  }
  const command = await commands.find("codex");
  // Looked for now, so that no run begins without one.
  if (signedIn) await readSignIn(env);
  await removeLeftovers();
  return createCliProvider({
    command,
    invocation: (row, home) => codexInvocation(model, row, { command, env, home }),
    shown: (argument) => (argument.startsWith(BASE_URL) ? `${BASE_URL}"<base URL>"` : argument),
    environment: (folder) => codexEnvironment(env, folder),
    // Codex renews the sign-in in the copy.
    signInFiles: (folder) => (signedIn ? [{ path: join(folder.home, SIGN_IN) }] : []),
    privateFiles: async () => (signedIn ? { [SIGN_IN]: await readSignIn(env) } : {}),
    read: readCodex,
  });
}

/**
 * The person's sign-in. It is read for every call: it may have been renewed.
 *
 * @throws {SignInError} when it is not there or cannot be read.
 */
async function readSignIn(env: Environment): Promise<string> {
  const home = env.CODEX_HOME || join(env.HOME || homedir(), ".codex");
  const { value, refusal } = await readBytes(join(home, SIGN_IN), MAX_SIGN_IN_BYTES);
  if (refusal === undefined) return value.toString("utf8");
  throw new SignInError(
    `codex is not signed in (${SIGN_IN} ${refusal.message}): run \`codex login\` (with the sign-in kept in a file), or set OPENAI_API_KEY`,
  );
}

/** How Codex is asked about a row. */
function codexInvocation(
  model: Model,
  row: CorpusRow,
  { command, env, home }: { command: Command; env: Environment; home: string },
): Invocation {
  const { reasoning_effort: effort } = effectiveRequest(model);
  const entry = command.catalogue.get(model.model);
  const file = (name: string): string => join(home, name);
  const setting = (text: string): string[] => ["-c", text];
  const files: Record<string, string> = {
    "schema.json": stringifyJson(answerSchema(row.question)),
    "policy.md": POLICY,
  };
  if (entry !== undefined) {
    const own = { ...entry, ...NO_TOOLS, base_instructions: POLICY, model_messages: null };
    files["catalogue.json"] = JSON.stringify({ models: [own] });
  }
  return {
    args: [
      "exec",
      "--json",
      ...["--output-schema", file("schema.json")],
      ...["--sandbox", "read-only"],
      "--skip-git-repo-check",
      "--ephemeral",
      "--ignore-user-config",
      "--ignore-rules",
      "--strict-config",
      ...["--color", "never"],
      ...["--model", model.model],
      ...FEATURES.filter((name) => command.features.has(name)).flatMap((name) => ["--disable", name]),
      ...SETTINGS.flatMap(setting),
      ...(effort === null ? [] : setting(`model_reasoning_effort=${JSON.stringify(effort)}`)),
      ...setting(`model_instructions_file=${JSON.stringify(file("policy.md"))}`),
      ...(entry === undefined ? [] : setting(`model_catalog_json=${JSON.stringify(file("catalogue.json"))}`)),
      ...(env.OPENAI_API_KEY ? keyedEndpoint(env).flatMap(setting) : []),
      "-",
    ],
    input: userText(row),
    files,
  };
}

/**
 * The endpoint that a key is for. Codex's own entry for OpenAI reads no key from the environment, repeats failed requests
 * by itself and begins with a WebSocket; this one does none of it. The key stays in the environment.
 */
function keyedEndpoint(env: Environment): string[] {
  return [
    'model_provider="bench"',
    `${ENDPOINT}.name="bench"`,
    `${BASE_URL}${JSON.stringify(env.OPENAI_BASE_URL || DEFAULT_BASE_URL)}`,
    `${ENDPOINT}.env_key="OPENAI_API_KEY"`,
    `${ENDPOINT}.wire_api="responses"`,
    `${ENDPOINT}.supports_websockets=false`,
    `${ENDPOINT}.request_max_retries=0`,
    `${ENDPOINT}.stream_max_retries=0`,
  ];
}
