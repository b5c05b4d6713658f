// The one redaction: every text that is written goes through it, and again when it is published. What was configured
// (keys, endpoints, folders) is masked in every form; what only looks like a credential is masked by its shape or by
// the name it stands under; what identifies a request or a deployment is dropped.
import { makeWellFormed } from "../answers/text.ts";
import { KEY_SHAPES } from "../secrets.ts";
import type { Environment } from "../workspace.ts";
import { anyForm, base64Cores, base64Forms } from "./forms.ts";
import type { CallOutcome } from "./provider.ts";
import { otherSpellings, privatePaths, type Secrets, secretsOf } from "./secrets.ts";
import { collectTraceIds, isSecretField, isTraceField, traceForms } from "./trace.ts";

export { assertKeysOutsideLabels, assertKeysOutsideSettings, configuredKeys } from "./secrets.ts";

const MASKS = ["[redacted]", "[url]", "[host]", "[home]", "[temp]", "[install]"] as const;
const MASK = MASKS[0];

/** What {@link Redactor.find} finds, in the order of the masks. */
const FOUND = [
  "a configured key",
  "a configured URL",
  "a configured host",
  "a home folder",
  "a temporary folder",
  "an install folder",
] as const;
const FIRST_FOLDER = FOUND.indexOf("a home folder");
export type FoundSecret = (typeof FOUND)[number] | "a text like a key";

/** Data that nests deeper is replaced: writing it would exhaust the stack. */
const MAX_DEPTH = 100;

/** Masks what must not be written. Made once per command; its methods are pure. */
export class Redactor {
  readonly #secrets: RegExp;
  /** Plain texts of which one stands in everything that `#secrets` matches, unless that is escaped or in other case. */
  readonly #needles: readonly string[];
  readonly #lowerNeedles: readonly string[];
  /** Folders of more than one part, and what is said of them. */
  readonly #folders: readonly (readonly [folder: string, found: FoundSecret])[];

