import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { sqlFiles } from "../../src/warehouse/views.ts";
import { Warehouse } from "../../src/warehouse/warehouse.ts";
import { everything, open } from "../support/query.ts";
import { addTwoRuns } from "../support/runs.ts";
import { finished, makeWorkspace, openAt, result } from "../support/workspace.ts";

/** Keys and columns as the contract for ad-hoc SQL names them. */
const CONTRACT: Record<string, { key: string[]; columns: string }> = {
  runs: {
    key: ["run_id"],
    columns:
      "run_id source source_run_id model_id label vendor provider api_model suite corpus_version corpus_sha256 current_corpus prompt_version prompt_sha256 status full_coverage rows_in_corpus rows_selected rows_completed damaged_lines created_at completed_at published_at git_commit git_dirty harness_version analysis_version",
  },
  corpus_rows: {
    key: ["row_id"],
    columns:
      "row_id task task_name category category_name source_kind dataset modality title gold options option_count gold_position",
  },
  attempts: {
    key: ["attempt_id"],
    columns:
      "attempt_id run_id row_id number status error started_at duration_ms queued_ms http_status cost_usd cost_basis input_tokens output_tokens cached_input_tokens reasoning_output_tokens resolved_model",
  },
  answers: {
    key: ["run_id", "row_id"],
    columns:
      "run_id row_id model_id task category source_kind modality status is_valid error label gold correct confidence p_gold probabilities probability_source label_is_argmax brier log_loss gold_position images_sent output_text latency_ms cost_usd cost_basis input_tokens output_tokens cached_input_tokens reasoning_output_tokens attempts",
  },
  accuracy_overall: {
    key: ["run_id"],
    columns:
      "run_id rows correct accuracy wilson_low wilson_high errors answered accuracy_answered jackknife_se jackknife_low jackknife_high",
  },
  accuracy_by_category: {
    key: ["run_id", "category"],
    columns: "run_id category name rows correct accuracy wilson_low wilson_high errors",
  },
  accuracy_by_task: {
    key: ["run_id", "task"],
    columns: "run_id task name rows correct accuracy wilson_low wilson_high errors",
  },
  accuracy_by_source_kind: {
    key: ["run_id", "source_kind"],
    columns: "run_id source_kind rows correct accuracy wilson_low wilson_high errors",
  },
  accuracy_by_modality: {
    key: ["run_id", "modality"],
    columns: "run_id modality rows correct accuracy wilson_low wilson_high errors",
  },
  accuracy_by_gold_position: {
    key: ["run_id", "gold_position"],
    columns: "run_id gold_position rows correct accuracy wilson_low wilson_high errors",
  },
  confusion: { key: ["run_id", "task", "gold", "label"], columns: "run_id task gold label n" },
  task_f1: { key: ["run_id", "task"], columns: "run_id task labels macro_f1" },
  macro_averages: { key: ["run_id"], columns: "run_id macro_category_accuracy macro_task_f1" },
  calibration: {
    key: ["run_id"],
    columns:
      "run_id valid_rows brier log_loss ece adaptive_ece murphy_reliability murphy_resolution murphy_uncertainty aurc high_confidence_errors argmax_disagreements",
  },
  reliability: { key: ["run_id", "bin"], columns: "run_id bin low high rows mean_confidence accuracy" },
  risk_coverage: {
    key: ["run_id", "threshold"],
    columns: "run_id threshold coverage risk accepted errors",
  },
  leaderboard: {
    key: ["run_id"],
    columns:
      "run_id rank model_id label accuracy wilson_low wilson_high correct rows errors cost_usd cost_coverage cost_per_1000_rows_usd p50_ms full_coverage prompt_version prompt_sha256 rank_low rank_high",
  },
  paired_rows: {
    key: ["run_a", "run_b", "row_id"],
    columns: "run_a run_b row_id task category correct_a correct_b outcome",
  },
  comparisons: {
    key: ["run_a", "run_b"],
    columns:
      "run_a run_b rows tasks both_correct a_only b_only both_wrong accuracy_difference bootstrap_low bootstrap_high jackknife_se jackknife_low jackknife_high p_jackknife p_mcnemar mde80 p_holm",
  },
  latency: { key: ["run_id"], columns: "run_id p50_ms p95_ms p99_ms mean_ms sum_ms" },
  cost: {
    key: ["run_id"],
    columns: "run_id cost_usd cost_coverage cost_basis cost_per_1000_rows_usd cost_per_correct_usd",
  },
  tokens: {
    key: ["run_id"],
    columns: "run_id input_tokens output_tokens cached_input_tokens reasoning_output_tokens token_coverage",
  },
  attempt_totals: {
    key: ["run_id"],
    columns: "run_id attempts retries attempt_errors incomplete_attempts",
  },
  reference_results: { key: ["run_id"], columns: "run_id" },
  pictured_rows: { key: ["row_id"], columns: "row_id picture_sent" },
  accuracy_by_slice: {
    key: ["run_id", "category", "modality", "pictures"],
    columns:
      "run_id category modality pictures rows correct accuracy wilson_low wilson_high errors tasks jackknife_low jackknife_high",
  },
  row_results: {
    key: ["row_id"],
    columns: "row_id results correct errors share_correct wrong_label wrong_label_results",
  },
  confident_mistakes: {
    key: ["run_id", "row_id"],
    columns: "run_id row_id task category label gold confidence p_gold",
  },
  tied_groups: { key: ["run_id"], columns: "run_id first_group last_group" },
  fronts: { key: ["run_id"], columns: "run_id on_cost_front on_latency_front" },
  versus: {
    key: ["run_id", "other_run_id"],
    columns:
      "run_id other_run_id rows tasks both_correct only_run only_other both_wrong accuracy_difference bootstrap_low bootstrap_high jackknife_se jackknife_low jackknife_high p_jackknife p_mcnemar mde80 p_holm",
  },
  versus_by_task: {
    key: ["run_id", "other_run_id", "task"],
    columns:
      "run_id other_run_id task rows correct correct_other both_correct only_run only_other both_wrong difference difference_low difference_high",
  },
  corpus_texts: {
    key: ["row_id"],
    columns: "row_id state ask instructions rationale note summary source license provenance tags images",
  },
};

