// Whatever the files of a local run hold: an export of it has no key, no host and no home folder in any file, and says of
// the corpus what the corpus says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bench } from "../support/commands.ts";
import { bytesIn, eeeIn, exportsFolder } from "../support/exports.ts";
import { open } from "../support/query.ts";
import { finished, makeWorkspace, result, started, type TestWorkspace } from "../support/workspace.ts";

const KEY = "configured-key-4711-0815";
const HOST = "models.configured.example";
const SHAPED = "sk-shaped0123456789abcdef";
const ENV = { DECISION_BENCH_API_KEY: KEY, DECISION_BENCH_BASE_URL: `https://${HOST}/v1` };
/** What must not stand in a text that a model wrote or a corpus says. */
const KEYS = ["configured-key", "models.configured", "sk-shaped"];
/** What must not stand in any other text. */
const MARKS = [...KEYS, "/home/alice", "/Users/bob", "127.0.0.1", "localhost", "llm.marked"];
const ADDRESSES = "/home/alice/x /Users/bob/y 127.0.0.1:8080 localhost:1 http://llm.marked.internal/v1";
const ours = (name: string): string => `${name} ${KEY} ${HOST} ${SHAPED} ${ADDRESSES}`;

const withKey = (plain: TestWorkspace): TestWorkspace => ({
  ...plain,
  workspace: { ...plain.workspace, env: ENV },
});

/** Every text of a value changed, but for those of these names. */
function marked(value: unknown, but: readonly string[], name = ""): unknown {
  if (typeof value === "string") return but.includes(name) ? value : ours(name);
  if (Array.isArray(value)) return value.map((item) => marked(item, but, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, marked(item, but, key)]));
}

const line = (text: string, but: readonly string[]): string => JSON.stringify(marked(JSON.parse(text), but));

/** Names by which records are told apart, and without which a line is none. */
const SHAPE = ["event", "cost_basis", "row_id", "gold", "label", "probability_source", "status"];
const RUN = ["status", "corpus_sha256", "suite"];

/** A run in whose files every text is marked, once on the active corpus and once on one that nobody has. */
function addMarkedRuns(workspace: TestWorkspace): void {
  for (const id of ["here", "elsewhere"]) {
    const attempt = { id: ours("attempt"), row: "a-1" };
    workspace.addRun(id, {
      results: [
        line(result({ row: "a-1", gold: "yes", label: "yes", text: "fine", probabilities: null }), [
          ...SHAPE,
          "output_text",
        ]),
        result({ row: "a-2", gold: "no", label: "no", text: `my key ${KEY} at ${HOST} or ${SHAPED}` }),
        line(result({ row: "a-3", gold: "no", label: null, status: "500" }), SHAPE),
        // Answers that the corpus does not have, of which two look alike behind the mask.
        result({
          row: "b-1",
          gold: SHAPED,
          label: `${SHAPED}-other`,
          probabilities: [
            [SHAPED, 0.25],
            [`${SHAPED}-other`, 0.75],
          ],
        }),
        line(
          result({
            row: "b-2",
            gold: "__proto__",
            label: "2",
            attempts: [finished({ id: "plain", row: "b-2", status: "odd" })],
          }),
          ["event", "row_id", "gold", "label", "output_text"],
        ).replace(/"status":"[^"]*"/, '"status":"ok"'),
      ],
      attempts: [
        line(started(attempt), SHAPE),
        line(finished({ ...attempt, id: `${attempt.id}-2` }), SHAPE),
        finished({ id: "stray", row: id === "here" ? ours("row") : `row ${SHAPED}` }),
      ],
    });
    const file = join(workspace.root, "runs", id, "run.json");
    const run = JSON.parse(readFileSync(file, "utf8"));
    Object.assign(run.config.request, {
      reasoning_effort: "low",
      base_url: "llm",
      [`extra ${SHAPED}`]: ["x"],
      nested: { "127.0.0.1": "x" },
    });
    run.model.short_label = "x";
    const texts = marked(run, RUN) as { id: string; config: Record<string, unknown> };
    const config =
      id === "here" ? texts.config : { ...texts.config, corpus_sha256: ours("digest"), suite: ours("suite") };
    workspace.addRun(id, { run: { ...texts, config } });
  }
  // The name of a run may give something away as well.
  workspace.addRun(`run-${SHAPED}`, { results: [result({ row: "a-1", gold: "yes", label: "no" })] });
  workspace.addRun("run-at-llm.marked.internal", {
    results: [result({ row: "a-1", gold: "yes", label: "yes" })],
  });
}

