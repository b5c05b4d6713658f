// How views are computed, where another plan would take a hundred times as long without changing a figure.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { open } from "../support/query.ts";
import { openAt } from "../support/workspace.ts";

test("no view compares every row of one table with every row of another", async () => {
  const { warehouse, rows } = await open(
    openAt(fileURLToPath(new URL("../fixtures/oracle", import.meta.url)), ""),
  );
  for (const view of warehouse.views) {
    const plan = JSON.stringify(await rows(`EXPLAIN SELECT * FROM ${view}`));
    expect(plan.match(/\b(?:BLOCKWISE_NL|NESTED_LOOP)_JOIN\b/)?.[0], view).toBeUndefined();
  }
});