const TYPES: Record<string, string> = {
  rows: "BIGINT",
  correct: "BIGINT",
  accuracy: "DOUBLE",
  wilson_low: "DOUBLE",
  jackknife_se: "DOUBLE",
  damaged_lines: "BIGINT",
  created_at: "TIMESTAMP WITH TIME ZONE",
  published_at: "TIMESTAMP WITH TIME ZONE",
  current_corpus: "BOOLEAN",
  full_coverage: "BOOLEAN",
  probabilities: "MAP(VARCHAR, DOUBLE)",
  brier: "DOUBLE",
  log_loss: "DOUBLE",
  cost_usd: "DOUBLE",
  cost_coverage: "DOUBLE",
  token_coverage: "DOUBLE",
  input_tokens: "BIGINT",
  attempts: "BIGINT",
  retries: "BIGINT",
  latency_ms: "DOUBLE",
  sum_ms: "DOUBLE",
  options: 'STRUCT("label" VARCHAR, description VARCHAR)[]',
  images: "STRUCT(path VARCHAR, media_type VARCHAR, alt VARCHAR)[]",
  tags: "VARCHAR[]",
  state: "VARCHAR",
  option_count: "BIGINT",
  gold_position: "BIGINT",
};

/** Views that have rows of published results alone. */
const OF_PUBLISHED: ReadonlySet<string> = new Set([
  "leaderboard",
  "paired_rows",
  "comparisons",
  "reference_results",
  "tied_groups",
  "fronts",
  "versus",
  "versus_by_task",
]);

