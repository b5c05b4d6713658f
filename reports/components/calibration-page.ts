// How far the probabilities of a result can be trusted.
import { html } from "npm:htl";
import { beliefsOf, type Calibrated, type CalibrationData, calibrationData } from "./calibration-data.js";
import { calibrationOverview } from "./calibration-overview.js";
import { calibrationScores } from "./calibration-scores.js";
import { confidentMistakes } from "./confident-mistakes.js";
import { controls, select } from "./controls.js";
import { nothing } from "./figure.js";
import { count, shortened } from "./format.js";
import { reliabilityFigure } from "./reliability-figure.js";
import { riskFigure } from "./risk-figure.js";
import { pageState } from "./state.js";

const DEFAULTS = { model: "" };
/** Characters of a name. */
const NAME = 60;

/** The page below its heading. */
export async function calibrationPage(): Promise<HTMLElement> {
  const data = await calibrationData();
  if (data.site.corpus === null) {
    return nothing(
      "This workspace has no corpus yet. Choose one with bench corpus use, and make the report again.",
    );
  }
  if (data.results.length === 0) {
    return nothing(
      "No result has finished rows on this corpus. Publish a run with bench publish, and make the report again.",
    );
  }
  const state = pageState(DEFAULTS);
  const choices = inOrder(data.results);
  const content = html`<div aria-live="polite"></div>`;
  const picker = controls(
    select(
      state,
      "model",
      "Model",
      choices.map(({ run, name, line }) => ({
        value: run.run_id,
        label: `${shortened(name, NAME)}${line.valid_rows === 0 ? " (no probabilities)" : ""}`,
      })),
    ),
  );
  let shown: string | null = null;
  const draw = async (): Promise<void> => {
    const { model } = state.get();
    const result = choices.find(({ run }) => run.run_id === model) ?? choices[0];
    if (result === undefined || shown === result.run.run_id) return;
    shown = result.run.run_id;
    const parts = await sections(data, result);
    // Another choice was made while this one was loaded.
    if (shown === result.run.run_id) content.replaceChildren(...parts);
  };
  state.listen(() => void draw());
  await draw();
  const choose = (run: string): void => {
    state.set({ model: run });
    picker.scrollIntoView();
    picker.querySelector("select")?.focus();
  };
  return html`<div>${calibrationOverview(data.results, choose)}${picker}${content}</div>`;
}

/** Results with probabilities first: the first one is shown when nobody has chosen. */
function inOrder(results: readonly Calibrated[]): Calibrated[] {
  const scored = results.filter(({ line }) => line.valid_rows > 0);
  return [...scored, ...results.filter(({ line }) => line.valid_rows === 0)];
}

async function sections(data: CalibrationData, result: Calibrated): Promise<HTMLElement[]> {
  const { run, line } = result;
  const name = shortened(result.name, NAME);
  if (line.valid_rows === 0) {
    return [
      nothing(
        `${name} gave no probabilities with any of its ${count(line.rows)} finished rows: there is nothing whose calibration could be shown.`,
      ),
    ];
  }
  const upper = [calibrationScores(name, line), reliabilityFigure(name, line, data.binsOf(run.run_id))];
  try {
    const { risk, mistakes, disagreements } = await beliefsOf(run);
    return [
      ...upper,
      riskFigure(name, line, risk),
      ...confidentMistakes(name, line, mistakes, disagreements, data.taskName),
    ];
  } catch (error) {
    return [...upper, nothing(error instanceof Error ? error.message : String(error))];
  }
}
