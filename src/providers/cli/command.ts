// The two commands that are models' clients: which version is there, and whether it can be kept from using tools. A message
// names the command, never its path.
import { UserError } from "../../errors.ts";
import type { Environment } from "../../workspace.ts";
import { makeCallFolder, removeCallFolder } from "./call-folder.ts";
import { runChild } from "./child.ts";
import { baseEnvironment } from "./environment.ts";
import { COMMANDS, type CommandName, findCommand, startProblem } from "./find-command.ts";

/** Time limit of the questions about a command itself, which are asked at once, in ms. A large binary takes its time to start. */
const QUESTION_LIMIT_MS = 10_000;

/** A command that was found and asked what it is. */
export interface Command {
  readonly name: CommandName;
  /** Absolute; never written anywhere. */
  readonly path: string;
  /** Digits and dots, with what else belongs to a version, e.g. `2.1.332`. */
  readonly version: string;
  /** codex: features that can be switched off. */
  readonly features: ReadonlySet<string>;
  /** codex: what it knows about each model, by its name; empty when it does not tell. */
  readonly catalogue: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** What `bench models` says of a command. */
export interface CommandReport {
  readonly command: CommandName;
  readonly found: boolean;
  /** null when it is not there or does not say. */
  readonly version: string | null;
  /** Whether this version can be used; null when there is none. */
  readonly supported: boolean | null;
}

/** Asks every command once, however many models use it. */
export class Commands {
  readonly #env: Environment;
  readonly #limitMs: number;
  readonly #asked = new Map<CommandName, Promise<Command>>();

  constructor(env: Environment, limitMs = QUESTION_LIMIT_MS) {
    this.#env = env;
    this.#limitMs = limitMs;
  }

  /**
   * What the command is.
   *
   * @throws {UserError} when it is not on PATH, does not answer, or is a version that cannot be used.
   */
  find(name: CommandName): Promise<Command> {
    const known = this.#asked.get(name);
    if (known !== undefined) return known;
    const asked = inspect(name, this.#env, this.#limitMs);
    this.#asked.set(name, asked);
    return asked;
  }

  /** The same for those who only want to know. */
  async report(name: CommandName): Promise<CommandReport> {
    const found = findCommand(name, this.#env) !== null;
    try {
      const { version } = await this.find(name);
      return { command: name, found, version, supported: true };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const version = error instanceof UnsupportedCommand ? error.version : null;
      return { command: name, found, version, supported: found ? false : null };
    }
  }
}

/** A version of a command that is there, but that cannot be used. */
class UnsupportedCommand extends UserError {
  readonly version: string;
  constructor(message: string, version: string) {
    super(message);
    this.version = version;
  }
}

async function inspect(name: CommandName, env: Environment, limitMs: number): Promise<Command> {
  const path = findCommand(name, env);
  const { product, package: npmPackage } = COMMANDS[name];
  if (path === null) {
    throw new UserError(
      `the command ${name} (${product}) is not on PATH: install it, for example with \`npm install -g ${npmPackage}\``,
    );
  }
  const ask = (...args: string[]): Promise<string | null> => answerOf({ name, path, args, env, limitMs });
  const [versionText, ...more] = await Promise.all(
    name === "codex"
      ? [ask("--version"), ask("features", "list"), ask("debug", "models", "--bundled")]
      : [ask("--version"), ask("--help")],
  );
  const version = /\d+(?:\.\d+)+[\w.+-]{0,40}/.exec(versionText ?? "")?.[0];
  if (version === undefined) {
    // What it said may hold anything, a folder or a key too.
    const said = versionText?.trim() ? "said something else" : "said nothing";
    throw new UserError(
      `\`${name} --version\` ${said} instead of a version: install ${product} anew (${npmPackage})`,
    );
  }
  const found = { name, path, version };
  if (name === "claude") {
    assertClaudeOptions(version, more[0] ?? "");
    return { ...found, features: new Set(), catalogue: new Map() };
  }
  const features = readFeatures(more[0] ?? "");
  if (!features.has("shell_tool")) {
    throw new UnsupportedCommand(
      `codex ${version} has no feature shell_tool that could be switched off, so a model could run commands: install another version (${npmPackage})`,
      version,
    );
  }
  return { ...found, features, catalogue: readCatalogue(more[1] ?? "") };
}

/** What keeps Claude Code to itself. */
const CLAUDE_OPTIONS = [
  "--bare",
  "--safe-mode",
  "--tools",
  "--json-schema",
  "--strict-mcp-config",
  "--setting-sources",
];

function assertClaudeOptions(version: string, help: string): void {
  const missing = CLAUDE_OPTIONS.filter((option) => !help.includes(option));
  if (missing.length === 0) return;
  throw new UnsupportedCommand(
    `claude ${version} does not know ${missing.join(", ")}, without which a call is not closed book: install a newer version (${COMMANDS.claude.package})`,
    version,
  );
}

/** `name  stage  enabled`, one a line; what was removed cannot be switched any more. */
function readFeatures(text: string): Set<string> {
  const names = new Set<string>();
  for (const line of text.split("\n")) {
    const match = /^([a-z0-9_.]+)\s+(\S.*?)\s+(?:true|false)\s*$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== "removed") names.add(match[1]);
  }
  return names;
}

function readCatalogue(text: string): Command["catalogue"] {
  const catalogue = new Map<string, Record<string, unknown>>();
  let document: { models?: unknown };
  try {
    document = JSON.parse(text);
  } catch {
    // A version without this question: it goes on with what it knows.
    return catalogue;
  }
  if (!Array.isArray(document?.models)) return catalogue;
  for (const entry of document.models as Record<string, unknown>[]) {
    if (typeof entry?.slug === "string") catalogue.set(entry.slug, entry);
  }
  return catalogue;
}

interface Question {
  readonly name: CommandName;
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly limitMs: number;
}

/**
 * What a command prints when it is asked; null when it fails. It works in an empty folder, as in a call.
 *
 * @throws {UserError} when it cannot be started, or does not come to an end.
 */
async function answerOf({ name, path, args, env, limitMs }: Question): Promise<string | null> {
  const folder = await makeCallFolder();
  const end = await runChild({
    file: path,
    args,
    env: { ...baseEnvironment(env, folder), HOME: folder.home, CODEX_HOME: folder.home },
    cwd: folder.work,
    input: "",
    folder: folder.path,
    timeoutMs: limitMs,
    signals: [],
  });
  await end.gone;
  await removeCallFolder(folder.path);
  const again = `install ${COMMANDS[name].product} anew (${COMMANDS[name].package})`;
  if (end.how === "timeout") {
    throw new UserError(
      `\`${[name, ...args].join(" ")}\` gave no answer within ${limitMs / 1000} s: ${again}`,
    );
  }
  const problem = startProblem(name, path, end);
  if (problem !== null) throw new UserError(`${problem}: ${again}`);
  return end.how === "exit" && end.exitCode === 0 ? Buffer.from(end.stdout).toString("utf8") : null;
}
