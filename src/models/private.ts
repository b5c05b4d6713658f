// Finds what has no business in models.json: keys, and where a model is reached. The file is committed and shared;
// both belong into the environment.
import { UserError } from "../errors.ts";
import { fieldPath } from "../fields.ts";
import { HIDDEN } from "../quote.ts";
import { ADDRESS_FIELD, HOST_SHAPES, HOST_SHAPES_IN_NAMES, KEY_SHAPES, SECRET_FIELD } from "../secrets.ts";
import type { Environment } from "../workspace.ts";

const ADVICE = "into the environment or into .env, never into this file";

/** Fields in which a short name such as "Example.com" is a name, not an address. */
const NAMES = new Set(["label", "short_label", "vendor"]);

/** What the environment says about the endpoints of this workspace. */
export interface PrivateTexts {
  readonly keys: readonly string[];
  /** Hosts that cannot be an ordinary word: those with a dot or a port. */
  readonly hosts: readonly string[];
}

/** Keys and hosts that are set. A key below 8 characters is too short to be told from a word. */
export function privateTexts(env: Environment): PrivateTexts {
  const keys: string[] = [];
  const hosts: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (/_API_KEY$/.test(name) && value.length >= 8) keys.push(value);
    if (/_BASE_URL$/.test(name) && URL.canParse(value)) {
      const { host, hostname } = new URL(value);
      hosts.push(...[host, hostname].filter((part) => /[.:]/.test(part)));
    }
  }
  return { keys, hosts };
}

/** The text with every key that is set, or that looks like one, replaced. */
export function maskKeys(text: string, keys: readonly string[]): string {
  let masked = text;
  for (const key of keys) masked = masked.replaceAll(key, "[key]");
  for (const shape of KEY_SHAPES) masked = masked.replace(new RegExp(shape, `${shape.flags}g`), "[key]");
  return masked;
}

/**
 * Reports every key and every address in a model's entry (or in what else the file holds): under any name, and also as
 * a name. Only the source of the prices may be a URL.
 */
export function findPrivate(
  value: unknown,
  path: readonly (string | number)[],
  hidden: PrivateTexts,
  report: (field: string, message: string) => void,
): void {
  const isKey = (text: string): boolean =>
    KEY_SHAPES.some((shape) => shape.test(text)) || hidden.keys.some((key) => text.includes(key));
  const isAddress = (text: string, shapes: readonly RegExp[]): boolean =>
    shapes.some((shape) => shape.test(text)) ||
    hidden.hosts.some((host) => text.toLowerCase().includes(host));
  const field = fieldPath(path);

  if (typeof value === "string") {
    const name = String(path.at(-1));
    if (isKey(value)) report(field, `looks like a key: keys go ${ADVICE}`);
    else if (field === "pricing.source_url") {
      if (/\/\/[^/]*@/.test(value)) report(field, "holds a user name or a password: name the public page");
    } else if (
      (ADDRESS_FIELD.test(name) && value !== "") ||
      isAddress(value, NAMES.has(name) ? HOST_SHAPES_IN_NAMES : HOST_SHAPES)
    ) {
      report(field, `looks like an address: base URLs go ${ADVICE}`);
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) findPrivate(item, [...path, index], hidden, report);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const at = fieldPath([...path, key]);
      // camelCase is read as snake_case.
      if (SECRET_FIELD.test(key.replace(/([a-z0-9])([A-Z])/g, "$1_$2"))) {
        report(at, `is the name of a credential: keys go ${ADVICE}`);
      } else if (isKey(key)) report(at, `looks like a key: keys go ${ADVICE}`);
      else if (isAddress(key, HOST_SHAPES)) report(at, `looks like an address: base URLs go ${ADVICE}`);
      else findPrivate(item, [...path, key], hidden, report);
    }
  }
}

/** Longest name of a model that can be asked for, in UTF-16 units. */
const MAX_NAME = 200;

/**
 * Holds a name of a model that was given on the command line to the rule for those in the file: it is written into
 * every run record.
 *
 * @throws {UserError} that does not repeat it.
 */
export function checkApiModel(name: string, env: Environment): void {
  if (name.trim() === "")
    throw new UserError("--api-model is empty: name the model, or leave the option away");
  if (name.length > MAX_NAME || name.search(HIDDEN) >= 0) {
    throw new UserError(
      `--api-model is longer than ${MAX_NAME} characters or holds control characters: name the model as its server lists it`,
    );
  }
  findPrivate(name, ["model"], privateTexts(env), (_, message) => {
    throw new UserError(`--api-model ${message.replace(", never into this file", "")}`);
  });
}
