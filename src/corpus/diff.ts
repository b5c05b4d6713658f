// What differs between two corpora. Counts are of everything; lists are bounded and always in the same order: what A has
// in the order of A, then what only B has in the order of B.
import { compareCodePoints } from "../answers/canonical.ts";
import { type Contents, type Fingerprint, MARK } from "./contents.ts";

/** One thing that only one corpus has, or both have with other fields. */
export interface Change {
  readonly change: "removed" | "changed" | "added";
  readonly id: string;
  /** Of a changed one, in code point order: at most {@link MOST_FIELDS}. Empty for the others. */
  readonly fields: readonly string[];
  /** How many fields differ. */
  readonly field_count: number;
}

/** Things of one kind. `removed` are only in A, `added` only in B. */
export interface Changes<T extends Change = Change> {
  readonly removed: number;
  readonly changed: number;
  readonly added: number;
  /** The first ones of all that differ. */
  readonly listed: readonly T[];
}

/** A corpus as the comparison names it. */
export interface Side {
  readonly suite: string;
  readonly version: string;
  readonly sha256: string;
  readonly rows: number;
}

/** What differs between the corpora A and B. */
export interface CorpusDiff {
  /** False as soon as anything below differs. */
  readonly same: boolean;
  readonly a: Side;
  readonly b: Side;
  /** Fields of manifest.json that differ, without those that are told elsewhere: at most {@link MOST_FIELDS}. */
  readonly manifest: { readonly fields: readonly string[]; readonly field_count: number };
  readonly rows: Changes<Change & { readonly task: string }> & {
    /** Whether the rows that both have stand in another order. The digest is of rows in their order. */
    readonly reordered: boolean;
    /** In how many changed rows a field differs, most of them first: at most {@link MOST_FIELDS} fields. */
    readonly fields: readonly { readonly field: string; readonly rows: number }[];
  };
  readonly tasks: Changes;
  readonly categories: Changes;
  /** By path; one changes when its bytes do. */
  readonly pictures: Changes;
}

/** The rows of a usual corpus have fewer fields; somebody's own may have any number. */
export const MOST_FIELDS = 40;

/**
 * Compares two corpora as their digests do: by canonical JSON, in which the order of keys is no difference.
 *
 * @param limit how many rows, tasks, categories and pictures are listed at most, of each.
 */
export function diffCorpora(a: Contents, b: Contents, limit: number): CorpusDiff {
  const rowsOfField = new Map<string, number>();
  const rows = changesOf(a.rows, b.rows, limit, (one, other) => {
    const fields = fieldsThatDiffer(one, other);
    for (const field of fields) rowsOfField.set(field, (rowsOfField.get(field) ?? 0) + 1);
    return fields;
  });
  const listed = rows.listed.map(({ change, id, ...fields }) => {
    const task = (change === "added" ? b : a).rows.get(id)?.task ?? "";
    return { change, id, task, ...fields };
  });
  const manifest = fieldsThatDiffer(a.manifest, b.manifest);
  const tasks = changesOf(a.tasks, b.tasks, limit, fieldsThatDiffer);
  const categories = changesOf(a.categories, b.categories, limit, fieldsThatDiffer);
  const pictures = changesOf(a.pictures, b.pictures, limit, (one, other) =>
    one === other ? [] : ["sha256"],
  );
  const same =
    a.suite === b.suite &&
    a.version === b.version &&
    a.sha256 === b.sha256 &&
    manifest.length === 0 &&
    [rows, tasks, categories, pictures].every((one) => differing(one) === 0);
  return {
    same,
    a: sideOf(a),
    b: sideOf(b),
    manifest: { fields: manifest.slice(0, MOST_FIELDS), field_count: manifest.length },
    rows: {
      ...rows,
      reordered: isReordered(a.rows, b.rows),
      fields: [...rowsOfField]
        .map(([field, count]) => ({ field, rows: count }))
        .sort((x, y) => y.rows - x.rows || compareCodePoints(x.field, y.field))
        .slice(0, MOST_FIELDS),
      listed,
    },
    tasks,
    categories,
    pictures,
  };
}

/** How many things of a kind differ, listed or not. */
export function differing({ removed, changed, added }: Omit<Changes, "listed">): number {
  return removed + changed + added;
}

function sideOf({ suite, version, sha256, rows }: Contents): Side {
  return { suite, version, sha256, rows: rows.size };
}

function changesOf<T>(
  a: ReadonlyMap<string, T>,
  b: ReadonlyMap<string, T>,
  limit: number,
  compare: (one: T, other: T) => readonly string[],
): Changes {
  const count = { removed: 0, changed: 0, added: 0 };
  const listed: Change[] = [];
  const add = (change: Change["change"], id: string, fields: readonly string[] = []): void => {
    count[change] += 1;
    if (listed.length >= limit) return;
    listed.push({ change, id, fields: fields.slice(0, MOST_FIELDS), field_count: fields.length });
  };
  for (const [id, one] of a) {
    const other = b.get(id);
    if (other === undefined) {
      add("removed", id);
      continue;
    }
    const fields = compare(one, other);
    if (fields.length > 0) add("changed", id, fields);
  }
  for (const id of b.keys()) if (!a.has(id)) add("added", id);
  return { ...count, listed };
}

/** Names of the fields that one has and the other has not, or that are not the same in both. */
function fieldsThatDiffer(one: Fingerprint, other: Fingerprint): string[] {
  const marks = marksOf(one);
  const others = marksOf(other);
  return [...new Set([...one.names, ...other.names])]
    .filter((name) => marks.get(name) !== others.get(name))
    .sort(compareCodePoints);
}

function marksOf({ names, marks }: Fingerprint): Map<string, string> {
  return new Map(names.map((name, index) => [name, marks.slice(index * MARK, (index + 1) * MARK)]));
}

function isReordered(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  const inB = [...b.keys()].filter((id) => a.has(id));
  let at = 0;
  for (const id of a.keys()) {
    if (!b.has(id)) continue;
    if (inB[at] !== id) return true;
    at += 1;
  }
  return false;
}
