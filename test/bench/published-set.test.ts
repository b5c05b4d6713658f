// The workspace that the benchmark of pairs runs on is one that the program reads whole.
import { expect, onTestFinished, test } from "vitest";
import { makePublishedSet } from "../../bench/published-set.ts";
import { Warehouse } from "../../src/warehouse/warehouse.ts";
import { openWorkspace } from "../../src/workspace.ts";

async function openSet(results: number, rows: number, tasks: number, categories: number) {
  const set = makePublishedSet({ results, rows, tasks, categories });
  onTestFinished(set.remove);
  const notices: string[] = [];
  const warehouse = await Warehouse.open(openWorkspace({ root: set.root, cwd: set.root, env: {} }), {
    notify: (message) => notices.push(message),
  });
  onTestFinished(() => warehouse.close());
  return { set, warehouse, notices };
}

test("a small set has all pairs and ranks, and no damaged line", async () => {
  const { set, warehouse, notices } = await openSet(3, 26, 2, 2);
  expect(set.taskRows).toEqual([8, 18]);
  expect(
    await warehouse.rows("SELECT run_id, full_coverage, damaged_lines FROM runs ORDER BY run_id"),
  ).toEqual(
    ["00", "01", "02"].map((model) => ({
      run_id: `pairs/model-${model}`,
      full_coverage: true,
      damaged_lines: 0,
    })),
  );
  expect(await warehouse.rows("SELECT run_a, run_b, rows, tasks FROM comparisons ORDER BY ALL")).toEqual(
    [
      ["00", "01"],
      ["00", "02"],
      ["01", "02"],
    ].map(([a, b]) => ({ run_a: `pairs/model-${a}`, run_b: `pairs/model-${b}`, rows: 26, tasks: 2 })),
  );
  expect(await warehouse.rows("SELECT rank FROM leaderboard ORDER BY rank")).toEqual([
    { rank: 1 },
    { rank: 2 },
    { rank: 3 },
  ]);
  expect(notices).toEqual([]);
});

test("the set of the benchmark has 36 tasks of 20 to 45 rows in 10 categories", async () => {
  const { set, warehouse } = await openSet(1, 1071, 36, 10);
  expect(set.taskRows).toEqual([20, 45]);
  expect(
    await warehouse.rows(
      "SELECT count(*) AS rows, count(DISTINCT task) AS tasks, count(DISTINCT category) AS categories FROM answers",
    ),
  ).toEqual([{ rows: 1071, tasks: 36, categories: 10 }]);
});
