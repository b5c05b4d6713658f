// Which rows the list shows, and in which order.
import { hasAll, wordsOf } from "./fold.js";
import { answersOf, outcomeAt, type RowEntry, type RowIndex, type RunAnswers } from "./row-index.js";
import { searchTexts } from "./row-search.js";

export const DEFAULTS = {
  q: "",
  evidence: "",
  category: "",
  task: "",
  modality: "",
  position: "",
  model: "",
  outcome: "",
  sort: "id",
  page: "",
  row: "",
};
export type RowValues = typeof DEFAULTS;

export const ORDERS = [
  { value: "id", label: "by id" },
  { value: "hardest", label: "hardest first" },
];

/** What the filters leave. */
export interface Chosen {
  readonly rows: readonly RowEntry[];
  /** Of the chosen model; null without one. */
  readonly answers: RunAnswers | null;
}

/** The values, with the default for what the corpus does not have, as the controls show them. */
export function checked(values: RowValues, { site, rows }: RowIndex): RowValues {
  const known = (value: string, all: readonly string[], usual = ""): string =>
    all.includes(value) ? value : usual;
  const model = known(
    values.model,
    site.runs.map(({ run_id }) => run_id),
  );
  return {
    ...values,
    category: known(
      values.category,
      site.tasks.map(({ category }) => category),
    ),
    task: known(
      values.task,
      site.tasks.map(({ task }) => task),
    ),
    modality: known(values.modality, ["text", "image"]),
    position: rows.some(({ gold_position }) => String(gold_position) === values.position)
      ? values.position
      : "",
    model,
    outcome: model === "" ? "" : known(values.outcome, ["right", "wrong", "none", "unfinished"]),
    sort: known(
      values.sort,
      ORDERS.map(({ value }) => value),
      DEFAULTS.sort,
    ),
  };
}

/** Whether some rows may be left out. */
export function isFiltered(values: RowValues): boolean {
  const { q, category, task, modality, position, outcome } = values;
  return [q, category, task, modality, position, outcome].some((value) => value !== "");
}

/**
 * The rows that fit all filters.
 *
 * @param progress told how much of the evidence is searched, from 0 to 1; what it throws ends the search.
 */
export async function choose(
  index: RowIndex,
  values: RowValues,
  progress: (share: number) => void,
): Promise<Chosen> {
  const { category, task, modality, position, outcome } = values;
  const run = index.site.runs.find(({ run_id }) => run_id === values.model);
  const answers = run === undefined ? null : await answersOf(run);
  const words = wordsOf(values.q);
  const found =
    words.length > 0 && values.evidence === "1" ? await searchTexts(index.rows, words, progress) : null;
  const rows = index.rows.filter(
    (row) =>
      (category === "" || row.category === category) &&
      (task === "" || row.task === task) &&
      (modality === "" || row.modality === modality) &&
      (position === "" || String(row.gold_position) === position) &&
      (outcome === "" || answers === null || outcomeAt(answers, row.place) === outcome) &&
      (found?.has(row.place) ?? hasAll(row.words, words)),
  );
  if (values.sort === "hardest") rows.sort(byHardness);
  return { rows, answers };
}

/** The smallest share of right answers first, of equals what more results have wrong; unknown ones last. */
function byHardness(a: RowEntry, b: RowEntry): number {
  if (a.share_correct === null || b.share_correct === null)
    return Number(a.share_correct === null) - Number(b.share_correct === null) || a.place - b.place;
  return a.share_correct - b.share_correct || b.results - a.results || a.place - b.place;
}
