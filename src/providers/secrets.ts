// What of the environment must never be written.
import { realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { errorCode, UserError } from "../errors.ts";
import type { Environment } from "../workspace.ts";
import { packageRoot } from "../workspace.ts";
import { commandFolders } from "./cli/find-command.ts";
import { checkKey, isLoopback, MIN_KEY_LENGTH, TYPESAFE_VARIABLES } from "./endpoints.ts";

const KEY_VARIABLE = /^(?:DECISION_BENCH(?:_[A-Z0-9_]+)?|TYPESAFE|LAYA|ANTHROPIC|OPENAI)_API_KEY$/;
const URL_VARIABLE = /^(?:DECISION_BENCH(?:_[A-Z0-9_]+)?|TYPESAFE|LAYA|ANTHROPIC|OPENAI)_BASE_URL$/;
const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy"];

/** A key of the environment and the variable it stands in. */
export interface ConfiguredKey {
  readonly variable: string;
  readonly key: string;
}

/** The keys of all configured endpoints and CLIs, whether this run uses them or not. */
export function configuredKeys(env: Environment): ConfiguredKey[] {
  return Object.entries(env).flatMap(([variable, key]) =>
    KEY_VARIABLE.test(variable) && key ? [{ variable, key }] : [],
  );
}

/** The folders that say who and where we are. */
export interface PrivatePaths {
  readonly home: readonly string[];
  readonly temp: readonly string[];
  readonly install: readonly string[];
}

/** The folders of this machine and of `env`, without a slash at their end; `/` and drives are no secret. */
export function privatePaths(env: Environment): PrivatePaths {
  return {
    home: listed(env.HOME, env.USERPROFILE, homedir(), env.CODEX_HOME),
    temp: listed(env.TMPDIR, env.TEMP, env.TMP, tmpdir()),
    install: listed(packageRoot, ...commandFolders(env)),
  };
}

function listed(...paths: readonly (string | undefined)[]): string[] {
  const trimmed = paths
    .flatMap((path) => (path === undefined || path === "" ? [] : [path, resolved(path)]))
    .map((path) => path.replace(/[/\\]+$/, ""));
  // "/", "C:" and the like are part of every path.
  return [...new Set(trimmed)].filter((path) => /^(?:\/|[A-Za-z]:[/\\]).{2,}/.test(path));
}

/** Where a path leads when it is a link; as it is when it leads nowhere. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return path;
  }
}

/** Everything to be masked, by what it is replaced with. */
export interface Secrets {
  readonly keys: readonly string[];
  readonly urls: readonly string[];
  /** `host:port`, and bare hosts but for those of loopback: "localhost" is a word. */
  readonly hosts: readonly string[];
  readonly paths: PrivatePaths;
}

/** Collects the secrets of an environment. A base URL that cannot be parsed is masked as it is. */
export function secretsOf(env: Environment, paths: PrivatePaths = privatePaths(env)): Secrets {
  const keys = configuredKeys(env).map(({ key }) => key);
  const urls: string[] = [];
  const hosts: string[] = [];
  const addUrl = (text: string): void => {
    urls.push(text.trim().replace(/\/+$/, ""));
    if (!URL.canParse(text)) return;
    const url = new URL(text);
    if (url.host === "") return;
    urls.push(url.origin, url.href.replace(/\/+$/, ""));
    hosts.push(url.host);
    const port = url.port || (url.protocol === "http:" ? "80" : "443");
    hosts.push(`${url.hostname}:${port}`);
    if (!isLoopback(url.hostname)) hosts.push(url.hostname, url.hostname.replace(/^\[|\]$/g, ""));
    keys.push(...credentialsOf(url));
  };
  for (const [variable, value] of Object.entries(env)) {
    if (value && (URL_VARIABLE.test(variable) || PROXY_VARIABLES.includes(variable))) addUrl(value);
  }
  if (env[TYPESAFE_VARIABLES.key] && TYPESAFE_VARIABLES.defaultUrl) addUrl(TYPESAFE_VARIABLES.defaultUrl);
  return {
    keys: longestFirst(keys.flatMap((key) => [key, ...otherSpellings(key)])),
    urls: longestFirst(urls),
    hosts: longestFirst(hosts.filter((host) => !isLoopback(host))),
    paths,
  };
}

/** What a URL holds to get in: the password, or a name that stands for one, and both as they are sent. */
function credentialsOf({ username, password }: URL): string[] {
  const words = password === "" ? [username] : [password, `${username}:${password}`];
  // As they are sent; percent-encoded forms are looked for anyway.
  return words
    .flatMap((word) => [word, word.replace(/%[0-9a-f]{2}/gi, unescapeByte)])
    .filter((word) => password !== "" || word.length >= MIN_KEY_LENGTH);
}

function unescapeByte(text: string): string {
  return String.fromCharCode(Number.parseInt(text.slice(1), 16));
}

/** A short key could be a word in other case; from this length on it is a key in any. */
const SPELLED_LENGTH = 8;

/** A key as a server may echo it that folds case or dumps bytes. */
export function otherSpellings(key: string): string[] {
  if (key.length < SPELLED_LENGTH) return [];
  const hex = Buffer.from(key, "utf8").toString("hex");
  return [key.toLowerCase(), key.toUpperCase(), hex, hex.toUpperCase()];
}

function longestFirst(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text.length > 1).sort((a, b) => b.length - a.length);
}

