// Which candidates become rows: a deterministic draw in SHA-256 order that does not depend on the order in which
// candidates arrive, balanced over strata, with a limit for what belongs together.
import { createHash } from "node:crypto";
import { canonicalJson, compareCodePoints } from "../../answers/canonical.ts";
import { parseJson, stringifyJson } from "../../answers/json.ts";
import { CheckError } from "../../errors.ts";
import type { Candidate } from "./task.ts";

export interface SelectionRules {
  /** Names the draw; two tasks with one key in common draw it at different turns. */
  readonly name: string;
  readonly rows: number;
  /** Most rows of one group; absent: no limit. */
  readonly perGroup?: number | undefined;
}

/**
 * Takes candidates in SHA-256 order of `name/key` while the rules hold: every stratum gets an equal share (the first
 * strata of the same order get one more when the rows do not divide), no group is over its limit, no state twice.
 *
 * @returns the chosen candidates in drawing order.
 * @throws {CheckError} for a repeated key and for a stratum that cannot fill its share.
 */
export function selectCandidates(
  candidates: readonly Candidate[],
  rules: SelectionRules,
): readonly Candidate[] {
  const quotas = shares(
    candidates.map((candidate) => candidate.stratum),
    rules,
  );
  const groups = new Map<string, number>();
  const states = new Set<string>();
  const chosen: Candidate[] = [];
  let previous: string | undefined;
  for (const candidate of drawingOrder(candidates, (c) => `${rules.name}/${c.key}`)) {
    if (candidate.key === previous)
      throw new CheckError(`${rules.name}: the key ${candidate.key} stands twice`);
    previous = candidate.key;
    const open = quotas.get(candidate.stratum) ?? 0;
    if (open === 0) continue;
    const group = candidate.group ?? candidate.key;
    const inGroup = groups.get(group) ?? 0;
    if (rules.perGroup !== undefined && inGroup >= rules.perGroup) continue;
    const state = canonicalJson(parseJson(stringifyJson(candidate.state)));
    if (states.has(state)) continue;
    quotas.set(candidate.stratum, open - 1);
    groups.set(group, inGroup + 1);
    states.add(state);
    chosen.push(candidate);
  }
  for (const [stratum, open] of quotas) {
    if (open > 0) throw new CheckError(`${rules.name}: ${open} candidates short for ${stratum}`);
  }
  return chosen;
}

/** Items in SHA-256 order of what `name` calls them. */
export function drawingOrder<T>(items: readonly T[], name: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, digest: sha256(name(item)) }))
    .sort((a, b) => compareCodePoints(a.digest, b.digest))
    .map((entry) => entry.item);
}

function shares(strata: readonly string[], rules: SelectionRules): Map<string, number> {
  const distinct = drawingOrder([...new Set(strata)], (stratum) => `${rules.name}/stratum/${stratum}`);
  const base = Math.floor(rules.rows / distinct.length);
  const over = rules.rows - base * distinct.length;
  return new Map(distinct.map((stratum, index) => [stratum, base + (index < over ? 1 : 0)]));
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
