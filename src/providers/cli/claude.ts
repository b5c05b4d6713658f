// Claude Code. With a key it is started bare, so that nothing but our two texts reaches the model; with the person's own
// sign-in in its safe mode, since a bare one reads no sign-in. Measured facts stand in docs/decisions/0011.
import { JsonError, parseJson, stringifyJson, type Writable } from "../../answers/json.ts";
import { POLICY } from "../../answers/prompt.ts";
import { answerSchema } from "../../answers/schema.ts";
import { cutBetweenWords } from "../../answers/text.ts";
import { publicInput } from "../../corpus/input.ts";
import type { CorpusRow } from "../../corpus/schema.ts";
import type { Usage } from "../../ledgers/schema.ts";
import { effectiveRequest } from "../../models/request.ts";
import type { ModelOf } from "../../models/schema.ts";
import { checkKey, readSafeUrl } from "../endpoints.ts";
import type { CallOutcome, Provider } from "../provider.ts";
import type { ProviderOptions } from "../registry.ts";
import { isRetryableStatus, member, serverMessage } from "../response.ts";
import { count } from "../usage.ts";
import { removeLeftovers } from "./call-folder.ts";
import { CLAUDE_SIGN_IN, readClaudeSignIn } from "./claude-sign-in.ts";
import { Commands } from "./command.ts";
import { claudeEnvironment } from "./environment.ts";
import { lastOf, type Output } from "./events.ts";
import { createCliProvider, type Invocation, type Report } from "./provider.ts";

type Model = ModelOf<"claude-cli">;

/** What Claude Code makes of the answer's schema; the one tool that is no tool. */
const ANSWER_TOOL = "StructuredOutput";

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
    ...(copies && { privateFiles: signIn }),
    ...(!bare && !copies && { isOneAtATime: true }),
    read: readClaude,
  });
}