test("no mark of any text of a local run is in any file of any export", async () => {
  const workspace = withKey(makeWorkspace());
  addMarkedRuns(workspace);
  for (const format of ["eee", "parquet"]) {
    const folder = join(exportsFolder(), format);
    const done = await bench(workspace, ["export", "--format", format, "--out", folder, "--include-runs"]);
    expect(done.error).toBeUndefined();
    const { json } = await open(workspace);
    for (const [name, bytes] of bytesIn(folder)) {
      const path = join(folder, name);
      const text = name.endsWith(".parquet")
        ? await json(`SELECT * FROM read_parquet('${path}')`)
        : readFileSync(path, "utf8");
      for (const mark of MARKS) {
        expect(text, name).not.toContain(mark);
        expect(bytes, name).not.toContain(mark);
        expect(name).not.toContain(mark);
      }
    }
  }
});

test("what an export says of the corpus, and every figure, is as it was", async () => {
  const workspace = withKey(makeWorkspace());
  addMarkedRuns(workspace);
  const folder = join(exportsFolder(), "parquet");
  await bench(workspace, ["export", "--format", "parquet", "--out", folder, "--include-runs"]);
  const { rows } = await open(workspace);
  const exported = (view: string): string => `read_parquet('${join(folder, `${view}.parquet`)}')`;
  const same = async (view: string, columns: string): Promise<void> => {
    const query = (from: string): string => `SELECT ${columns} FROM ${from} ORDER BY ALL`;
    expect(await rows(query(exported(view))), view).toEqual(await rows(query(view)));
  };
  await same("answers", "row_id, correct, confidence, p_gold, brier, log_loss, latency_ms, attempts");
  await same("accuracy_overall", "* EXCLUDE (run_id)");
  await same("attempts", "number, duration_ms, cost_usd, input_tokens");
  await same("attempt_totals", "* EXCLUDE (run_id)");
  const answers = `SELECT row_id, label, gold, output_text FROM ${exported("answers")} WHERE run_id = 'here' ORDER BY row_id`;
  expect(await rows(answers)).toEqual([
    { row_id: "a-1", label: "yes", gold: "yes", output_text: "fine" },
    { row_id: "a-2", label: "no", gold: "no", output_text: "my key [redacted] at [host] or [redacted]" },
    { row_id: "a-3", label: null, gold: "no", output_text: null },
    { row_id: "b-1", label: "[redacted] (2)", gold: "[redacted]", output_text: "{}" },
    expect.objectContaining({ row_id: "b-2", label: "2", gold: "__proto__" }),
  ]);
  const ids = await rows(`SELECT run_id FROM ${exported("runs")} ORDER BY run_id`);
  expect(ids.map((row) => row.run_id)).toEqual(["[private]", "elsewhere", "here", "run-[redacted]"]);
});

test("a later line of the ledger supersedes an earlier one, also where both were masked", async () => {
  const workspace = withKey(makeWorkspace());
  const line = (p: number): string =>
    result({
      row: "b-1",
      gold: "2",
      label: "2",
      probabilities: [
        [SHAPED, 1 - p],
        ["2", p],
      ],
    });
  const other = result({ row: "b-1", gold: "2", label: "10", attempts: [] });
  workspace.addRun("twice", { results: [line(0.25), other, line(0.75), other] });
  const folder = join(exportsFolder(), "eee");
  await bench(workspace, ["export", "--format", "eee", "--out", folder, "--include-runs"]);
  const [sample] = eeeIn(folder).get("twice")?.samples ?? [];
  expect(sample.answer_attribution[0].extracted_value).toBe("10");
});

test("the names of a vendor and a model may look like hosts, and the corpus' own texts like anything", async () => {
  const workspace = makeWorkspace([
    { id: "127.0.0.1", task: "T", category: "c", gold: "localhost", options: ["localhost", "/home/alice"] },
  ]);
  workspace.addRun("run", {
    results: [result({ row: "127.0.0.1", gold: "localhost", label: "/home/alice" })],
    run: { model: { id: "model-x", label: "Example.com", vendor: "Shop.io" } },
  });
  const folder = join(exportsFolder(), "eee");
  await bench(workspace, ["export", "--format", "eee", "--out", folder, "--include-runs"]);
  const { record, samples } = eeeIn(folder).get("run") ?? {};
  expect(record.model_info).toMatchObject({ name: "Example.com", developer: "Shop.io" });
  expect(samples?.[0]).toMatchObject({
    sample_id: "127.0.0.1",
    input: { reference: ["localhost"] },
    answer_attribution: [{ extracted_value: "/home/alice" }],
  });
});
