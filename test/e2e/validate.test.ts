// The built binary over the oracle's results, sound and falsified.
import { expect, test } from "vitest";
import { bench } from "../support/bench.ts";
import { makeCopies } from "../support/copies.ts";

const MODELS = ["alpha", "bravo", "charlie", "delta", "echo-label-only", "foxtrot-partial"];

test("all six results of the oracle are sound; one that is changed is not, and exit codes say so", async () => {
  const copies = makeCopies();
  for (const model of MODELS) copies.add(model, model, () => {});
  const sound = await bench(copies.root, ["validate"]);
  expect([sound.stdout, sound.code]).toEqual(["6 results, 1 corpus: sound\n", 0]);
  // What the older tool's results leave open is said.
  expect(sound.stderr.trimEnd().split("\n")).toEqual([
    expect.stringContaining("has no leaderboard"),
    expect.stringContaining("estimated costs were taken as they are"),
    expect.stringContaining("answers were taken as they are"),
  ]);

  copies.add("bravo", "bravo", ({ scores }) => {
    scores.overall.correct += 1;
  });
  const wrong = await bench(copies.root, ["validate", "results/oracle-1/bravo", "--json"]);
  expect([wrong.stderr, wrong.code]).toEqual(["", 1]);
  expect(JSON.parse(wrong.stdout)).toMatchObject({
    ok: false,
    problems: [{ file: "results/oracle-1/bravo/scores.json", line: null, field: "overall.correct" }],
  });

  const nowhere = await bench(copies.root, ["validate", "results/oracle-1/nobody"]);
  expect([nowhere.stdout, nowhere.code]).toEqual(["", 2]);
  expect(nowhere.stderr).toMatch(/^bench: "results\/oracle-1\/nobody" is not there: .*\n$/);
});
