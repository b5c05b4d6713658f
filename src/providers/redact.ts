// The one redaction: every text that is written goes through it, and again when it is published. What was configured
// (keys, endpoints, folders) is masked in every form; what only looks like a credential is masked by its shape or by
// the name it stands under; what identifies a request or a deployment is dropped.
import { makeWellFormed } from "../answers/text.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { KEY_SHAPES } from "../secrets.ts";
import type { Environment } from "../workspace.ts";
import { isByteList, LISTED_BYTES } from "./byte-lists.ts";
import { base64Cores } from "./forms.ts";
import type { CallOutcome } from "./provider.ts";
import { otherSpellings, privatePaths, type Secrets, secretsOf } from "./secrets.ts";
import { Sightings, type Wanted } from "./sightings.ts";
import { collectTraceIds, isDistinctive, isSecretField, isTraceField, traceForms, unsent } from "./trace.ts";

export {
  assertKeysOutsideLabels,
  assertKeysOutsideSettings,
  configuredKeys,
  keysStandIn,
} from "./secrets.ts";

const MASKS = ["[redacted]", "[url]", "[host]", "[home]", "[temp]", "[install]"] as const;
const MASK = MASKS[0];
/** The kinds of what is looked for: masks, then what each of them stands for, from the keys on. */
const KEYS = 1;

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
  readonly #given: Secrets;
  /** The redactor of the last call that knew tokens of its own: those of the next one are mostly the same. */
  #ofCall: { readonly tokens: string; readonly redactor: Redactor } | null = null;
  readonly #secrets: Sightings;
  /** Plain texts of which one stands in everything that `#secrets` finds, unless that is escaped, broken or in other case. */
  readonly #needles: readonly string[];
  readonly #lowerNeedles: readonly string[];
  /** Folders of more than one part, and what is said of them. */
  readonly #folders: readonly (readonly [folder: string, found: FoundSecret])[];

  constructor(secrets: Secrets) {
    this.#given = secrets;
    const { keys, urls, hosts, paths } = secrets;
    const groups: readonly (readonly Omit<Wanted, "kind">[])[] = [
      // Masks that stand there already: masking twice changes nothing.
      MASKS.map((text) => ({ text })),
      keys.map((text) => ({ text })),
      urls.map((text) => ({ text, ignoreCase: true })),
      hosts.map(wantedHost),
      ...[paths.home, paths.temp, paths.install].map((folders) => folders.flatMap(wantedPath)),
    ];
    const wanted = groups.flatMap((group, kind) => group.map((one) => ({ ...one, kind })));
    // A key goes on to its end, whatever it stands behind; the rest of a folder's name is no secret.
    this.#secrets = new Sightings(wanted, KEYS);
    const folders = [...paths.home, ...paths.temp, ...paths.install];
    this.#folders = [paths.home, paths.temp, paths.install].flatMap((own, at) =>
      own
        .filter((folder) => !isCommon(folder))
        .map((folder) => [folder, FOUND[FIRST_FOLDER + at] ?? "a home folder"] as const),
    );
    const exact = [...keys, ...folders, ...folders.map((folder) => folder.replace(/\s+/g, " "))];
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
      for (const { start, end, kind } of this.#secrets.in(text)) {
        const group = kind - 1;
        const found = FOUND[group];
        if (found === undefined) continue;
        if (common || group < FIRST_FOLDER || !isCommon(text.slice(start, end))) return found;
        // A folder below it may be one that is not common.
        const own = this.#folders.find(([folder]) => text.startsWith(folder, start));
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

  /**
   * The outcome of a call, fit to be written. The answer is untouched: no label holds a key, that was checked before.
   *
   * @param row what was asked; nothing of it is taken for an id of the server.
   */
  outcome(outcome: CallOutcome, row: CorpusRow): CallOutcome {
    return this.#knowing(outcome.secrets).#outcome(outcome, row);
  }

  /** A redactor to which the tokens of a call are keys like the configured ones. */
  #knowing(tokens: readonly string[]): Redactor {
    if (tokens.length === 0) return this;
    const name = JSON.stringify(tokens);
    if (this.#ofCall?.tokens !== name) {
      const keys = [...this.#given.keys, ...tokens.flatMap((token) => [token, ...otherSpellings(token)])];
      const redactor = new Redactor({ ...this.#given, keys: keys.filter(unique) });
      this.#ofCall = { tokens: name, redactor };
    }
    return this.#ofCall.redactor;
  }

  #outcome(outcome: CallOutcome, row: CorpusRow): CallOutcome {
    const { error, outputText, finishReason, resolvedModel, costSource } = outcome;
    const trace = traceOf(outcome, row);
    const masked = (text: string | null, diagnostic: boolean): string | null =>
      text === null || !canBeSearched(text, trace)
        ? null
        : this.#mask(makeWellFormed(text), trace, diagnostic);
    const named = (text: string | null): string | null =>
      text === null ? null : this.#mask(makeWellFormed(text), [], false);
    const output = masked(outputText, false);
    // An answer without the words that it was read from could be checked by nobody.
    const isLost = outcome.status === "ok" && outputText !== null && output === null;
    return {
      ...outcome,
      ...(isLost ? UNWRITABLE : {}),
      ...(error === null ? {} : { error: masked(error, true) ?? TOO_MANY_IDS }),
      outputText: output,
      finishReason: masked(finishReason, false),
      resolvedModel: named(resolvedModel),
      costSource: named(costSource),
      raw: canBeSearched(outcome.raw, trace) ? this.#walk(outcome.raw, trace, 0) : TOO_MANY_IDS,
      traceIds: [],
      secrets: [],
    };
  }

  #walk(value: unknown, trace: readonly string[], depth: number): unknown {
    if (typeof value === "string") return this.#mask(makeWellFormed(value), trace, true);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) return "[nested too deep]";
    if (Array.isArray(value) && isByteList(value)) {
      const text = value.join(",");
      const masked = this.#maskSecrets(text);
      return masked === text ? value : masked;
    }
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
    if (this.#suspects(masked)) masked = this.#maskSecrets(masked);
    if (diagnostic) masked = this.#maskCut(masked);
    for (const form of trace) if (masked.includes(form)) masked = masked.replaceAll(form, MASK);
    if (ANY_SHAPE.test(masked)) {
      for (const shape of SHAPES) masked = masked.replace(shape, MASK);
    }
    if (diagnostic && PAIR_NAME.test(masked)) {
      masked = masked.replace(COOKIE, `$1${MASK}`).replace(PAIR, `$1${MASK}`);
    }
    return masked;
  }

  #maskSecrets(text: string): string {
    let masked = "";
    let done = 0;
    for (const { start, end, kind } of this.#secrets.in(text)) {
      if (kind === 0) continue;
      masked += text.slice(done, start) + (MASKS[kind - 1] ?? MASK);
      done = end;
    }
    return masked + text.slice(done);
  }

  /** Texts are cut between words before they come here: what begins a secret there is masked like the whole. */
  #maskCut(text: string): string {
    const cut = this.#secrets.cutOff(text);
    if (cut === null) return text;
    return text.slice(0, cut.start) + (MASKS[cut.kind - 1] ?? MASK) + text.slice(cut.end);
  }

  #suspects(text: string): boolean {
    if (ESCAPED.test(text) || LISTED_BYTES.test(text) || this.#holdsNeedle(text)) return true;
    // Most lines are none of base64, and looking at every byte of them takes longer.
    return BROKEN_BASE64.test(text) && this.#holdsNeedle(text.replace(WHITE_SPACE, ""));
  }

  #holdsNeedle(text: string): boolean {
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

