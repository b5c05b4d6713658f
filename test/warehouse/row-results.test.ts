// What the reference results say about single rows, and the answers that were sure and wrong.
import { expect, test } from "vitest";
import { corpus } from "../support/answered.ts";
import { localOracle, publishedOracle } from "../support/oracle.ts";
import { addPublished, prediction } from "../support/published.ts";
import { open } from "../support/query.ts";
import { makeWorkspace, type RowSpec, result, type TestWorkspace } from "../support/workspace.ts";

const OPTIONS = ["yes", "a", "b", "B"];
const ROWS: readonly RowSpec[] = corpus({ "A-1": 4 }).map((row) => ({ ...row, options: OPTIONS }));

/** A label for each row; null: no valid answer, "": a valid one without a label. */
function answered(
  workspace: TestWorkspace,
  model: string,
  labels: readonly (string | null)[],
  rows: readonly RowSpec[] = ROWS,
): void {
  addPublished(workspace, ["tiny", model], {
    predictions: rows.map(({ id: row, gold }, i) => {
      const label = labels[i] ?? null;
      return prediction(
        label === null
          ? { row, gold, label: "a", status: "429" }
          : { row, gold, label: label === "" ? null : label },
      );
    }),
  });
}

test("a row's results: right, without an answer, and the wrong label that most chose", async () => {
  const workspace = makeWorkspace(ROWS);
  answered(workspace, "m1", ["yes", "a", "b", null]);
  answered(workspace, "m2", ["yes", "b", "B", null]);
  answered(workspace, "m3", ["yes", "b", "a", ""]);
  // None of these says anything: a part, another corpus, a local run, a run under way.
  answered(workspace, "part", ["a", "a", "a"], ROWS.slice(0, 3));
  answered(workspace, "elsewhere", ["a", "a", "a", "a"]);
  addPublished(workspace, ["tiny", "elsewhere"], {
    predictions: null,
    metadata: { corpus: { version: "0.9.0", sha256: "0".repeat(64), current: true } },
  });
  const results = ROWS.map(({ id, gold }) => result({ row: id, gold, label: "a" }));
  workspace.addRun("local", { results });
  workspace.addRun("under-way", { run: { status: "running" }, results: results.slice(1) });
  const { rows } = await open(workspace);
  expect(await rows("SELECT * FROM row_results ORDER BY row_id")).toEqual([
    {
      row_id: "A-1-1",
      results: 3,
      correct: 3,
      errors: 0,
      share_correct: 1,
      wrong_label: null,
      wrong_label_results: 0,
    },
    {
      row_id: "A-1-2",
      results: 3,
      correct: 0,
      errors: 0,
      share_correct: 0,
      wrong_label: "b",
      wrong_label_results: 2,
    },
    {
      row_id: "A-1-3",
      results: 3,
      correct: 0,
      errors: 0,
      share_correct: 0,
      // Of equally frequent ones the first by its bytes.
      wrong_label: "B",
      wrong_label_results: 1,
    },
    {
      row_id: "A-1-4",
      results: 3,
      correct: 0,
      errors: 2,
      share_correct: 0,
      wrong_label: null,
      wrong_label_results: 0,
    },
  ]);
});

test("every row is there, also when no result says anything about it", async () => {
  const { rows } = await open(makeWorkspace(ROWS));
  expect(
    await rows(
      "SELECT count(*) AS n, sum(results)::BIGINT AS results, count(share_correct) AS shares FROM row_results",
    ),
  ).toEqual([{ n: 4, results: 0, shares: 0 }]);
});

test("the oracle: a row's results are its answers", async () => {
  const { rows } = await open(publishedOracle());
  const answers = await rows<{
    run_id: string;
    row_id: string;
    label: string | null;
    correct: boolean;
    is_valid: boolean;
  }>(
    "SELECT run_id, row_id, label, correct, is_valid FROM answers WHERE run_id <> 'oracle-1/foxtrot-partial'",
  );
  const found = await rows("SELECT * FROM row_results");
  expect(found).toHaveLength(427);
  for (const { row_id, results, correct, errors, share_correct, wrong_label, wrong_label_results } of found) {
    const of = answers.filter((answer) => answer.row_id === row_id);
    const right = of.filter((answer) => answer.correct).length;
    const wrong = of.filter((answer) => answer.is_valid && !answer.correct && answer.label !== null);
    const times = new Map<string, number>();
    for (const { label } of wrong) times.set(label as string, (times.get(label as string) ?? 0) + 1);
    const most = [...times].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0];
    expect({ results, correct, errors, share_correct, wrong_label, wrong_label_results }).toEqual({
      results: 5,
      correct: right,
      errors: of.filter((answer) => !answer.is_valid).length,
      share_correct: right / 5,
      wrong_label: most?.[0] ?? null,
      wrong_label_results: most?.[1] ?? 0,
    });
  }
});

const COUNTS = `SELECT c.run_id, c.high_confidence_errors AS counted,
    (SELECT count(*) FROM confident_mistakes AS m WHERE m.run_id = c.run_id) AS listed
  FROM calibration AS c ORDER BY c.run_id`;

test("confident mistakes are those that the calibration counts, for every run", async () => {
  for (const [workspace, runs] of [
    [publishedOracle(), 6],
    [localOracle(), 6],
    [makeWorkspace(), 0],
  ] as const) {
    const { rows } = await open(workspace);
    const found = await rows(COUNTS);
    expect(found).toHaveLength(runs);
    for (const { counted, listed } of found) expect(listed).toBe(counted);
    if (runs > 0) expect(Math.max(...found.map(({ listed }) => Number(listed)))).toBeGreaterThan(0);
  }
});

test("a mistake is confident from 0.9 on, in any run, and only with an answer", async () => {
  const rows = corpus({ "A-1": 4, "A-2": 1 });
  const workspace = makeWorkspace(rows);
  const line = (row: string, label: string, confidence: number, status = "ok"): string =>
    result({
      row,
      gold: "yes",
      label,
      status,
      probabilities: [
        [label, confidence],
        [label === "yes" ? "no" : "yes", 1 - confidence],
      ],
    });
  const results = [
    line("A-1-1", "no", 0.9),
    line("A-1-2", "no", 0.8999999999999999),
    line("A-1-3", "yes", 1),
    line("A-1-4", "no", 1, "429"),
    line("A-2-1", "no", 1),
  ];
  workspace.addRun("here", { run: { status: "running" }, results });
  workspace.addRun("other", { config: { corpus_sha256: "0".repeat(64) }, results: results.slice(0, 1) });
  const opened = await open(workspace);
  const sure = { category: "alpha", label: "no", gold: "yes" };
  expect(await opened.rows("SELECT * FROM confident_mistakes ORDER BY run_id, row_id")).toEqual([
    {
      run_id: "here",
      row_id: "A-1-1",
      task: "A-1",
      ...sure,
      confidence: 0.9,
      p_gold: expect.closeTo(0.1, 12),
    },
    { run_id: "here", row_id: "A-2-1", task: "A-2", ...sure, confidence: 1, p_gold: 0 },
    {
      run_id: "other",
      row_id: "A-1-1",
      task: null,
      ...sure,
      category: null,
      confidence: 0.9,
      p_gold: expect.closeTo(0.1, 12),
    },
  ]);
});
