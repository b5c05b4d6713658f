// What the numbers of a pair allow to be said, in words, and no more than that.
import type { Comparison, PairLine, Side } from "./compare-data.js";
import { count, points, pointsInterval, pValue, shortened } from "./format.js";
import { promptKey } from "./standing.js";

/** Two results are called different below it, as on the leaderboard. */
const LEVEL = 0.05;
/** With fewer tasks the tests stand on little, and it is said. */
const FEW_TASKS = 10;
/** Characters of a name in a sentence. */
const NAME = 60;

export interface Words {
  /** What can be said about which one is better. */
  readonly verdict: string;
  /** What has to be known about it. */
  readonly notes: readonly string[];
}

/** In words, what the pair says. */
export function verdictOf(comparison: Comparison, pair: PairLine): Words {
  const { a, b } = comparison;
  const [better, worse] = pair.accuracy_difference > 0 ? [a, b] : [b, a];
  return {
    verdict: said(pair, shortened(better.name, NAME), shortened(worse.name, NAME)),
    notes: [...tasksNote(pair), ...conditions(a, b)],
  };
}

function said(pair: PairLine, better: string, worse: string): string {
  const { accuracy_difference: difference, p_jackknife: p, p_holm: adjusted } = pair;
  const size = points(Math.abs(difference)).replace("+", "");
  const on = `on the ${plural(pair.rows, "row")} that both have finished`;
  if (p === null) {
    const said =
      difference === 0
        ? `Both are right equally often ${on}.`
        : `${better} is right more often than ${worse} ${on}, by ${size} points.`;
    const rowsOnly =
      difference === 0 || pair.p_mcnemar === null || pair.p_mcnemar < LEVEL
        ? ""
        : ` Chance among these rows alone may explain it (McNemar’s p ${equals(pair.p_mcnemar)}).`;
    return `${said}${rowsOnly} Whether that holds for other tasks cannot be said.`;
  }
  if (difference === 0) return `Both are right equally often ${on}. ${notEqual(pair)}`;
  if (pair.jackknife_se === 0) {
    return `${better} is right more often than ${worse} ${on}, by ${size} points, and by as much in every task: how uncertain that is cannot be estimated from them, and their p says nothing.`;
  }
  const values = adjusted === null ? `p ${equals(p)}` : `p ${equals(adjusted)} after Holm’s adjustment`;
  if ((adjusted ?? p) < LEVEL) {
    const surely = `${better} is right more often than ${worse}: by ${size} points ${on}, and ${values}. For tasks like these, ${range(pair)} fit the data.`;
    return adjusted === null
      ? `${surely} The p-value is that of this pair alone, and not adjusted for other pairs that one might have looked at.`
      : surely;
  }
  if (p < LEVEL) {
    return `The data do not tell the two apart: taken alone, this pair would be called different (p ${equals(p)}, ${better} ahead by ${size} points), but it is one of ${count(pair.holm_pairs)} pairs, and ${values}. ${notEqual(pair)}`;
  }
  return `The data do not tell the two apart: ${better} is ahead by ${size} points ${on}, which chance may explain (${values}). ${notEqual(pair)}`;
}

/** Tails so far out are not known to a digit. */
const equals = (p: number): string => (p < 0.001 ? "< 0.001" : `= ${pValue(p)}`);

/** That no difference was found does not show that there is none. */
function notEqual(pair: PairLine): string {
  const { mde80 } = pair;
  if (mde80 === null || mde80 === 0) return "That does not show that they are equal.";
  return `That does not show that they are equal: ${range(pair)} fit the data, and only a true one of about ${points(mde80).replace("+", "")} points or more would be found in 80 of 100 such tests${
    pair.p_holm === null ? "" : ", Holm’s adjustment left aside"
  }.`;
}

/** The differences that the jackknife interval holds. */
function range({ jackknife_low, jackknife_high }: PairLine): string {
  return `differences a − b within ${pointsInterval(jackknife_low, jackknife_high)} points`;
}

function tasksNote({ tasks }: PairLine): string[] {
  if (tasks < 2)
    return ["All shared rows belong to one task, and tasks are the unit of the intervals and tests."];
  return tasks < FEW_TASKS
    ? [
        `There are ${count(tasks)} tasks only: intervals and tests stand on little, and the bootstrap is too narrow.`,
      ]
    : [];
}

/** What else differs between the two, and may explain a difference. */
function conditions(a: Side, b: Side): string[] {
  const partial = [a, b].filter(({ run }) => !run.full_coverage);
  const floors = [a, b].filter(({ run }) => run.baseline);
  return [
    ...(promptKey(a.run) === promptKey(b.run)
      ? []
      : ["They were asked with different prompts: a difference is one of model and prompt together."]),
    ...(partial.length === 0
      ? []
      : [
          `Not all rows of the corpus are finished by ${listed(partial)}: only rows that both have are compared.`,
        ]),
    ...(floors.length === 0
      ? []
      : [
          `${listed(floors)} ${floors.length === 1 ? "is a baseline, which asks" : "are baselines, which ask"} no model.`,
        ]),
  ];
}

/** Why `versus` has no line for two results. */
export function whyNoPair({ a, b }: Comparison, shared: number): string {
  const local = [a, b].filter(({ run }) => run.source === "local");
  if (local.length > 0) {
    return `Intervals and tests are made of published results; ${listed(local)} ${
      local.length === 1 ? "is a local run" : "are local runs"
    }. The macro compare of bench sql compares any two runs. What each of them says on rows stands below.`;
  }
  return shared === 0
    ? `There is no row that both ${shortened(a.name, NAME)} and ${shortened(b.name, NAME)} have finished, so that there is nothing to compare.`
    : "There are no figures for this pair in the report’s database.";
}

const listed = (sides: readonly Side[]): string =>
  sides.map(({ name }) => shortened(name, NAME)).join(" and ");

const plural = (n: number, thing: string): string => `${count(n)} ${thing}${n === 1 ? "" : "s"}`;
