// Every worked query of docs/sql.md gives the right answer: computed here a second time from the files of the results, or
// taken from the values that other programs computed.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { type WorkedQuery, workedQueries } from "../../scripts/sql-docs/queries.ts";
import type { Row } from "../../src/warehouse/warehouse.ts";
import { addPublished, prediction } from "../support/published.ts";
import { open } from "../support/query.ts";
import { makeWorkspace, openAt, result } from "../support/workspace.ts";

const ROOT = fileURLToPath(new URL("../fixtures/oracle", import.meta.url));
const MODELS = ["alpha", "bravo", "charlie", "delta", "echo-label-only", "foxtrot-partial"];
const FULL = MODELS.slice(0, 5);

interface Prediction {
  readonly row_id: string;
  readonly task: string;
  readonly status: string;
  readonly answer: string | null;
  readonly gold: string;
  readonly correct: boolean;
  readonly confidence: number | null;
  readonly probabilities: Readonly<Record<string, number>> | null;
  readonly latency_ms: number;
  readonly attempts: readonly {
    readonly status: string;
    readonly tokens: { output: number | null } | null;
  }[];
}
interface Figures {
  readonly overall: Record<"accuracy" | "macro_category_accuracy" | "macro_task_f1" | "correct", number>;
  readonly by_category: readonly { id: string; accuracy: number }[];
  readonly by_task: readonly { id: string; rows: number; correct: number }[];
  readonly calibration: Record<"brier" | "log_loss" | "ece" | "aurc", number | null>;
  readonly cost: Record<"usd" | "coverage" | "per_1000_rows_usd", number>;
  readonly latency_ms: { p50: number };
}

const queries = new Map(workedQueries().map((query): [string, WorkedQuery] => [query.name, query]));
const predictions = new Map<string, Prediction[]>();
const expected = JSON.parse(readFileSync(`${ROOT}/expected.json`, "utf8")) as {
  models: Record<string, Figures>;
  pairs: Record<string, unknown>[];
};
beforeAll(() => {
  for (const model of MODELS) {
    const text = readFileSync(`${ROOT}/results/oracle-1/${model}/predictions.jsonl`, "utf8");
    const lines = text.trim().split("\n");
    predictions.set(
      model,
      lines.map((line) => JSON.parse(line) as Prediction),
    );
  }
});

const of = (model: string): readonly Prediction[] => predictions.get(model) ?? [];
const figures = (model: string): Figures => expected.models[model] as Figures;
const id = (model: string): string => `oracle-1/${model}`;
const round = (value: number | null, digits: number): number | null =>
  value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;
/** What the query gives over the workspace of the fixtures. */
async function answer(name: string): Promise<Row[]> {
  const { rows } = await open(openAt(ROOT, ""));
  return rows(sqlOf(name));
}
function sqlOf(name: string): string {
  const query = queries.get(name);
  if (query === undefined) throw new Error(`no query ${name}`);
  return query.sql;
}
function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

test("quality-overview", async () => {
  const want = MODELS.map((model) => {
    const { overall, calibration } = figures(model);
    return {
      run_id: id(model),
      accuracy: round(overall.accuracy, 4),
      macro_category: round(overall.macro_category_accuracy, 4),
      macro_f1: round(overall.macro_task_f1, 4),
      brier: round(calibration.brier, 4),
      log_loss: round(calibration.log_loss, 4),
      ece: round(calibration.ece, 4),
      aurc: round(calibration.aurc, 4),
    };
  }).sort((a, b) => (b.accuracy ?? 0) - (a.accuracy ?? 0));
  expect(await answer("quality-overview")).toEqual(want);
});

test("categories-side-by-side", async () => {
  expect(await answer("categories-side-by-side")).toEqual(
    MODELS.map((model) => ({
      run_id: id(model),
      ...Object.fromEntries(figures(model).by_category.map((group) => [group.id, round(group.accuracy, 3)])),
    })),
  );
});