/** Columns of keys that say something by being NULL: no answer, and all of them. */
const MAY_BE_NULL: Readonly<Record<string, readonly string[]>> = {
  confusion: ["label"],
  accuracy_by_slice: ["category", "modality"],
};
const WHOLE_SLICE = "category IS NULL AND modality IS NULL AND pictures = 'all'";

test("every view has exactly the columns of the contract, each with a comment and a stable type", async () => {
  const { warehouse, rows } = await open(makeWorkspace());
  expect([...warehouse.views].sort()).toEqual(Object.keys(CONTRACT).sort());
  for (const [view, { columns }] of Object.entries(CONTRACT)) {
    const found = await rows<{ column_name: string; data_type: string; comment: string | null }>(
      `SELECT column_name, data_type, comment FROM duckdb_columns() WHERE schema_name = 'main' AND table_name = '${view}' ORDER BY column_index`,
    );
    expect(found.map((column) => column.column_name).join(" "), view).toBe(columns);
    for (const { column_name, data_type, comment } of found) {
      expect(comment, `${view}.${column_name}`).toBeTruthy();
      expect(data_type, `${view}.${column_name}`).not.toMatch(/HUGEINT|DECIMAL|INTEGER|FLOAT|NULL/);
      const type = TYPES[column_name];
      if (type !== undefined && !(view === "answers" && column_name === "correct")) {
        expect(data_type, `${view}.${column_name}`).toBe(type);
      }
    }
  }
  const views = await rows(
    "SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal",
  );
  for (const view of views) expect(view.comment).toBeTruthy();
});

test("the files are core SQL, which a DuckDB without JSON and files reads too (browser.test.ts), and open with their grain", () => {
  for (const { name, stage, sql } of sqlFiles()) {
    expect(sql.replace(/^(--|COMMENT ON ).*$/gm, ""), name).not.toMatch(/json|->>|\bread_|[a-z] -> /i);
    if (!stage.startsWith("0_")) expect(sql, name).toMatch(/^-- Grain: /);
    expect(sql, name).toMatch(/^-- .*\bUnits?: /m);
  }
});

test("introspection sees all views and reads nothing", async () => {
  const { rows, notices } = await open(makeWorkspace());
  expect((await rows("SHOW TABLES")).map((row) => row.name)).toEqual(Object.keys(CONTRACT).sort());
  expect((await rows("DESCRIBE cost")).map((row) => row.column_name)).toContain("cost_coverage");
  expect(await rows("SELECT * FROM information_schema.tables WHERE table_name = 'answers'")).toHaveLength(1);
  expect(notices).toEqual([]);
});

test("keys are unique and ranges hold", async () => {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  const { rows } = await open(workspace);
  const published = await open(openAt(fileURLToPath(new URL("../fixtures/oracle", import.meta.url)), ""));
  for (const [view, { key }] of Object.entries(CONTRACT)) {
    const ofPublished = OF_PUBLISHED.has(view);
    const nullable = key.filter((column) => !MAY_BE_NULL[view]?.includes(column));
    const [found] = await (ofPublished ? published.rows : rows)(
      `SELECT count(*) AS n, count(DISTINCT (${key.join(", ")})) AS keys, count(*) FILTER (WHERE ${nullable.map((k) => `${k} IS NULL`).join(" OR ")}) AS nulls FROM ${view}`,
    );
    expect(found?.n, view).toBeGreaterThan(0);
    expect(found, view).toEqual({ n: found?.n, keys: found?.n, nulls: 0 });
  }
  for (const view of Object.keys(CONTRACT).filter((name) => name.startsWith("accuracy_"))) {
    const whole = view === "accuracy_by_slice" ? `WHERE ${WHOLE_SLICE}` : "";
    const bad = await rows(
      `SELECT * FROM ${view} WHERE NOT (accuracy BETWEEN 0 AND 1 AND wilson_low BETWEEN 0 AND accuracy + 1e-15 AND wilson_high BETWEEN accuracy - 1e-15 AND 1 AND correct + errors <= rows AND rows > 0)`,
    );
    expect(bad, view).toEqual([]);
    const sums = await rows(
      `SELECT g.run_id FROM (SELECT run_id, sum(rows) AS r, sum(correct) AS k, sum(errors) AS e FROM ${view} ${whole} GROUP BY run_id) AS g JOIN accuracy_overall AS o USING (run_id) WHERE (r, k, e) <> (o.rows, o.correct, o.errors)`,
    );
    expect(sums, view).toEqual([]);
  }
  expect(
    await rows(
      "SELECT * FROM answers WHERE NOT (coalesce(brier, 0) BETWEEN 0 AND 2 AND coalesce(log_loss, 0) BETWEEN 0 AND 27.7 AND coalesce(confidence, 0) BETWEEN 0 AND 1)",
    ),
  ).toEqual([]);
  expect(
    await rows(
      "SELECT * FROM attempt_totals JOIN runs USING (run_id) WHERE full_coverage AND attempts - retries <> rows_completed",
    ),
  ).toEqual([]);
});

