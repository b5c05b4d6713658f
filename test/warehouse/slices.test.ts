// Which results say something about rows, of which rows the picture was sent, and accuracies of slices of the corpus.
import { expect, test } from "vitest";
import { corpus, publish } from "../support/answered.ts";
import { addPublished, metadataOf, prediction } from "../support/published.ts";
import { open } from "../support/query.ts";
import { makeWorkspace, type RowSpec, result, type TestWorkspace } from "../support/workspace.ts";

/** Says by whom a published result was given. */
function providedBy(workspace: TestWorkspace, model: string, provider: string | null): void {
  const whole = metadataOf("tiny", model, workspace.sha256);
  addPublished(workspace, ["tiny", model], {
    predictions: null,
    metadata: { model: { ...(whole.model as object), provider } },
  });
}

/** Two tasks, three rows of text and three with a picture. */
const PICTURED: readonly RowSpec[] = corpus({ "A-1": 3, "B-1": 3 }).map((row, i) => ({
  ...row,
  category: row.task === "A-1" ? "alpha" : "beta",
  modality: i % 2 === 0 ? "text" : "image",
}));

/** A result that says of these rows how many pictures were sent; null of all others. */
function pictures(
  workspace: TestWorkspace,
  model: string,
  sent: Readonly<Record<string, number>>,
  rows: readonly RowSpec[] = PICTURED,
): void {
  addPublished(workspace, ["tiny", model], {
    predictions: rows.map(({ id: row, task, category, gold }) =>
      prediction({ row, task, category, gold, label: "yes", changes: { images_sent: sent[row] ?? null } }),
    ),
  });
}

const SENT = "SELECT row_id FROM pictured_rows WHERE picture_sent ORDER BY row_id";
const ids = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map((row) => row.row_id);

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

test("a picture counts as sent when every reference result was shown one", async () => {
  const workspace = makeWorkspace(PICTURED);
  const everywhere = ["A-1-1", "A-1-2", "A-1-3", "B-1-1", "B-1-2", "B-1-3"];
  // Nothing is known to be missing.
  expect(ids(await (await open(workspace)).rows(SENT))).toEqual(everywhere);
  pictures(workspace, "sees", { "A-1-2": 1, "B-1-1": 3, "B-1-3": 1 });
  expect(ids(await (await open(workspace)).rows(SENT))).toEqual(everywhere);
  // Two rows less: one was sent without its picture, of the other nobody says.
  pictures(workspace, "sees-some", { "A-1-2": 1, "B-1-1": 0 });
  // What is no reference takes nothing away: a part, a local run, a baseline.
  pictures(workspace, "part", {}, PICTURED.slice(1));
  pictures(workspace, "uniform", {});
  providedBy(workspace, "uniform", "baseline");
  workspace.addRun("local", {
    results: PICTURED.map(({ id, gold }) => result({ row: id, gold, label: "yes" })),
  });
  const { rows: ask } = await open(workspace);
  expect(ids(await ask(SENT))).toEqual(["A-1-1", "A-1-2", "A-1-3", "B-1-2"]);
  expect(await ask("SELECT count(*) AS n, count(picture_sent) AS known FROM pictured_rows")).toEqual([
    { n: 6, known: 6 },
  ]);
  // One that is blind and full.
  pictures(workspace, "blind", {});
  expect(ids(await (await open(workspace)).rows(SENT))).toEqual(["A-1-1", "A-1-3", "B-1-2"]);
});

test("which pictures were sent is read for figures alone too", async () => {
  const workspace = makeWorkspace(PICTURED);
  pictures(workspace, "sees", { "A-1-2": 1, "B-1-1": 1 });
  workspace.addRun("local", {
    results: PICTURED.map(({ id, gold }) => result({ row: id, gold, label: "yes" })),
  });
  const lean = await open(workspace, { figuresOnly: true });
  expect(ids(await lean.rows(SENT))).toEqual(["A-1-1", "A-1-2", "A-1-3", "B-1-1", "B-1-2"]);
  expect(
    await lean.rows("SELECT sum(images_sent)::BIGINT AS n, count(images_sent) AS known FROM answers"),
  ).toEqual([{ n: 2, known: 8 }]);
});
