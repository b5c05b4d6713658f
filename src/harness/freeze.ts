// What a run is: the settings that decide its numbers. A run resumes only under exactly the same ones.
import { createHash } from "node:crypto";
import { canonicalJson } from "../answers/canonical.ts";
import { parseJson, stringifyJson, type Writable } from "../answers/json.ts";
import { PROMPT_VERSION, promptSha256 } from "../answers/prompt.ts";
import type { Corpus } from "../corpus/load.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { UserError } from "../errors.ts";
import type { FrozenConfig } from "../ledgers/schema.ts";
import { effectiveRequest } from "../models/request.ts";
import type { ModelConfig } from "../models/schema.ts";

/** Lower-case hex SHA-256 of the canonical JSON of a value. */
export function canonicalDigest(value: Writable): string {
  return createHash("sha256")
    .update(canonicalJson(parseJson(stringifyJson(value))), "utf8")
    .digest("hex");
}

/** {@link canonicalDigest} of a list of texts, which needs no detour through JSON: a million of them in little memory. */
function textsDigest(texts: readonly string[]): string {
  const hash = createHash("sha256");
  let piece = "[";
  for (const [index, text] of texts.entries()) {
    piece += `${index === 0 ? "" : ","}${canonicalJson(text)}`;
    if (piece.length < PIECE) continue;
    hash.update(piece, "utf8");
    piece = "";
  }
  return hash.update(`${piece}]`, "utf8").digest("hex");
}

/** Texts are digested in pieces of about so many characters: one by one takes much longer. */
const PIECE = 65_536;

/** The frozen form of a selection: how many rows, and the digest of their ids in corpus order. */
export function selectionOf(ids: readonly string[]): FrozenConfig["selected_rows"] {
  return { count: ids.length, sha256: textsDigest(ids) };
}

/** Frozen forms of selections that were made before: a list of rows does not change. */
const frozen = new WeakMap<readonly CorpusRow[], FrozenConfig["selected_rows"]>();

function selectionOfRows(rows: readonly CorpusRow[]): FrozenConfig["selected_rows"] {
  const known = frozen.get(rows) ?? selectionOf(rows.map((row) => row.id));
  frozen.set(rows, known);
  return known;
}

/** The frozen configuration of a run of `model` over `rows`. */
export function freezeConfig(options: {
  readonly corpus: Corpus;
  readonly model: ModelConfig;
  readonly apiModel: string;
  readonly endpointId: string | null;
  readonly rows: readonly CorpusRow[];
}): FrozenConfig {
  const { corpus, model, rows } = options;
  return {
    suite: corpus.suite,
    corpus_version: corpus.version,
    corpus_sha256: corpus.sha256,
    prompt_version: PROMPT_VERSION,
    prompt_sha256: promptSha256(),
    model_id: model.id,
    provider: model.provider,
    api_model: options.apiModel,
    request: effectiveRequest(model),
    endpoint_id: options.endpointId,
    selected_rows: selectionOfRows(rows),
  };
}

/** `<model-id>-<suite>-<first 8 hex of the config's digest>`, with `-subset` when not every row is selected. */
export function defaultRunId(config: FrozenConfig, rowsInCorpus: number): string {
  const subset = config.selected_rows.count === rowsInCorpus ? "" : "-subset";
  return `${config.model_id}-${config.suite}-${canonicalDigest(config as Writable).slice(0, 8)}${subset}`;
}

/**
 * Accepts a run id that a person gave.
 *
 * @throws {UserError} for one that is not a plain folder name.
 */
export function checkRunId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(id) && !id.includes("..")) return id;
  throw new UserError(
    `run id ${JSON.stringify(id.slice(0, 80))} is not a plain name: use up to 200 of A-Z, a-z, 0-9, '.', '_' and '-', first a letter or digit`,
  );
}

/** Dotted names of the settings in which two frozen configurations differ, sorted. */
export function configDifferences(before: FrozenConfig, now: FrozenConfig): string[] {
  const flat = (value: unknown, path: string, out: Map<string, string>): Map<string, string> => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [key, item] of Object.entries(value)) flat(item, path === "" ? key : `${path}.${key}`, out);
    } else out.set(path, JSON.stringify(value ?? null));
    return out;
  };
  const a = flat(before, "", new Map());
  const b = flat(now, "", new Map());
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key)).sort();
}

/**
 * Refuses to go on with a run that was begun under other settings.
 *
 * @throws {UserError} naming the settings, before and now.
 */
export function assertSameConfig(runId: string, before: FrozenConfig, now: FrozenConfig): void {
  const fields = configDifferences(before, now);
  if (fields.length === 0) return;
  const value = (config: FrozenConfig, field: string): string =>
    JSON.stringify(
      field
        .split(".")
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], config) ?? null,
    );
  const list = fields
    .map((field) => `${field} (${value(before, field)}, now ${value(now, field)})`)
    .join(", ");
  throw new UserError(
    `run ${runId} was begun with other settings: ${list}. Give the same ones to resume it, or another --run-id for a new run.`,
  );
}
