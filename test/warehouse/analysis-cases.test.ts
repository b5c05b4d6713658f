// Runs at the edge of what the analysis is about, each with what it must say.
import { expect, test } from "vitest";
import { corpus, publish } from "../support/answered.ts";
import { publishedOracle } from "../support/oracle.ts";
import { addPublished, call, prediction } from "../support/published.ts";
import { everything, open } from "../support/query.ts";
import { makeWorkspace, result } from "../support/workspace.ts";

test("one task: the jackknife is unknown, everything else is there", async () => {
  const rows = corpus({ "A-1": 4 });
  const workspace = makeWorkspace(rows);
  publish(workspace, "a", rows, ["A-1-1", "A-1-2", "A-1-3"]);
  publish(workspace, "b", rows, ["A-1-4"]);
  const opened = await open(workspace);
  const pair = {
    run_a: "tiny/a",
    run_b: "tiny/b",
    rows: 4,
    tasks: 1,
    both_correct: 0,
    a_only: 3,
    b_only: 1,
    both_wrong: 0,
    accuracy_difference: 0.5,
    // Whichever task is drawn, it is this one.
    bootstrap_low: 0.5,
    bootstrap_high: 0.5,
    jackknife_se: null,
    jackknife_low: null,
    jackknife_high: null,
    p_jackknife: null,
    // 2 P(X <= 1) - P(X = 1) of four: 2 * 5/16 - 4/16.
    p_mcnemar: expect.closeTo(6 / 16, 14),
    mde80: null,
    p_holm: null,
  };
  expect(await opened.rows("SELECT * FROM comparisons")).toEqual([pair]);
  expect(await opened.rows("FROM compare('tiny/a', 'tiny/b')")).toEqual([pair]);
  const [overall] = await opened.rows("SELECT * FROM accuracy_overall WHERE run_id = 'tiny/a'");
  expect(overall).toMatchObject({
    accuracy: 0.75,
    wilson_low: expect.any(Number),
    jackknife_se: null,
    jackknife_low: null,
    jackknife_high: null,
  });
  expect(
    await opened.rows("SELECT model_id, rank, rank_low, rank_high FROM leaderboard ORDER BY rank"),
  ).toEqual([
    { model_id: "a", rank: 1, rank_low: 1, rank_high: 2 },
    { model_id: "b", rank: 2, rank_low: 1, rank_high: 2 },
  ]);
});

test("a task with one row counts as a task", async () => {
  const rows = corpus({ "A-1": 1, "A-2": 3 });
  const workspace = makeWorkspace(rows);
  publish(workspace, "a", rows, ["A-1-1", "A-2-1"]);
  publish(workspace, "b", rows, ["A-2-2"]);
  const opened = await open(workspace);
  // d is 1 in the first task and 0 in the second: without one of them the difference is 0 or 1 instead of 1/4.
  const se = Math.sqrt(0.5 * ((1 / 4) ** 2 + (3 / 4) ** 2));
  expect(
    await opened.rows(
      "SELECT tasks, accuracy_difference, jackknife_se, bootstrap_low, bootstrap_high FROM comparisons",
    ),
  ).toEqual([
    {
      tasks: 2,
      accuracy_difference: 0.25,
      jackknife_se: expect.closeTo(se, 14),
      bootstrap_low: 0,
      bootstrap_high: 1,
    },
  ]);
  expect(
    await opened.rows("SELECT task, labels, macro_f1 FROM task_f1 WHERE run_id = 'tiny/a' ORDER BY task"),
  ).toEqual([
    { task: "A-1", labels: 1, macro_f1: 1 },
    { task: "A-2", labels: 2, macro_f1: 0.25 },
  ]);
});