test("answers hold what the ledger says, with labels of any kind", async () => {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  const { json, rows } = await open(workspace);
  const shares = await json("SELECT probabilities FROM answers WHERE run_id = 'whole' AND row_id = 'b-1'");
  expect(shares).toBe('{"probabilities":{"10":0.1,"2":0.6,"__proto__":0.2,"constructor":0.1}}');
  const found = await rows(
    "SELECT * EXCLUDE (probabilities, output_text) FROM answers WHERE run_id = 'whole' ORDER BY row_id",
  );
  const pick = (columns: string) => found.map((row) => columns.split(" ").map((column) => row[column]));
  expect(pick("row_id task category source_kind modality gold_position")).toEqual([
    ["a-1", "A-1", "alpha", "written", "text", 1],
    ["a-2", "A-1", "alpha", "written", "text", 2],
    ["a-3", "A-2", "alpha", "real", "text", 2],
    ["b-1", "B-1", "beta", "written", "text", 2],
    ["b-2", "B-1", "beta", "written", "text", 2],
    ["b-3", "B-1", "beta", "written", "text", 3],
  ]);
  expect(pick("status is_valid label correct confidence p_gold label_is_argmax")).toEqual([
    ["ok", true, "yes", true, 0.75, 0.75, true],
    ["ok", true, "yes", false, 1, 0, true],
    ["429", false, null, false, null, null, null],
    ["ok", true, "2", true, 0.6, 0.6, true],
    ["ok", true, null, false, null, null, null],
    ["ok", true, "constructor", false, 0.3, 0.4, false],
  ]);
  const brier = (shares: number[], gold: number) =>
    shares.reduce((sum, p, i) => sum + (p - (i === gold ? 1 : 0)) ** 2, 0);
  const expected = [
    brier([0.75, 0.25], 0),
    brier([1, 0], 1),
    null,
    brier([0.1, 0.6, 0.2, 0.1], 1),
    null,
    brier([0.3, 0.3, 0.4, 0], 2),
  ];
  found.forEach((row, i) => {
    const value = expected[i] ?? null;
    if (value === null) expect(row.brier).toBeNull();
    else expect(row.brier).toBeCloseTo(value, 12);
  });
  const losses = [0.75, 1e-12, null, 0.6, null, 0.4].map((p) =>
    p === null ? null : expect.closeTo(-Math.log(p), 12),
  );
  expect(found.map((row) => row.log_loss)).toEqual(losses);
  expect(
    pick("latency_ms cost_usd cost_basis input_tokens output_tokens cached_input_tokens attempts"),
  ).toEqual([
    [100, 0.001, ["price_table_estimate"], 10, 5, null, 1],
    [200, 0.001, ["price_table_estimate"], 10, 5, null, 1],
    [900, null, ["unavailable"], null, null, null, 1],
    [300, 0.002, ["provider_reported", "unavailable"], 17, 5, 4, 2],
    [400, 0.001, ["price_table_estimate"], 10, 5, null, 1],
    [500, 0.001, ["price_table_estimate"], 10, 5, null, 1],
  ]);
});