test("compare-two, for published results and for a local run against one", async () => {
  const pair = expected.pairs.find(({ a, b }) => a === "alpha" && b === "bravo") as {
    [name: string]: number;
  } & { jackknife95: [number, number] };
  expect(await answer("compare-two")).toEqual([
    {
      rows: 427,
      tasks: 12,
      a_only: pair.a_only,
      b_only: pair.b_only,
      difference: round(pair.difference ?? null, 4),
      jackknife_low: round(pair.jackknife95[0], 4),
      jackknife_high: round(pair.jackknife95[1], 4),
      p_jackknife: round(pair.p_jackknife ?? null, 5),
      mde80: round(pair.mde80 ?? null, 4),
    },
  ]);
  const workspace = makeWorkspace();
  const gold = { "a-1": "yes", "a-2": "no", "a-3": "no", "b-1": "2" };
  workspace.addRun("my-run", {
    results: Object.entries(gold).map(([row, right]) => result({ row, gold: right, label: right })),
  });
  addPublished(workspace, ["tiny", "other"], {
    predictions: Object.entries(gold).map(([row, right]) =>
      prediction({ row, gold: right, label: row === "a-1" ? "no" : right }),
    ),
  });
  const { rows } = await open(workspace);
  const sql = sqlOf("compare-two")
    .replace("oracle-1/alpha", "my-run")
    .replace("oracle-1/bravo", "tiny/other");
  // Tasks of 2, 1 and 1 rows with sums of d 1, 0 and 0. Left out in turn they give 0, 1/3 and 1/3 around 1/4.
  const se = Math.sqrt((2 / 3) * (1 / 16 + 2 * (1 / 3 - 1 / 4) ** 2));
  expect(await rows(sql)).toEqual([
    {
      rows: 4,
      tasks: 3,
      a_only: 1,
      b_only: 0,
      difference: 0.25,
      jackknife_low: round(0.25 - 4.30265272991127 * se, 4),
      jackknife_high: round(0.25 + 4.30265272991127 * se, 4),
      // Student's distribution with two degrees of freedom has this closed form.
      p_jackknife: round(1 - 0.25 / Math.sqrt(2 * se * se + 0.25 * 0.25), 5),
      mde80: round((4.30265272991127 + 1.06066017177982) * se, 4),
    },
  ]);
});

test("better-tasks", async () => {
  const [alpha, bravo] = [figures("alpha").by_task, figures("bravo").by_task];
  const want = alpha
    .map(({ id: task, rows, correct }) => {
      const other = bravo.find((group) => group.id === task)?.correct ?? 0;
      return { task, rows, correct_a: correct, correct_b: other, difference: (correct - other) / rows };
    })
    .sort((a, b) => b.difference - a.difference || byText(a.task, b.task))
    .slice(0, 5)
    .map((row) => ({ ...row, difference: round(row.difference, 3) }));
  const found = await answer("better-tasks");
  expect(found).toMatchObject(want);
  for (const row of found)
    expect(Number(row.a_only) - Number(row.b_only)).toBe(Number(row.correct_a) - Number(row.correct_b));
});

test("disagreements", async () => {
  const want = of("alpha").flatMap((a) => {
    const b = of("bravo").find((other) => other.row_id === a.row_id);
    if (b === undefined || a.task !== "LEG-1" || a.correct === b.correct) return [];
    const who = a.correct ? "A" : "B";
    return [{ row_id: a.row_id, gold: a.gold, a: a.answer, b: b.answer, who_is_right: who }];
  });
  expect(want).toHaveLength(12);
  expect(await answer("disagreements")).toEqual(want.sort((a, b) => byText(a.row_id, b.row_id)));
});