test("all right against all wrong", async () => {
  const rows = corpus({ "A-1": 2, "A-2": 3 });
  const workspace = makeWorkspace(rows);
  publish(
    workspace,
    "right",
    rows,
    rows.map(({ id }) => id),
  );
  publish(workspace, "wrong", rows, []);
  const opened = await open(workspace);
  expect(
    await opened.rows(
      "SELECT * EXCLUDE (run_id, wilson_low, wilson_high) FROM accuracy_overall ORDER BY accuracy",
    ),
  ).toEqual([
    {
      rows: 5,
      correct: 0,
      accuracy: 0,
      errors: 0,
      answered: 5,
      accuracy_answered: 0,
      jackknife_se: 0,
      jackknife_low: 0,
      jackknife_high: 0,
    },
    {
      rows: 5,
      correct: 5,
      accuracy: 1,
      errors: 0,
      answered: 5,
      accuracy_answered: 1,
      jackknife_se: 0,
      jackknife_low: 1,
      jackknife_high: 1,
    },
  ]);
  expect(
    await opened.rows(
      "SELECT run_a, a_only, b_only, accuracy_difference, bootstrap_low, bootstrap_high, jackknife_se, jackknife_low, jackknife_high, p_jackknife, p_holm, mde80 FROM comparisons",
    ),
  ).toEqual([
    {
      run_a: "tiny/right",
      a_only: 5,
      b_only: 0,
      accuracy_difference: 1,
      bootstrap_low: 1,
      bootstrap_high: 1,
      jackknife_se: 0,
      jackknife_low: 1,
      jackknife_high: 1,
      p_jackknife: 0,
      p_holm: 0,
      mde80: 0,
    },
  ]);
  expect(
    await opened.rows("SELECT model_id, rank, rank_low, rank_high FROM leaderboard ORDER BY rank"),
  ).toEqual([
    { model_id: "right", rank: 1, rank_low: 1, rank_high: 1 },
    { model_id: "wrong", rank: 2, rank_low: 2, rank_high: 2 },
  ]);
  expect(
    await opened.rows("SELECT macro_category_accuracy, macro_task_f1 FROM macro_averages ORDER BY 1"),
  ).toEqual([
    { macro_category_accuracy: 0, macro_task_f1: 0 },
    { macro_category_accuracy: 1, macro_task_f1: 1 },
  ]);
  expect(
    await opened.rows("SELECT run_id, cost_per_correct_usd IS NULL AS unknown FROM cost ORDER BY run_id"),
  ).toEqual([
    { run_id: "tiny/right", unknown: false },
    { run_id: "tiny/wrong", unknown: true },
  ]);
});

const NO_CALIBRATION = {
  valid_rows: 0,
  brier: null,
  log_loss: null,
  ece: null,
  adaptive_ece: null,
  murphy_reliability: null,
  murphy_resolution: null,
  murphy_uncertainty: null,
  aurc: null,
  high_confidence_errors: 0,
  argmax_disagreements: 0,
};

test("a label-only result and a run without a row have counts of 0 and no means", async () => {
  const rows = corpus({ "A-1": 2, "A-2": 1 });
  const workspace = makeWorkspace(rows);
  publish(workspace, "labels", rows, ["A-1-1"], { probabilities: null });
  addPublished(workspace, ["tiny", "nothing"]);
  workspace.addRun("local", { results: [] });
  const opened = await open(workspace);
  expect(await opened.rows("SELECT * EXCLUDE (run_id) FROM calibration")).toEqual([
    NO_CALIBRATION,
    NO_CALIBRATION,
    NO_CALIBRATION,
  ]);
  expect(
    await opened.rows(
      "SELECT run_id, count(*)::INT AS bins, sum(rows)::INT AS rows FROM reliability GROUP BY run_id ORDER BY run_id",
    ),
  ).toEqual(["local", "tiny/labels", "tiny/nothing"].map((run_id) => ({ run_id, bins: 10, rows: 0 })));
  expect(await opened.rows("SELECT * FROM comparisons")).toEqual([]);
  for (const [a, b] of [
    ["tiny/labels", "tiny/nothing"],
    ["local", "tiny/labels"],
    ["local", "local"],
    ["tiny/labels", "nobody"],
  ]) {
    for (const macro of ["compare", "compare_by_task", "compare_by_category"]) {
      expect(await opened.rows(`FROM ${macro}('${a}', '${b}')`), `${macro} ${a} ${b}`).toEqual([]);
    }
  }
  expect(
    await opened.rows(
      "SELECT model_id, rank, rows, correct, accuracy, rank_low, rank_high FROM leaderboard ORDER BY model_id",
    ),
  ).toEqual([
    { model_id: "labels", rank: 1, rows: 3, correct: 1, accuracy: 1 / 3, rank_low: 1, rank_high: 1 },
    { model_id: "nothing", rank: null, rows: 0, correct: 0, accuracy: null, rank_low: null, rank_high: null },
  ]);
});

