// What `bench compare` does: makes sure that the two runs can be compared, prints what was found, and keeps the gates.
import { CheckError } from "../errors.ts";
import { whole } from "../figures.ts";
import { visible } from "../output.ts";
import { mostDrawnTasks } from "../warehouse/draws.ts";
import type { Row, Warehouse } from "../warehouse/warehouse.ts";
import type { CompareOptions } from "./compare.ts";
import { type Comparison, comparisonOf, type Findings, type Gate } from "./compare-document.ts";
import { printComparison } from "./compare-table.ts";
import type { Context } from "./context.ts";
import { findRun } from "./find-run.ts";
import { writeJson } from "./output.ts";
import { withWarehouse } from "./warehouse.ts";
import { assertReadable, assertWhole } from "./whole-run.ts";

/**
 * Prints the comparison of two runs, A minus B.
 *
 * @throws {UserError} when there is no such run; {@link CheckError} when there is nothing to compare, a file of a run is
 * damaged, or a gate is not met (after the comparison was printed).
 */
export async function compareRuns(
  names: readonly [string, string],
  options: CompareOptions,
  context: Context,
): Promise<void> {
  const workspace = await context.workspace();
  const pair = [await findRun(workspace, names[0]), await findRun(workspace, names[1])] as const;
  const runs = [...new Set(pair)];
  for (const run of runs) assertReadable(workspace, run);
  const bootstrap = { seed: options.seed, repetitions: options.reps };
  const found = await withWarehouse(context, { runs, bootstrap }, async (warehouse) => {
    for (const run of runs) await assertWhole(warehouse, workspace, run);
    await assertComparable(warehouse, pair);
    return comparisonOf(warehouse, pair, bootstrap, options.by);
  });
  if (found === null) {
    throw new CheckError(
      `there is nothing to compare: ${pair[0]} and ${pair[1]} have no finished row in common`,
    );
  }
  const comparison: Comparison = { ...found, gates: gatesOf(found, options) };
  for (const caution of cautions(comparison)) context.stderr.write(`${visible(caution)}\n`);
  if (options.json === true) await writeJson(context, comparison);
  else await printComparison(context, comparison);
  const missed = comparison.gates.filter((gate) => !gate.met);
  if (missed.length > 0) throw new CheckError(missed.map((gate) => reason(gate, found)).join("; "));
}

async function assertComparable(warehouse: Warehouse, pair: readonly [string, string]): Promise<void> {
  const heads = await warehouse.rows(
    "SELECT run_id, suite, corpus_version, corpus_sha256, rows_completed FROM runs WHERE run_id IN ($1, $2)",
    [...pair],
  );
  const [a, b] = pair.map((id) => heads.find((row) => row.run_id === id) ?? {}) as [Row, Row];
  if (a.corpus_sha256 === b.corpus_sha256 && a.suite !== b.suite) {
    throw new CheckError(
      `runs of different suites are not compared: ${pair[0]} says ${String(a.suite)}, ${pair[1]} says ${String(b.suite)}, of one corpus`,
    );
  }
  if (a.corpus_sha256 !== b.corpus_sha256) {
    throw new CheckError(
      `runs on different corpora are not compared: ${pair[0]} is on ${corpusOf(a)}, ${pair[1]} on ${corpusOf(b)}`,
    );
  }
  for (const row of [a, b]) {
    if (row.rows_completed === 0) {
      throw new CheckError(`there is nothing to compare: ${String(row.run_id)} has no finished row yet`);
    }
  }
}

function corpusOf(row: Row): string {
  const version = row.corpus_version === null ? "" : ` ${String(row.corpus_version)}`;
  return `${String(row.suite)}${version} (sha256 ${String(row.corpus_sha256).slice(0, 12)}…)`;
}

/** The gates that were asked for. Both look at the jackknife's interval, the one that is as wide as it says. */
function gatesOf({ jackknife95 }: Findings, options: CompareOptions): Gate[] {
  const gates: Gate[] = [];
  const [low, high] = jackknife95 ?? [null, null];
  if (options.failIfWorse !== undefined) {
    const points = options.failIfWorse;
    gates.push({ gate: "fail_if_worse", points, met: high === null || high >= -points / 100 });
  }
  if (options.failUnlessWithin !== undefined) {
    const points = options.failUnlessWithin;
    gates.push({ gate: "fail_unless_within", points, met: low !== null && low > -points / 100 });
  }
  return gates;
}

function reason({ gate, points }: Gate, { a, b, jackknife95 }: Findings): string {
  const pair = `${a.run_id} against ${b.run_id}`;
  if (jackknife95 === null) {
    return `gate not met: ${pair}: there is no interval, so nothing shows that A is within ${points} points of B`;
  }
  const end = (share: number): string => `${Number((share * 100).toPrecision(6))} points`;
  return gate === "fail_if_worse"
    ? `gate not met: ${pair}: A is surely worse by more than ${points} points (the interval ends at ${end(jackknife95[1])})`
    : `gate not met: ${pair}: A may be worse by ${points} points or more (the interval begins at ${end(jackknife95[0])})`;
}

/** What a reader must know before believing the figures. */
function cautions({ a, b, rows, tasks, jackknife95, bootstrap }: Comparison): string[] {
  const out: string[] = [];
  if (a.prompt_version !== b.prompt_version || a.prompt_sha256 !== b.prompt_sha256) {
    out.push(
      "The two runs used different prompts, or one does not say which: a difference may be the prompt's.",
    );
  }
  for (const side of a.run_id === b.run_id ? [a] : [a, b]) {
    if (side.status === "running") out.push(`${side.run_id} is not finished: its figures will change.`);
    if (side.rows_completed > rows) {
      out.push(
        `Only ${whole(rows)} of the ${whole(side.rows_completed)} finished rows of ${side.run_id} are shared; the others are left out.`,
      );
    }
  }
  if (jackknife95 === null) {
    out.push(
      tasks === 1
        ? "All shared rows are of one task, so there is no interval with tasks as clusters."
        : "The tasks of these rows are not known (the runs are on another corpus than the active one), so there is no interval.",
    );
  }
  if (bootstrap.interval95 === null && tasks > 0) {
    const most = mostDrawnTasks(bootstrap.repetitions);
    out.push(
      `${whole(bootstrap.repetitions)} repetitions of the bootstrap are too many for ${whole(tasks)} tasks ` +
        `(at most ${whole(most)}), so it was left out: ask for fewer with --reps.`,
    );
  }
  return out;
}
