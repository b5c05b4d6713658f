// Sound documents with something wrong in them: values of another type, members twice or gone, keys that are no words, and bytes
// that fell out. Texts are kept as they are, so that what no writer would write can stand there.
import fc from "fast-check";
import { isJsonObject, type Json, parseJson, stringifyJson } from "../../src/answers/json.ts";
import { type ByteChange, byteChange, spliced, spliceOf } from "../support/splices.ts";
import { KEYS, VALUES } from "./documents.ts";

/** A document that can say anything: text, a list, or members with the JSON of their keys. */
type Tree = string | { readonly list: Tree[] } | { readonly members: [key: string, value: Tree][] };

function treeOf(value: Json): Tree {
  if (Array.isArray(value)) return { list: value.map(treeOf) };
  if (isJsonObject(value)) {
    return { members: Array.from(value, ([key, item]) => [JSON.stringify(key), treeOf(item)]) };
  }
  return stringifyJson(value);
}

function written(tree: Tree): string {
  if (typeof tree === "string") return tree;
  if ("list" in tree) return `[${tree.list.map(written).join()}]`;
  return `{${tree.members.map(([key, value]) => `${key}:${written(value)}`).join()}}`;
}

const KINDS = [
  "replace",
  "replace",
  "replace",
  "delete",
  "double",
  "rename",
  "add",
  "wrap",
  "quote",
  "swap",
] as const;

interface Step {
  readonly kind: (typeof KINDS)[number];
  /** Which of all places, as a share. */
  readonly at: number;
  readonly to: number;
  readonly value: string;
  readonly key: string;
}

/** A place inside a document. */
type Slot =
  | { readonly list: Tree[]; readonly index: number }
  | { readonly members: [string, Tree][]; readonly index: number };

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  to: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  value: fc.oneof(
    { weight: 120, arbitrary: fc.constantFrom(...VALUES.filter((text) => text.length < 1000)) },
    { weight: 40, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 40, arbitrary: fc.double().map((value) => stringOf(value)) },
    // Every one of these costs as much as a hundred others.
    { weight: 1, arbitrary: fc.constantFrom(...VALUES) },
  ),
  key: fc.constantFrom(...KEYS).map((key) => JSON.stringify(key)),
});

const stringOf = (value: number): string => (Number.isFinite(value) ? String(value) : "1e999");

function slotsOf(root: Tree[]): Slot[] {
  const slots: Slot[] = [];
  const visit = (tree: Tree): void => {
    if (typeof tree === "string") return;
    if ("list" in tree) {
      for (const [index, item] of tree.list.entries()) {
        slots.push({ list: tree.list, index });
        visit(item);
      }
    } else {
      for (const [index, [, item]] of tree.members.entries()) {
        slots.push({ members: tree.members, index });
        visit(item);
      }
    }
  };
  visit({ list: root });
  return slots;
}

function read(slot: Slot): Tree {
  return "list" in slot ? (slot.list[slot.index] as Tree) : (slot.members[slot.index] as [string, Tree])[1];
}

function write(slot: Slot, tree: Tree): void {
  if ("list" in slot) slot.list[slot.index] = tree;
  else (slot.members[slot.index] as [string, Tree])[1] = tree;
}

function take(root: Tree[], { kind, at, to, value, key }: Step): void {
  const slots = slotsOf(root);
  const slot = slots[Math.floor(at * slots.length)];
  const other = slots[Math.floor(to * slots.length)];
  if (slot === undefined || other === undefined) return;
  const tree = read(slot);
  if (kind === "replace") write(slot, value);
  else if (kind === "wrap") write(slot, { list: [tree] });
  else if (kind === "quote") write(slot, JSON.stringify(written(tree)));
  else if (kind === "swap") {
    // By text: a tree inside itself has no end.
    const there = written(read(other));
    write(slot, there);
  } else if (kind === "delete") {
    if ("list" in slot) slot.list.splice(slot.index, 1);
    else slot.members.splice(slot.index, 1);
  } else if (kind === "double") {
    if ("list" in slot) slot.list.splice(slot.index, 0, written(tree));
    else
      slot.members.splice(slot.index, 0, [
        slot.members[slot.index]?.[0] ?? key,
        to < 0.5 ? value : written(tree),
      ]);
  } else if ("list" in slot) slot.list.splice(slot.index, 0, value);
  else if (kind === "rename") (slot.members[slot.index] as [string, Tree])[0] = key;
  else slot.members.splice(slot.index, 0, [key, value]);
}

function changed(text: string, steps: readonly Step[]): string {
  const root = [treeOf(parseJson(text))];
  for (const one of steps) take(root, one);
  return root.map(written).join("");
}

function cut(bytes: Buffer, changes: readonly ByteChange[]): Buffer {
  return changes.reduce((left, change) => spliced(left, spliceOf(left, change)), bytes);
}

const steps = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Step[]>([]) },
  { weight: 6, arbitrary: fc.array(step, { minLength: 1, maxLength: 2 }) },
);
const changes = fc.oneof(
  { weight: 5, arbitrary: fc.constant<ByteChange[]>([]) },
  { weight: 2, arbitrary: fc.array(byteChange, { minLength: 1, maxLength: 2 }) },
);

/** One of the documents, changed in a few places. */
export function documentLike(sound: readonly string[]): fc.Arbitrary<Buffer> {
  return fc
    .record({ text: fc.constantFrom(...sound), steps, changes })
    .map(({ text, steps, changes }) => cut(Buffer.from(changed(text, steps)), changes));
}

const LINE_KINDS = [
  "change",
  "change",
  "change",
  "change",
  "delete",
  "double",
  "blank",
  "swap",
  "crlf",
  "other",
] as const;

/** Some of the lines, changed in a few places; each line is JSON, and ends with a line feed. */
export function linesLike(sound: readonly string[], most = 6): fc.Arbitrary<Buffer> {
  const lineStep = fc.record({
    kind: fc.constantFrom(...LINE_KINDS),
    at: fc.nat(100),
    to: fc.nat(100),
    steps: fc.array(step, { minLength: 1, maxLength: 2 }),
    other: fc.constantFrom("", " ", "\r", "null", "[]", "{", "\0\0", "\ufeff{}", '"a"', "{}{}"),
  });
  return fc
    .record({
      lines: fc.subarray([...sound], { minLength: 1, maxLength: most }),
      steps: fc.array(lineStep, { maxLength: 2 }),
      changes,
      end: fc.constantFrom("\n", "\n", "\n", ""),
    })
    .map(({ lines: chosen, steps, changes, end }) => {
      const lines = [...chosen];
      for (const one of steps) {
        const at = one.at % Math.max(1, lines.length);
        const line = lines[at] ?? "{}";
        if (one.kind === "delete") lines.splice(at, 1);
        else if (one.kind === "double") lines.splice(at, 0, line);
        else if (one.kind === "blank") lines.splice(at, 0, "");
        else if (one.kind === "other") lines.splice(at, 0, one.other);
        else if (one.kind === "crlf") lines[at] = `${line}\r`;
        else if (one.kind === "swap") lines.push(...lines.splice(at, 1));
        else if (isJson(line)) lines[at] = changed(line, one.steps);
      }
      return cut(Buffer.from(lines.join("\n") + (lines.length > 0 ? end : "")), changes);
    });
}

function isJson(line: string): boolean {
  try {
    parseJson(line);
    return true;
  } catch {
    return false;
  }
}