/** What the server named, but for the model itself and what we had sent, in every form; null when it is too much. */
function traceOf(outcome: CallOutcome, row: CorpusRow): readonly string[] | null {
  const ids = new Set(outcome.traceIds);
  collectTraceIds(outcome.raw, ids);
  const { resolvedModel } = outcome;
  const foreign = [...ids].filter((id) => isDistinctive(id) && resolvedModel?.includes(id) !== true);
  return foreign.length > MAX_TRACE_IDS ? null : traceForms(unsent(row, foreign));
}

/** Whether data can be searched for these forms, each of them in each text, in a time that nobody notices. */
function canBeSearched(value: unknown, trace: readonly string[] | null): trace is readonly string[] {
  if (trace === null || trace.length === 0) return trace !== null;
  let left = MAX_SEARCH / trace.length;
  const open: unknown[] = [value];
  while (open.length > 0 && left >= 0) {
    const one = open.pop();
    if (typeof one === "string") left -= one.length + SEARCH_OF_A_TEXT;
    if (typeof one !== "object" || one === null) continue;
    for (const [key, item] of Object.entries(one)) open.push(...(Array.isArray(one) ? [item] : [key, item]));
  }
  return left >= 0;
}

/** A host of one word ("llm") is masked only where it stands alone; one with a dot or a port everywhere. */
function wantedHost(text: string): Omit<Wanted, "kind"> {
  if (/[.:]/.test(text)) return { text, ignoreCase: true };
  return { text, ignoreCase: true, notBefore: /[A-Za-z0-9-]/, notBehind: /[A-Za-z0-9-]/ };
}