test("missed-by-all: no row of the fixtures, and the right one of a small workspace", async () => {
  const hit = (row: string): boolean =>
    FULL.some((model) => of(model).some((one) => one.row_id === row && one.correct));
  expect(of("alpha").every(({ row_id }) => hit(row_id))).toBe(true);
  expect(await answer("missed-by-all")).toEqual([]);
  const workspace = makeWorkspace([
    { id: "a-1", task: "A-1", category: "alpha", gold: "yes", options: ["yes", "no"] },
    { id: "a-2", task: "A-1", category: "alpha", gold: "no", options: ["yes", "no", "maybe"] },
  ]);
  for (const [model, label] of [
    ["m", "yes"],
    ["n", "maybe"],
  ] as const) {
    addPublished(workspace, ["tiny", model], {
      predictions: [
        prediction({ row: "a-1", gold: "yes", label: model === "m" ? "yes" : "no" }),
        prediction({ row: "a-2", gold: "no", label }),
      ],
    });
  }
  // A partial result that knows better is not asked.
  addPublished(workspace, ["tiny", "partial"], {
    predictions: [prediction({ row: "a-2", gold: "no", label: "no" })],
  });
  const { rows } = await open(workspace);
  expect(await rows(sqlOf("missed-by-all"))).toEqual([
    { row_id: "a-2", task: "A-1", gold: "no", models: 2, answered: ["maybe", "yes"] },
  ]);
});

test("hardest-rows", async () => {
  const want = of("alpha").flatMap(({ row_id, task, gold }) => {
    const wrong = FULL.flatMap((model) => of(model).filter((one) => one.row_id === row_id && !one.correct));
    const said = wrong.flatMap((one) => (one.answer === null ? [] : [one.answer]));
    if (wrong.length < 4) return [];
    return [
      { row_id, task, gold, wrong: wrong.length, models: 5, said_instead: [...new Set(said)].sort(byText) },
    ];
  });
  expect(want.length).toBeGreaterThan(0);
  expect(await answer("hardest-rows")).toEqual(
    want.sort((a, b) => b.wrong - a.wrong || byText(a.row_id, b.row_id)),
  );
});

test("sure-and-wrong", async () => {
  const want = of("delta")
    .filter((one) => !one.correct && one.answer !== null && (one.probabilities?.[one.answer] ?? 0) >= 0.9)
    .map((one) => ({ one, confidence: one.probabilities?.[one.answer ?? ""] ?? 0 }))
    .sort((a, b) => b.confidence - a.confidence || byText(a.one.row_id, b.one.row_id));
  expect(want).toHaveLength(9);
  expect(await answer("sure-and-wrong")).toEqual(
    want.map(({ one, confidence }) => ({
      row_id: one.row_id,
      task: one.task,
      gold: one.gold,
      label: one.answer,
      confidence: round(confidence, 3),
      p_gold: round(one.probabilities?.[one.gold] ?? null, 3),
    })),
  );
});

/** Every step of a run's risk/coverage curve, counted row by row. */
function curve(model: string): { threshold: number; coverage: number; risk: number }[] {
  const sure = of(model).flatMap(({ answer: label, probabilities, correct }) =>
    label === null || probabilities === null ? [] : [{ confidence: probabilities[label] ?? 0, correct }],
  );
  return [...new Set([0, ...sure.map(({ confidence }) => confidence)])].map((threshold) => {
    const taken = sure.filter(({ confidence }) => confidence >= threshold);
    const wrong = taken.filter(({ correct }) => !correct).length;
    return { threshold, coverage: taken.length / of(model).length, risk: wrong / taken.length };
  });
}

test("accuracy-at-coverage", async () => {
  const want = MODELS.flatMap((model) => {
    const [best] = curve(model)
      .filter(({ coverage }) => coverage >= 0.9)
      .sort((a, b) => b.threshold - a.threshold);
    if (best === undefined) return [];
    const { threshold, coverage, risk } = best;
    const figures = {
      threshold: round(threshold, 4),
      coverage: round(coverage, 4),
      accuracy: round(1 - risk, 4),
    };
    return [{ run_id: id(model), ...figures }];
  });
  expect(want).toHaveLength(5);
  expect(await answer("accuracy-at-coverage")).toEqual(
    want.sort((a, b) => (b.accuracy ?? 0) - (a.accuracy ?? 0)),
  );
});

