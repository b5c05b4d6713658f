// Files of the results against each other, and of their answers: what the views say of them, a file a result.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { STORED } from "../../src/report/build.ts";
import { writePairs } from "../../src/report/pairs.ts";
import { runList } from "../../src/report/run-list.ts";
import { writeRuns } from "../../src/report/runs.ts";
import type { FileSource } from "../../src/report/site-files.ts";
import { openSnapshotFile } from "../../src/warehouse/snapshot-file.ts";
import { literal } from "../../src/warehouse/sources.ts";
import type { Row } from "../../src/warehouse/warehouse.ts";
import { corpus, publish } from "../support/answered.ts";
import { addPublished, prediction } from "../support/published.ts";
import { type Opened, open } from "../support/query.ts";
import { makeWorkspace, result, type TestWorkspace, TINY } from "../support/workspace.ts";

type Columns = Record<string, unknown[]>;
interface Pairs {
  run_id: string;
  others: (Row & { other_run_id: string; holm_pairs: number | null; by_task: Columns | null })[];
}
interface Answers {
  run_id: string;
  answers: Columns;
  risk_coverage: Columns;
  confident_mistakes: Columns;
  argmax_disagreements: Columns;
}

interface Written {
  readonly opened: Opened;
  readonly runs: readonly string[];
  readonly pairs: (run: string) => Pairs;
  readonly answers: (run: string) => Answers;
}

/** Writes the files of both kinds as a report does, and reads them. */
async function written(workspace: TestWorkspace): Promise<Written> {
  const opened = await open(workspace);
  const path = join(workspace.root, "report.duckdb");
  await opened.warehouse.snapshot(path, STORED);
  const snapshot = await openSnapshotFile(path);
  onTestFinished(() => snapshot.close());
  const source = { snapshot, signal: new AbortController().signal } as FileSource;
  const list = await runList(source);
  const folder = (name: string): string => {
    const made = join(workspace.root, name);
    mkdirSync(made);
    return made;
  };
  const [pairs, answers] = [folder("pairs"), folder("runs-of-site")];
  await writePairs(source, pairs);
  await writeRuns(source, answers);
  const files = list.map(({ file }) => `${file}.json`).sort();
  // Nothing of a result's name is in the name of its files.
  for (const file of files) expect(file).toMatch(/^[0-9a-f]{16}\.json$/);
  for (const made of [pairs, answers]) expect(readdirSync(made).sort()).toEqual(files);
  const read = <T extends { run_id: string }>(made: string, run: string): T => {
    const file = list.find((one) => one.run === run)?.file ?? "";
    const content = JSON.parse(readFileSync(join(made, `${file}.json`), "utf8")) as T;
    expect(content.run_id).toBe(run);
    return content;
  };
  return {
    opened,
    runs: list.map(({ run }) => run),
    pairs: (run) => read(pairs, run),
    answers: (run) => read(answers, run),
  };
}

/** Every file of the pairs is what `versus` and `versus_by_task` say of its result, to the last bit. */
async function asTheViews({ opened, runs, pairs }: Written): Promise<void> {
  for (const run of runs) {
    const { others } = pairs(run);
    const views = await opened.rows(
      `SELECT * EXCLUDE (run_id) FROM versus WHERE run_id = ${literal(run)} ORDER BY other_run_id`,
    );
    expect(others.map(({ holm_pairs, by_task, ...line }) => line)).toStrictEqual(views);
    for (const { other_run_id, by_task } of others) {
      const tasks = await opened.rows(
        `SELECT * EXCLUDE (run_id, other_run_id) FROM versus_by_task
          WHERE run_id = ${literal(run)} AND other_run_id = ${literal(other_run_id)} ORDER BY task`,
      );
      const lines = (by_task?.task ?? []).map((_, i) =>
        Object.fromEntries(Object.entries(by_task ?? {}).map(([name, list]) => [name, list[i]])),
      );
      expect(lines).toStrictEqual(tasks);
    }
  }
}

/** Every file of the answers is what `answers` says of its result, row by row. */
async function asTheAnswers({ opened, runs, answers }: Written): Promise<void> {
  for (const run of runs) {
    const rows = await opened.rows(
      `SELECT a.label, a.status, a.correct, a.confidence FROM corpus_rows AS c
        LEFT JOIN answers AS a ON a.row_id = c.row_id AND a.run_id = ${literal(run)} ORDER BY c.row_id`,
    );
    for (const [name, list] of Object.entries(answers(run).answers)) {
      expect(list, name).toStrictEqual(rows.map((row) => row[name]));
    }
    expect(Object.keys(answers(run).answers)).toEqual(Object.keys(rows[0] ?? {}));
  }
}

