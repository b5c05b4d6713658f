// Reads config/models.json: every problem is named with the model and the field it stands in, and nothing that tells
// where a model is reached, or how one gets in, is accepted.
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { type Json, JsonError, parseJson, toPlain } from "../answers/json.ts";
import { errorCode, UserError } from "../errors.ts";
import { fieldPath, issuesOf } from "../fields.ts";
import { decodeUtf8 } from "../lines.ts";
import { HOST_SHAPES, KEY_SHAPES, SECRET_FIELD } from "../secrets.ts";
import type { Workspace } from "../workspace.ts";
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
    if (ids.indexOf(id) !== index) throw new UserError(`--model names ${id} twice`);
    const model = models.find((candidate) => candidate.id === id);
    if (model !== undefined) return model;
    const known = models.map((candidate) => candidate.id);
    const list =
      known.length === 0 ? "none" : known.slice(0, 20).join(", ") + (known.length > 20 ? ", …" : "");
    throw new UserError(
      `model ${JSON.stringify(id.slice(0, 80))} is not in config/models.json. Configured: ${list}. Add an entry, or choose one of these.`,
    );
  });
}

/** Reads the file and lists everything that is wrong with it; `models` are the entries that are right. */
export async function inspectModels(workspace: Workspace): Promise<ModelsReport> {
  const findings: ModelsFinding[] = [];
  const add = (field: string, message: string): void => void findings.push({ field, message });
  const document = await readDocument(workspace.modelsFile, add);
  if (document === undefined) return { models: [], findings };

  const file = modelsFileSchema.safeParse(toPlain(document));
  if (!file.success) {
    for (const issue of issuesOf(file.error)) add(issue.field, issue.message);
    return { models: [], findings };
  }
  const models: ModelConfig[] = [];
  const seen = new Set<string>();
  file.data.models.forEach((entry, index) => {
    const name = typeof entry.id === "string" ? ` (${entry.id.slice(0, 64)})` : "";
    const at = (field: string): string => `models[${index}]${name}${field === "" ? "" : `: ${field}`}`;
    const parsed = modelSchema.safeParse(entry);
    if (!parsed.success) {
      for (const issue of issuesOf(parsed.error)) add(at(issue.field), issue.message);
      return;
    }
    if (seen.has(parsed.data.id)) add(at("id"), "stands twice; ids are unique");
    seen.add(parsed.data.id);
    models.push(parsed.data);
  });
  findPrivate(toPlain(document), [], workspace, add);
  return { models, findings };
}

async function readDocument(
  path: string,
  add: (field: string, message: string) => void,
): Promise<Json | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = errorCode(error);
    add(
      "",
      code === "ENOENT"
        ? "is not there. Copy the package's config/models.json to begin with."
        : `cannot be read (${code})`,
    );
    return undefined;
  }
  const text = bytes.length > MAX_BYTES ? null : decodeUtf8(bytes);
  if (text === null) {
    add("", `expected UTF-8 of at most ${MAX_BYTES / (1024 * 1024)} MiB`);
    return undefined;
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const before = text.slice(0, error.offset);
    const line = before.split("\n").length;
    add(
      "",
      `is not JSON: ${error.message.replace(/ at character \d+$/, "")} on line ${line}, column ${error.offset - before.lastIndexOf("\n")}`,
    );
    return undefined;
  }
}

/** Fields in which a short name such as "Z.ai" is a name, not an address. */
const NAMES = new Set(["label", "short_label", "vendor"]);

function findPrivate(
  value: unknown,
  path: (string | number)[],
  workspace: Workspace,
  add: (field: string, message: string) => void,
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) findPrivate(item, [...path, index], workspace, add);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (SECRET_FIELD.test(key)) {
        add(
          fieldPath([...path, key]),
          "keys are never in this file: put it into the environment or into .env",
        );
      } else findPrivate(item, [...path, key], workspace, add);
    }
  } else if (typeof value === "string") {
    const field = String(path.at(-1));
    if (KEY_SHAPES.some((shape) => shape.test(value)) || holdsKey(value, workspace)) {
      add(
        fieldPath(path),
        "looks like a key: keys go into the environment or into .env, never into this file",
      );
    } else if (
      field !== "source_url" &&
      !NAMES.has(field) &&
      HOST_SHAPES.some((shape) => shape.test(value))
    ) {
      add(
        fieldPath(path),
        "looks like an address: base URLs go into the environment or into .env, never into this file",
      );
    }
  }
}

function holdsKey(value: string, workspace: Workspace): boolean {
  return Object.entries(workspace.env).some(
    ([name, secret]) =>
      /_API_KEY$/.test(name) && secret !== undefined && secret.length >= 8 && value.includes(secret),
  );
}
