// Every figure of the oracle's expected.json, at the tolerance that it states, through published results and local runs.
import { expect, test } from "vitest";
import type { Row } from "../../src/warehouse/warehouse.ts";
import { mirrored } from "../support/mirror.ts";
import {
  type ExpectedPair,
  expectedFigures,
  figuresOfRun,
  localOracle,
  pairFigures,
  publishedOracle,
  type Tolerance,
  walk,
} from "../support/oracle.ts";
import { type Opened, open } from "../support/query.ts";

const expected = expectedFigures();
const models = Object.keys(expected.models);

/** Leaves of a tree: what a forgotten figure would be missing from. */
function leaves(tree: unknown): number {
  if (typeof tree !== "object" || tree === null) return 1;
  return Object.values(tree).reduce((sum: number, child) => sum + leaves(child), 0);
}

/** What a pair's figures may differ by: the bootstrap by chance, p values by 1e-9. */
function pairTolerance(pair: ExpectedPair): Tolerance {
  return (path) => {
    if (path.startsWith("bootstrap95")) return 4 * 0.06 * pair.bootstrap_sd;
    return path.startsWith("p_") ? 1e-9 : null;
  };
}

/** The figures of a pair: not whether both are full, nor the tolerance. A pair outside the family says nothing of p_holm. */
function figuresOf({ full, bootstrap_sd, ...figures }: ExpectedPair): Record<string, unknown> {
  return { p_holm: null, ...figures };
}

async function fast(opened: Opened): Promise<Opened> {
  await opened.warehouse.materialise({ attempts: null, answers: null });
  return opened;
}

async function expectModels(opened: Opened, runOf: (model: string) => string): Promise<number> {
  let compared = 0;
  for (const model of models) {
    // The thresholds of the curve are confidences, which nothing is computed from.
    const exact: Tolerance = (path) => (path.endsWith(".threshold") ? 1e-12 : null);
    const found = walk(expected.models[model], await figuresOfRun(opened, runOf(model)), exact);
    expect(found.differences, model).toEqual([]);
    compared += found.compared;
  }
  return compared;
}

/** Holds compare(a, b), in both orders, to the expected figures. */
async function expectCompare({ rows }: Opened, runOf: (model: string) => string): Promise<void> {
  for (const pair of expected.pairs) {
    const { a, b } = pair;
    const [there] = await rows(`FROM compare('${runOf(a)}', '${runOf(b)}')`);
    const [back] = await rows(`FROM compare('${runOf(b)}', '${runOf(a)}')`);
    // Two runs alone are no family.
    const want = { ...figuresOf(pair), p_holm: null };
    const { differences } = walk(want, pairFigures(there as Row, [a, b]), pairTolerance(pair));
    expect(differences, `${a} ${b}`).toEqual([]);
    expect(there).toMatchObject({ run_a: runOf(a), run_b: runOf(b) });
    expect(back, `${b} ${a}`).toStrictEqual(mirrored(there as Row));
  }
}

test("every figure of the published results, their pairs and ranks, and none is left out", async () => {
  const opened = await fast(await open(publishedOracle()));
  const { rows, notices } = opened;
  const run = (model: string): string => `oracle-1/${model}`;
  let compared = await expectModels(opened, run);

  const [corpus] = await rows(
    "SELECT count(*) AS rows, (SELECT min(corpus_sha256) FROM runs WHERE current_corpus) AS sha256 FROM corpus_rows",
  );
  expect(corpus).toEqual({ rows: expected.rows, sha256: expected.corpus_sha256 });
  compared += 2;

  const pairs = await rows("SELECT * FROM comparisons ORDER BY run_a, run_b");
  expect(pairs.map((pair) => [pair.run_a, pair.run_b])).toEqual(
    expected.pairs.map(({ a, b }) => [run(a), run(b)]),
  );
  const full = new Map(
    (await rows("SELECT run_id, full_coverage FROM runs")).map((row) => [row.run_id, row.full_coverage]),
  );
  expected.pairs.forEach((pair, i) => {
    const found = walk(figuresOf(pair), pairFigures(pairs[i] as Row, [pair.a, pair.b]), pairTolerance(pair));
    expect(found.differences, `${pair.a} ${pair.b}`).toEqual([]);
    expect(full.get(run(pair.a)) === true && full.get(run(pair.b)) === true).toBe(pair.full);
    expect("p_holm" in pair).toBe(pair.full);
    // Its standard deviation was used as the tolerance.
    compared += found.compared + (pair.full ? 2 : 1);
  });

  const board = await rows("SELECT * FROM leaderboard ORDER BY rank NULLS LAST, run_id");
  const ranked = board.filter((row) => row.rank !== null);
  const ranks = walk(
    expected.ranks,
    Object.fromEntries(
      ranked.map((row) => [row.model_id, { rank_low: row.rank_low, rank_high: row.rank_high }]),
    ),
  );
  expect(ranks.differences).toEqual([]);
  compared += ranks.compared;
  const accuracy = (model: string): number =>
    (expected.models[model] as { overall: { accuracy: number } }).overall.accuracy;
  const order = Object.keys(expected.ranks).sort((a, b) => accuracy(b) - accuracy(a) || (a < b ? -1 : 1));
  expect(ranked.map((row) => [row.rank, row.model_id])).toEqual(order.map((model, i) => [i + 1, model]));
  expect(board.filter((row) => row.rank === null)).toEqual([
    expect.objectContaining({
      model_id: "foxtrot-partial",
      full_coverage: false,
      rank_low: null,
      rank_high: null,
    }),
  ]);

  // Everything but the note.
  expect(expected.note).toMatch(
    /^bootstrap95 from 100,000 NumPy repetitions; compare ends within 4 x 0.06 x/,
  );
  expect(compared).toBe(leaves(expected) - 1);
  expect(compared).toBeGreaterThan(8000);
  expect(notices).toEqual([]);
});

test("compare(a, b) of every pair of published results agrees, and mirrors compare(b, a) exactly", async () => {
  await expectCompare(await fast(await open(publishedOracle())), (model) => `oracle-1/${model}`);
});

test("the same results as ledgers of local runs have the same figures and comparisons", async () => {
  const opened = await fast(await open(localOracle()));
  await expectModels(opened, (model) => model);
  await expectCompare(opened, (model) => model);
  expect(await opened.rows("SELECT * FROM comparisons")).toEqual([]);
  expect(await opened.rows("SELECT * FROM leaderboard")).toEqual([]);
  expect(opened.notices).toEqual([]);
});

test("a label-only result has all ten bins, empty, and a curve that accepts nothing", async () => {
  const { rows } = await open(publishedOracle());
  const run = "run_id = 'oracle-1/echo-label-only'";
  expect(
    await rows(`SELECT bin, rows, mean_confidence, accuracy FROM reliability WHERE ${run} ORDER BY bin`),
  ).toEqual(
    Array.from({ length: 10 }, (_, bin) => ({ bin, rows: 0, mean_confidence: null, accuracy: null })),
  );
  expect(await rows(`SELECT * EXCLUDE (run_id) FROM risk_coverage WHERE ${run} ORDER BY threshold`)).toEqual([
    { threshold: 0, coverage: 0, risk: null, accepted: 0, errors: 0 },
    { threshold: 1, coverage: 0, risk: null, accepted: 0, errors: 0 },
  ]);
});