test("threshold-for-risk", async () => {
  const want = MODELS.flatMap((model) => {
    const [best] = curve(model)
      .filter(({ risk }) => risk <= 0.05)
      .sort((a, b) => b.coverage - a.coverage || b.threshold - a.threshold);
    if (best === undefined) return [];
    const { threshold, coverage, risk } = best;
    const figures = { threshold: round(threshold, 4), coverage: round(coverage, 4), risk: round(risk, 4) };
    return [{ run_id: id(model), ...figures }];
  });
  expect(want.length).toBeGreaterThan(2);
  const found = await answer("threshold-for-risk");
  // Where all rows are accepted, 0 and the lowest confidence are the same step.
  const comparable = (rows: readonly Row[]): Row[] =>
    rows.map((row) => (row.coverage === 1 ? { ...row, threshold: 0 } : row));
  expect(comparable(found)).toEqual(comparable(want.sort((a, b) => (b.coverage ?? 0) - (a.coverage ?? 0))));
});

test("confusions", async () => {
  const runs = new Map<string, Set<string>>();
  const keys = MODELS.flatMap((model) =>
    of(model)
      .filter(({ correct }) => !correct)
      .map(({ task, gold, answer: label }) => {
        const key = JSON.stringify([task, gold, label]);
        runs.set(key, (runs.get(key) ?? new Set()).add(model));
        return key;
      }),
  );
  const want = [...tally(keys)]
    .map(([key, rows]) => {
      const [task, gold, label] = JSON.parse(key) as [string, string, string | null];
      return { task, gold, label, rows, runs: runs.get(key)?.size ?? 0 };
    })
    .sort((a, b) => b.rows - a.rows || byText(a.task, b.task) || byText(a.gold, b.gold));
  expect(await answer("confusions")).toEqual(want.slice(0, 6));
});

test("label-habits", async () => {
  const rows = of("delta").filter(({ task }) => task === "LEG-1");
  const chosen = tally(rows.flatMap((row) => (row.answer === null ? [] : [row.answer])));
  const right = tally(rows.map(({ gold }) => gold));
  const hits = tally(rows.filter(({ correct }) => correct).map(({ gold }) => gold));
  expect(await answer("label-habits")).toEqual(
    [...new Set([...chosen.keys(), ...right.keys()])].sort(byText).map((label) => ({
      label,
      times_chosen: chosen.get(label) ?? 0,
      times_right_one: right.get(label) ?? 0,
      hits: hits.get(label) ?? 0,
    })),
  );
});

test("gold-position", async () => {
  const places = new Map(
    readFileSync(`${ROOT}/data/corpus/oracle-1/cases.jsonl`, "utf8")
      .trim()
      .split("\n")
      .map(
        (line) => JSON.parse(line) as { id: string; questions: [{ gold: string; option_order: string[] }] },
      )
      .map(({ id: row, questions: [{ gold, option_order: order }] }) => [row, order.indexOf(gold) + 1]),
  );
  const at = (model: string, place: number) => of(model).filter(({ row_id }) => places.get(row_id) === place);
  const share = (model: string, place: number): number =>
    at(model, place).filter(({ correct }) => correct).length / at(model, place).length;
  expect(await answer("gold-position")).toEqual(
    [1, 2, 3, 4, 5].map((place) => ({
      gold_position: place,
      rows: at("delta", place).length,
      accuracy: round(share("delta", place), 3),
      wilson_low: expect.any(Number),
      wilson_high: expect.any(Number),
      other_accuracy: round(share("echo-label-only", place), 3),
    })),
  );
});

