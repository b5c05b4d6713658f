// One record of a person's file as a row of the corpus. Whatever is missing or wrong is reported under the name that the
// person gave to the column; a value is taken as it stands or refused, never guessed.
import { isJsonObject, type Json, JsonNumber, type JsonObject, type Writable } from "../../answers/json.ts";
import { fieldPath } from "../../fields.ts";
import { quoted } from "../../quote.ts";
import { unseenDifference } from "../characters.ts";
import type { Report } from "../row.ts";
import { listOf, partsOf } from "./cell.ts";
import { columnKey, columnOf, type Field } from "./columns.ts";

/** A record, read but without what only its neighbours and its file decide: number, order of options, picture. */
export interface Draft {
  /** Null: it is numbered within its task. */
  readonly id: string | null;
  readonly category: string;
  readonly categoryName: string | null;
  readonly task: string;
  readonly taskName: string | null;
  readonly instructions: string;
  readonly ask: string | null;
  /** Label → description. */
  readonly options: ReadonlyMap<string, string>;
  readonly gold: string;
  readonly state: string | JsonObject;
  readonly title: string | null;
  readonly rationale: string | null;
  readonly tags: readonly string[];
  readonly source: ReadonlyMap<string, Json>;
  readonly sourceKind: string;
  readonly provenance: string | null;
  /** Path beside the file; null: none. */
  readonly image: string | null;
  /** What the person calls the column of the picture. */
  readonly imageColumn: string;
  readonly alt: string;
}

/** Where a row belongs that does not say it. */
export const OWN = { category: "own", task: "own-1", name: "Own rows", sourceKind: "own" } as const;

interface Given {
  readonly values: Map<Field, { readonly name: string; readonly value: Json }>;
  readonly options: Map<string, { readonly name: string; readonly value: Json }>;
  readonly state: JsonObject;
  readonly source: JsonObject;
}

/**
 * Reads a record; null when there is something wrong with it, which goes to `report`.
 *
 * @param unknown told of every name that is no column.
 */
export function draftOf(
  fields: ReadonlyMap<string, Json>,
  report: Report,
  unknown: (name: string) => void,
): Draft | null {
  let sound = true;
  const wrong: Report = (field, message) => {
    sound = false;
    report(field, message);
  };
  const given = sorted(fields, wrong, (name) => {
    sound = false;
    unknown(name);
  });
  const nameOf = (field: Field): string => given.values.get(field)?.name ?? field;
  const text = (field: Field): string | null => {
    const { name, value } = given.values.get(field) ?? { name: field, value: null };
    return textOf(value, name, wrong);
  };
  const needed = (field: Field): string => {
    // A value of another kind is reported as such.
    if ((given.values.get(field)?.value ?? "") === "") wrong(nameOf(field), "is missing: expected a text");
    return text(field) ?? "";
  };
  const options = optionsOf(given, wrong);
  const gold = goldOf(text("gold"), options, (message) => wrong(nameOf("gold"), message));
  const state = stateOf(given, wrong);
  const draft: Draft = {
    id: text("id"),
    category: text("category") ?? OWN.category,
    categoryName: text("category_name"),
    task: text("task") ?? OWN.task,
    taskName: text("task_name"),
    instructions: needed("instructions"),
    ask: text("ask"),
    options,
    gold,
    state,
    title: text("title"),
    rationale: text("rationale"),
    tags: tagsOf(given, wrong),
    source: sourceOf(given, text("license"), wrong),
    sourceKind: text("source_kind") ?? OWN.sourceKind,
    provenance: text("provenance"),
    image: text("image"),
    imageColumn: nameOf("image"),
    alt: text("alt") ?? "",
  };
  return sound ? draft : null;
}

/** Puts every value where its column belongs. */
function sorted(fields: ReadonlyMap<string, Json>, wrong: Report, unknown: (name: string) => void): Given {
  const given: Given = { values: new Map(), options: new Map(), state: new Map(), source: new Map() };
  const names = new Map<string, string>();
  for (const [name, value] of fields) {
    const column = columnOf(name);
    if (column === null) {
      unknown(name);
      continue;
    }
    const key = columnKey(column);
    const before = names.get(key);
    if (before !== undefined) {
      wrong(name, `is the same as ${quoted(before)}: expected one of them`);
      continue;
    }
    names.set(key, name);
    if (value === null) continue;
    if (column.kind === "field") given.values.set(column.field, { name, value });
    else if (column.kind === "option") given.options.set(column.key, { name, value });
    else given[column.kind].set(column.key, value);
  }
  return given;
}

/** Texts as they are, numbers and true or false as they are written; null for nothing. */
function textOf(value: Json, name: string, wrong: Report): string | null {
  if (value === null || value === "") return null;
  if (typeof value === "string") return value;
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === "boolean") return String(value);
  wrong(name, `expected a text, found ${Array.isArray(value) ? "a list" : "an object"}`);
  return null;
}