test("published results: each against every other one, with its tasks; a partial one, another prompt, hostile ids", async () => {
  const rows = corpus({ "A-1": 3, "A-2": 2 });
  const workspace = makeWorkspace(rows);
  publish(workspace, "a", rows, ["A-1-1", "A-1-2"]);
  publish(workspace, "b", rows, ["A-1-2", "A-2-1"]);
  publish(workspace, "it's __proto__", rows, ["A-1-2", "A-1-3", "A-2-2"]);
  publish(workspace, "part", rows.slice(3), ["A-2-2"]);
  publish(workspace, "prompted", rows, ["A-1-1"]);
  addPublished(workspace, ["tiny", "prompted"], { predictions: null, metadata: { prompt_version: "q" } });
  workspace.addRun("local", { results: [result({ row: "A-1-1", gold: "yes", label: "yes" })] });
  const found = await written(workspace);
  expect(found.runs).toEqual([
    "local",
    "tiny/a",
    "tiny/b",
    "tiny/it's __proto__",
    "tiny/part",
    "tiny/prompted",
  ]);
  await asTheViews(found);
  await asTheAnswers(found);

  const others = (run: string): Record<string, number | null> =>
    Object.fromEntries(
      found.pairs(run).others.map(({ other_run_id, holm_pairs }) => [other_run_id, holm_pairs]),
    );
  // Of three full results of one prompt; the others are no part of that family.
  expect(others("tiny/a")).toEqual({
    "tiny/b": 3,
    "tiny/it's __proto__": 3,
    "tiny/part": null,
    "tiny/prompted": null,
  });
  for (const run of found.runs) {
    for (const { p_holm, holm_pairs } of found.pairs(run).others) {
      expect(holm_pairs === null).toBe(p_holm === null);
    }
  }
  const [part] = found.pairs("tiny/a").others.filter(({ other_run_id }) => other_run_id === "tiny/part");
  expect(part).toMatchObject({ rows: 2, tasks: 1, jackknife_low: null, p_jackknife: null, mde80: null });
  expect(part?.by_task).toMatchObject({ task: ["A-2"], rows: [2] });
  // A local run is compared with nothing, and has its answers.
  expect(found.pairs("local").others).toEqual([]);
  expect(found.answers("local").answers.correct).toEqual([true, null, null, null, null]);
});

test("labels that break objects, an error and an answer without a choice come through as they are", async () => {
  const workspace = makeWorkspace();
  const line = (label: string | null, changes: object = {}) =>
    TINY.map(({ id: row, task, category, gold }, i) =>
      prediction({ row, task, category, gold, label: i < 3 ? gold : label, ...(i < 3 ? {} : changes) }),
    );
  addPublished(workspace, ["tiny", "right"], { predictions: line("__proto__") });
  addPublished(workspace, ["tiny", "silent"], { predictions: line(null) });
  addPublished(workspace, ["tiny", "broken"], { predictions: line(null, { status: "invalid_output" }) });
  const found = await written(workspace);
  await asTheViews(found);
  await asTheAnswers(found);
  const { label, status, correct } = found.answers("tiny/right").answers;
  expect(label).toEqual(["yes", "no", "no", "__proto__", "__proto__", "__proto__"]);
  expect(status).toEqual(Array.from({ length: 6 }, () => "ok"));
  expect(correct).toEqual([true, true, true, false, true, false]);
  expect(found.answers("tiny/silent").answers).toMatchObject({
    label: ["yes", "no", "no", null, null, null],
    status: Array.from({ length: 6 }, () => "ok"),
  });
  expect(found.answers("tiny/broken").answers.status?.slice(3)).toEqual(
    Array.from({ length: 3 }, () => "invalid_output"),
  );
});

test("one result alone has a file with nothing in it, and a report without results has none", async () => {
  const rows = corpus({ "A-1": 2 });
  const alone = makeWorkspace(rows);
  publish(alone, "a", rows, ["A-1-1"]);
  const found = await written(alone);
  expect(found.runs).toEqual(["tiny/a"]);
  expect(found.pairs("tiny/a")).toEqual({ run_id: "tiny/a", others: [] });
  await asTheAnswers(found);
  expect((await written(makeWorkspace(rows))).runs).toEqual([]);
});
