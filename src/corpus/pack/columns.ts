// The columns of a person's table, and the fields of their JSON: one set of names for both.
import { nearest } from "../../nearest.ts";
import { quoted } from "../../quote.ts";

/** What a row says of itself. */
export const FIELDS = [
  "id",
  "category",
  "category_name",
  "task",
  "task_name",
  "instructions",
  "ask",
  "options",
  "gold",
  "state",
  "title",
  "rationale",
  "tags",
  "source",
  "source_kind",
  "license",
  "provenance",
  "image",
  "alt",
] as const;
export type Field = (typeof FIELDS)[number];

/** Where the value of a column goes. */
export type Column =
  | { readonly kind: "field"; readonly field: Field }
  | { readonly kind: "option" | "state" | "source"; readonly key: string };

const NAMES = new Map<string, Field>([
  ...FIELDS.map((field) => [field, field] as const),
  ["question", "instructions"],
]);

/** Names that people give to a column of ours. They are not taken for it, only told. */
const MEANT = new Map<string, string>([
  ["answer", "gold"],
  ["label", "gold"],
  ["correct", "gold"],
  ["expected", "gold"],
  ["text", "state"],
  ["input", "state"],
  ["prompt", "instructions"],
  ["choices", "options"],
  ["option", "options"],
  ["licence", "license"],
  ["picture", "image"],
  ["topic", "task"],
]);

/** The column of a name; null when there is none. Large and small letters are the same, but not behind `option:` and the like. */
export function columnOf(name: string): Column | null {
  const field = NAMES.get(name.trim().toLowerCase());
  if (field !== undefined) return { kind: "field", field };
  const start = PREFIX.exec(name);
  const key = name.slice(start?.[0].length ?? 0);
  if (start === null || key === "") return null;
  return { kind: start[1]?.toLowerCase() as "option" | "state" | "source", key };
}

const PREFIX = /^\s*(option(?=:)|state(?=\.)|source(?=\.))[:.]/i;

/** So many names that are no column are told one by one: looking for what was meant takes time. */
export const MOST_UNKNOWN = 100;

/** What is said of those beyond {@link MOST_UNKNOWN}. */
export function moreUnknown(count: number): string {
  return `and ${count} more names that are no column`;
}

/** What is said of a name that is no column. */
export function unknownColumn(name: string): string {
  const known = [...NAMES.keys(), "option:<label>", "state.<field>", "source.<field>"];
  const meant = MEANT.get(name.trim().toLowerCase()) ?? nearest(known, name.trim().slice(0, 100), 1)[0];
  return `${quoted(name)} is no column that is known: did you mean ${meant}? What a model shall see goes into state.<field>`;
}

/** Tells two names of one column. */
export function columnKey(column: Column): string {
  return column.kind === "field" ? column.field : `${column.kind}:${column.key}`;
}
