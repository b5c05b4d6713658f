// Which results say something about rows, of which rows the picture was sent, and accuracies of slices of the corpus.
import { expect, test } from "vitest";
import { corpus, publish } from "../support/answered.ts";
import { addPublished, metadataOf } from "../support/published.ts";
import { open } from "../support/query.ts";
import { makeWorkspace, result, type TestWorkspace } from "../support/workspace.ts";

/** Says by whom a published result was given. */
function providedBy(workspace: TestWorkspace, model: string, provider: string | null): void {
  const whole = metadataOf("tiny", model, workspace.sha256);
  addPublished(workspace, ["tiny", model], {
    predictions: null,
    metadata: { model: { ...(whole.model as object), provider } },
  });
}

const REFERENCE = "SELECT run_id FROM reference_results ORDER BY run_id";

test("without a full published result on the active corpus there is no reference", async () => {
  const rows = corpus({ "A-1": 2, "A-2": 1 });
  const workspace = makeWorkspace(rows);
  publish(workspace, "part", rows.slice(1), []);
  publish(workspace, "elsewhere", rows, []);
  addPublished(workspace, ["tiny", "elsewhere"], {
    predictions: null,
    metadata: { corpus: { version: "0.9.0", sha256: "0".repeat(64), current: true } },
  });
  workspace.addRun("local", {
    results: rows.map(({ id, gold }) => result({ row: id, gold, label: "yes" })),
  });
  const { rows: ask } = await open(workspace);
  expect(await ask(REFERENCE)).toEqual([]);
  expect(await ask("SELECT count(*) AS n FROM runs")).toEqual([{ n: 3 }]);
  expect(await (await open(makeWorkspace())).rows(REFERENCE)).toEqual([]);
});

test("baselines are the reference only where there is nothing else; another prompt does not matter", async () => {
  const rows = corpus({ "A-1": 2, "A-2": 1 });
  const workspace = makeWorkspace(rows);
  for (const model of ["uniform", "lexical"]) {
    publish(workspace, model, rows, []);
    providedBy(workspace, model, "baseline");
  }
  expect(await (await open(workspace)).rows(REFERENCE)).toEqual([
    { run_id: "tiny/lexical" },
    { run_id: "tiny/uniform" },
  ]);
  // A partial result is none that would replace them.
  publish(workspace, "part", rows.slice(1), []);
  expect(await (await open(workspace)).rows(REFERENCE)).toHaveLength(2);
  publish(workspace, "model", rows, []);
  publish(workspace, "other-prompt", rows, []);
  addPublished(workspace, ["tiny", "other-prompt"], {
    predictions: null,
    metadata: { prompt_version: "choice-v9" },
  });
  expect(await (await open(workspace)).rows(REFERENCE)).toEqual([
    { run_id: "tiny/model" },
    { run_id: "tiny/other-prompt" },
  ]);
});

test("a result whose provider nobody knows counts as a model's", async () => {
  const rows = corpus({ "A-1": 2 });
  const workspace = makeWorkspace(rows);
  publish(workspace, "uniform", rows, []);
  providedBy(workspace, "uniform", "baseline");
  publish(workspace, "unknown", rows, []);
  const { warehouse, rows: ask } = await open(workspace);
  await ask("SELECT count(*) FROM runs");
  await warehouse.query("UPDATE ledger.runs SET provider = NULL WHERE run_id = 'tiny/unknown'");
  expect(await ask(REFERENCE)).toEqual([{ run_id: "tiny/unknown" }]);
});
