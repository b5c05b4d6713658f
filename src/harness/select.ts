// Which rows of the corpus a run covers. The order is always the corpus's own.
import type { Corpus } from "../corpus/load.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { UserError } from "../errors.ts";

export interface SelectionOptions {
  readonly ids?: readonly string[] | undefined;
  readonly tasks?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  /** The first so many of what the other filters leave. */
  readonly limit?: number | undefined;
}

/**
 * The rows that pass every given filter, in corpus order.
 *
 * @throws {UserError} for an id, task or category that the corpus does not have, and when no row is left.
 */
export function selectRows(corpus: Corpus, options: SelectionOptions): readonly CorpusRow[] {
  const filters: [string, readonly string[] | undefined, (row: CorpusRow) => string][] = [
    ["--ids", options.ids, (row) => row.id],
    ["--task", options.tasks, (row) => row.task],
    ["--category", options.categories, (row) => row.category],
  ];
  let rows: readonly CorpusRow[] = corpus.rows;
  for (const [flag, wanted, key] of filters) {
    if (wanted === undefined) continue;
    const known = new Set(corpus.rows.map(key));
    const unknown = wanted.filter((value) => !known.has(value));
    if (unknown.length > 0) throw new UserError(unknownMessage(flag, unknown, known, corpus.suite));
    const chosen = new Set(wanted);
    rows = rows.filter((row) => chosen.has(key(row)));
  }
  if (options.limit !== undefined) rows = rows.slice(0, options.limit);
  if (rows.length === 0)
    throw new UserError("no row is selected: the filters have no row in common. Drop one of them.");
  return rows;
}

function unknownMessage(
  flag: string,
  unknown: readonly string[],
  known: ReadonlySet<string>,
  suite: string,
): string {
  const names = [...known];
  const shown = names.slice(0, 12).join(", ") + (names.length > 12 ? `, … (${names.length} in all)` : "");
  const list = unknown.slice(0, 5).map((value) => JSON.stringify(value.slice(0, 80)));
  return `${flag}: ${list.join(", ")} ${unknown.length === 1 ? "is" : "are"} not in the corpus ${suite}. It has: ${shown}`;
}
