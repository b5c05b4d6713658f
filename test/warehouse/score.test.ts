import { expect, test } from "vitest";
import { scoreOf } from "../../src/warehouse/score.ts";
import { bench } from "../support/commands.ts";
import { localOracle, publishedOracle } from "../support/oracle.ts";
import { open } from "../support/query.ts";

test.each([
  ["ledgers of a local run", localOracle, "bravo"],
  ["a published result", publishedOracle, "oracle-1/bravo"],
])("what the command does not read of %s is in no figure", async (_, workspaceOf, run) => {
  const workspace = workspaceOf();
  const { stdout, error } = await bench(workspace, ["score", run, "--json"]);
  expect(error).toBeUndefined();
  // Here everything is read, and nothing is held as a table.
  const { warehouse } = await open(workspace);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(await scoreOf(warehouse, run))));
  expect(JSON.parse(stdout)).toMatchObject({
    cost: { usd: expect.any(Number) },
    tokens: { input: expect.any(Number) },
    calibration: { valid_rows: 418 },
  });
});
