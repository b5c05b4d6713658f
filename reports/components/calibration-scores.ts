// The scores of one result, with what they mean.
import { html } from "npm:htl";
import type { CalibrationLine } from "./calibration-data.js";
import { sqlLinks } from "./figure.js";
import { count, percent, score, shortened, UNKNOWN } from "./format.js";

interface Measure {
  readonly name: string;
  readonly value: string;
  readonly best: string;
  readonly meaning: string;
}

export function calibrationScores(name: string, line: CalibrationLine): HTMLElement {
  return html`<figure class="card" id="scores">
    <h2>Scores: ${name}</h2>
    <p>Over the ${count(line.valid_rows)} of ${count(line.rows)} finished rows with a label and probabilities (${percent(line.coverage)}).</p>
    <dl class="scores">${measures(line).map(
      ({ name: text, value, best, meaning }) => html`<div>
        <dt>${text}</dt>
        <dd class="value">${value}</dd>
        <dd>${meaning} ${best}</dd>
      </div>`,
    )}</dl>
    <figcaption>
      Source of the probabilities: ${line.sources.length === 0 ? UNKNOWN : line.sources.map((source) => shortened(source, 30)).join(", ")}. Murphy's terms judge one event, that the given
      label is right: reliability − resolution + uncertainty is the Brier score of that event when every row has the mean
      confidence of its bin. It is not the Brier score above, which is over all options. With few rows a bin, chance alone
      makes ECE and Murphy's first two terms larger. ${sqlLinks(["calibration", "reliability", "answers"])}
    </figcaption>
  </figure>`;
}

function measures(line: CalibrationLine): Measure[] {
  return [
    {
      name: "Accuracy",
      value: percent(line.accuracy),
      best: "",
      meaning: "Share of these rows whose label is right.",
    },
    {
      name: "Mean confidence",
      value: percent(line.mean_confidence),
      best: "",
      meaning: "Mean probability given to the own label. Above the accuracy: too sure.",
    },
    {
      name: "Brier score",
      value: score(line.brier),
      best: "0 is best, 2 worst.",
      meaning: "Squared distance of the probabilities of all options from what was right.",
    },
    {
      name: "Log loss",
      value: score(line.log_loss),
      best: "0 is best.",
      meaning:
        "Mean of -ln of the probability of the right option, in nats. Few rows that are wrong and very sure can make most of it.",
    },
    {
      name: "ECE",
      value: percent(line.ece),
      best: "0 is best.",
      meaning: "Mean distance of confidence and accuracy over ten bins of equal width.",
    },
    {
      name: "Adaptive ECE",
      value: percent(line.adaptive_ece),
      best: "0 is best.",
      meaning:
        "The same over ten bins with equally many rows; rows of one confidence may fall into two of them.",
    },
    {
      name: "Murphy: reliability",
      value: score(line.murphy_reliability, 4),
      best: "0 is best.",
      meaning: "Mean squared distance of confidence and accuracy over the bins of the diagram.",
    },
    {
      name: "Murphy: resolution",
      value: score(line.murphy_resolution, 4),
      best: "More is better, up to the uncertainty.",
      meaning:
        "How far the accuracies of the bins differ from the overall one: whether confidence tells right from wrong.",
    },
    {
      name: "Murphy: uncertainty",
      value: score(line.murphy_uncertainty, 4),
      best: "It says nothing of the quality.",
      meaning: "Accuracy times error rate: what there is to be told apart.",
    },
    {
      name: "AURC",
      value: score(line.aurc),
      best: "0 is best.",
      meaning: "Area under the risk/coverage curve below: the error rate over all shares of accepted rows.",
    },
  ];
}
