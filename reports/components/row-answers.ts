// What every result says of one row, side by side.
import { html } from "npm:htl";
import { nothing, sqlLinks } from "./figure.js";
import { count, duration, NONE, percent, shortened, usd } from "./format.js";
import type { Answer, Row } from "./row-data.js";
import { OUTCOMES, outcomeOf } from "./row-index.js";
import { shareBars } from "./row-shares.js";
import { inlineText, textBox } from "./row-text.js";
import { type Run, runNames } from "./site.js";
import { dataTable } from "./table.js";

/** Characters of an error. */
const ERROR = 200;

const KINDS = { local: "local run", partial: "partial result", "other prompt": "other prompt" } as const;

interface Line {
  readonly run: Run;
  readonly name: string;
  /** Null where the result has no record of the row. */
  readonly answer: Answer | null;
}

/** The section; results are in the order of the site. */
export function rowAnswers(row: Row, runs: readonly Run[]): HTMLElement {
  if (runs.length === 0) return nothing("Nothing is published on this corpus yet: no model has answered.");
  const names = runNames(runs);
  const lines = runs.map((run) => ({
    run,
    name: names.get(run.run_id) ?? run.run_id,
    answer: row.answers.get(run.run_id) ?? null,
  }));
  const answered = lines.filter(({ answer }) => answer !== null).length;
  return html`<section class="card answers" id="answers">
    <h3>Answers</h3>
    ${dataTable<Line>({
      caption: `What ${count(answered)} of ${count(runs.length)} results say of this row; the right option is ${shortened(row.gold, 80)}`,
      columns: [
        {
          label: "Model",
          heading: true,
          cell: ({ run, name }) => html`<span><bdi>${name}</bdi>${kind(run)}</span>`,
          sort: ({ name }) => name,
        },
        { label: "Answer", cell: ({ answer }) => given(answer), sort: ({ answer }) => answer?.label },
        {
          label: "Outcome",
          cell: ({ answer }) => verdict(answer),
          sort: ({ answer }) => outcomeOf(answer?.status ?? null, answer?.correct ?? null),
        },
        {
          label: "Confidence",
          numeric: true,
          title: "Probability that the model gave its own answer",
          cell: ({ answer }) => percent(answer?.confidence),
          sort: ({ answer }) => answer?.confidence,
        },
        { label: "Probabilities", cell: ({ answer }) => shares(row, answer) },
        { label: "Text", cell: ({ name, answer }) => raw(row, name, answer) },
        {
          label: "Latency",
          numeric: true,
          cell: ({ answer }) => (answer === null ? NONE : duration(answer.latency_ms)),
          sort: ({ answer }) => answer?.latency_ms,
        },
        {
          label: "Cost",
          numeric: true,
          cell: ({ answer }) => (answer === null ? NONE : usd(answer.cost_usd)),
          sort: ({ answer }) => answer?.cost_usd,
        },
        {
          label: "Tokens in / out",
          numeric: true,
          cell: ({ answer }) => `${count(answer?.input_tokens)} / ${count(answer?.output_tokens)}`,
        },
      ],
      rows: lines,
      key: ({ run }) => run.run_id,
      mark: ({ run }) => (run.baseline ? "floor" : undefined),
    })}
    <p class="remark">
      Probabilities stand in the order of the options; ✓ marks the right one. Tokens and cost are those of all attempts.
      ${row.images.length === 0 ? "" : "Not every model can be sent pictures."}
      ${sqlLinks(["answers"])}
    </p>
  </section>`;
}

/** What keeps a result out of the ranking. */
function kind({ standing }: Run): HTMLElement | string {
  return standing === "ranked" ? "" : html` <small>${KINDS[standing]}</small>`;
}

function given(answer: Answer | null): string | Node {
  return answer?.label == null ? NONE : html`<span class="cell">${inlineText(answer.label)}</span>`;
}

function verdict(answer: Answer | null): Node {
  const outcome = outcomeOf(answer?.status ?? null, answer?.correct ?? null);
  // An answer without a choice is valid and wrong.
  const why =
    answer === null
      ? ""
      : answer.status !== "ok"
        ? `${answer.status}${answer.error === null ? "" : `: ${shortened(answer.error, ERROR)}`}`
        : answer.label === null
          ? "chose none of the options"
          : "";
  return html`<span class="cell"><span class=${`outcome ${outcome}`}>${OUTCOMES[outcome]}</span>
    ${why === "" ? "" : html`<small>${inlineText(why)}</small>`}</span>`;
}

function shares(row: Row, answer: Answer | null): string | Node {
  if (answer === null || answer.status !== "ok") return NONE;
  const bars = shareBars(row, answer);
  if (bars === null) return "none given";
  if (answer.label_is_argmax !== false) return bars;
  return html`<div>${bars}<small>another option has a higher probability than the answer</small></div>`;
}

function raw({ images }: Row, name: string, answer: Answer | null): string | Node {
  if (answer === null) return NONE;
  const { output_text: text, output_characters: length, images_sent: sent } = answer;
  const pictures = images.length > 0 && sent === 0 ? ", no picture sent" : "";
  if (text === null || text === "") {
    return html`<span class="cell">${text === null ? "not kept" : "empty"}${pictures}</span>`;
  }
  const characters = [...text].length;
  const details = html`<details class="raw">
    <summary>${count(length ?? characters)} characters${pictures}</summary>
  </details>` as HTMLDetailsElement;
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    details.append(textBox(text, `What ${name} wrote`));
    if (length !== null && length > characters) {
      details.append(
        html`<p>Cut: the first ${count(characters)} of ${count(length)} characters. The whole text is in the published file.</p>`,
      );
    }
  });
  return details;
}
