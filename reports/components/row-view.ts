// One row: what a model was shown, what is right and why, where it is from, and what was answered.
import { html } from "npm:htl";
import { sqlLinks } from "./figure.js";
import { count, NONE, percent } from "./format.js";
import { indented } from "./json-text.js";
import { rowAnswers } from "./row-answers.js";
import type { Picture, Row } from "./row-data.js";
import type { RowEntry, RowIndex } from "./row-index.js";
import { rowSource } from "./row-source.js";
import { inlineText, textBox } from "./row-text.js";
import { fileUrl } from "./site.js";
import { pageLink } from "./state.js";

/** The row below the links to others. Its heading can be focused. */
export function rowView(index: RowIndex, entry: RowEntry, row: Row): HTMLElement {
  const { site } = index;
  return html`<article class="row-view">
    <h2 class="row-title" tabindex="-1">${inlineText(row.title || row.row_id)}</h2>
    ${facts(index, entry, row)}
    <div class="row-parts">
      <section class="card">
        <h3>Evidence</h3>
        ${row.images.map((picture, i) => pictureOf(picture, i, site.about.digest))}
        ${evidence(row)}
      </section>
      <section class="card">
        <h3>Question</h3>
        ${row.ask === null ? "" : html`<p class="ask">${inlineText(row.ask)}</p>`}
        ${row.instructions === null ? "" : html`<p class="label">As a model reads it</p>${textBox(row.instructions, "Question as a model reads it", true)}`}
        <h3>Options, in the order shown</h3>
        ${options(row)}
        <h3>Why</h3>
        ${row.rationale === null ? html`<p>The corpus gives no reason.</p>` : textBox(row.rationale, "Why the right option is right", true)}
        ${row.note === null ? "" : html`<p class="label">Note</p>${textBox(row.note, "Note", true)}`}
      </section>
    </div>
    ${rowAnswers(row, site.runs)}
    ${rowSource(row)}
  </article>`;
}

function facts(index: RowIndex, entry: RowEntry, row: Row): HTMLElement {
  const right =
    entry.results === 0
      ? NONE
      : `${count(entry.correct)} of ${count(entry.results)} results (${percent(entry.share_correct, 0)})`;
  return html`<dl class="facts">
    <div><dt>Id</dt><dd><a href=${pageLink("rows", { row: row.row_id })} title="Link to this row alone">${inlineText(row.row_id)}</a></dd></div>
    <div><dt>Task</dt><dd>${inlineText(`${index.taskName(row.task)} (${row.task})`)}</dd></div>
    <div><dt>Category</dt><dd>${inlineText(index.categoryName(row.category))}</dd></div>
    <div><dt>Right</dt><dd>${right}</dd></div>
    ${(row.tags ?? []).length === 0 ? "" : html`<div><dt>Tags</dt><dd>${inlineText((row.tags ?? []).join(", "))}</dd></div>`}
    <div><dt>Below</dt><dd><a href="#answers">the answers</a></dd></div>
  </dl>`;
}

function pictureOf({ file, alt, path }: Picture, i: number, digest: string): HTMLElement {
  const name = alt === null || alt === "" ? `Picture ${count(i + 1)} of the row` : alt;
  if (file === null)
    return html`<p>The picture ${inlineText(path)} is not part of this site: it could not be read.</p>`;
  const url = fileUrl(`pictures/${file}`, digest);
  return html`<figure class="picture">
    <a href=${url} target="_blank" rel="noreferrer noopener"><img src=${url} alt=${name} loading="lazy"></a>
    <figcaption>${inlineText(name)} (${inlineText(path)})</figcaption>
  </figure>`;
}

/** The state as a model sees it; data are broken into lines for reading. */
function evidence({ state }: Row): HTMLElement {
  if (state === null) return html`<p>None.</p>`;
  const lines = indented(state);
  if (lines === null) return textBox(state, "Evidence");
  const details =
    html`<details><summary>As it is sent, on one line</summary></details>` as HTMLDetailsElement;
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1)
      details.append(textBox(state, "Evidence as it is sent"));
  });
  return html`<div>${textBox(lines, "Evidence")}${details}</div>`;
}

function options(row: Row): HTMLElement {
  const lines = row.options.map(({ label, description }) => {
    const right = label === row.gold;
    return html`<li class=${right ? "right" : ""}>
      <strong>${inlineText(label)}</strong>${right ? html` <span class="outcome right">✓ right</span>` : ""}
      ${description === null || description === "" ? "" : html`<br>${inlineText(description)}`}
    </li>`;
  });
  return html`<ol class="options">${lines}</ol>
    <p class="remark">${sqlLinks(["corpus_rows", "corpus_texts"])}</p>`;
}