test("metrics agree with figures worked out by hand", async () => {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  const { rows } = await open(workspace);
  expect(
    await rows("SELECT * EXCLUDE (wilson_low, wilson_high) FROM accuracy_overall ORDER BY run_id"),
  ).toEqual([
    {
      run_id: "under-way",
      rows: 1,
      correct: 0,
      accuracy: 0,
      errors: 0,
      answered: 1,
      accuracy_answered: 0,
      jackknife_se: null,
      jackknife_low: null,
      jackknife_high: null,
    },
    {
      run_id: "whole",
      rows: 6,
      correct: 2,
      accuracy: 2 / 6,
      errors: 1,
      answered: 5,
      accuracy_answered: 0.4,
      // Leaving out A-1, A-2 or B-1 moves the accuracy by -2/24, 2/30 and 0.
      jackknife_se: expect.closeTo(Math.sqrt((2 / 3) * ((2 / 24) ** 2 + (2 / 30) ** 2)), 12),
      jackknife_low: 0,
      jackknife_high: expect.closeTo(0.7082470619486, 12),
    },
  ]);
  expect(
    await rows(
      "SELECT category, name, rows, correct, errors FROM accuracy_by_category WHERE run_id = 'whole' ORDER BY category",
    ),
  ).toEqual([
    { category: "alpha", name: "Category alpha", rows: 3, correct: 1, errors: 1 },
    { category: "beta", name: "Category beta", rows: 3, correct: 1, errors: 0 },
  ]);
  expect(
    await rows("SELECT task, name, rows, correct FROM accuracy_by_task WHERE run_id = 'whole' ORDER BY task"),
  ).toEqual([
    { task: "A-1", name: "Task A-1", rows: 2, correct: 1 },
    { task: "A-2", name: "Task A-2", rows: 1, correct: 0 },
    { task: "B-1", name: "Task B-1", rows: 3, correct: 1 },
  ]);
  expect(
    await rows(
      "SELECT gold_position AS p, rows, correct FROM accuracy_by_gold_position WHERE run_id = 'whole' ORDER BY p",
    ),
  ).toEqual([
    { p: 1, rows: 1, correct: 1 },
    { p: 2, rows: 4, correct: 1 },
    { p: 3, rows: 1, correct: 0 },
  ]);
  const [cost] = await rows("SELECT * FROM cost WHERE run_id = 'whole'");
  expect(cost?.cost_usd).toBeCloseTo(0.006, 12);
  expect(cost?.cost_coverage).toBe(5 / 7);
  expect(cost?.cost_basis).toEqual(["price_table_estimate", "provider_reported", "unavailable"]);
  expect(cost?.cost_per_1000_rows_usd).toBeCloseTo(1, 12);
  expect(cost?.cost_per_correct_usd).toBeCloseTo(0.003, 12);
  expect(await rows("SELECT * FROM tokens WHERE run_id = 'whole'")).toEqual([
    {
      run_id: "whole",
      input_tokens: 57,
      output_tokens: 25,
      cached_input_tokens: 4,
      reasoning_output_tokens: null,
      token_coverage: 6 / 7,
    },
  ]);
  expect(await rows("SELECT * FROM attempt_totals ORDER BY run_id")).toEqual([
    { run_id: "under-way", attempts: 2, retries: 0, attempt_errors: 0, incomplete_attempts: 1 },
    { run_id: "whole", attempts: 7, retries: 1, attempt_errors: 2, incomplete_attempts: 0 },
  ]);
  // Sorted: 100 200 300 400 500 900; the 95 % quantile lies 0.75 of the way from the fifth to the sixth.
  const [latency] = await rows("SELECT * FROM latency WHERE run_id = 'whole'");
  expect(latency).toEqual({
    run_id: "whole",
    p50_ms: 350,
    p95_ms: expect.closeTo(800, 9),
    p99_ms: expect.closeTo(880, 9),
    mean_ms: 400,
    sum_ms: 2400,
  });
});

