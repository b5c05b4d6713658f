// A second opinion on the rows and the manifest of a corpus: the table of fields of docs and design, restated.
import {
  hasHalf,
  hasMembers,
  isCount,
  isFlag,
  isFullText,
  isHex64,
  isListOf,
  isObject,
  isOneOf,
  isText,
  jsonOf,
  linesOf,
  maybe,
  own,
  type Plain,
  textOf,
} from "./opinions.ts";

const isLine = (value: unknown): boolean => typeof value === "string" && !/[\r\n]/.test(value);

const isAsset = hasMembers({
  path: isFullText,
  media_type: isOneOf("image/png", "image/jpeg", "image/webp", "image/gif"),
  sha256: isHex64,
  alt: isText,
});

const isQuestion = hasMembers({
  id: isFullText,
  type: isOneOf("choice"),
  instructions: isFullText,
  options: isObject,
  option_order: maybe(isListOf(isText)),
  gold: isText,
  rationale: maybe(isText),
  ask: maybe(isText),
});

const hasFields = hasMembers({
  id: isFullText,
  suite: isFullText,
  category: isFullText,
  category_name: maybe(isText),
  task: isFullText,
  task_name: maybe(isText),
  modality: isOneOf("text", "image"),
  tags: maybe(isListOf(isText)),
  title: isText,
  summary: maybe(isText),
  note: maybe(isText),
  state: (value) => isFullText(value) || (isObject(value) && Object.keys(value).length > 0),
  assets: maybe(isListOf(isAsset)),
  questions: (value) => isListOf(isQuestion)(value) && (value as unknown[]).length === 1,
  source: (value) => value !== undefined,
  source_kind: isFullText,
  provenance: isText,
});

/** What a manifest says that rows depend on. */
export interface Frozen {
  readonly suite: string;
  /** Task → category. */
  readonly tasks: ReadonlyMap<string, string>;
}

/** A row as the table of fields has it; `picture` says whether an asset's file is there and its own. */
export function isRow(value: unknown, frozen: Frozen, picture: (asset: Plain) => boolean): value is Plain {
  if (!hasFields(value)) return false;
  const [question] = own(value, "questions") as Plain[];
  const options = own(question, "options") as Plain;
  const labels = Object.keys(options);
  const order = own(question, "option_order") as readonly string[] | null | undefined;
  const assets = (own(value, "assets") ?? []) as Plain[];
  return (
    labels.length >= 2 &&
    labels.every((label) => isLine(own(options, label))) &&
    labels.includes(own(question, "gold") as string) &&
    (order == null || [...order].sort().join("\0") === [...labels].sort().join("\0")) &&
    (own(value, "modality") === "text" || assets.length > 0) &&
    assets.every(picture) &&
    own(value, "suite") === frozen.suite &&
    frozen.tasks.get(own(value, "task") as string) === own(value, "category")
  );
}

/** The rows of a whole cases.jsonl; null when it is none. */
export function rowsOf(bytes: Buffer, frozen: Frozen, picture: (asset: Plain) => boolean): Plain[] | null {
  const rows: Plain[] = [];
  for (const line of linesOf(bytes)) {
    const text = textOf(line.bytes);
    if (text === null) return null;
    if (/^[ \t\r]*$/.test(text)) continue;
    const said = jsonOf(text);
    if (said === null || said.overflows || hasHalf(said.value)) return null;
    if (!isRow(said.value, frozen, picture)) return null;
    rows.push(said.value);
  }
  const ids = new Set(rows.map((row) => own(row, "id")));
  return rows.length > 0 && ids.size === rows.length ? rows : null;
}

const isTask = hasMembers({
  category: isFullText,
  name: isText,
  ask: isText,
  instruction: isText,
  shape: maybe(isText),
  modality: maybe(isText),
  label_origin: maybe(isText),
  per_row_options: maybe(isFlag),
  picture_needed: maybe(isFlag),
  rows: maybe(isCount),
});

const isManifest = hasMembers({
  version: isFullText,
  suite: (value) =>
    isText(value) &&
    /^[a-z0-9][a-z0-9._-]{0,63}$/.test(value as string) &&
    !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/.test(value as string),
  label: isText,
  sha256: isHex64,
  license: isText,
  categories: (value) =>
    isObject(value) &&
    Object.keys(value).every((id) => hasMembers({ name: isText, description: isText })(own(value, id))),
  tasks: (value) => isObject(value) && Object.keys(value).every((id) => isTask(own(value, id))),
  counts: maybe(hasMembers({ cases: maybe(isCount) })),
});

/** Whether a manifest is one, and freezes exactly these rows. */
export function freezes(bytes: Buffer, sha256: string, rows: readonly Plain[]): boolean {
  const text = textOf(bytes);
  const said = text === null ? null : jsonOf(text);
  if (said === null || !isManifest(said.value)) return false;
  const { value } = said;
  const tasks = own(value, "tasks") as Plain;
  const categories = own(value, "categories");
  const placed = new Map(Object.keys(tasks).map((id) => [id, own(own(tasks, id), "category") as string]));
  const cases = own(own(value, "counts"), "cases") ?? rows.length;
  return (
    own(value, "sha256") === sha256 &&
    cases === rows.length &&
    [...placed].every(([id, category]) => {
      const count = own(own(tasks, id), "rows") ?? null;
      const there = rows.filter((row) => own(row, "task") === id).length;
      return own(categories, category) !== undefined && (count === null || count === there);
    }) &&
    rows.every(
      (row) =>
        own(row, "suite") === own(value, "suite") &&
        placed.get(own(row, "task") as string) === own(row, "category"),
    )
  );
}