test("cheapest-of-the-best, alone at the top and among models that cannot be told apart", async () => {
  const { overall, cost, latency_ms: latency } = figures("alpha");
  expect(await answer("cheapest-of-the-best")).toEqual([
    {
      model_id: "alpha",
      accuracy: round(overall.accuracy, 4),
      rank: 1,
      rank_low: 1,
      rank_high: 1,
      usd_per_1000_rows: round(cost.per_1000_rows_usd, 5),
      p50_ms: Math.round(latency.p50),
    },
  ]);
  const workspace = makeWorkspace([
    { id: "a-1", task: "A-1", category: "alpha", gold: "yes", options: ["yes", "no"] },
  ]);
  for (const [model, cost_usd] of [
    ["dear", 0.5],
    ["cheap", 0.25],
    ["unknown", null],
  ] as const) {
    const attempts = [
      { status: "ok", error: null, duration_ms: 5, cost_usd, cost_basis: "provider_reported", tokens: null },
    ];
    addPublished(workspace, ["tiny", model], {
      predictions: [prediction({ row: "a-1", gold: "yes", label: "yes", attempts })],
    });
  }
  const { rows } = await open(workspace);
  expect(await rows(sqlOf("cheapest-of-the-best"))).toMatchObject([
    { model_id: "cheap", rank_low: 1, rank_high: 3, usd_per_1000_rows: 250 },
  ]);
});

test("cost-per-correct", async () => {
  const want = MODELS.map((model) => {
    const { overall, cost } = figures(model);
    return {
      run_id: id(model),
      accuracy: round(overall.accuracy, 4),
      usd_per_1000_rows: round(cost.per_1000_rows_usd, 5),
      usd_per_1000_correct: round((cost.usd / overall.correct) * 1000, 5),
      cost_coverage: round(cost.coverage, 3),
    };
  });
  expect(await answer("cost-per-correct")).toEqual(
    want.sort((a, b) => (a.usd_per_1000_correct ?? 0) - (b.usd_per_1000_correct ?? 0)),
  );
});

test("slowest-rows", async () => {
  const want = MODELS.flatMap((model) => of(model).map((one) => ({ model, one })))
    .sort((a, b) => b.one.latency_ms - a.one.latency_ms)
    .slice(0, 5)
    .map(({ model, one }) => ({
      run_id: id(model),
      row_id: one.row_id,
      latency_ms: Math.round(one.latency_ms),
      attempts: one.attempts.length,
      output_tokens: one.attempts.reduce((sum, { tokens }) => sum + (tokens?.output ?? 0), 0),
      status: one.status,
    }));
  expect(await answer("slowest-rows")).toEqual(want);
});

/** Rows as PIVOT gives them: a column for every status that occurs, 0 where it does not. */
function pivot(statuses: (model: string) => string[]): Row[] {
  const all = [...new Set(MODELS.flatMap(statuses))].sort(byText);
  return MODELS.flatMap((model) => {
    const counts = tally(statuses(model));
    if (counts.size === 0) return [];
    return [
      { run_id: id(model), ...Object.fromEntries(all.map((status) => [status, counts.get(status) ?? 0])) },
    ];
  });
}

test("error-kinds", async () => {
  const failed = (model: string): string[] =>
    of(model).flatMap(({ status }) => (status === "ok" ? [] : [status]));
  expect(await answer("error-kinds")).toEqual(pivot(failed));
});

test("cured-by-retry", async () => {
  const cured = (model: string): string[] =>
    of(model)
      .filter(({ status }) => status === "ok")
      .flatMap(({ attempts }) => [...new Set(attempts.map(({ status }) => status))])
      .filter((status) => status !== "ok");
  expect(await answer("cured-by-retry")).toEqual(pivot(cured));
});

test("every worked query has a test here", () => {
  const text = readFileSync(fileURLToPath(import.meta.url), "utf8");
  for (const name of queries.keys()) expect(text).toMatch(new RegExp(`^test\\("${name}[",: ]`, "m"));
});
