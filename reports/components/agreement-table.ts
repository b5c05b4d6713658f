// On how many rows two results are right together, alone or not at all; and what each of them is on its own.
import { html } from "npm:htl";
import type { Comparison, PairLine, Side } from "./compare-data.js";
import { sqlLinks } from "./figure.js";
import { count, duration, interval, NONE, percent, pValue, shortened, UNKNOWN, usdSum } from "./format.js";
import { dataTable } from "./table.js";

/** Characters of a name in a table. */
const NAME = 40;

/** The table of two by two. */
export function agreementTable({ a, b }: Comparison, pair: PairLine): HTMLElement {
  const cell = (rows: number): HTMLElement =>
    html`<td class="number">${count(rows)}<div class="share">${percent(rows / pair.rows)}</div></td>`;
  const rightA = pair.both_correct + pair.only_run;
  const rightB = pair.both_correct + pair.only_other;
  const caption = `Rows that both have finished, by who is right (n = ${count(pair.rows)})`;
  return html`<figure class="card" id="agreement">
    <h2>Right together, alone, or not at all</h2>
    <div class="table agreement" tabindex="0" role="region" aria-label=${caption}>
      <table>
        <caption>${caption}</caption>
        <thead>
          <tr>
            <td></td>
            <th scope="col" class="number">b right</th>
            <th scope="col" class="number">b wrong</th>
            <th scope="col" class="number">All</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">a right</th>
            ${cell(pair.both_correct)}${cell(pair.only_run)}${cell(rightA)}
          </tr>
          <tr>
            <th scope="row">a wrong</th>
            ${cell(pair.only_other)}${cell(pair.both_wrong)}${cell(pair.rows - rightA)}
          </tr>
          <tr>
            <th scope="row">All</th>
            ${cell(rightB)}${cell(pair.rows - rightB)}${cell(pair.rows)}
          </tr>
        </tbody>
      </table>
    </div>
    <figcaption>
      a: ${shortened(a.name, NAME)}; b: ${shortened(b.name, NAME)}. Only the rows that one alone has right tell the two apart: ${count(pair.only_run)} for a,
      ${count(pair.only_other)} for b. McNemar’s mid-p of these is ${pValue(pair.p_mcnemar)}; it takes rows as independent,
      which rows of a task are not, and says nothing about other tasks. A row without a valid answer counts as wrong.
      ${sqlLinks(["versus"])}
    </figcaption>
  </figure>`;
}

/** Both results on their own rows, and what they cost. */
export function sidesTable({ a, b, pair }: Comparison): HTMLElement {
  return html`<figure class="card" id="sides">
    <h2>Each on its own</h2>
    ${dataTable<Side>({
      caption: "All rows that each of them has finished",
      columns: [
        { label: "Model", heading: true, cell: ({ name }) => shortened(name, NAME) },
        {
          label: "Rank",
          numeric: true,
          title: "Among the full results with the same prompt",
          cell: ({ entry }) => (entry?.line.rank == null ? NONE : String(entry.line.rank)),
        },
        { label: "Accuracy", numeric: true, cell: ({ entry }) => percent(entry?.line.accuracy) },
        {
          label: "Jackknife 95 %",
          numeric: true,
          cell: ({ entry }) => interval(entry?.line.jackknife_low, entry?.line.jackknife_high),
        },
        {
          label: "Right",
          numeric: true,
          cell: ({ entry }) =>
            entry?.line.rows == null ? NONE : `${count(entry.line.correct)} of ${count(entry.line.rows)}`,
        },
        {
          label: "Errors",
          numeric: true,
          title: "Rows without a valid answer; they count as wrong",
          cell: ({ entry }) => count(entry?.line.errors),
        },
        {
          label: "Cost per 1,000 rows",
          numeric: true,
          cell: ({ entry }) => usdSum(entry?.line.cost_per_1000_rows_usd, entry?.line.cost_coverage),
        },
        { label: "Median latency", numeric: true, cell: ({ entry }) => duration(entry?.line.p50_ms) },
        { label: "Prompt", cell: ({ run }) => promptOf(run) },
      ],
      rows: [a, b],
      key: ({ run }) => run.run_id,
      mark: ({ run }) => (run.baseline ? "floor" : undefined),
    })}
    <figcaption>
      Whether two intervals overlap does not say whether two results differ${pair === null ? "." : ": the difference above is that of the same rows."}
      ${sqlLinks(["accuracy_overall", "leaderboard", "cost", "latency"])}
    </figcaption>
  </figure>`;
}

function promptOf({ prompt_version, prompt_sha256 }: Side["run"]): string {
  const digest = prompt_sha256 === null ? "" : ` (${prompt_sha256.slice(0, 8)})`;
  return `${shortened(prompt_version ?? UNKNOWN, 30)}${digest}`;
}
