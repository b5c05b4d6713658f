// Which results say something about rows, of which rows the picture was sent, and accuracies of slices of the corpus.
import { expect, test } from "vitest";
import { corpus, publish } from "../support/answered.ts";
import { localOracle, publishedOracle } from "../support/oracle.ts";
import { addPublished, metadataOf, prediction } from "../support/published.ts";
import { type Opened, open } from "../support/query.ts";
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

/** Slices as the older views say them, with the columns that both have. */
async function asOlderViews({ rows }: Opened): Promise<void> {
  for (const [by, older] of [
    ["", "accuracy_overall"],
    ["category", "accuracy_by_category"],
    ["modality", "accuracy_by_modality"],
  ] as const) {
    const columns = `run_id, ${by === "" ? "jackknife_low, jackknife_high" : by}, rows, correct, accuracy, wilson_low, wilson_high, errors`;
    const slice = ["category", "modality"].map((c) => `${c} IS ${c === by ? "NOT " : ""}NULL`).join(" AND ");
    const want = await rows(
      `SELECT ${columns} FROM ${older} JOIN (SELECT run_id FROM runs WHERE current_corpus) USING (run_id) ORDER BY ALL`,
    );
    expect(want.length, older).toBeGreaterThan(0);
    // To the last bit.
    expect(
      await rows(`SELECT ${columns} FROM accuracy_by_slice WHERE ${slice} AND pictures = 'all' ORDER BY ALL`),
    ).toStrictEqual(want);
  }
}

test("the slices of the older views are what these say, to the last bit", async () => {
  await asOlderViews(await open(publishedOracle()));
  await asOlderViews(await open(localOracle()));
});

test("every slice of a small corpus, with a run under way, a part, and a run on another corpus", async () => {
  const workspace = makeWorkspace(PICTURED);
  pictures(workspace, "full", { "A-1-2": 1, "B-1-1": 1 });
  pictures(workspace, "part", {}, PICTURED.slice(0, 2));
  const line = (row: string, label: string | null, status = "ok") =>
    result({ row, gold: "yes", label, status });
  workspace.addRun("local", {
    run: { status: "running" },
    results: [line("A-1-1", "yes"), line("A-1-2", "no"), line("B-1-3", "yes"), line("B-1-2", null, "429")],
  });
  workspace.addRun("other", { config: { corpus_sha256: "0".repeat(64) }, results: [line("A-1-1", "yes")] });
  workspace.addRun("nothing", { run: { status: "running" }, results: [] });
  const opened = await open(workspace);
  await asOlderViews(opened);
  const slices = await opened.rows(
    `SELECT coalesce(category, '*') AS c, coalesce(modality, '*') AS m, pictures AS p, rows AS n, correct AS k, errors AS e, tasks AS t
     FROM accuracy_by_slice WHERE run_id = 'local' ORDER BY c, m, p`,
  );
  // B-1-3 is the picture that was not sent.
  expect(slices.map(({ c, m, p, n, k, e, t }) => [`${c} ${m} ${p}`, n, k, e, t])).toEqual([
    ["* * all", 4, 2, 1, 2],
    ["* * sent", 3, 1, 1, 2],
    ["* image all", 2, 1, 0, 2],
    ["* image sent", 1, 0, 0, 1],
    ["* text all", 2, 1, 1, 2],
    ["* text sent", 2, 1, 1, 2],
    ["alpha * all", 2, 1, 0, 1],
    ["alpha * sent", 2, 1, 0, 1],
    ["alpha image all", 1, 0, 0, 1],
    ["alpha image sent", 1, 0, 0, 1],
    ["alpha text all", 1, 1, 0, 1],
    ["alpha text sent", 1, 1, 0, 1],
    ["beta * all", 2, 1, 1, 1],
    ["beta * sent", 1, 0, 1, 1],
    ["beta image all", 1, 1, 0, 1],
    ["beta text all", 1, 0, 1, 1],
    ["beta text sent", 1, 0, 1, 1],
  ]);
  // One right of two and one wrong of two: without either task the accuracy is 1/2 again.
  expect(
    await opened.rows(
      `SELECT jackknife_low, jackknife_high FROM accuracy_by_slice
       WHERE run_id = 'local' AND category IS NULL AND (modality IS NULL AND pictures = 'all' OR modality = 'image' AND pictures = 'sent')
       ORDER BY rows`,
    ),
  ).toEqual([
    { jackknife_low: null, jackknife_high: null },
    { jackknife_low: 0.5, jackknife_high: 0.5 },
  ]);
  expect(await opened.rows("SELECT DISTINCT run_id FROM accuracy_by_slice ORDER BY run_id")).toEqual([
    { run_id: "local" },
    { run_id: "tiny/full" },
    { run_id: "tiny/part" },
  ]);
});
