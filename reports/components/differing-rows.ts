// The rows on which two results differ, and what each of them says.
import { html } from "npm:htl";
import type { Answers, CompareData, Comparison, Difference, Differences, Side } from "./compare-data.js";
import type { Choice } from "./controls.js";
import { nothing, sqlLinks } from "./figure.js";
import { count, percent, shortened } from "./format.js";
import { pageLink } from "./state.js";
import { dataTable } from "./table.js";

/** Which of them can be shown. */
export const SHOWN: readonly Choice[] = [
  { value: "", label: "all differences" },
  { value: "a", label: "only a is right" },
  { value: "b", label: "only b is right" },
  { value: "wrong", label: "both are wrong, with different answers" },
];

/** Rows that are shown at first. */
const LINES = 40;
/** Characters of a title, a label and a name. */
const TITLE = 90;
const LABEL = 30;
const NAME = 60;

/** @param show one of {@link SHOWN}. @param task only rows of this one, or of all when it is empty. */
export function differingRows(
  data: CompareData,
  comparison: Comparison,
  { rows, shared, lone }: Differences,
  { show, task }: { readonly show: string; readonly task: string },
): HTMLElement {
  const { a, b, corpus } = comparison;
  const chosen = rows.filter(
    ({ at, verdict }) => (show === "" || verdict === show) && (task === "" || corpus.task[at] === task),
  );
  const summary = [
    `They differ on ${count(rows.length)} of the ${count(shared)} rows that both have finished`,
    ...(lone === 0 ? [] : [`${count(lone)} that only one has finished left out`]),
    ...(chosen.length === rows.length ? [] : [`the filters leave ${count(chosen.length)}`]),
  ].join("; ");
  if (chosen.length === 0) {
    return nothing(
      shared === 0
        ? "There is no row that both have finished."
        : rows.length === 0
          ? `They differ on none of the ${count(shared)} rows that both have finished.`
          : `No row is left by these filters. ${summary}.`,
    );
  }
  const says = (side: Side, letter: string) => ({
    label: `${letter} says`,
    cell: ({ at, verdict }: Difference) => answerText(side.answers, at, verdict === letter),
    sort: ({ at }: Difference) => side.answers.label[at],
  });
  return html`<figure class="card" id="rows">
    <h2>Rows on which they differ</h2>
    <div class="summary" role="status">${summary}.</div>
    ${dataTable<Difference>({
      caption: `What ${shortened(a.name, NAME)} (a) and ${shortened(b.name, NAME)} (b) say`,
      columns: [
        {
          label: "Row",
          heading: true,
          cell: ({ at }) => {
            const row = corpus.row_id[at] ?? "";
            return html`<a class="title-cell" href=${pageLink("rows", { row })}>${shortened(corpus.title[at] || row, TITLE)}</a>`;
          },
          sort: ({ at }) => corpus.title[at] || corpus.row_id[at],
        },
        {
          label: "Right label",
          cell: ({ at }) => shortened(corpus.gold[at] ?? "", LABEL),
          sort: ({ at }) => corpus.gold[at],
        },
        says(a, "a"),
        says(b, "b"),
        {
          label: "Who is right",
          cell: ({ verdict }) => (verdict === "wrong" ? "neither" : verdict),
          sort: ({ verdict }) => verdict,
        },
        {
          label: "Task",
          cell: ({ at }) => shortened(data.taskName(corpus.task[at] ?? ""), 40),
          sort: ({ at }) => data.taskName(corpus.task[at] ?? ""),
        },
      ],
      rows: chosen,
      limit: LINES,
      key: ({ at }) => corpus.row_id[at] ?? "",
    })}
    <figcaption>
      A label with the probability that its result gives to it, where there is one. One row says little: what counts is how
      many there are, above. ${sqlLinks(["answers"])}
    </figcaption>
  </figure>`;
}

/** What was said; an answer without a choice and an error are no labels, and look like none. */
function answerText({ label, status, confidence }: Answers, at: number, isRight: boolean): Node {
  const [said, why, p] = [label[at], status[at], confidence[at]];
  if (why !== "ok") return html`<em>no answer (${shortened(String(why), LABEL)})</em>`;
  if (said == null) return html`<em>no choice</em>`;
  const share = p == null ? "" : html` <span class="share">${percent(p, 0)}</span>`;
  return html`<span class=${isRight ? "is-right" : "is-wrong"}>${shortened(said, LABEL)}${share}</span>`;
}