test("runs say where they stand", async () => {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  workspace.addRun("copied", { run: { id: "whole" }, results: [] });
  const { rows } = await open(workspace);
  expect(
    await rows(
      "SELECT run_id, source_run_id, source, status, full_coverage, rows_in_corpus, rows_selected, rows_completed, damaged_lines, created_at, completed_at, git_dirty, analysis_version FROM runs ORDER BY run_id",
    ),
  ).toMatchObject([
    { run_id: "copied", source_run_id: "whole", rows_completed: 0, full_coverage: false },
    { run_id: "under-way", status: "running", full_coverage: false, rows_in_corpus: 6, rows_completed: 1 },
    {
      run_id: "whole",
      source: "local",
      status: "completed",
      full_coverage: true,
      rows_selected: 6,
      rows_completed: 6,
      damaged_lines: 0,
      created_at: "2026-11-01T10:00:00Z",
      completed_at: "2026-11-01T10:10:00Z",
      git_dirty: false,
      analysis_version: "v1",
    },
  ]);
});

test("a run on another corpus keeps its answers, without places in the active one", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("other", {
    config: { corpus_sha256: "0".repeat(64) },
    results: [result({ row: "a-1", gold: "no", label: "no" })],
  });
  const { rows } = await open(workspace);
  expect(await rows("SELECT current_corpus, rows_in_corpus, full_coverage FROM runs")).toEqual([
    { current_corpus: false, rows_in_corpus: null, full_coverage: false },
  ]);
  expect(await rows("SELECT row_id, task, category, gold_position, gold, correct FROM answers")).toEqual([
    { row_id: "a-1", task: null, category: null, gold_position: null, gold: "no", correct: true },
  ]);
  expect(await rows("SELECT rows, correct FROM accuracy_overall")).toEqual([{ rows: 1, correct: 1 }]);
  expect(await rows("SELECT * FROM accuracy_by_category")).toEqual([]);
});

test("no output depends on threads or on the order of lines", async () => {
  const lines = Array.from({ length: 5000 }, (_, i) => {
    const row = `a-${(i % 3) + 1}`;
    return result({
      row: i < 3 ? row : `x-${i}`,
      gold: "yes",
      label: i % 7 === 0 ? "no" : "yes",
      probabilities: [
        ["yes", 1 / (i + 1)],
        ["no", 1 - 1 / (i + 1)],
      ],
      ms: 100 / ((i % 89) + 3),
      attempts: [finished({ id: `t${i}`, row: i < 3 ? row : `x-${i}`, cost: 0.1 / (i + 7) })],
    });
  });
  const workspace = makeWorkspace();
  workspace.addRun("one", { results: lines });
  workspace.addRun("two", { results: lines.slice(0, 50) });
  const outputs = [];
  for (const threads of [1, 2, 4]) outputs.push(await everything(await open(workspace, { threads })));
  expect(outputs[1]).toEqual(outputs[0]);
  expect(outputs[2]).toEqual(outputs[0]);
  const shuffled = makeWorkspace();
  shuffled.addRun("two", { results: lines.slice(0, 50).reverse() });
  shuffled.addRun("one", { results: [...lines].reverse() });
  expect(await everything(await open(shuffled))).toEqual(outputs[0]);
});