test("a partial result is compared on shared rows, has no rank and is no part of the family", async () => {
  const rows = corpus({ "A-1": 3, "A-2": 3 });
  const workspace = makeWorkspace(rows);
  publish(workspace, "full", rows, ["A-1-1", "A-2-1", "A-2-2"]);
  publish(workspace, "other", rows, ["A-1-2", "A-2-3"]);
  const without = await open(workspace);
  const family =
    "SELECT p_holm, p_jackknife FROM comparisons WHERE run_a = 'tiny/full' AND run_b = 'tiny/other'";
  const before = await without.rows(family);
  // One comes first in its pairs, the other last.
  for (const model of ["a-part", "part"]) publish(workspace, model, rows.slice(1), ["A-1-2"]);
  const opened = await open(workspace);
  expect(await opened.rows(family)).toStrictEqual(before);
  expect(before).toEqual([{ p_holm: before[0]?.p_jackknife, p_jackknife: expect.any(Number) }]);
  expect(
    await opened.rows(
      "SELECT run_a, run_b, rows, tasks, p_holm FROM comparisons WHERE rows < 6 ORDER BY run_a, run_b",
    ),
  ).toEqual(
    [
      ["tiny/a-part", "tiny/full"],
      ["tiny/a-part", "tiny/other"],
      ["tiny/a-part", "tiny/part"],
      ["tiny/full", "tiny/part"],
      ["tiny/other", "tiny/part"],
    ].map(([run_a, run_b]) => ({ run_a, run_b, rows: 5, tasks: 2, p_holm: null })),
  );
  expect(
    await opened.rows("SELECT rank, rank_low, rank_high, rows FROM leaderboard WHERE NOT full_coverage"),
  ).toEqual([
    { rank: null, rank_low: null, rank_high: null, rows: 5 },
    { rank: null, rank_low: null, rank_high: null, rows: 5 },
  ]);
});

test("results with another prompt, by its version or by its digest, are another family", async () => {
  const rows = corpus({ "A-1": 3, "A-2": 3, "A-3": 3 });
  const workspace = makeWorkspace(rows);
  const better = ["A-1-1", "A-1-2", "A-2-1", "A-2-2", "A-3-1"];
  const worse = ["A-1-1", "A-2-1", "A-3-1"];
  for (const [letter, metadata] of [
    ["x", {}],
    ["y", { prompt_sha256: "ab".repeat(32) }],
    ["z", { prompt_version: "choice-v2" }],
  ] as const) {
    for (const [model, right] of [
      [`${letter}-better`, better],
      [`${letter}-worse`, worse],
    ] as const) {
      publish(workspace, model, rows, right);
      addPublished(workspace, ["tiny", model], { predictions: null, metadata });
    }
  }
  const opened = await open(workspace);
  const pairs = await opened.rows(
    "SELECT run_a, run_b, p_jackknife, p_holm FROM comparisons WHERE p_holm IS NOT NULL ORDER BY run_a",
  );
  expect(pairs.map(({ run_a, run_b }) => [run_a, run_b])).toEqual(
    ["x", "y", "z"].map((letter) => [`tiny/${letter}-better`, `tiny/${letter}-worse`]),
  );
  for (const { p_holm, p_jackknife } of pairs) {
    expect(p_jackknife).toBeGreaterThan(0.05);
    // The only pair of its family.
    expect(p_holm).toBe(p_jackknife);
  }
  // Of equal accuracies the model id decides; a range of ranks is one among the models of the family.
  expect(
    await opened.rows("SELECT rank, model_id, rank_low, rank_high FROM leaderboard ORDER BY rank"),
  ).toEqual(
    ["x-better", "y-better", "z-better", "x-worse", "y-worse", "z-worse"].map((model_id, i) => ({
      rank: i + 1,
      model_id,
      rank_low: 1,
      rank_high: 2,
    })),
  );
});

