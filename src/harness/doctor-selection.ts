// The selection of a run that is damaged or lost: run.json froze the digest of its rows, so a selection that is found
// again is known to be the right one, and one that is not found is not guessed.
import type { Corpus } from "../corpus/load.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import type { Bounds } from "../ledgers/damage.ts";
import type { FrozenConfig } from "../ledgers/schema.ts";
import { type Examination, rowsTold, type Scanned } from "./doctor-ledgers.ts";
import { selectionOf } from "./freeze.ts";

export interface FoundSelection {
  /** In corpus order; null when it is not known. */
  readonly ids: readonly string[] | null;
  /** Whether the file has to be written anew to hold them. */
  readonly isLost: boolean;
}

/**
 * The selected rows, proven by the digest in `run.json`: those of the file, or those of the corpus that fit.
 *
 * @param ids what the whole lines of the file say.
 */
export async function findSelection(
  examination: Examination,
  { scanned, ids }: { readonly scanned: Scanned; readonly ids: readonly string[] },
  frozen: FrozenConfig["selected_rows"],
  corpus: Corpus | null,
  bounds: Bounds,
): Promise<FoundSelection> {
  if (isFrozen([...ids], frozen)) return { ids, isLost: scanned.place.kind !== "file" };
  if (corpus === null || frozen.count > corpus.rows.length) return { ids: null, isLost: true };
  const all = corpus.rows;
  const sure = new Set(ids);
  // The whole corpus, or what --limit leaves of it.
  const first = all.slice(0, frozen.count);
  if (isFrozen(idsOf(first), frozen)) return { ids: idsOf(first), isLost: true };
  const told = await rowsTold(examination, bounds);
  const seen = new Set([...sure, ...told]);
  const guesses: ((row: CorpusRow) => boolean)[] = [
    (row) => sure.has(row.id),
    (row) => told.has(row.id),
    (row) => seen.has(row.id),
    ...[(row: CorpusRow) => row.task, (row: CorpusRow) => row.category].map((group) => {
      const groups = new Set(all.filter((row) => seen.has(row.id)).map(group));
      return (row: CorpusRow) => groups.has(group(row));
    }),
  ];
  for (const guess of guesses) {
    const rows = all.filter(guess);
    // What --limit leaves of it comes first in the corpus.
    const guessed = idsOf(rows.slice(0, frozen.count));
    if (isFrozen(guessed, frozen)) return { ids: guessed, isLost: true };
  }
  return { ids: null, isLost: true };
}

function idsOf(rows: readonly CorpusRow[]): string[] {
  return rows.map((row) => row.id);
}

function isFrozen(ids: string[], frozen: FrozenConfig["selected_rows"]): boolean {
  return ids.length === frozen.count && selectionOf(ids).sha256 === frozen.sha256;
}

/** The line of a row in `selection.jsonl`, without its end. */
export function selectionLine(id: string): string {
  return JSON.stringify({ row_id: id });
}
