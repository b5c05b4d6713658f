// Pairs of published results from both sides, as a whole and task by task.
import { expect, test } from "vitest";
import { needsOf, sqlFiles } from "../../src/warehouse/views.ts";
import type { Row } from "../../src/warehouse/warehouse.ts";
import { corpus, publish } from "../support/answered.ts";
import { publishedOracle } from "../support/oracle.ts";
import { addPublished } from "../support/published.ts";
import { type Opened, open } from "../support/query.ts";
import { makeWorkspace, result, type TestWorkspace } from "../support/workspace.ts";

/** Its columns as `compare` calls them. */
const AS_COMPARE = `SELECT run_id AS run_a, other_run_id AS run_b, * EXCLUDE (run_id, other_run_id, p_holm)
    RENAME (only_run AS a_only, only_other AS b_only) FROM versus ORDER BY run_a, run_b`;

/** Every pair is there from both sides, and each side is what the macros say of it; how many rows each view has. */
async function asTheMacros({ rows }: Opened): Promise<[pairs: number, tasks: number]> {
  const pairs = await rows<Row & { run_a: string; run_b: string }>(AS_COMPARE);
  const once = await rows("SELECT run_a, run_b, p_holm FROM comparisons");
  expect(pairs).toHaveLength(2 * once.length);
  const adjusted = await rows<Row & { run_id: string }>("SELECT run_id, other_run_id, p_holm FROM versus");
  const tasks = await rows(
    "SELECT * EXCLUDE (difference_low, difference_high) FROM versus_by_task ORDER BY run_id, other_run_id, task",
  );
  for (const { run_a, run_b, ...figures } of pairs) {
    const arguments_ = `('${run_a}', '${run_b}')`;
    // Bit for bit, and a zero has no sign.
    expect(await rows(`SELECT * EXCLUDE (p_holm) FROM compare${arguments_}`)).toStrictEqual([
      { run_a, run_b, ...figures },
    ]);
    const [first, second] = [run_a, run_b].sort();
    const holm = once.find((pair) => pair.run_a === first && pair.run_b === second);
    const mine = adjusted.filter((pair) => pair.run_id === run_a && pair.other_run_id === run_b);
    expect(mine.map(({ p_holm }) => p_holm)).toStrictEqual([holm?.p_holm]);
    const byTask = await rows(`SELECT * FROM compare_by_task${arguments_} ORDER BY task`);
    const found = tasks.filter((row) => row.run_id === run_a && row.other_run_id === run_b);
    expect(
      found.map(({ task, rows: n, correct, correct_other, only_run, only_other, difference }) => ({
        task,
        rows: n,
        correct_a: correct,
        correct_b: correct_other,
        difference,
        a_only: only_run,
        b_only: only_other,
      })),
    ).toStrictEqual(byTask);
    const sum = (column: string): number => found.reduce((total, row) => total + Number(row[column]), 0);
    for (const column of ["rows", "both_correct", "both_wrong"]) expect(sum(column)).toBe(figures[column]);
  }
  return [pairs.length, tasks.length];
}

const OFF = `SELECT t.* FROM versus_by_task AS t
  LEFT JOIN versus_by_task AS o ON o.run_id = t.other_run_id AND o.other_run_id = t.run_id AND o.task = t.task
  WHERE NOT coalesce(
    t.difference_low = 0 - o.difference_high AND t.difference_high = 0 - o.difference_low
    AND t.difference_low = paired_low(t.only_run, t.only_other, t.rows)
    AND t.difference_high = paired_high(t.only_run, t.only_other, t.rows)
    AND t.difference BETWEEN t.difference_low AND t.difference_high
    AND t.difference_low >= -1 AND t.difference_high <= 1
    AND t.both_correct + t.only_run + t.only_other + t.both_wrong = t.rows AND t.rows > 0 AND t.run_id <> t.other_run_id, FALSE)`;

test("the oracle: every pair from both sides, as compare and compare_by_task say it", async () => {
  const opened = await open(publishedOracle());
  // Six results over twelve tasks; the partial one has rows in all of them.
  expect(await asTheMacros(opened)).toEqual([30, 360]);
  expect(await opened.rows(OFF)).toEqual([]);
});

/** Four results, one of which has rows of the second task alone, and what makes no pair with them. */
function mixed(): TestWorkspace {
  const rows = corpus({ "A-1": 3, "A-2": 2 });
  const workspace = makeWorkspace(rows);
  publish(workspace, "a", rows, ["A-1-1", "A-1-2"]);
  publish(workspace, "b", rows, ["A-1-2", "A-2-1"]);
  publish(workspace, "part", rows.slice(3), ["A-2-2"]);
  publish(workspace, "prompted", rows, ["A-1-1", "A-1-2"]);
  addPublished(workspace, ["tiny", "prompted"], { predictions: null, metadata: { prompt_version: "q" } });
  publish(workspace, "elsewhere", rows, []);
  addPublished(workspace, ["tiny", "elsewhere"], {
    predictions: null,
    metadata: { corpus: { version: "0.9.0", sha256: "0".repeat(64), current: true } },
  });
  addPublished(workspace, ["tiny", "nothing"]);
  const line = (row: string): string => result({ row, gold: "yes", label: "yes" });
  workspace.addRun("local", { results: rows.map(({ id }) => line(id)) });
  workspace.addRun("under-way", { run: { status: "running" }, results: [line("A-1-1")] });
  return workspace;
}

test("parts, other prompts, other corpora and local runs", async () => {
  const opened = await open(mixed());
  // Three full ones and the part; a pair with the part has one task.
  expect(await asTheMacros(opened)).toEqual([12, 3 * 2 * 2 + 3 * 2 * 1]);
  expect(await opened.rows(OFF)).toEqual([]);
  expect(
    await opened.rows(
      "SELECT * EXCLUDE (difference_low, difference_high) FROM versus_by_task WHERE run_id = 'tiny/b' AND other_run_id = 'tiny/a' ORDER BY task",
    ),
  ).toEqual([
    {
      run_id: "tiny/b",
      other_run_id: "tiny/a",
      task: "A-1",
      rows: 3,
      correct: 1,
      correct_other: 2,
      both_correct: 1,
      only_run: 0,
      only_other: 1,
      both_wrong: 1,
      difference: -1 / 3,
    },
    {
      run_id: "tiny/b",
      other_run_id: "tiny/a",
      task: "A-2",
      rows: 2,
      correct: 1,
      correct_other: 0,
      both_correct: 0,
      only_run: 1,
      only_other: 0,
      both_wrong: 1,
      difference: 0.5,
    },
  ]);
});

test("without published results there is nothing", async () => {
  const { rows } = await open(makeWorkspace());
  expect(await rows("SELECT * FROM versus")).toEqual([]);
  expect(await rows("SELECT * FROM versus_by_task")).toEqual([]);
});

test("only what shows the bootstrap waits for its draws", () => {
  const files = sqlFiles();
  expect(needsOf("FROM versus", files).draws).toBe(true);
  for (const view of ["versus_by_task", "tied_groups", "fronts"]) {
    expect(needsOf(`FROM ${view}`, files).draws, view).toBe(false);
  }
});