test("two models are called different below 0.05, and not a little above", async () => {
  for (const [more, p, ranks] of [
    [
      [3, 2, 1, 1, 0],
      [0.05, 0.055],
      [
        [1, 2],
        [1, 2],
      ],
    ],
    [
      [2, 1, 1, 1, 0],
      [0.03, 0.05],
      [
        [1, 1],
        [2, 2],
      ],
    ],
  ] as const) {
    const rows = corpus({ "A-1": 3, "A-2": 3, "A-3": 3, "A-4": 3, "A-5": 3 });
    const workspace = makeWorkspace(rows);
    publish(
      workspace,
      "better",
      rows,
      more.flatMap((count, i) => Array.from({ length: count }, (_, n) => `A-${i + 1}-${n + 1}`)),
    );
    publish(workspace, "worse", rows, []);
    const opened = await open(workspace);
    const [pair] = await opened.rows("SELECT p_holm FROM comparisons");
    expect(pair?.p_holm).toBeGreaterThan(p[0]);
    expect(pair?.p_holm).toBeLessThan(p[1]);
    const board = await opened.rows("SELECT rank_low, rank_high FROM leaderboard ORDER BY rank");
    expect(board.map(({ rank_low, rank_high }) => [rank_low, rank_high])).toEqual(ranks);
  }
});

test("NULL is no run", async () => {
  const rows = corpus({ "A-1": 2 });
  const workspace = makeWorkspace(rows);
  for (const model of ["a", "b", "c"]) publish(workspace, model, rows, []);
  const opened = await open(workspace);
  for (const macro of ["compare", "compare_by_task", "compare_by_category"]) {
    for (const pair of ["NULL, NULL", "NULL, 'tiny/a'", "'tiny/a', NULL"]) {
      expect(await opened.rows(`FROM ${macro}(${pair})`), `${macro}(${pair})`).toEqual([]);
    }
  }
});

test("only answers are scored, an option without a share has none, and a zero has no sign", async () => {
  const rows = corpus({ "A-1": 4 });
  const workspace = makeWorkspace(rows);
  const line = (row: string, changes: Record<string, unknown>): string =>
    prediction({ row, gold: "yes", label: "no", task: "A-1", changes });
  addPublished(workspace, ["tiny", "m"], {
    predictions: [
      // A failed call with an answer beside it.
      line("A-1-1", { status: "429", probabilities: { yes: 0.5, no: 0.5 } }),
      // The right option is left out.
      line("A-1-2", { probabilities: { no: 1 } }),
      line("A-1-3", { probabilities: { yes: 1, no: 0 } }).replace('"no":0}', '"no":-0.0}'),
      line("A-1-4", { probabilities: { yes: 1, no: 0 }, answer: "yes" }),
    ],
  });
  const opened = await open(workspace);
  expect(opened.notices).toEqual([]);
  expect(
    await opened.rows("SELECT confidence, p_gold, brier, log_loss FROM answers ORDER BY row_id"),
  ).toStrictEqual([
    { confidence: null, p_gold: null, brier: null, log_loss: null },
    { confidence: 1, p_gold: 0, brier: 2, log_loss: -Math.log(1e-12) },
    { confidence: 0, p_gold: 1, brier: 0, log_loss: 0 },
    { confidence: 1, p_gold: 1, brier: 0, log_loss: 0 },
  ]);
  expect(
    await opened.rows("SELECT valid_rows, high_confidence_errors, argmax_disagreements FROM calibration"),
  ).toEqual([{ valid_rows: 3, high_confidence_errors: 1, argmax_disagreements: 1 }]);
  expect(
    await opened.rows("SELECT threshold, accepted, coverage FROM risk_coverage ORDER BY threshold"),
  ).toStrictEqual([
    { threshold: 0, accepted: 3, coverage: 0.75 },
    { threshold: 1, accepted: 2, coverage: 0.5 },
  ]);
});

test("a confidence on the edge of a bin belongs to the upper one, and one a digit below it does not", async () => {
  const rows = corpus({ "A-1": 10 });
  const workspace = makeWorkspace(rows);
  const bins = [
    [0, 0],
    [0.1, 1],
    [0.3, 3],
    [0.1 * 3, 3],
    [0.6, 6],
    [0.7, 7],
    [0.7999999999999999, 7],
    [0.8999999999999999, 8],
    [0.9, 9],
    [1, 9],
  ] as const;
  addPublished(workspace, ["tiny", "m"], {
    predictions: rows.map(({ id: row, gold }, i) => {
      const confidence = bins[i]?.[0] ?? 0;
      const probabilities = { yes: 1 - confidence, no: confidence };
      return prediction({ row, gold, label: "no", task: "A-1", changes: { probabilities } });
    }),
  });
  const opened = await open(workspace);
  const counts = Array.from({ length: 10 }, (_, bin) => bins.filter(([, own]) => own === bin).length);
  expect(await opened.rows("SELECT rows FROM reliability ORDER BY bin")).toEqual(
    counts.map((n) => ({ rows: n })),
  );
  expect(await opened.rows("SELECT high_confidence_errors FROM calibration")).toEqual([
    { high_confidence_errors: 2 },
  ]);
});

