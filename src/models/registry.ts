// Reads config/models.json: every problem is named with the model and the field it stands in, and nothing that tells
// where a model is reached, or how one gets in, is accepted.
import { relative } from "node:path";
import { toPlain } from "../answers/json.ts";
import { readDocument } from "../documents.ts";
import { UserError } from "../errors.ts";
import { isRecord, issuesOf } from "../fields.ts";
import { quoted } from "../quote.ts";
import type { Workspace } from "../workspace.ts";
import { findPrivate, maskKeys, privateTexts } from "./private.ts";
import { type ModelConfig, modelSchema, modelsFileSchema } from "./schema.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** One thing that is wrong with `models.json`. */
export interface ModelsFinding {
  /** Path inside the document, e.g. `models[2] (my-model): request.temperature`. */
  readonly field: string;
  readonly message: string;
}

export interface ModelsReport {
  readonly models: readonly ModelConfig[];
  readonly findings: readonly ModelsFinding[];
}

/**
 * The configured models, in file order.
 *
 * @throws {UserError} with file, field, what was expected, and how many more problems there are.
 */
export async function loadModels(workspace: Workspace): Promise<readonly ModelConfig[]> {
  const { models, findings } = await inspectModels(workspace);
  const [first] = findings;
  if (first === undefined) return models;
  const file = relative(workspace.root, workspace.modelsFile);
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more in this file)` : "";
  throw new UserError(`${file}: ${first.field === "" ? "" : `${first.field}: `}${first.message}${more}`);
}

/**
 * The models with these ids, in the order asked for.
 *
 * @throws {UserError} for an id that is not configured (naming those that are), or one asked for twice.
 */
export function findModels(models: readonly ModelConfig[], ids: readonly string[]): ModelConfig[] {
  if (ids.length === 0) throw new UserError("--model needs the id of a model. `bench models` lists them.");
  return ids.map((id, index) => {
    if (ids.indexOf(id) !== index)
      throw new UserError(`--model names ${quoted(id)} twice. Name each model once.`);
    const model = models.find((candidate) => candidate.id === id);
    if (model !== undefined) return model;
    const known = models.map((candidate) => candidate.id);
    const list =
      known.length === 0 ? "none" : known.slice(0, 20).join(", ") + (known.length > 20 ? ", …" : "");
    throw new UserError(
      `model ${quoted(id)} is not in config/models.json. Configured: ${list}. Add an entry, or choose one of these.`,
    );
  });
}

/** Reads the file and lists everything that is wrong with it; `models` are the entries that are right. */
export async function inspectModels(workspace: Workspace): Promise<ModelsReport> {
  const findings: ModelsFinding[] = [];
  const hidden = privateTexts(workspace.env);
  const add = (field: string, message: string): void => {
    // What stands in the wrong place is not repeated on a screen or in a log.
    findings.push({ field: maskKeys(field, hidden.keys), message: maskKeys(message, hidden.keys) });
  };
  const { value, refusal } = await readDocument(workspace.modelsFile, MAX_BYTES);
  if (refusal !== undefined) {
    const advice =
      refusal.message === "is not there" ? ": copy the package's config/models.json to begin" : "";
    add("", `${refusal.message}${advice}`);
    return { models: [], findings };
  }
  const document = toPlain(value);
  const file = modelsFileSchema.safeParse(document, { reportInput: true });
  if (!file.success) for (const { field, message } of issuesOf(file.error)) add(field, message);
  // The entries are looked at one by one below, so that a message can name the model.
  findPrivate(isRecord(document) ? { ...document, models: null } : document, [], hidden, add);
  if (!file.success) return { models: [], findings };

  const models: ModelConfig[] = [];
  const seen = new Map<string, number>();
  for (const [index, entry] of file.data.models.entries()) {
    const before = findings.length;
    const id = isRecord(entry) && typeof entry.id === "string" ? entry.id : null;
    const at = (field: string): string =>
      `models[${index}]${id === null ? "" : ` (${plainName(id)})`}${field === "" ? "" : `: ${field}`}`;
    findPrivate(entry, [], hidden, (field, message) => add(at(field), message));
    const parsed = modelSchema.safeParse(entry, { reportInput: true });
    if (!parsed.success) {
      for (const { field, message } of issuesOf(parsed.error)) add(at(field), message);
      continue;
    }
    const first = seen.get(parsed.data.id);
    if (first === undefined) seen.set(parsed.data.id, index);
    else add(at("id"), `is the id of models[${first}] already; ids are unique`);
    if (findings.length === before) models.push(parsed.data);
  }
  return { models, findings };
}

function plainName(id: string): string {
  return /^[\w.-]{1,64}$/.test(id) ? id : quoted(id, 64);
}
