// Whether a task's rows can be decided from what is shown. A rule is run over every row; where the label was recorded
// and no rule gives it, like cases vote: far from what a person who knows the field reaches, but above chance, or the
// state does not carry the label.
import { parseJson, stringifyJson, toPlain } from "../../answers/json.ts";
import { drawingOrder } from "./selection.ts";
import type { FactStore } from "./sources.ts";
import { binomialUpperTail, groupBy } from "./statistics.ts";
import type { Candidate, Decision, Features, Options, Task } from "./task.ts";

/** What a check came to. */
export interface Decidability {
  readonly by: "rule" | "neighbours";
  /** Cases decided as recorded, of `cases`. */
  readonly right: number;
  readonly cases: number;
  /** Share that blind choice would reach. */
  readonly chance: number;
  /** Chance of `right` or more by blind choice: one-sided, exact binomial. */
  readonly p: number;
  readonly says: string;
}

/** How many of the nearest vote. */
export const NEIGHBOURS = 9;
/** Cases of one answer that are compared at most. */
const PER_STRATUM = 100;

/** The state as a task's functions read it: parsed from the JSON that a model is shown. */
export function plainState(candidate: Candidate): unknown {
  return toPlain(parseJson(stringifyJson(candidate.state)));
}

/**
 * Runs the task's check: its rule over the chosen rows, or its neighbours over a balanced sample of all candidates, each
 * case left out in turn together with its group.
 *
 * @returns null for a task without a check.
 */
export function decidability(
  task: Task,
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  facts: FactStore,
): Decidability | null {
  const { decision } = task;
  if (decision === undefined) return null;
  const { right, cases, chance } =
    decision.by === "rule"
      ? ruled(task, chosen, decision.decide, facts)
      : compared(task, candidates, (state) => decision.features(state, facts));
  return {
    by: decision.by,
    right,
    cases,
    chance,
    p: binomialUpperTail(right, cases, chance),
    says: decision.says,
  };
}

interface Outcome {
  readonly right: number;
  readonly cases: number;
  readonly chance: number;
}

function ruled(
  task: Task,
  chosen: readonly Candidate[],
  decide: (Decision & { by: "rule" })["decide"],
  facts: FactStore,
): Outcome {
  let right = 0;
  let chance = 0;
  for (const candidate of chosen) {
    const options: Options = candidate.options ?? task.options ?? [];
    const known = { facts, drawing: candidate.picture?.().svg ?? null };
    if (decide(plainState(candidate), new Map(options), known) === candidate.gold) right += 1;
    chance += 1 / options.length / chosen.length;
  }
  return { right, cases: chosen.length, chance };
}

function compared(
  task: Task,
  candidates: readonly Candidate[],
  features: (state: unknown) => Features,
): Outcome {
  const strata = groupBy(
    drawingOrder(candidates, (c) => `decidability/${task.id}/${c.key}`),
    (c) => c.gold,
  );
  const size = Math.min(PER_STRATUM, ...[...strata.values()].map((same) => same.length));
  const cases = [...strata.values()].flatMap((same) => same.slice(0, size));
  const described = ranked(cases.map((candidate) => features(plainState(candidate))));
  let right = 0;
  cases.forEach((candidate, index) => {
    const group = groupOf(candidate);
    const nearest = cases
      .map((other, place) => ({ other, place }))
      .filter(({ other, place }) => place !== index && groupOf(other) !== group)
      .map(({ other, place }) => ({ gold: other.gold, distance: distance(described, index, place), place }))
      .sort((a, b) => a.distance - b.distance || a.place - b.place)
      .slice(0, NEIGHBOURS);
    if (vote(nearest.map(({ gold }) => gold)) === candidate.gold) right += 1;
  });
  return { right, cases: cases.length, chance: 1 / strata.size };
}

const groupOf = (candidate: Candidate): string => candidate.group ?? candidate.key;

/** The answer that most of the nearest have; of equals the one that came first. */
function vote(golds: readonly string[]): string | undefined {
  const votes = groupBy(golds, (gold) => gold);
  return [...votes].sort((a, b) => b[1].length - a[1].length)[0]?.[0];
}

/** Numbers as their rank from 0 to 1 among the cases, so that a long tail does not outweigh the rest. */
function ranked(described: readonly Features[]): readonly Features[] {
  const names = [...new Set(described.flatMap((features) => Object.keys(features)))];
  const ranks = new Map<string, Map<number, number>>();
  for (const name of names) {
    const values = described.map((f) => f[name]).filter((value) => typeof value === "number");
    const sorted = [...new Set(values)].sort((a, b) => a - b);
    ranks.set(
      name,
      new Map(sorted.map((value, i) => [value, sorted.length < 2 ? 0 : i / (sorted.length - 1)])),
    );
  }
  return described.map((features) =>
    Object.fromEntries(
      names.map((name) => {
        const value = features[name] ?? null;
        return [name, typeof value === "number" ? (ranks.get(name)?.get(value) ?? 0) : value];
      }),
    ),
  );
}

/** Mean over the features: difference of ranks, 0 or 1 for words, share not in common for lists (Gower's coefficient). */
function distance(described: readonly Features[], one: number, two: number): number {
  const a = described[one] ?? {};
  const b = described[two] ?? {};
  const names = Object.keys(a);
  return names.reduce((sum, name) => sum + apart(a[name] ?? null, b[name] ?? null), 0) / names.length;
}

type Value = Features[string];

function apart(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b);
  if (isList(a) && isList(b)) {
    const left = new Set(a);
    const shared = [...new Set(b)].filter((item) => left.has(item)).length;
    const all = new Set([...a, ...b]).size;
    return all === 0 ? 0 : 1 - shared / all;
  }
  return a === b ? 0 : 1;
}

function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}
