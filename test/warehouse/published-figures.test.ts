// Figures published for real models, through the views: they have to come out again, exactly where they are exact.
import seedrandom from "seedrandom";
import { expect, test } from "vitest";
import {
  byCategory,
  byTask,
  overall,
  realPredictions,
  SUITE,
  workspaceOfCounts,
  workspaceOfPredictions,
} from "../support/published-figures.ts";
import { open } from "../support/query.ts";

const run = (model: string | undefined): string => `${SUITE}/${model}`;

test("accuracies and macro averages of 18 models from their counts", async () => {
  const { warehouse, rows, notices } = await open(workspaceOfCounts());
  await warehouse.materialise({ answers: null });
  const figures = await rows(
    `SELECT a.run_id, a.rows, a.correct, a.accuracy, a.wilson_low, a.wilson_high, m.macro_category_accuracy
     FROM accuracy_overall AS a JOIN macro_averages AS m ON m.run_id = a.run_id`,
  );
  const found = new Map(figures.map((row) => [row.run_id, row]));
  expect(found.size).toBe(18);
  for (const line of overall()) {
    expect(found.get(run(line.model_id)), line.model_id).toEqual({
      run_id: run(line.model_id),
      rows: Number(line.rows),
      correct: Number(line.correct),
      accuracy: Number(line.accuracy),
      wilson_low: Number(line.wilson_lo),
      wilson_high: Number(line.wilson_hi),
      macro_category_accuracy: expect.closeTo(Number(line.macro_category_accuracy), 12),
    });
  }

  const group = (model: unknown, id: unknown): string => `${model} ${id}`;
  const categories = await rows("SELECT * FROM accuracy_by_category");
  const inCategory = new Map(categories.map((row) => [group(row.run_id, row.category), row]));
  expect(inCategory.size).toBe(byCategory().length);
  for (const line of byCategory()) {
    expect(inCategory.get(group(run(line.model_id), line.category))).toMatchObject({
      rows: Number(line.rows),
      correct: Number(line.correct),
      accuracy: Number(line.accuracy),
      wilson_low: Number(line.wilson_lo),
      wilson_high: Number(line.wilson_hi),
    });
  }
  const tasks = await rows("SELECT * FROM accuracy_by_task");
  const inTask = new Map(tasks.map((row) => [group(row.run_id, row.task), row]));
  expect(inTask.size).toBe(byTask().length);
  for (const line of byTask()) {
    expect(inTask.get(group(run(line.model_id), line.task_id))).toMatchObject({
      rows: Number(line.rows),
      correct: Number(line.correct),
      wilson_low: Number(line.wilson_lo),
      wilson_high: Number(line.wilson_hi),
    });
  }
  expect(notices).toEqual([]);
});

interface Pair {
  readonly run_a: string;
  readonly run_b: string;
  readonly rows: number;
  readonly tasks: number;
  readonly a_only: number;
  readonly b_only: number;
  readonly accuracy_difference: number;
  readonly bootstrap_low: number;
  readonly bootstrap_high: number;
  readonly [figure: string]: number | string | null;
}

test("all pairs of full results differ by exactly the published accuracies", async () => {
  const { warehouse, rows } = await open(workspaceOfCounts());
  await warehouse.materialise({ answers: null });
  const pairs = await rows<Pair>("SELECT * FROM comparisons");
  expect(pairs).toHaveLength((18 * 17) / 2);
  const models = new Map(overall().map((line) => [run(line.model_id), line]));
  const full = pairs.filter((pair) =>
    [pair.run_a, pair.run_b].every((id) => Number(models.get(id)?.rows) === 1071),
  );
  expect(full).toHaveLength((16 * 15) / 2);
  for (const pair of full) {
    const [a, b] = [models.get(pair.run_a), models.get(pair.run_b)];
    const name = `${pair.run_a} ${pair.run_b}`;
    const gained = Number(a?.correct) - Number(b?.correct);
    expect([pair.rows, pair.tasks, pair.a_only - pair.b_only], name).toEqual([1071, 35, gained]);
    expect(pair.accuracy_difference, name).toBe(gained / 1071);
    const published = Number(a?.accuracy) - Number(b?.accuracy);
    expect(Math.abs(pair.accuracy_difference - published), name).toBeLessThanOrEqual(1e-15);
    expect(pair.p_holm, name).not.toBeNull();
  }
  // Partial results are compared on what both have, and belong to no family.
  const partial = pairs.filter((pair) => !full.includes(pair));
  expect(partial.map((pair) => [pair.rows, pair.p_holm])).toEqual(partial.map(() => [949, null]));

  // From the narrowest interval to the widest. Of 2,000 repetitions such a quantile has a standard error of 0.06 standard
  // deviations, which for models that differ widely in all tasks is more than 0.003.
  const width = (pair: Pair): number => pair.bootstrap_high - pair.bootstrap_low;
  const sorted = [...full].sort((a, b) => width(a) - width(b));
  for (const [i, bound] of [
    [0, 0.003],
    [1, 0.003],
    [30, 0.003],
    [60, 0.003],
    [90, 0.003],
    [119, 0.24],
  ] as const) {
    const pair = sorted[i] as Pair;
    const counts = (id: string): Map<string, number[]> =>
      new Map(
        byTask()
          .filter((line) => run(line.model_id) === id)
          .map((line) => [line.task_id as string, [Number(line.correct), Number(line.rows)]]),
      );
    const [a, b] = [counts(pair.run_a), counts(pair.run_b)];
    const tasks = [...a].map(
      ([task, [correct = 0, n = 0]]) => [correct - (b.get(task)?.[0] ?? 0), n] as const,
    );
    const { low, high, deviation } = bootstrap(tasks, 40_000);
    const name = `${pair.run_a} ${pair.run_b}`;
    const allowed = i === 119 ? bound * deviation : bound;
    expect(Math.abs(pair.bootstrap_low - low), `${name} low`).toBeLessThan(allowed);
    expect(Math.abs(pair.bootstrap_high - high), `${name} high`).toBeLessThan(allowed);
  }
});

