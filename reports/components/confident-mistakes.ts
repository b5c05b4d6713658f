// Rows on which one result was sure and wrong, or did not choose what it believed in most.
import { html } from "npm:htl";
import type { BelievedRow, CalibrationLine } from "./calibration-data.js";
import { sqlLinks } from "./figure.js";
import { count, percent, shortened } from "./format.js";
import { pageLink } from "./state.js";
import { type Column, dataTable } from "./table.js";

/** Characters. */
const TITLE = 90;
const LABEL = 30;
const TASK = 40;
/** Rows before somebody asks for more. */
const LIMIT = 20;

export function confidentMistakes(
  name: string,
  line: CalibrationLine,
  mistakes: readonly BelievedRow[],
  disagreements: readonly BelievedRow[],
  taskName: (task: string) => string,
): HTMLElement[] {
  const of = `of ${count(line.valid_rows)} rows with a label and probabilities`;
  return [
    part({
      id: "confident-mistakes",
      title: `Confident mistakes: ${name}`,
      caption: `Wrong with a confidence of at least 90 %: ${count(line.high_confidence_errors)} ${of}, the surest first`,
      note: "A row that a sure model has wrong may also have a wrong label, or be read in two ways.",
      views: ["confident_mistakes"],
      none: `No mistake with a confidence of at least 90 % among the ${count(line.valid_rows)} rows with a label and probabilities.`,
      rows: mistakes,
      taskName,
    }),
    part({
      id: "argmax-disagreements",
      title: `Labels that are not the most probable option: ${name}`,
      caption: `The given label has a smaller probability than another option: ${count(line.argmax_disagreements)} ${of}`,
      note: "The label is what counts as the answer, whatever the probabilities say. Differences below 1e-9 count as none.",
      views: ["answers"],
      none: `Every given label is a most probable option of its row (${count(line.valid_rows)} rows).`,
      rows: disagreements,
      taskName,
    }),
  ];
}

interface Part {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly note: string;
  readonly views: readonly string[];
  /** Said when there are no rows. */
  readonly none: string;
  readonly rows: readonly BelievedRow[];
  readonly taskName: (task: string) => string;
}

function part({ id, title, caption, note, views, none, rows, taskName }: Part): HTMLElement {
  return html`<figure class="card" id=${id}>
    <h2>${title}</h2>
    ${
      rows.length === 0
        ? html`<p>${none}</p>`
        : dataTable<BelievedRow>({
            caption,
            columns: columns(taskName),
            rows,
            limit: LIMIT,
            key: (row) => row.row_id,
          })
    }
    <figcaption>${rows.length === 0 ? "" : note} ${sqlLinks(views)}</figcaption>
  </figure>`;
}

function columns(taskName: (task: string) => string): Column<BelievedRow>[] {
  const named = ({ task }: BelievedRow): string => (task === null ? "" : taskName(task));
  return [
    {
      label: "Row",
      heading: true,
      cell: (row) =>
        html`<a href=${pageLink("rows", { row: row.row_id })}>${shortened(row.title || row.row_id, TITLE)}</a>`,
      sort: (row) => row.title || row.row_id,
    },
    { label: "Right label", cell: ({ gold }) => shortened(gold, LABEL), sort: ({ gold }) => gold },
    { label: "Given label", cell: ({ label }) => shortened(label, LABEL), sort: ({ label }) => label },
    {
      label: "Confidence",
      numeric: true,
      title: "Probability that the model gave its own label",
      cell: ({ confidence }) => percent(confidence),
      sort: ({ confidence }) => confidence,
    },
    {
      label: "P(right label)",
      numeric: true,
      title: "Probability that the model gave the right option",
      cell: ({ p_gold }) => percent(p_gold),
      sort: ({ p_gold }) => p_gold,
    },
    { label: "Task", cell: (row) => shortened(named(row), TASK), sort: named },
  ];
}