/** How Claude Code is asked about a row; `bare` when a key is there. */
export function claudeInvocation(model: Model, row: CorpusRow, bare: boolean): Invocation {
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

/** What Claude Code's events say. */
export function readClaude(output: Output): Report {
  const { events } = output;
  const result = lastOf(events, "result");
  const stopReason = member(result, "stop_reason");
  const cost = member(result, "total_cost_usd");
  const duration = member(result, "duration_api_ms");
  const status = member(result, "api_error_status");
  const hasCost = typeof cost === "number" && cost >= 0 && Number.isFinite(cost);
  const facts: Partial<CallOutcome> = {
    usage: usageOf(result, events),
    reportedCostUsd: hasCost ? cost + 0 : null,
    costSource: hasCost ? "total_cost_usd" : null,
    resolvedModel: resolvedModel(result),
    httpStatus: isHttpStatus(status) ? status : null,
    providerDurationMs: typeof duration === "number" && duration >= 0 ? duration : null,
    finishReason: typeof stopReason === "string" ? stopReason : null,
  };
  const tool = toolOf(result, events);
  const failure = failureOf(result, events);
  if (failure !== null) return { facts, tool, failure, text: null };
  try {
    return { facts, tool, failure, text: textOf(output, result) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { facts, tool, failure: invalid(`not JSON: ${cutBetweenWords(error.message, 160)}`), text: null };
  }
}

function isHttpStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599;
}

/** Input is what was read anew, from the cache and into the cache; they are told apart, and all of them are tokens of input. */
function usageOf(result: unknown, events: readonly unknown[]): Usage {
  const usage = member(result, "usage") ?? lastUsage(events);
  const fresh = count(member(usage, "input_tokens"));
  const cached = count(member(usage, "cache_read_input_tokens"));
  const created = count(member(usage, "cache_creation_input_tokens"));
  return {
    input_tokens: fresh === null ? null : fresh + (cached ?? 0) + (created ?? 0),
    // Of an answer that did not come to its end only the input is known: the output is counted last.
    output_tokens: result === undefined ? null : count(member(usage, "output_tokens")),
    cached_input_tokens: cached,
    reasoning_output_tokens: count(member(member(usage, "output_tokens_details"), "thinking_tokens")),
    cache_creation_input_tokens: created,
  };
}

/** What the last message of the model says of its tokens. */
function lastUsage(events: readonly unknown[]): unknown {
  return member(member(lastOf(events, "assistant"), "message"), "usage");
}

/** The model that did the work; when several did (a fallback), the one that wrote most. */
function resolvedModel(result: unknown): string | null {
  const usage = member(result, "modelUsage");
  if (typeof usage !== "object" || usage === null) return null;
  const wrote = (name: string): number => Number(member(member(usage, name), "outputTokens") ?? 0);
  return Object.keys(usage).sort((a, b) => wrote(b) - wrote(a))[0] ?? null;
}

/** The first tool that was called, whether it was there or not; null for none. */
function toolOf(result: unknown, events: readonly unknown[]): string | null {
  for (const event of events) {
    if (member(event, "type") !== "assistant") continue;
    const content = member(member(event, "message"), "content");
    for (const block of Array.isArray(content) ? content : []) {
      const type = member(block, "type");
      if (typeof type !== "string" || !/tool_use$/.test(type)) continue;
      const name = member(block, "name");
      if (name !== ANSWER_TOOL || type !== "tool_use") return nameOf(name);
    }
  }
  const [denied] = listOf(member(result, "permission_denials"));
  if (denied !== undefined) return nameOf(member(denied, "tool_name"));
  const server = member(member(result, "usage"), "server_tool_use");
  for (const kind of ["web_search", "web_fetch"]) {
    if ((count(member(server, `${kind}_requests`)) ?? 0) > 0) return kind;
  }
  return null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(name: unknown): string {
  return typeof name === "string" ? (serverMessage(name) ?? "unnamed") : "unnamed";
}

/** Why there is no answer; null when there may be one. A result that calls itself a success may be an error all the same. */
function failureOf(result: unknown, events: readonly unknown[]): Report["failure"] {
  if (result === undefined) return null;
  const [problem] = listOf(member(result, "errors"));
  const said = serverMessage(member(result, "result") ?? problem) ?? "no reason given";
  const subtype = member(result, "subtype");
  if (subtype === "error_max_structured_output_retries") return invalid(said);
  if (member(result, "is_error") !== true) {
    return subtype === "success" ? null : failed("cli_error", `claude failed: ${said}`);
  }
  const status = member(result, "api_error_status");
  if (isHttpStatus(status)) {
    return failed(String(status), `HTTP ${status}: ${said}`, isRetryableStatus(status));
  }
  if (/^(?:Not logged in|Please run \/login)/.test(said)) {
    return failed(
      "auth_missing",
      "claude is not signed in: run `claude` once and sign in, or set ANTHROPIC_API_KEY",
    );
  }
  const kind = member(lastOf(events, "assistant"), "error");
  if (member(result, "stop_reason") === "refusal") return invalid(`the model refused: ${said}`);
  if (kind === "max_output_tokens") return invalid("the answer was cut at the token limit");
  // A server that answered has a status; without one the connection was refused, reset or cut.
  if (kind === "server_error") return failed("transport_error", said, true);
  return failed("cli_error", `claude failed: ${said}`);
}

function invalid(error: string): Report["failure"] {
  return failed("invalid_output", error);
}

function failed(status: string, error: string, retryable = false): NonNullable<Report["failure"]> {
  return { status, error, retryable };
}

/** The structured answer as the JSON that it was, else the text. */
function textOf(output: Output, result: unknown): string | null {
  if (member(result, "structured_output") != null) {
    const line = output.lines[output.events.lastIndexOf(result)] ?? "";
    const structured = (parseJson(line) as ReadonlyMap<string, Writable>).get("structured_output");
    return stringifyJson(structured as Writable);
  }
  const text = member(result, "result");
  return typeof text === "string" ? text : null;
}
