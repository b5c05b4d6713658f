// Probabilities of one answer as small bars with their numbers.
import { html } from "npm:htl";
import { count, NONE, percent, shortened } from "./format.js";
import type { Answer, Row } from "./row-data.js";

/** With more options, only the chosen one, the right one and the most probable ones are shown at first. */
const SHOWN = 6;
/** Characters of a label. */
const LABEL = 28;

interface Share {
  readonly label: string;
  readonly share: number | null;
  readonly chosen: boolean;
  readonly right: boolean;
}

/** A list of bars in the order of the options; null without probabilities. */
export function shareBars(row: Row, answer: Answer): HTMLElement | null {
  const { probabilities, other_probabilities: others } = answer;
  if (probabilities === null) return null;
  const shareOf = (label: string, share: number | null): Share => ({
    label,
    share,
    chosen: label === answer.label,
    right: label === row.gold,
  });
  const all = [
    ...row.options.map(({ label }, i) => shareOf(label, probabilities[i] ?? null)),
    ...(others ?? []).map(([label, share]) => shareOf(label, share)),
  ];
  if (all.length <= SHOWN) return list(all);
  const byShare = [...all].sort((a, b) => (b.share ?? 0) - (a.share ?? 0)).slice(0, SHOWN - 2);
  const first = all.filter((one) => one.chosen || one.right || byShare.includes(one));
  const rest = all.filter((one) => !first.includes(one));
  const details =
    html`<details><summary>${count(rest.length)} more</summary></details>` as HTMLDetailsElement;
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(list(rest));
  });
  return html`<div>${list(first)}${details}</div>`;
}

function list(shares: readonly Share[]): HTMLElement {
  return html`<ul class="shares">${shares.map(line)}</ul>`;
}

function line({ label, share, chosen, right }: Share): HTMLElement {
  const bar = html`<span class="bar" aria-hidden="true"><span></span></span>`;
  const filled = bar.firstElementChild as HTMLElement;
  filled.style.width = `${Math.min(1, Math.max(0, share ?? 0)) * 100}%`;
  const name = html`<span class="option" title=${label}><bdi>${shortened(label, LABEL)}</bdi>${right ? " ✓" : ""}</span>`;
  return html`<li class=${chosen ? "chosen" : ""}>${name}${bar}<span class="value">${share === null ? NONE : percent(share)}</span></li>`;
}