test("token counts beyond every integer are unknown, and take no other figure with them", async () => {
  const rows = corpus({ "A-1": 1 });
  const workspace = makeWorkspace(rows);
  const most = { input: Number.MAX_SAFE_INTEGER, output: 1, cached_input: null, reasoning_output: null };
  const attempts = Array.from({ length: 1100 }, () => call({ tokens: most }));
  publish(workspace, "vast", rows, [], { attempts });
  publish(workspace, "usual", rows, []);
  workspace.addRun("r", { results: [result({ row: "A-1-1", gold: "yes", label: "yes" })] });
  const opened = await open(workspace);
  const sql = "SELECT run_id, input_tokens, output_tokens FROM";
  const found = [
    { run_id: "r", input_tokens: 10, output_tokens: 5 },
    { run_id: "tiny/usual", input_tokens: 10, output_tokens: 5 },
    { run_id: "tiny/vast", input_tokens: null, output_tokens: 1100 },
  ];
  expect(await opened.rows(`${sql} tokens ORDER BY run_id`)).toEqual(found);
  expect(await opened.rows(`${sql} answers ORDER BY run_id`)).toEqual(found);
});

test("names of tasks and categories are the active corpus's, and no other one's", async () => {
  const rows = corpus({ "A-1": 2, "A-2": 2 });
  const workspace = makeWorkspace(rows);
  publish(workspace, "here", rows, ["A-1-1"]);
  addPublished(workspace, ["tiny", "there"], {
    metadata: { corpus: { version: "0.9.0", sha256: "0".repeat(64) } },
    predictions: rows.map(({ id: row, task, category, gold }) =>
      prediction({ row, task, category, gold, label: "yes" }),
    ),
  });
  const opened = await open(workspace);
  expect(await opened.rows("SELECT run_id, task, name FROM accuracy_by_task ORDER BY run_id, task")).toEqual([
    { run_id: "tiny/here", task: "A-1", name: "Task A-1" },
    { run_id: "tiny/here", task: "A-2", name: "Task A-2" },
    { run_id: "tiny/there", task: "A-1", name: null },
    { run_id: "tiny/there", task: "A-2", name: null },
  ]);
  expect(await opened.rows("SELECT run_id, name FROM accuracy_by_category ORDER BY run_id")).toEqual([
    { run_id: "tiny/here", name: "Category alpha" },
    { run_id: "tiny/there", name: null },
  ]);
});

test("settings that a person may change in a session change no figure", async () => {
  const opened = await open(publishedOracle());
  const figures = async (): Promise<Record<string, string[]>> => {
    const all = Object.entries(await everything(opened));
    // The order of whole results is the person's to choose.
    return Object.fromEntries(all.map(([view, text]) => [view, text.split("\n").sort()]));
  };
  const usual = await figures();
  await opened.rows("SET default_order = 'DESC'; SET default_null_order = 'NULLS_FIRST'");
  expect(await figures()).toEqual(usual);
});

test("a share that is not the label's own is in no score: calibration and answers agree on who counts", async () => {
  const workspace = makeWorkspace();
  const probabilities = [
    ["yes", 0.75],
    ["no", 0.25],
  ] as const;
  addPublished(workspace, ["tiny", "m"], {
    predictions: [
      prediction({ row: "a-1", gold: "yes", label: "yes", probabilities }),
      // A native provider may choose nothing.
      prediction({ row: "a-2", gold: "no", label: null, probabilities }),
    ],
  });
  const { rows } = await open(workspace);
  expect(await rows("SELECT row_id, confidence, p_gold, brier FROM answers ORDER BY row_id")).toEqual([
    { row_id: "a-1", confidence: 0.75, p_gold: 0.75, brier: 0.125 },
    { row_id: "a-2", confidence: null, p_gold: null, brier: null },
  ]);
  expect(await rows("SELECT valid_rows, brier FROM calibration")).toEqual([{ valid_rows: 1, brier: 0.125 }]);
});
