// Looks for what must not stand in a published file: keys, addresses, folders of a person. A problem says what kind of thing
// it is and where, never the thing itself.
import { isJsonObject, type Json, setOwn, toPlain } from "../answers/json.ts";
import { fieldPath } from "../fields.ts";
import { plainMarkdown } from "../markdown.ts";
import { findPrivate, type PrivateTexts, privateTexts } from "../models/private.ts";
import { createRedactor, type Redactor } from "../providers/redact.ts";
import { ADDRESS_FIELD, HOME_SHAPES, HOST_SHAPES, HOST_SHAPES_IN_NAMES } from "../secrets.ts";
import type { Environment } from "../workspace.ts";
import type { ProblemList } from "./problem.ts";

/** Made once per command. */
export class SecretScan {
  readonly #redactor: Redactor;
  readonly #hidden: PrivateTexts;

  constructor(env: Environment) {
    this.#redactor = createRedactor(env);
    this.#hidden = privateTexts(env);
  }

  /** A text as a message may repeat it. */
  readonly mask = (text: string): string => this.#redactor.text(text);

  /** {@link mask} for a text that should be ours: an address in it is out of place. */
  readonly maskOurs = (text: string): string => without(this.mask(text), OURS);

  /** {@link maskOurs} for what a model or its maker is called: a short name may look like a host. */
  readonly maskName = (text: string): string => without(this.mask(text), NAMES);

  /** {@link maskOurs} for plain JSON data, nested: keys, too, and whatever stands under the name of a credential or an address. */
  maskDocument(value: unknown): unknown {
    return this.#ours(this.#redactor.value(value));
  }

  #ours(value: unknown): unknown {
    if (typeof value === "string") return this.maskOurs(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#ours(item));
    const masked: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const isAddress = ADDRESS_FIELD.test(key) && typeof item === "string" && item !== "";
      const name = this.maskOurs(key);
      let free = name;
      for (let number = 2; Object.hasOwn(masked, free); number += 1) free = `${name} (${number})`;
      setOwn(masked, free, isAddress ? PRIVATE : this.#ours(item));
    }
    return masked;
  }

  /** Scans a document that speaks of the run, such as `metadata.json`. Names and the source of prices may be addresses. */
  ours(value: Json, problems: ProblemList): void {
    const tell = (field: string, said: string): void => {
      if (!problems.has(null, secretKey(field))) tellSecret(problems, null, field, said);
    };
    for (const { path, text } of textsOf(value)) {
      const found = this.#redactor.find(text, true) ?? homeIn(text);
      const field = fieldPath(path);
      // Prices are often told on a page of the host that is called, and the page is public.
      const isPublic = field === PRICES && (found === "a configured host" || found === "a configured URL");
      if (found !== null && !isPublic) tell(field, `holds ${found}`);
    }
    // Its advice is for another file.
    findPrivate(toPlain(value), [], this.#hidden, (field, message) =>
      tell(field, message.replace(/:.*$/, "")),
    );
  }

  /**
   * Scans what a model wrote or a corpus says, which may speak of hosts and folders.
   *
   * @param known texts of the corpus, which may stand there whatever they are.
   */
  foreign(
    value: Json,
    problems: ProblemList,
    line: number | null,
    known: ReadonlySet<string> = new Set(),
  ): void {
    for (const { path, text } of textsOf(value)) {
      if (known.has(text)) continue;
      const found = this.#redactor.find(text, false);
      if (found !== null) tellSecret(problems, line, fieldPath(path), `holds ${found}`);
    }
  }

  /** Whether {@link foreign} would find something in any of these texts; quick where there is nothing. */
  suspects(texts: readonly string[]): boolean {
    return this.#redactor.find(texts.join("\n"), false) !== null;
  }

  /** Scans a text of ours in which no address may stand, such as an error. */
  error(text: string, problems: ProblemList, line: number, field: string): void {
    const found = this.#find(text);
    if (found !== null) tellSecret(problems, line, field, `holds ${found}`);
  }

  /**
   * Scans a text line by line.
   *
   * @param names texts that may stand there though they look like addresses: what a vendor, a task, a page of prices is called.
   */
  page(text: string, problems: ProblemList, names: readonly string[]): void {
    const longestFirst = names
      .filter((name) => name !== "")
      .flatMap((name) => [name, plainMarkdown(name)])
      .sort((a, b) => b.length - a.length);
    for (const [index, line] of text.split("\n").entries()) {
      if (this.#find(line) === null) continue;
      // The names themselves were looked at where they come from.
      const rest = longestFirst.reduce((left, name) => left.replaceAll(name, " "), line);
      const still = this.#find(rest);
      if (still !== null) tellSecret(problems, index + 1, "", `holds ${still}`);
    }
  }

  #find(text: string): string | null {
    const found = this.#redactor.find(text, true) ?? homeIn(text);
    return found ?? (HOST_SHAPES.some((shape) => shape.test(text)) ? ADDRESS : null);
  }
}

const ADDRESS = "an address";
/** The one field of a published file that is an address. */
const PRICES = "pricing.source_url";
const PRIVATE = "[private]";
const everywhere = (shape: RegExp): RegExp => new RegExp(shape.source, `${shape.flags}g`);
const OURS = [...HOME_SHAPES, ...HOST_SHAPES].map(everywhere);
const NAMES = [...HOME_SHAPES, ...HOST_SHAPES_IN_NAMES].map(everywhere);

function without(text: string, shapes: readonly RegExp[]): string {
  return shapes.reduce((left, shape) => left.replace(shape, PRIVATE), text);
}

function homeIn(text: string): string | null {
  return HOME_SHAPES.some((shape) => shape.test(text)) ? "a home folder" : null;
}

/** Under which a field is remembered: that its value is wrong may be said as well. */
const secretKey = (field: string): string => `secret ${field}`;

function tellSecret(problems: ProblemList, line: number | null, field: string, said: string): void {
  problems.add(line, field, { message: `${said}: take it out, and publish again` }, secretKey(field));
}

/** All texts of a document, keys too, and where they stand. */
function* textsOf(
  value: Json,
  path: readonly PropertyKey[] = [],
): Generator<{ path: readonly PropertyKey[]; text: string }> {
  if (typeof value === "string") yield { path, text: value };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsOf(item, [...path, index]);
  } else if (isJsonObject(value)) {
    for (const [key, item] of value) {
      yield { path: [...path, key], text: key };
      yield* textsOf(item, [...path, key]);
    }
  }
}
