// The files of the confusions say what the view says, whatever labels and tasks are called.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { InterruptedError } from "../../src/errors.ts";
import { STORED } from "../../src/report/build.ts";
import { makeConfusions } from "../../src/report/confusions.ts";
import type { FileSource } from "../../src/report/site-files.ts";
import { openSnapshotFile } from "../../src/warehouse/snapshot-file.ts";
import { addPublished, prediction } from "../support/published.ts";
import { type Opened, open } from "../support/query.ts";
import { makeWorkspace, type RowSpec, type TestWorkspace } from "../support/workspace.ts";

const SCRIPT = '</script><img src=x onerror="alert(1)">';
const QUOTES = `it's "so" \\ \u2028`;
const NOBODY = "Never answered";

const ROWS: readonly RowSpec[] = [
  { id: "a-1", task: SCRIPT, category: "alpha", gold: SCRIPT, options: ["__proto__", SCRIPT, QUOTES] },
  { id: "a-2", task: SCRIPT, category: "alpha", gold: SCRIPT, options: ["__proto__", SCRIPT, QUOTES] },
  { id: "a-3", task: SCRIPT, category: "alpha", gold: QUOTES, options: ["__proto__", SCRIPT, QUOTES] },
  { id: "b-1", task: QUOTES, category: "beta", gold: "10", options: ["9", "10", ""] },
  { id: "b-2", task: QUOTES, category: "beta", gold: "", options: ["", "9", "10"] },
  { id: "c-1", task: NOBODY, category: "beta", gold: "yes", options: ["yes", "no"] },
];

/** What each result says of which row; null: no valid answer. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  first: { "a-1": SCRIPT, "a-2": QUOTES, "a-3": QUOTES, "b-1": "9", "b-2": "" },
  second: { "a-1": "__proto__", "a-2": null, "a-3": null, "b-1": "10", "b-2": "" },
};

interface Cell {
  readonly run_id: string;
  readonly gold: string;
  readonly label: string | null;
  readonly n: number;
  readonly gold_rows: number;
  readonly share: number;
}

interface Content {
  readonly labels: readonly string[];
  readonly cells: readonly Cell[];
}

/** The name of a task's file, as reports/data/tasks.json.js says it. */
const fileOf = (task: string): string =>
  `${createHash("sha256").update(task).digest("hex").slice(0, 16)}.json`;

function published(): TestWorkspace {
  const made = makeWorkspace(ROWS);
  for (const [model, answers] of Object.entries(ANSWERS)) {
    const predictions = ROWS.flatMap(({ id: row, task, category, gold }) => {
      const label = answers[row];
      return label === undefined
        ? []
        : [
            prediction({
              row,
              task,
              category,
              gold,
              label,
              status: label === null ? "invalid_output" : "ok",
            }),
          ];
    });
    addPublished(made, ["tiny", model], { predictions });
  }
  return made;
}

/** Writes the files from a snapshot of the warehouse, as a report does. */
async function written({ warehouse }: Opened, signal: AbortSignal): Promise<ReadonlyMap<string, Content>> {
  const folder = mkdtempSync(join(tmpdir(), "decision-bench-confusions-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, "report.duckdb");
  await warehouse.snapshot(database, STORED);
  const snapshot = await openSnapshotFile(database);
  try {
    await makeConfusions({ snapshot, signal } as FileSource, join(folder, "files"));
  } finally {
    snapshot.close();
  }
  return new Map(
    readdirSync(join(folder, "files")).map((file) => [
      file,
      JSON.parse(readFileSync(join(folder, "files", file), "utf8")) as Content,
    ]),
  );
}

test("every task has a file with the cells of the view and the labels as they are shown", async () => {
  const opened = await open(published());
  const files = await written(opened, new AbortController().signal);

  expect([...files.keys()].sort()).toEqual([SCRIPT, QUOTES, NOBODY].map(fileOf).sort());
  expect(files.get(fileOf(SCRIPT))?.labels).toEqual(["__proto__", SCRIPT, QUOTES]);
  expect(files.get(fileOf(NOBODY))).toEqual({ labels: ["yes", "no"], cells: [] });
  for (const task of [SCRIPT, QUOTES]) {
    const cells = files.get(fileOf(task))?.cells ?? [];
    const view = await opened.rows<{
      run_id: string;
      task: string;
      gold: string;
      label: string | null;
      n: number;
    }>("SELECT run_id, task, gold, label, n FROM confusion ORDER BY run_id, gold, label NULLS LAST");
    expect(cells.map(({ run_id, gold, label, n }) => ({ run_id, task, gold, label, n }))).toEqual(
      view.filter((line) => line.task === task).map((line) => ({ ...line, n: Number(line.n) })),
    );
    // Every row of a result is in one cell; its line is what the cells of the same right label add up to.
    for (const cell of cells) {
      const line = cells.filter(({ run_id, gold }) => run_id === cell.run_id && gold === cell.gold);
      expect(cell.gold_rows).toBe(line.reduce((sum, { n }) => sum + n, 0));
      expect(cell.share).toBe(cell.n / cell.gold_rows);
    }
  }
  expect(
    files.get(fileOf(SCRIPT))?.cells.find(({ run_id, label }) => run_id === "tiny/second" && label === null),
  ).toEqual({ run_id: "tiny/second", gold: SCRIPT, label: null, n: 1, gold_rows: 2, share: 0.5 });
});

test("without results the files have the labels alone", async () => {
  const files = await written(await open(makeWorkspace(ROWS)), new AbortController().signal);
  expect([...files.keys()].sort()).toEqual([SCRIPT, QUOTES, NOBODY].map(fileOf).sort());
  expect([...files.values()].flatMap(({ cells }) => cells)).toEqual([]);
});

test("an interruption ends the writing", async () => {
  const opened = await open(published());
  await expect(written(opened, AbortSignal.abort())).rejects.toThrow(InterruptedError);
});
