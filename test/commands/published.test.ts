// Commands about one run that is a published result: how it is named, and what damage and other corpora do to it.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CheckError, UserError } from "../../src/errors.ts";
import { bench } from "../support/commands.ts";
import { addPublished, prediction } from "../support/published.ts";
import { makeWorkspace, result, type TestWorkspace, TINY } from "../support/workspace.ts";

const full = TINY.map(({ id, gold, task, category }) =>
  prediction({ row: id, gold, label: gold, task, category }),
);
const scored = async (workspace: TestWorkspace, name: string): Promise<Record<string, unknown>> => {
  const { stdout, error } = await bench(workspace, ["score", name, "--json"]);
  if (error !== undefined) throw error;
  return JSON.parse(stdout) as Record<string, unknown>;
};

test("a result is named by suite and model, or by its model alone in the active suite", async () => {
  const workspace = makeWorkspace();
  addPublished(workspace, ["tiny", "model-x"], { predictions: full });
  addPublished(workspace, ["other", "model-x"], { predictions: full.slice(1) });
  addPublished(workspace, ["other", "model-y"], { predictions: full });
  expect(await scored(workspace, "tiny/model-x")).toMatchObject({
    run_id: "tiny/model-x",
    source: "published",
    full_coverage: true,
    overall: { rows: 6, correct: 6 },
    by_task: [{ id: "A-1" }, { id: "A-2" }, { id: "B-1", category: "beta" }],
  });
  expect(await scored(workspace, "model-x")).toMatchObject({ run_id: "tiny/model-x" });
  expect(await scored(workspace, "other/model-x")).toMatchObject({
    run_id: "other/model-x",
    overall: { rows: 5 },
  });
  // Only the active suite is looked into for a bare name.
  const elsewhere = await bench(workspace, ["score", "model-y"]);
  expect(elsewhere.error).toBeInstanceOf(UserError);
  expect(elsewhere.error?.message).toBe(
    'there is no run "model-y". There is no run yet. Published results: other/model-y, tiny/model-x, other/model-x',
  );
  workspace.addRun("model-x", { results: [result({ row: "a-1", gold: "yes", label: "yes" })] });
  expect(await scored(workspace, "model-x")).toMatchObject({ run_id: "model-x", source: "local" });
});

test("an unknown name is answered with the nearest of both kinds", async () => {
  const workspace = makeWorkspace();
  for (let i = 0; i < 7; i += 1) {
    workspace.addRun(`run-${i}`, {});
    addPublished(workspace, ["tiny", `model-${i}`]);
  }
  for (const name of ["modl-3", "../results/tiny/model-3", "tiny/", "tiny/..", "/", ""]) {
    const { error } = await bench(workspace, ["score", name]);
    expect(error, name).toBeInstanceOf(UserError);
    expect(error?.message).toMatch(/Nearest of 7: run-.*\. Published results, nearest of 7: tiny\/model-/);
  }
  expect((await bench(workspace, ["score", "modl-3"])).error?.message).toContain(
    "nearest of 7: tiny/model-3,",
  );
});

test("names are found while the corpus cannot be read, and `show` says what it cannot do", async () => {
  const workspace = makeWorkspace();
  addPublished(workspace, ["tiny", "m"], { predictions: full });
  workspace.addRun("local", {});
  const shown = await bench(workspace, ["show", "tiny/m", "a-1"]);
  expect(shown.error).toBeInstanceOf(UserError);
  expect(shown.error?.message).toBe(
    '"tiny/m" is a published result; only a local run can be shown row by row. There are: local',
  );
  rmSync(join(workspace.root, "data", "corpus", "tiny-1", "manifest.json"));
  expect((await bench(workspace, ["score", "m"])).error?.message).toContain('there is no run "m"');
});

test("`bench runs` lists local runs only", async () => {
  const workspace = makeWorkspace();
  addPublished(workspace, ["tiny", "m"], { predictions: full });
  expect((await bench(workspace, ["runs", "--json"])).stdout).toBe('{"runs":[]}\n');
});

test("score: damaged files end it with their place; an unfinished line does not", async () => {
  const workspace = makeWorkspace();
  const [first = "", second = ""] = full;
  addPublished(workspace, ["tiny", "hurt"], { predictions: [first, "{", second] });
  addPublished(workspace, ["tiny", "odd"], {
    predictions: [first, second.replace('"latency_ms":120', '"latency_ms":"120"')],
  });
  addPublished(workspace, ["tiny", "again"], { predictions: [first, second, first] });
  addPublished(workspace, ["tiny", "foreign"], { predictions: [first, second.replace('"a-2"', '"x-9"')] });
  addPublished(workspace, ["tiny", "twice"], { predictions: [first.replace("{", '{"gold":"no",'), second] });
  addPublished(workspace, ["tiny", "headless"], { metadata: "{" });
  addPublished(workspace, ["tiny", "lineless"], { predictions: null });
  addPublished(workspace, ["tiny", "torn"], { predictions: `${first}\n${second}` });
  writeFileSync(join(workspace.root, "results", "tiny", "torn", "scores.json"), "not looked at");
  const messages: [string, RegExp][] = [
    [
      "tiny/hurt",
      /^results\/tiny\/hurt\/predictions\.jsonl:2 is damaged \(not JSON: .*; 1 damaged line in this result\. Bring /,
    ],
    ["odd", /^results\/tiny\/odd\/predictions\.jsonl:2 is damaged \(latency_ms: expected number/],
    ["again", /^results\/tiny\/again\/predictions\.jsonl:3 is damaged \(row "a-1" again\)/],
    [
      "foreign",
      /^results\/tiny\/foreign\/predictions\.jsonl:2 is damaged \(row "x-9" is not in the corpus\); 1 damaged line/,
    ],
    ["twice", /^results\/tiny\/twice\/predictions\.jsonl:1 is damaged \(the key "gold" stands twice/],
    ["headless", /^results\/tiny\/headless\/metadata\.json is not JSON/],
    ["lineless", /^results\/tiny\/lineless\/predictions\.jsonl is not there\. Bring /],
  ];
  for (const [name, message] of messages) {
    const { error, stdout } = await bench(workspace, ["score", name]);
    expect(error, name).toBeInstanceOf(CheckError);
    expect(error?.message).toMatch(message);
    expect(stdout).toBe("");
  }
  const torn = await bench(workspace, ["score", "torn"]);
  expect(torn.error).toBeUndefined();
  expect(torn.stderr).toBe(
    "results/tiny/torn/predictions.jsonl: the last line is unfinished and was skipped\n",
  );
});

test("score: a result on another corpus has its own tasks and categories", async () => {
  const workspace = makeWorkspace();
  addPublished(workspace, ["old", "m"], {
    predictions: full,
    metadata: {
      corpus: { version: "0.9.0", sha256: "0".repeat(64) },
      coverage: { rows_in_corpus: 6, rows_selected: 6 },
    },
  });
  expect(await scored(workspace, "old/m")).toMatchObject({
    current_corpus: false,
    full_coverage: true,
    by_category: [{ id: "alpha" }, { id: "beta" }],
    by_task: [{ id: "A-1", category: "alpha" }, { id: "A-2" }, { id: "B-1", category: "beta" }],
    by_source_kind: [],
  });
  expect((await bench(workspace, ["score", "old/m"])).stdout).toContain(
    "The run used another corpus than the active one: its rows can only be grouped by category and task.",
  );
});
