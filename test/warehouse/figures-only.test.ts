// What is not read when only figures are asked for (`bench score`) is nothing that a figure stands on.
import { expect, test } from "vitest";
import { localOracle, publishedOracle } from "../support/oracle.ts";
import { addPublished, call, prediction } from "../support/published.ts";
import { open } from "../support/query.ts";
import { finished, makeWorkspace, result, type TestWorkspace } from "../support/workspace.ts";

/** Columns that a reader of figures alone does without, of the views that show rows. */
/** A view of texts alone, which is empty then. */
const TEXTS = "corpus_texts";

const LEFT_OUT: Readonly<Record<string, string>> = {
  answers: "error, output_text, probability_source",
  attempts: "error, started_at, duration_ms, queued_ms, http_status, resolved_model",
  corpus_rows: "dataset, title, options",
};

/** Of the oracle no call reports tokens of reasoning. */
function reasoned(): TestWorkspace {
  const workspace = makeWorkspace();
  const tokens = { input: 10, output: 5, cached_input: 2, reasoning_output: 3 };
  addPublished(workspace, ["tiny", "x"], {
    predictions: [prediction({ row: "a-1", gold: "yes", label: "yes", attempts: [call({ tokens })] })],
  });
  workspace.addRun("r", {
    results: [result({ row: "a-1", gold: "yes", label: "yes", attempts: [] })],
    attempts: [
      finished({ id: "t", row: "a-1" }).replace(
        '"reasoning_output_tokens":null',
        '"reasoning_output_tokens":3',
      ),
    ],
  });
  return workspace;
}

test.each([
  ["published results", publishedOracle],
  ["local runs", localOracle],
  ["reasoning", reasoned],
])("%s: every view says the same without what is left out", async (_, made) => {
  const workspace = made();
  const whole = await open(workspace);
  const lean = await open(workspace, { figuresOnly: true });
  for (const { warehouse } of [whole, lean]) await warehouse.materialise({ attempts: null, answers: null });
  expect(await whole.rows(`SELECT count(*) > 0 AS some FROM ${TEXTS}`)).toEqual([{ some: true }]);
  expect(await lean.rows(`SELECT row_id FROM ${TEXTS}`)).toEqual([]);
  for (const view of whole.warehouse.views.filter((name) => name !== TEXTS)) {
    const columns = LEFT_OUT[view] === undefined ? "*" : `* EXCLUDE (${LEFT_OUT[view]})`;
    const sql = `SELECT ${columns} FROM ${view} ORDER BY ALL`;
    const found = await whole.json(sql);
    expect((await lean.json(sql)) === found, view).toBe(true);
  }
  // There are costs and tokens to be lost.
  const [spent] = await lean.rows(
    "SELECT min(cost_usd) > 0 AS cost, min(input_tokens) > 0 AS tokens FROM cost JOIN tokens USING (run_id)",
  );
  expect(spent).toEqual({ cost: true, tokens: true });
});
