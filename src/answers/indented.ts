// JSON as people read it in a diff, for the small documents that are committed.
import { JsonNumber, stringifyJson, type Writable } from "./json.ts";

/** JSON for people: two blanks a level, keys in the given order, no line feed at the end. */
export function indentedJson(value: Writable, level = 0): string {
  const inner = "  ".repeat(level + 1);
  const block = (open: string, members: readonly string[], close: string): string =>
    members.length === 0
      ? open + close
      : `${open}\n${members.map((member) => inner + member).join(",\n")}\n${"  ".repeat(level)}${close}`;
  if (Array.isArray(value)) {
    return block(
      "[",
      (value as readonly Writable[]).map((item) => indentedJson(item, level + 1)),
      "]",
    );
  }
  if (value === null || typeof value !== "object" || value instanceof JsonNumber) return stringifyJson(value);
  const entries: [string, Writable][] = value instanceof Map ? [...value] : Object.entries(value);
  return block(
    "{",
    entries.map(([key, item]) => `${JSON.stringify(key)}: ${indentedJson(item, level + 1)}`),
    "}",
  );
}