/** Whether a folder as it was met, escaped or not, has one part. In base64 it is no folder that a model would speak of. */
function isCommon(folder: string): boolean {
  const slash = /[/\\]+|%(?:25)*2f/gi;
  return folder.search(slash) === 0 && (folder.match(slash) ?? []).length < 2;
}

/** A folder of one part ("/root") is masked only where a path begins and the name ends; a longer one everywhere. */
function wantedPath(path: string): Omit<Wanted, "kind">[] {
  const isShort = (path.match(/[/\\]/g) ?? []).length < 2;
  // In a text that was brought onto one line it has one blank for several.
  return [...new Set([path, path.replace(/\s+/g, " ")])].map((text) =>
    isShort
      ? { text, isPath: true, notBefore: /[A-Za-z0-9_.-]/, notBehind: /[A-Za-z0-9_-]/ }
      : { text, isPath: true },
  );
}

/** Signs of a text in which something may be written in another form than its own. */
const ESCAPED =
  /%[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[ux]\{|\\[0-3][0-7]{2}|\\[/\\"]|=(?:[0-9a-fA-F]{2}|\s|\\[nr])|&(?:#[xX]?[0-9a-fA-F]|[A-Za-z]{2,8};)|\0/;
/** A line that may be one of base64, with the next one, also where a blank has taken the place of the break. */
const BROKEN_BASE64 = /[A-Za-z0-9+/_-]{4}(?:\s|\\[rn])/;
const WHITE_SPACE = /(?:\s|\\{1,8}[rn])+/g;

/** An answer names a handful of requests and sessions; what names more than this is not looked into. */
const MAX_TRACE_IDS = 5000;
/** What is searched for the ids of a call at most, each of their forms counted, in UTF-16 units: half a second. */
const MAX_SEARCH = 2 ** 31;
/** What a search takes in a short text, in units of a long one. */
const SEARCH_OF_A_TEXT = 256;
/** In place of what cannot be searched. */
const TOO_MANY_IDS = "left out: it names too many requests or sessions";
/** What a right answer comes to whose text cannot be searched: like one that is too large, it cannot be taken in. */
const UNWRITABLE = {
  status: "invalid_transport_output",
  error: "the answer names too many requests or sessions for its text to be kept",
  retryable: false,
  answer: null,
} as const satisfies Partial<CallOutcome>;

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
  // Where counting goes on for each name: thousands may have become one.
  const next = new Map<string, number>();
  for (const entry of entries) {
    const [name] = entry;
    let number = next.get(name) ?? 2;
    for (; seen.has(entry[0]); number += 1) entry[0] = `${name} (${number})`;
    next.set(name, number);
    seen.add(entry[0]);
  }
  return entries;
}

function unique(text: string, index: number, all: readonly string[]): boolean {
  return text !== "" && all.indexOf(text) === index;
}
