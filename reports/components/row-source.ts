// Where a row was taken from, under which license, and how it was made.
import { html } from "npm:htl";
import { membersOf, plain } from "./json-text.js";
import type { Row } from "./row-data.js";
import { inlineText, linkOrText } from "./row-text.js";

/** The section. Only a web address becomes a link. */
export function rowSource(row: Row): HTMLElement {
  const lines: [name: string, value: HTMLElement | string][] = [
    ["License", row.license === null ? "the source names none" : inlineText(row.license)],
    ["Made", inlineText(row.source_kind ?? "")],
    ["How", inlineText(row.provenance ?? "")],
    ...(row.summary === null ? [] : ([["In short", inlineText(row.summary)]] as [string, HTMLElement][])),
  ];
  const members = membersOf(row.source ?? "");
  const named =
    members === null
      ? [["Source", linkOrText(plain(row.source ?? ""))] as const]
      : members.map(({ name, value }) => [name, linkOrText(value)] as const);
  return html`<section class="card">
    <h3>Source and license</h3>
    <dl class="source">
      ${lines.map(([name, value]) => html.fragment`<dt>${name}</dt><dd>${value}</dd>`)}
    </dl>
    <p class="label">As the corpus names its source</p>
    <dl class="source">
      ${named.map(([name, value]) => html.fragment`<dt>${inlineText(name)}</dt><dd>${value}</dd>`)}
    </dl>
  </section>`;
}
