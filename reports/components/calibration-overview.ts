// How sure every result is, and how often it is right: the two should be one.
import { html } from "npm:htl";
import type { Calibrated } from "./calibration-data.js";
import { COLOR, nameAxis, Plot, plot } from "./chart.js";
import { figure, nothing } from "./figure.js";
import { count, NONE, percent, score, shortened } from "./format.js";
import { pageLink } from "./state.js";
import type { Column } from "./table.js";

/** Results that a table begins with. */
const LIMIT = 50;
/** Names that a sentence lists; the table has all. */
const LISTED = 8;
const NAME = 60;

/** @param choose shows a result below. */
export function calibrationOverview(
  results: readonly Calibrated[],
  choose: (run: string) => void,
): HTMLElement {
  const scored = results.filter(({ line }) => line.valid_rows > 0);
  return figure<Calibrated>({
    id: "overview",
    title: "Confidence and accuracy of every result",
    caption: caption(results, scored),
    views: ["calibration", "answers"],
    draw: (width) => (scored.length === 0 ? nothing("No result has probabilities.") : drawing(width, scored)),
    table: {
      caption: "Calibration of all results",
      columns: columns(choose),
      rows: results,
      limit: LIMIT,
      key: ({ run }) => run.run_id,
      mark: ({ run }) => (run.baseline ? "floor" : undefined),
    },
    open: true,
  });
}

function caption(results: readonly Calibrated[], scored: readonly Calibrated[]): string {
  const without = results.filter(({ line }) => line.valid_rows === 0);
  const names = without.slice(0, LISTED).map(({ name }) => shortened(name, NAME));
  const rest = without.length - names.length;
  const sizes = scored.map(({ line }) => line.valid_rows);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return [
    scored.length === 0
      ? ""
      : `Filled: share of right answers. Hollow: mean confidence, the probability that a result gave its own label. Right of its accuracy a result is too sure of itself, left of it too modest. n = ${
          least === most ? count(least) : `${count(least)} to ${count(most)}`
        } rows with a label and probabilities; others are left out, so that an accuracy here may be above that of the leaderboard.`,
    scored.length === 0 ? "" : "No intervals are drawn here; the bins below have them.",
    without.length === 0
      ? ""
      : `Without any probabilities: ${names.join(", ")}${rest === 0 ? "" : ` and ${count(rest)} more`}.`,
  ]
    .filter((text) => text !== "")
    .join(" ");
}

function drawing(width: number, scored: readonly Calibrated[]): Element {
  const { margin, short } = nameAxis(
    scored.map(({ name }) => name),
    width,
  );
  const names = new Map(scored.map(({ run, name }) => [run.run_id, short(name)]));
  const y = ({ run }: Calibrated): string => run.run_id;
  const accuracy = ({ line }: Calibrated): number | null => line.accuracy;
  const confidence = ({ line }: Calibrated): number | null => line.mean_confidence;
  return plot(width, {
    height: 56 + scored.length * 20,
    marginLeft: margin,
    marginRight: 16,
    marginTop: 10,
    marginBottom: 42,
    x: {
      label: width < 560 ? "Share (%)" : "Share of right answers, mean confidence (%)",
      percent: true,
      grid: true,
      nice: true,
      labelAnchor: "center",
      labelArrow: "none",
    },
    y: {
      type: "band",
      domain: scored.map(y),
      label: null,
      tickSize: 0,
      tickFormat: (run: string) => names.get(run) ?? run,
    },
    marks: [
      Plot.ruleY(scored, { y, x1: accuracy, x2: confidence, stroke: COLOR.second, strokeWidth: 2 }),
      Plot.dot(scored, {
        y,
        x: confidence,
        r: 4.5,
        stroke: COLOR.second,
        fill: "var(--theme-background)",
      }),
      Plot.dot(scored, {
        y,
        x: accuracy,
        r: 4.5,
        fill: COLOR.main,
        title: described,
        tip: true,
      }),
    ],
  });
}

function described({ name, line }: Calibrated): string {
  return [
    shortened(name, NAME),
    `right: ${percent(line.accuracy)}`,
    `mean confidence: ${percent(line.mean_confidence)}`,
    `n = ${count(line.valid_rows)} rows with probabilities`,
  ].join("\n");
}

function columns(choose: (run: string) => void): Column<Calibrated>[] {
  return [
    {
      label: "Model",
      heading: true,
      cell: (result) => link(result, choose),
      sort: ({ name }) => name,
    },
    {
      label: "Rows (coverage)",
      numeric: true,
      title: "Rows with a label and probabilities, and their share of all finished rows",
      cell: ({ line }) =>
        line.valid_rows === 0
          ? `none of ${count(line.rows)}`
          : `${count(line.valid_rows)} (${percent(line.coverage)})`,
      sort: ({ line }) => line.coverage,
    },
    number("Accuracy", "Of the rows with probabilities", ({ line }) => line.accuracy, percent),
    number(
      "Confidence",
      "Mean probability that a result gave its own label",
      ({ line }) => line.mean_confidence,
      percent,
    ),
    number("Brier", "Mean Brier score over all options, 0 (best) to 2", ({ line }) => line.brier, score),
    number("Log loss", "Mean log loss in nats, 0 is best", ({ line }) => line.log_loss, score),
    number("ECE", "Expected calibration error, ten bins of equal width", ({ line }) => line.ece, percent),
    number(
      "Reliability",
      "Murphy's reliability: mean squared distance of confidence and accuracy, 0 is best",
      ({ line }) => line.murphy_reliability,
      (value) => score(value, 4),
    ),
    number(
      "Resolution",
      "Murphy's resolution: how far the bins differ, more is better",
      ({ line }) => line.murphy_resolution,
      (value) => score(value, 4),
    ),
    number(
      "Uncertainty",
      "Murphy's uncertainty: accuracy (1 - accuracy)",
      ({ line }) => line.murphy_uncertainty,
      (value) => score(value, 4),
    ),
    {
      label: "Source",
      cell: ({ line }) => line.sources.map((source) => shortened(source, 30)).join(", ") || NONE,
      sort: ({ line }) => line.sources.join(", ") || null,
    },
  ];
}

function number(
  label: string,
  title: string,
  value: (result: Calibrated) => number | null,
  format: (value: number | null) => string,
): Column<Calibrated> {
  return { label, title, numeric: true, cell: (result) => format(value(result)), sort: value };
}

/** An address that can be sent; within the page nothing is loaded anew. */
function link({ run, name }: Calibrated, choose: (run: string) => void): HTMLElement {
  const element = html`<a href=${pageLink("calibration", { model: run.run_id })}>${name}</a>`;
  element.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    choose(run.run_id);
  });
  return element;
}