test("the bootstrap is the one that is defined, and ranks stand on the adjusted p", async () => {
  const { warehouse, rows } = await open(workspaceOfCounts());
  await warehouse.materialise({ answers: null });
  const pairs = await rows<Pair>("SELECT * FROM comparisons");
  const [pair] = pairs as [Pair];
  const tasks = await rows<{ difference: number; n: number }>(
    `SELECT (correct_a - correct_b)::BIGINT AS difference, rows AS n FROM compare_by_task('${pair.run_a}', '${pair.run_b}') ORDER BY task`,
  );
  const slots = tasks.map((_, slot) => seedrandom(`20260923:${slot}`));
  const found = Array.from({ length: 2000 }, () => {
    const drawn = slots.map(
      (next) => tasks[Math.floor(next() * tasks.length)] as { difference: number; n: number },
    );
    return drawn.reduce((sum, t) => sum + t.difference, 0) / drawn.reduce((sum, t) => sum + t.n, 0);
  }).sort((a, b) => a - b);
  const end = (q: number): number => {
    const place = q * 1999;
    const [below = 0, above = 0] = [found[Math.floor(place)], found[Math.ceil(place)]];
    return below + (above - below) * (place - Math.floor(place));
  };
  expect(pair.bootstrap_low).toBeCloseTo(end(0.025), 12);
  expect(pair.bootstrap_high).toBeCloseTo(end(0.975), 12);

  const board = await rows<{ run_id: string; rank_low: number }>(
    "SELECT run_id, rank_low FROM leaderboard WHERE full_coverage ORDER BY rank",
  );
  const better = (id: string, p: string): number =>
    pairs.filter(
      (one) =>
        one.p_holm !== null &&
        (one[p] as number) < 0.05 &&
        (one.accuracy_difference > 0 ? one.run_b : one.run_a) === id,
    ).length;
  const low = board.map((row) => row.rank_low);
  expect(low).toEqual(board.map((row) => 1 + better(row.run_id, "p_holm")));
  expect(low).not.toEqual(board.map((row) => 1 + better(row.run_id, "p_jackknife")));
});

interface Bootstrapped {
  readonly low: number;
  readonly high: number;
  readonly deviation: number;
}

/** The 2.5 % and 97.5 % quantiles of the difference when whole tasks are drawn, with Marsaglia's xorshift of 32 bits. */
function bootstrap(
  tasks: readonly (readonly [difference: number, rows: number])[],
  repetitions: number,
): Bootstrapped {
  let state = 0x9e3779b9;
  const draw = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
  const found = new Float64Array(repetitions).map(() => {
    let [sum, rows] = [0, 0];
    for (let i = 0; i < tasks.length; i += 1) {
      const [difference, n] = tasks[draw(tasks.length)] as readonly [number, number];
      sum += difference;
      rows += n;
    }
    return sum / rows;
  });
  found.sort();
  const quantile = (q: number): number => {
    const place = q * (repetitions - 1);
    const [below = 0, above = 0] = [found[Math.floor(place)], found[Math.ceil(place)]];
    return below + (above - below) * (place - Math.floor(place));
  };
  const mean = found.reduce((sum, x) => sum + x, 0) / repetitions;
  const deviation = Math.sqrt(found.reduce((sum, x) => sum + (x - mean) ** 2, 0) / repetitions);
  return { low: quantile(0.025), high: quantile(0.975), deviation };
}

test("Brier, log loss and ECE of 160 real predictions", async () => {
  const { rows, notices } = await open(workspaceOfPredictions());
  const lines = realPredictions();
  const mean = (values: number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
  const sure = lines.map(({ answer, probabilities }) => probabilities[answer] as number);
  const hits = lines.map(({ answer, gold }) => (answer === gold ? 1 : 0));
  const brier = lines.map(({ probabilities, gold }) =>
    Object.entries(probabilities).reduce((sum, [label, p]) => sum + (p - (label === gold ? 1 : 0)) ** 2, 0),
  );
  const loss = lines.map(
    ({ probabilities, gold }) => -Math.log(Math.max(probabilities[gold] as number, 1e-12)),
  );
  const gaps = Array.from({ length: 10 }, (_, bin) => {
    const inside = sure.flatMap((c, i) => (c >= bin / 10 && (c < (bin + 1) / 10 || bin === 9) ? [i] : []));
    return (
      Math.abs(inside.reduce((sum, i) => sum + (sure[i] as number) - (hits[i] as number), 0)) / lines.length
    );
  });
  expect(await rows("SELECT * FROM calibration")).toEqual([
    expect.objectContaining({
      valid_rows: 160,
      brier: expect.closeTo(mean(brier), 12),
      log_loss: expect.closeTo(mean(loss), 12),
      ece: expect.closeTo(
        gaps.reduce((sum, gap) => sum + gap, 0),
        12,
      ),
      high_confidence_errors: sure.filter((c, i) => c >= 0.9 && hits[i] === 0).length,
    }),
  ]);
  expect(notices).toEqual([]);
});
