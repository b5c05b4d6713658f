// Where the HTTP providers find their servers: environment variables, checked before any run folder exists. A message
// names the variable and what is wrong with it, never its value.
import { createHash } from "node:crypto";
import { UserError } from "../errors.ts";
import type { ModelConfig } from "../models/schema.ts";
import type { Environment } from "../workspace.ts";

/** A server that answers for models. */
export interface Endpoint {
  /** As configured, without trailing slashes. */
  readonly baseUrl: string;
  readonly origin: string;
  /** Path of the base URL, without a trailing slash ("" for none). */
  readonly path: string;
  /** null only on loopback. */
  readonly key: string | null;
  readonly loopback: boolean;
  /** `endpoint-` and 12 hex digits: tells two endpoints apart without saying where they are. */
  readonly id: string;
}

/** The variables that describe one endpoint. */
export interface EndpointVariables {
  readonly url: string;
  readonly key: string;
  /** Base URL when the variable is not set. */
  readonly defaultUrl?: string;
}

export const TYPESAFE_VARIABLES: EndpointVariables = {
  url: "TYPESAFE_BASE_URL",
  key: "TYPESAFE_API_KEY",
  defaultUrl: "https://api.typesafe.ai/v1",
};
export const LAYA_VARIABLES: EndpointVariables = { url: "LAYA_BASE_URL", key: "LAYA_API_KEY" };

/** The variables of a native provider. */
export function nativeVariables(provider: "typesafe" | "laya"): EndpointVariables {
  return provider === "typesafe" ? TYPESAFE_VARIABLES : LAYA_VARIABLES;
}

/** The variables of an `openai-compatible` model: the common ones, or those of its named endpoint. */
export function openaiVariables(endpoint: string | null | undefined): EndpointVariables {
  const infix = endpoint == null ? "" : `${endpoint.toUpperCase().replaceAll("-", "_")}_`;
  return { url: `DECISION_BENCH_${infix}BASE_URL`, key: `DECISION_BENCH_${infix}API_KEY` };
}

/** The variables of a model's endpoint; null for a provider that has none. */
export function endpointVariables(model: ModelConfig): EndpointVariables | null {
  switch (model.provider) {
    case "openai-compatible":
      return openaiVariables(model.endpoint);
    case "typesafe":
    case "laya":
      return nativeVariables(model.provider);
    default:
      return null;
  }
}

/**
 * The endpoint that the variables describe.
 *
 * @throws {UserError} when a variable is missing or not fit for use.
 */
export function readEndpoint(env: Environment, variables: EndpointVariables): Endpoint {
  const text = env[variables.url]?.trim() || variables.defaultUrl;
  if (text === undefined) {
    throw new UserError(
      `${variables.url} is not set. Put the base URL of the endpoint into the environment or into .env of the workspace.`,
    );
  }
  const url = readSafeUrl(text, variables.url);
  const loopback = isLoopback(url.hostname);
  const key = env[variables.key] || null;
  if (key === null && !loopback) {
    throw new UserError(
      `${variables.key} is not set. Put the key of the endpoint into the environment or into .env of the workspace.`,
    );
  }
  if (key !== null) checkKey(key, variables.key);
  const baseUrl = withoutSlashes(text);
  return {
    baseUrl,
    origin: url.origin,
    path: withoutSlashes(url.pathname),
    key,
    loopback,
    id: `endpoint-${createHash("sha256").update(baseUrl, "utf8").digest("hex").slice(0, 12)}`,
  };
}

/**
 * A base URL that a key may be sent to: http only on loopback.
 *
 * @throws {UserError} naming `variable`; see also {@link readBaseUrl}.
 */
export function readSafeUrl(text: string, variable: string): URL {
  const url = readBaseUrl(text, variable);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new UserError(`${variable} is http to another machine: use https, http is for loopback only`);
  }
  return url;
}

/**
 * A base URL, parsed and checked.
 *
 * @throws {UserError} naming `variable`, for anything but plain http(s) without credentials, query or fragment.
 */
export function readBaseUrl(text: string, variable: string): URL {
  const refuse = (what: string): never => {
    throw new UserError(`${variable} ${what}: expected a plain https URL such as https://api.example.com/v1`);
  };
  // The URL parser drops or repairs white space, control characters and backslashes; a person should see them.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
  if (/[\u0000-\u0020\u007f\\]/.test(text)) refuse("has white space or a backslash in it");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (!URL.canParse(text)) refuse("is not a URL");
  if (scheme !== "https" && scheme !== "http") refuse("is not an http or https URL");
  if (!/^https?:\/\/[^/]/i.test(text)) refuse("is not a URL with a host");
  // Also empty ones ("https://@host", "…?"), which the parsed URL no longer shows.
  if (/^https?:\/\/[^/?#]*@/i.test(text)) refuse("holds credentials");
  if (text.includes("#")) refuse("holds a fragment");
  if (text.includes("?")) refuse("holds a query");
  return new URL(text);
}

/** True for 127.0.0.0/8, `::1` and `localhost`; the URL parser has brought addresses into their usual form. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Shortest key that can be masked without masking ordinary text with it. */
export const MIN_KEY_LENGTH = 4;

/**
 * @throws {UserError} for a key that cannot stand in a header, or is too short to be masked.
 */
export function checkKey(key: string, variable: string): void {
  if (!/^[\u0021-\u007e]*$/.test(key)) {
    throw new UserError(
      `${variable} holds white space, a line end or characters outside ASCII: it cannot be sent as a key`,
    );
  }
  if (key.length < MIN_KEY_LENGTH) {
    throw new UserError(
      `${variable} is shorter than ${MIN_KEY_LENGTH} characters: it could not be kept out of what is written`,
    );
  }
}

function withoutSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}