  constructor(secrets: Secrets) {
    const { keys, urls, hosts, paths } = secrets;
    const groups = [
      MASKS.map((mask) => mask.replace(/[[\]]/g, "\\$&")),
      keys.flatMap((key) => [anyForm(key), ...base64Forms(key)]),
      urls.flatMap((url) => [anyForm(url, { ignoreCase: true }), ...base64Forms(url)]),
      hosts.flatMap(hostForms),
      ...[paths.home, paths.temp, paths.install].map((folders) => folders.flatMap(pathForms)),
    ];
    const sources = groups.map((forms) => `(${forms.length === 0 ? "(?!)" : forms.join("|")})`);
    this.#secrets = new RegExp(sources.join("|"), "g");
    const folders = [...paths.home, ...paths.temp, ...paths.install];
    this.#folders = [paths.home, paths.temp, paths.install].flatMap((own, at) =>
      own
        .filter((folder) => !isCommon(folder))
        .map((folder) => [folder, FOUND[FIRST_FOLDER + at] ?? "a home folder"] as const),
    );
    const exact = [...keys, ...folders];
    this.#needles = [
      ...exact,
      ...[...exact, ...urls, ...hosts]
        .flatMap(base64Cores)
        .flatMap((core) => [core, core.replaceAll("+", "-").replaceAll("/", "_")]),
    ].filter(unique);
    this.#lowerNeedles = [...urls, ...hosts].map((text) => text.toLowerCase()).filter(unique);
  }

  /** A text of a server, a command or of ours: an error, a line of standard error, a body that is not JSON. */
  text(text: string, traceIds: readonly string[] = []): string {
    return this.#mask(makeWellFormed(text), traceForms(traceIds), true);
  }

  /**
   * What of a text is configured here, or looks like a key; null when there is nothing, as in nearly every text. It looks for
   * what {@link text} masks, but for values that only stand under a suspicious name.
   *
   * @param common also a folder of one part, such as /tmp or /root: many machines have it, and a model may well speak of it.
   */
  find(text: string, common: boolean): FoundSecret | null {
    if (this.#suspects(text)) {
      for (const match of text.matchAll(this.#secrets)) {
        // The first group are masks.
        const group = match.findIndex((part, at) => at > 1 && part !== undefined) - 2;
        const found = FOUND[group];
        if (found === undefined) continue;
        if (common || group < FIRST_FOLDER || !isCommon(match[0])) return found;
        // A folder below it may be one that is not common.
        const own = this.#folders.find(([folder]) => text.startsWith(folder, match.index));
        if (own !== undefined) return own[1];
      }
    }
    return ANY_SHAPE.test(text) && KEY_SHAPES.some((shape) => shape.test(text)) ? "a text like a key" : null;
  }

  /**
   * Plain JSON data, nested: texts and keys are masked, values under names of credentials too, ids of requests and
   * deployments are left out. Numbers stay as they are.
   */
  value(value: unknown, traceIds: readonly string[] = []): unknown {
    return this.#walk(value, traceForms(traceIds), 0);
  }

  /** The outcome of a call, fit to be written. The answer is untouched: no label holds a key, that was checked before. */
  outcome(outcome: CallOutcome): CallOutcome {
    const { error, outputText, finishReason, resolvedModel, costSource } = outcome;
    const { secrets } = outcome;
    const own = [...traceForms(secrets), ...secrets.flatMap(otherSpellings)];
    const trace = [...own, ...traceForms(traceIdsOf(outcome))];
    const masked = (text: string | null, forms: readonly string[], diagnostic: boolean): string | null =>
      text === null ? null : this.#mask(makeWellFormed(text), forms, diagnostic);
    return {
      ...outcome,
      error: masked(error, trace, true),
      outputText: masked(outputText, trace, false),
      finishReason: masked(finishReason, trace, false),
      resolvedModel: masked(resolvedModel, own, false),
      costSource: masked(costSource, own, false),
      raw: this.#walk(outcome.raw, trace, 0),
      traceIds: [],
      secrets: [],
    };
  }

  #walk(value: unknown, trace: readonly string[], depth: number): unknown {
    if (typeof value === "string") return this.#mask(makeWellFormed(value), trace, true);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) return "[nested too deep]";
    if (Array.isArray(value)) return value.map((item) => this.#walk(item, trace, depth + 1));
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) {
      if (isTraceField(key, item)) continue;
      const name = this.#mask(makeWellFormed(key), trace, false);
      entries.push([name, isSecretField(key, item) ? MASK : this.#walk(item, trace, depth + 1)]);
    }
    return Object.fromEntries(distinct(entries));
  }

  #mask(text: string, trace: readonly string[], diagnostic: boolean): string {
    let masked = text;
    if (this.#suspects(masked)) masked = masked.replace(this.#secrets, maskOf);
    for (const form of trace) if (masked.includes(form)) masked = masked.replaceAll(form, MASK);
    if (ANY_SHAPE.test(masked)) {
      for (const shape of SHAPES) masked = masked.replace(shape, MASK);
    }
    if (diagnostic && PAIR_NAME.test(masked)) {
      masked = masked.replace(COOKIE, `$1${MASK}`).replace(PAIR, `$1${MASK}`);
    }
    return masked;
  }

  #suspects(text: string): boolean {
    if (ESCAPED.test(text)) return true;
    for (const needle of this.#needles) if (text.includes(needle)) return true;
    const lower = text.toLowerCase();
    for (const needle of this.#lowerNeedles) if (lower.includes(needle)) return true;
    return false;
  }
}

/** The redactor of an environment. */
export function createRedactor(env: Environment, paths = privatePaths(env)): Redactor {
  return new Redactor(secretsOf(env, paths));
}

/** What the server named, but for the model itself and what stands in a label of the answer. */
function traceIdsOf(outcome: CallOutcome): Set<string> {
  const ids = new Set(outcome.traceIds);
  collectTraceIds(outcome.raw, ids);
  const labels = [...(outcome.answer?.probabilities?.keys() ?? []), outcome.resolvedModel ?? ""];
  for (const id of ids) if (labels.some((label) => label.includes(id))) ids.delete(id);
  return ids;
}

function maskOf(found: string, ...groups: readonly unknown[]): string {
  const group = groups.findIndex((text) => text !== undefined);
  // The first group are masks that stand there already: masking twice changes nothing.
  return group === 0 ? found : (MASKS[group - 1] ?? MASK);
}

/** A host of one word ("llm") is masked only where it stands alone; one with a dot or a port everywhere. */
function hostForms(host: string): string[] {
  const form = anyForm(host, { ignoreCase: true });
  const alone = /[.:]/.test(host) ? form : `(?<![A-Za-z0-9-])${form}(?![A-Za-z0-9-])`;
  return [alone, ...base64Forms(host)];
}

/** Whether a folder as it was met, escaped or not, has one part. In base64 it is no folder that a model would speak of. */
function isCommon(folder: string): boolean {
  const slash = /[/\\]+|%(?:25)*2f/gi;
  return folder.search(slash) === 0 && (folder.match(slash) ?? []).length < 2;
}

/** A folder of one part ("/root") is masked only where a path begins and the name ends; a longer one everywhere. */
function pathForms(path: string): string[] {
  const form = anyForm(path);
  const short = (path.match(/[/\\]/g) ?? []).length < 2;
  const alone = short ? `(?<![A-Za-z0-9_.-])${form}(?![A-Za-z0-9_-])` : form;
  return [alone, ...base64Forms(path)];
}

/** Signs of a text in which something may be written in another form than its own. */
const ESCAPED = /%[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[/\\"]/;

const SHAPES = KEY_SHAPES.map((shape) => new RegExp(shape.source, `${shape.flags}g`));
const ANY_SHAPE = new RegExp(KEY_SHAPES.map((shape) => shape.source).join("|"), "i");

const NAME =
  "(?:authorization|api[-_ ]?key|(?:access|refresh|id)[-_]token|client[-_]?secret|password|passwd|cookie|request[-_]?id|system_fingerprint)";
const PAIR_NAME = new RegExp(`${NAME}|"id`, "i");
/**
 * `name: value`, `name=value`, `"name": "value"`, also with the quotes escaped. Runs of white space and backslashes are
 * bounded, so that no text takes more than linear time.
 */
const PAIR = new RegExp(
  `(${[
    `(?<![A-Za-z0-9])${NAME}\\\\{0,8}["']?\\s{0,20}[:=]\\s{0,20}`,
    `"id\\\\{0,8}"\\s{0,20}:\\s{0,20}(?=\\\\{0,8}")`,
  ].join("|")})(?:${[
    `\\\\{0,8}"(?:[^"\\\\]|\\\\+[^"\\\\])*(?:\\\\*"|$)`,
    `'[^']*(?:'|$)`,
    `(?:basic|bearer|digest|token)\\s{1,20}[^\\s"',;]+`,
    `[^\\s"',;&\\\\{}[\\]]+`,
  ].join("|")})`,
  "gi",
);
/** A cookie's value goes on to the end of the line. */
const COOKIE = /(cookie\s{0,20}:\s{0,20})[^\s"'[][^\r\n"]*/gi;

/** Two keys may have become one by masking; the later ones are numbered, so that nothing is lost. */
function distinct(entries: [string, unknown][]): [string, unknown][] {
  const seen = new Set<string>();
  for (const entry of entries) {
    const [name] = entry;
    for (let number = 2; seen.has(entry[0]); number += 1) entry[0] = `${name} (${number})`;
    seen.add(entry[0]);
  }
  return entries;
}

function unique(text: string, index: number, all: readonly string[]): boolean {
  return text !== "" && all.indexOf(text) === index;
}