function optionsOf({ values, options: columns }: Given, wrong: Report): Map<string, string> {
  const options = new Map<string, string>();
  const { name, value } = values.get("options") ?? { name: "options", value: null };
  const add = (label: string, description: string | null, field: string): void => {
    if (label === "") wrong(field, "holds an option without a label");
    else if (options.has(label)) wrong(field, `the option ${quoted(label)} stands twice`);
    else if (/[\r\n]/.test(`${label}${description ?? ""}`)) {
      const which =
        description === null
          ? "label, which is its description too"
          : /[\r\n]/.test(label)
            ? "label"
            : "description";
      wrong(field, `the option ${quoted(label)} has a ${which} of several lines: expected one line`);
    } else options.set(label, description ?? label);
  };
  if (columns.size > 0 && value !== null) {
    wrong(name, "stands beside option:<label>: expected one or the other");
    return options;
  }
  for (const [label, column] of columns) {
    // An empty cell: no option of this row.
    if (column.value !== "") add(label, textOf(column.value, column.name, wrong), column.name);
  }
  if (isJsonObject(value)) {
    for (const [label, description] of value) {
      add(label, textOf(description, fieldPath([name, label]), wrong), name);
    }
  } else if (Array.isArray(value)) {
    for (const [at, label] of value.entries()) add(textOf(label, `${name}[${at}]`, wrong) ?? "", null, name);
  } else if (value !== null && value !== "") {
    const cell = textOf(value, name, wrong) ?? "";
    for (const part of partsOf(cell)) add(part.before, part.after === "" ? null : part.after, name);
  }
  if (options.size < 2) {
    const found = options.size === 0 ? "none" : [...options.keys()].map((label) => quoted(label)).join(", ");
    wrong(name, `expected two or more options, found ${found}`);
  }
  return options;
}

/** Longer lists of options are cut in a message. */
const SHOWN_OPTIONS = 12;

function goldOf(
  gold: string | null,
  options: ReadonlyMap<string, string>,
  wrong: (message: string) => void,
): string {
  const labels = [...options.keys()].slice(0, SHOWN_OPTIONS).map((label) => quoted(label, 40));
  const list = `${labels.join(", ")}${options.size > labels.length ? `, … (${options.size} in all)` : ""}`;
  if (gold === null) wrong(`is missing: expected one of the options ${list}`);
  else if (!options.has(gold)) {
    wrong(
      unseenDifference(gold, options.keys(), "option") ?? `${quoted(gold)} is not one of the options ${list}`,
    );
  }
  return gold ?? "";
}

function stateOf({ values, state: columns }: Given, wrong: Report): string | JsonObject {
  const given = values.get("state");
  if (columns.size > 0) {
    if (given !== undefined) wrong(given.name, "stands beside state.<field>: expected one or the other");
    return columns;
  }
  const value = given?.value ?? null;
  if (isJsonObject(value) && value.size > 0) return value;
  if (typeof value === "string" && value !== "") return value;
  wrong(
    given?.name ?? "state",
    "expected what the model sees: a text, an object, or state.<field>, not empty",
  );
  return "";
}

function tagsOf({ values }: Given, wrong: Report): readonly string[] {
  const { name, value } = values.get("tags") ?? { name: "tags", value: null };
  const tags = Array.isArray(value)
    ? value.map((tag, at) => textOf(tag, `${name}[${at}]`, wrong) ?? "")
    : listOf(textOf(value, name, wrong) ?? "");
  return tags.filter((tag) => tag !== "");
}

function sourceOf({ values, source: columns }: Given, license: string | null, wrong: Report): JsonObject {
  const { name, value } = values.get("source") ?? { name: "source", value: null };
  const source: JsonObject = new Map(isJsonObject(value) ? value : []);
  if (!isJsonObject(value)) {
    const dataset = textOf(value, name, wrong);
    if (dataset !== null) source.set("dataset", dataset);
  }
  if (license !== null) source.set("license", license);
  for (const [key, item] of columns) source.set(key, item);
  return source;
}

/** The row as it is written, keys in the order of the file format. */
export function rowOf(
  draft: Draft,
  place: { readonly suite: string; readonly id: string },
  order: readonly string[],
  picture: { readonly [key: string]: Writable } | null,
): { readonly [key: string]: Writable } {
  const { suite, id } = place;
  return {
    id,
    suite,
    category: draft.category,
    category_name: draft.categoryName ?? undefined,
    task: draft.task,
    task_name: draft.taskName ?? undefined,
    modality: picture === null ? "text" : "image",
    tags: draft.tags,
    title: draft.title ?? id,
    state: draft.state,
    assets: picture === null ? [] : [{ ...picture, alt: draft.alt }],
    questions: [
      {
        id: "decision",
        type: "choice",
        instructions: draft.instructions,
        options: draft.options,
        option_order: order,
        gold: draft.gold,
        rationale: draft.rationale ?? undefined,
        ask: draft.ask ?? undefined,
      },
    ],
    source: new Map<string, Json>([["dataset", suite], ["record_id", id], ...draft.source]),
    source_kind: draft.sourceKind,
    provenance: draft.provenance ?? `Own rows of ${suite}, record ${id}.`,
  };
}