test("no figure depends on threads when there are rows enough for several", async () => {
  const rows = 130_000;
  const runs = ["s/a", "s/b"].map(
    (run) => `('${run}', 'published', 's', 'other', ${rows}, ${rows}, 'choice-v1')`,
  );
  const outputs: Record<string, string>[] = [];
  for (const threads of [1, 2, 4]) {
    const { warehouse, json } = await open(makeWorkspace(), { threads });
    await warehouse.query(`
      INSERT INTO ledger.runs (run_id, source, suite, corpus_sha256, rows_in_corpus, rows_selected, prompt_version) VALUES ${runs};
      CREATE TABLE made AS
        SELECT r.run_id, i::VARCHAR AS row_id, (i % 997 + 1) / 1009 AS p, i % (CASE r.run_id WHEN 's/a' THEN 3 ELSE 5 END) = 0 AS wrong, i
        FROM ledger.runs AS r, range(${rows}) AS n(i);
      INSERT INTO ledger.results (run_id, row_id, status, latency_ms, label, probabilities, gold, images_sent, task, category)
        SELECT run_id, row_id, 'ok', 1000 / (i % 89 + 3), CASE WHEN wrong THEN 'no' ELSE 'yes' END, MAP {'yes': p, 'no': 1 - p}, 'yes', 0,
          't' || (i * i) % 37, 'c' || i % 7
        FROM made;
      INSERT INTO ledger.attempts (run_id, row_id, attempt_id, finished, number, status, cost_usd, cost_basis, input_tokens)
        SELECT run_id, row_id, row_id, TRUE, 1, 'ok', 1 / (i + 7), 'provider_reported', i FROM made;`);
    await warehouse.materialise({ attempts: null, answers: null });
    const out: Record<string, string> = {};
    for (const view of warehouse.views.filter((name) => !/^(answers|attempts|paired_rows)$/.test(name))) {
      out[view] = await json(`SELECT * FROM ${view} ORDER BY ALL`);
    }
    outputs.push(out);
  }
  expect(outputs[0]?.comparisons).not.toBe("");
  expect(outputs[1]).toEqual(outputs[0]);
  expect(outputs[2]).toEqual(outputs[0]);
});

test("a finished event wins over a started one that stands behind it, in the view itself", async () => {
  const workspace = makeWorkspace();
  workspace.addRun("r", {});
  const { warehouse, rows } = await open(workspace);
  for (const [finishedFlag, status, cost] of [
    ["TRUE", "'500'", "0.5"],
    ["FALSE", "NULL", "NULL"],
  ]) {
    await warehouse.query(
      "INSERT INTO ledger.attempts (run_id, row_id, attempt_id, finished, number, status, cost_usd, cost_basis) " +
        `VALUES ('r', 'a-1', 't', ${finishedFlag}, 1, ${status}, ${cost}, 'provider_reported')`,
    );
  }
  expect(await rows("SELECT status, cost_usd FROM attempts")).toEqual([{ status: "500", cost_usd: 0.5 }]);
});

test("a row is right only with a valid answer, whatever label stands in its record", async () => {
  const workspace = makeWorkspace();
  const line = result({ row: "a-1", gold: "yes", label: "yes" }).replace('"status":"ok"', '"status":"429"');
  workspace.addRun("r", { results: [line] });
  const { rows } = await open(workspace);
  expect(await rows("SELECT label, is_valid, correct FROM answers")).toEqual([
    { label: "yes", is_valid: false, correct: false },
  ]);
  expect(await rows("SELECT correct, errors FROM accuracy_overall")).toEqual([{ correct: 0, errors: 1 }]);
});

test("a command that asks for rows alone has the views of rows alone, and the same rows", async () => {
  const workspace = makeWorkspace();
  addTwoRuns(workspace);
  const rows = "SELECT run_id, row_id, label FROM answers ORDER BY ALL";
  const whole = await open(workspace);
  const warehouse = await Warehouse.open(workspace.workspace, { upTo: "2_rows" });
  onTestFinished(() => warehouse.close());
  expect([...warehouse.views].sort()).toEqual([
    "answers",
    "attempts",
    "corpus_rows",
    "corpus_texts",
    "reference_results",
    "runs",
  ]);
  expect(await warehouse.rows(rows)).toEqual(await whole.rows(rows));
  await expect(warehouse.rows("SELECT * FROM leaderboard")).rejects.toThrow("leaderboard");
});
