import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Scores, scoresOf, totalsOf } from "../../src/publish/scores.ts";
import { ORACLE, publishedOracle, walk } from "../support/oracle.ts";
import { open } from "../support/query.ts";

const MODELS = ["alpha", "bravo", "charlie", "delta", "echo-label-only", "foxtrot-partial"];

test("the scores of the oracle's results are those that it published, leaf by leaf", async () => {
  const { warehouse } = await open(publishedOracle());
  const found = await scoresOf(
    warehouse,
    MODELS.map((model) => `oracle-1/${model}`),
  );
  expect([...found.keys()]).toEqual(MODELS.map((model) => `oracle-1/${model}`));
  let compared = 0;
  for (const model of MODELS) {
    const folder = join(ORACLE, "results", "oracle-1", model);
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
    const scores = found.get(`oracle-1/${model}`) as Scores;
    const { extensions, ...older } = JSON.parse(JSON.stringify(scores)) as Scores;
    const all = walk(read("scores.json"), older);
    expect(all.differences).toEqual([]);
    const totals = walk((read("metadata.json") as { totals: unknown }).totals, { ...totalsOf(scores) });
    expect(totals.differences).toEqual([]);
    compared += all.compared + totals.compared;
    expect(Object.keys(extensions).length).toBeGreaterThan(3);
  }
  expect(compared).toBe(1140);
});

test("a result that is not read has no scores", async () => {
  const { warehouse } = await open(publishedOracle());
  expect([...(await scoresOf(warehouse, ["oracle-1/alpha", "oracle-1/nobody"])).keys()]).toEqual([
    "oracle-1/alpha",
  ]);
});