/** Whether a key may occur inside one of these words; null are words that nobody knows. */
export function keysStandIn(keys: readonly ConfiguredKey[], words: readonly string[] | null): boolean {
  return words === null || words.some((word) => keys.some(({ key }) => word.includes(key)));
}

/**
 * Refuses keys that cannot be masked without damage: too short, or part of a text that a right answer must contain.
 *
 * @throws {UserError} naming the variable and the row, not the key.
 */
export function assertKeysOutsideLabels(
  keys: readonly ConfiguredKey[],
  rows: Iterable<{
    readonly id: string;
    readonly question: { readonly id: string; readonly options: readonly { readonly label: string }[] };
  }>,
): void {
  for (const { variable, key } of keys) checkKey(key, variable);
  const seen = new Set<string>();
  const check = (text: string, where: string): void => {
    if (seen.has(text)) return;
    seen.add(text);
    const found = keys.find(({ key }) => text.includes(key));
    if (found === undefined) return;
    throw new UserError(
      `${found.variable} cannot be kept out of the results: its value occurs inside ${where}. ` +
        "Use another key, or leave the variable out of this run's environment.",
    );
  };
  for (const word of ["answers", "label", "choice", "probabilities"]) {
    check(word, `the word "${word}", which every answer contains`);
  }
  for (const row of rows) {
    check(row.question.id, `the question id of row ${row.id}`);
    for (const option of row.question.options) check(option.label, `a label of row ${row.id}`);
  }
}

/**
 * Refuses keys that stand inside a setting of a run: every record and every published file repeats it, and a masked one would be
 * another setting.
 *
 * @param settings plain data; its keys count too.
 * @throws {UserError} naming the variable and the setting, not the key.
 */
export function assertKeysOutsideSettings(keys: readonly ConfiguredKey[], settings: object): void {
  const check = (text: string, setting: string): void => {
    const found = keys.find(({ key }) => text.includes(key));
    if (found === undefined) return;
    throw new UserError(
      `${found.variable} cannot be kept out of the results: its value occurs inside the setting ${setting}. ` +
        "Use another key (a server on this machine mostly takes any), or leave the variable out of this run's environment.",
    );
  };
  const walk = (value: unknown, path: string): void => {
    if (typeof value === "string") check(value, path);
    if (typeof value !== "object" || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      // The name of an option would show the key that it holds.
      check(key, path === "" ? "names of a run" : `names of ${path}`);
      walk(item, path === "" ? key : `${path}.${key}`);
    }
  };
  walk(settings, "");
}
