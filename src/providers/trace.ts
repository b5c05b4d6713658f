// What a server says about a request rather than in answer to it: request ids, fingerprints, deployments, routes. It is
// left out of everything that is written, and masked where it is echoed in a text.
import type { IncomingHttpHeaders } from "node:http";
import { POLICY, userText } from "../answers/prompt.ts";
import type { Question } from "../answers/schema.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { SECRET_FIELD } from "../secrets.ts";
import { base64Cores } from "./forms.ts";

/** What a field of an answer is by its name alone. */
type FieldKind = "data" | "secret" | "id" | "trace";

const ID_FIELDS =
  /^(?:id|(?:x-?)?(?:client-?)?request-?id|(?:response|generation|trace|span|correlation|call|litellm-call)-?id|system-?fingerprint)$/;
const TRACE_FIELDS =
  /^(?:deployment(?:-?(?:id|name))?|model-?id|region|api-?base|upstream|backend|served-?by|served-?from|route|router|node|pod|host|hostname|server|via)$/;
/** Headers that a gateway passes on inside a body, under their own names. */
const HEADER_FIELDS = /^(?:x|cf|openai|anthropic|apim|azureml|llm-provider)-[a-z]/;
/** Of the headers of an answer those that tell nothing about where it came from, and are short or plain words. */
const PLAIN_HEADERS =
  /^(?:content-.*|date|age|expires|etag|last-modified|connection|keep-alive|transfer-encoding|vary|pragma|cache-control|retry-after.*|trailer|allow|accept.*|access-control-.*|strict-transport-security|alt-svc|referrer-policy|x-content-type-options|x-frame-options|x-xss-protection|.*ratelimit.*|x-litellm-response-cost|.*processing-ms|.*duration-ms|.*version)$/;

const kinds = new Map<string, FieldKind>();

function kindOfField(name: string): FieldKind {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const plain = name.slice(0, 100).toLowerCase().replaceAll("_", "-");
  let kind: FieldKind = "data";
  if (ID_FIELDS.test(plain)) kind = "id";
  else if (SECRET_FIELD.test(plain)) kind = "secret";
  else if (TRACE_FIELDS.test(plain) || HEADER_FIELDS.test(plain)) kind = "trace";
  // Names come from outside: the memory must not grow with them.
  if (kinds.size < 2000 && name.length <= 100) kinds.set(name, kind);
  return kind;
}

/**
 * True for a field that is left out. Objects and fractions under `id` are data (a question or a label may be called so), and
 * so are numbers under the rest.
 */
export function isTraceField(name: string, value: unknown): boolean {
  const kind = kindOfField(name);
  if (kind === "id") return typeof value === "string" || Number.isInteger(value);
  return kind === "trace" && typeof value !== "number" && (typeof value !== "object" || value === null);
}

/** True for a field whose value is a credential by its name. */
export function isSecretField(name: string, value: unknown): boolean {
  return (
    (typeof value === "string" || typeof value === "object") &&
    value !== null &&
    kindOfField(name) === "secret"
  );
}

/** A number with a fraction or an exponent, a share say; whole numbers may be ids. */
const MEASURE = /^[+-]?\d*\.\d+(?:e[+-]?\d+)?$/i;
/** What no id holds, and every answer does. */
const JSON_SYNTAX = /["{}[\]]/;

/** Values of headers that name a request, a deployment or a route. */
export function traceIdsOf(headers: IncomingHttpHeaders): string[] {
  const ids: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || PLAIN_HEADERS.test(name)) continue;
    const values = Array.isArray(value) ? value : [value];
    ids.push(...values.filter((text) => !MEASURE.test(text) && !JSON_SYNTAX.test(text)));
  }
  return ids;
}

/** Those of the values that are no part of what an answer to this question must say. */
export function foreignTo(question: Question, ids: readonly string[]): string[] {
  const words = ["answers", "label", "choice", "probabilities", question.id];
  const own = [...words, ...question.options.map(({ label }) => label)];
  return ids.filter((id) => !own.some((text) => text.includes(id)));
}

/** Those of the values that stand in nothing that we sent about a row: what we said ourselves tells nobody anything. */
export function unsent(row: CorpusRow, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const { id, instructions, options } = row.question;
  const said = [
    ...(typeof row.state === "string" ? [row.state] : []),
    id,
    instructions,
    ...options.flatMap(({ label, description }) => [label, description]),
    // Last, for it is the longest: the texts around them, and all of these as JSON writes them.
    userText(row),
    POLICY,
  ];
  return foreignTo(row.question, ids).filter((id) => !said.some((text) => text.includes(id)));
}

/** Adds the values of all trace fields of plain JSON data to `ids`. */
export function collectTraceIds(value: unknown, ids: Set<string>, depth = 0): void {
  if (typeof value !== "object" || value === null || depth > 100) return;
  if (Array.isArray(value)) {
    for (const item of value) collectTraceIds(item, ids, depth + 1);
    return;
  }
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name];
    if (isTraceField(name, item)) ids.add(String(item));
    else collectTraceIds(item, ids, depth + 1);
  }
}

/** Shorter values, and plain words ("cloudflare"), are not masked in texts: they would hide what is not theirs. */
export function isDistinctive(id: string): boolean {
  return id.length >= 8 && id.length <= 8000 && /[^A-Za-z ]/.test(id);
}

/** Every form in which such a value is looked for. */
export function traceForms(ids: Iterable<string>): string[] {
  const forms: string[] = [];
  for (const id of ids) {
    if (!isDistinctive(id)) continue;
    const hex = [...Buffer.from(id, "utf8")].map((byte) => byte.toString(16).padStart(2, "0"));
    const percent = hex.map((byte) => `%${byte}`).join("");
    forms.push(id, encodeURIComponent(id.toWellFormed()), percent, percent.toUpperCase());
    for (const core of base64Cores(id)) {
      forms.push(core, core.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(core));
    }
  }
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Names that numbers of requests, sessions and accounts have in sentences and in lines of JSON. */
const NAMED_ID =
  /\b(?:(?:request|message|session|thread|conversation|organi[sz]ation|account|user|trace|ray)[-_ ]?(?:id|uuid)|cf-ray|uuid)["']?(?:\s{0,3}[:=]\s{0,3}|\s)["']?([A-Za-z0-9][\w.:@-]{5,199})/gi;

/** The ids that a text names as such; words that only follow such a name are none. */
export function idsInText(text: string): string[] {
  const ids = new Set<string>();
  for (const [, id = ""] of text.matchAll(NAMED_ID)) {
    const plain = id.replace(/[.:-]+$/, "");
    if (isDistinctive(plain)) ids.add(plain);
  }
  return [...ids];
}
