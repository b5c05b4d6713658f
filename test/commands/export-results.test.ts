// `bench export` in a tiny workspace: labels that break objects, rows with errors, other corpora, local runs.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TABLES } from "../../src/publish/tables.ts";
import { bench } from "../support/commands.ts";
import {
  bytesIn,
  type EeeFile,
  eeeIn,
  exportsFolder,
  isAggregate,
  isSample,
  problemsOf,
} from "../support/exports.ts";
import { addPublished, call, metadataOf, prediction } from "../support/published.ts";
import { open } from "../support/query.ts";
import { finished, makeWorkspace, result, type TestWorkspace, TINY } from "../support/workspace.ts";

const KEY = "sk-test-0123456789abcdefghij";
const OUTPUT = 'line\u2028two\u0085three\u0000 "quoted" \u{1f600}';

/** One published result with every kind of row, and a local run that nobody published. */
function tiny(): TestWorkspace {
  const workspace = makeWorkspace();
  const shares = (labels: readonly string[], first: number): [string, number][] =>
    labels.map((label, i) => [label, i === 0 ? first : (1 - first) / (labels.length - 1)]);
  addPublished(workspace, ["tiny", "x"], {
    metadata: {
      request: { temperature: 0.2, max_output_tokens: 512, reasoning_effort: "low", constructor: 1 },
      model: {
        ...(metadataOf("tiny", "x", "").model as object),
        vendor: "Nobody & Sons",
        api_model: "org/model:free",
      },
    },
    predictions: [
      prediction({ row: "a-1", gold: "yes", label: "yes", probabilities: shares(["yes", "no"], 0.75) }),
      prediction({
        row: "a-2",
        gold: "no",
        label: null,
        status: "429",
        attempts: [call({ status: "429", cost: null, tokens: null })],
        changes: { error: "HTTP 429", output_text: null, tokens: null },
      }),
      prediction({ row: "a-3", task: "A-2", gold: "no", label: "no", changes: { output_text: OUTPUT } }),
      prediction({
        row: "b-1",
        task: "B-1",
        category: "beta",
        gold: "2",
        label: "10",
        probabilities: shares(["10", "2", "__proto__", "constructor"], 0.7),
      }),
      prediction({
        row: "b-2",
        task: "B-1",
        category: "beta",
        gold: "__proto__",
        label: "__proto__",
        probabilities: shares(["__proto__", "constructor", "2", "10"], 0.4),
      }),
      prediction({ row: "b-3", task: "B-1", category: "beta", gold: "10", label: "10" }),
    ],
  });
  workspace.addRun("marked-local-run", {
    config: { request: { reasoning_effort: "low", note: `goes to ${KEY}` } },
    results: [
      result({ row: "a-1", gold: "yes", label: "yes", text: `the key is ${KEY} indeed` }),
      result({
        row: "a-2",
        gold: "no",
        label: null,
        status: "500",
        attempts: [finished({ id: "marked-attempt", row: "a-2", status: "500" })],
      }),
    ],
  });
  return workspace;
}

const withKey = (test: TestWorkspace): TestWorkspace => ({
  ...test,
  workspace: { ...test.workspace, env: { DECISION_BENCH_API_KEY: KEY } },
});

async function eee(workspace: TestWorkspace, ...more: string[]) {
  const folder = join(exportsFolder(), "out");
  const done = await bench(workspace, ["export", "--format", "eee", "--out", folder, ...more]);
  return { folder, ...done };
}

/** What the tables of an export hold, as text: the bytes of the files are compressed. */
async function tablesIn(workspace: TestWorkspace, folder: string): Promise<Map<string, string>> {
  const { json } = await open(workspace);
  const texts = new Map<string, string>();
  for (const name of bytesIn(folder).keys()) {
    const path = join(folder, name);
    const text = name.endsWith(".parquet")
      ? json(`SELECT * FROM read_parquet('${path}')`)
      : readFileSync(path, "utf8");
    texts.set(name, await text);
  }
  return texts;
}

test("labels that break objects, errors, odd characters and a result without probabilities keep what they say", async () => {
  const { folder, error } = await eee(tiny());
  expect(error).toBeUndefined();
  const files = eeeIn(folder);
  expect([...files.keys()]).toEqual(["tiny/x"]);
  const { path, record, samples, text } = files.get("tiny/x") as EeeFile;
  expect(problemsOf(isAggregate, record)).toEqual([]);
  for (const sample of samples) expect(problemsOf(isSample, sample)).toEqual([]);
  expect(samples).toHaveLength(6);
  expect(path).toMatch(/^data\/decision-bench__tiny\/org\/model_free\//);
  expect(record.model_info).toMatchObject({ id: "org/model:free", developer: "Nobody & Sons" });
  expect(record.evaluation_results[0].generation_config).toEqual({
    generation_args: { temperature: 0.2, max_tokens: 512, eval_limits: { time_limit: 180 } },
    additional_details: {
      prompt_version: "choice-v1",
      max_attempts: "2",
      "request.temperature": "0.2",
      "request.max_output_tokens": "512",
      "request.reasoning_effort": "low",
      "request.constructor": "1",
    },
  });
  // Python ends a line at these as well.
  expect(text.split(/[\n\u0085\u2028\u2029]/)).toHaveLength(samples.length + 1);
  const [a1, a2, a3, b1, b2, b3] = samples;
  expect(a1.evaluation).toEqual({ score: 1, is_correct: true });
  expect(a2).toMatchObject({ error: "HTTP 429", output: { raw: [] }, answer_attribution: [] });
  expect(a2.token_usage).toBeUndefined();
  expect(a3.output.raw).toEqual([OUTPUT]);
  expect(a3.answer_attribution[0].extraction_method).toBe("label-only");
  expect(a3.metadata.probabilities).toBeUndefined();
  expect(b1.input.choices).toEqual(["10", "2", "__proto__", "constructor"]);
  expect(b1.input.raw).toContain('"options":{"10":"Option 10","2":"Option 2","__proto__":"Option __proto__"');
  expect(b1.evaluation).toEqual({ score: 0, is_correct: false });
  expect(b2.input.reference).toEqual(["__proto__"]);
  expect(b2.metadata.probabilities).toMatch(/^\{"__proto__":0\.4,/);
  expect(b3.answer_attribution[0].extracted_value).toBe("10");
});

test("without --include-runs nothing of a local run is in any file", async () => {
  const workspace = tiny();
  for (const format of ["eee", "parquet"]) {
    const folder = join(exportsFolder(), format);
    const done = await bench(workspace, ["export", "--format", format, "--out", folder, "--json"]);
    expect(done.error).toBeUndefined();
    expect(JSON.parse(done.stdout)).toMatchObject({ format, include_runs: false });
    const texts = format === "eee" ? bytesIn(folder) : await tablesIn(workspace, folder);
    expect(texts.size).toBeGreaterThan(2);
    expect([...texts.values()].join("")).toContain("tiny/x");
    for (const [name, text] of texts) {
      for (const mark of ["marked", KEY, "the key is"]) expect(text, name).not.toContain(mark);
    }
  }
});

test("with --include-runs local runs go through the redaction once more", async () => {
  const workspace = withKey(tiny());
  const { folder, error } = await eee(workspace, "--include-runs");
  expect(error).toBeUndefined();
  const { record, samples } = eeeIn(folder).get("marked-local-run") as EeeFile;
  expect(problemsOf(isAggregate, record)).toEqual([]);
  expect(samples).toHaveLength(2);
  expect(samples[0].output.raw).toEqual(["the key is [redacted] indeed"]);
  // What a provider said stays on the machine that heard it.
  expect(samples[1]).toMatchObject({ error: "HTTP 500", output: { raw: [] } });
  expect(record.source_metadata.additional_details).toMatchObject({ source: "local", coverage: "partial" });
  expect(record.evaluation_results[0].generation_config.additional_details["request.note"]).toBe(
    "goes to [redacted]",
  );
  const tables = join(exportsFolder(), "parquet");
  const done = await bench(workspace, ["export", "--format", "parquet", "--out", tables, "--include-runs"]);
  expect(done.error).toBeUndefined();
  const asked = await bench(workspace, [
    "sql",
    "--format",
    "json",
    `SELECT output_text, error FROM read_parquet('${join(tables, "answers.parquet")}') WHERE run_id = 'marked-local-run' ORDER BY row_id`,
  ]);
  expect(JSON.parse(asked.stdout)).toEqual([
    { output_text: "the key is [redacted] indeed", error: null },
    { output_text: null, error: "HTTP 500" },
  ]);
  const texts = [...bytesIn(folder), ...(await tablesIn(workspace, tables))];
  for (const [name, text] of texts) {
    for (const secret of [KEY, "failed with 500"]) expect(text, name).not.toContain(secret);
  }
});

test("a result on another corpus has that corpus' inputs, and is left out when the corpus is not there", async () => {
  const workspace = tiny();
  const other = makeWorkspace(TINY.slice(0, 2).map((row) => ({ ...row, title: "Another" })));
  cpSync(join(other.root, "data", "corpus", "tiny-1"), join(workspace.root, "data", "corpus", "older"), {
    recursive: true,
  });
  const predictions = ["a-1", "a-2"].map((row) => prediction({ row, gold: "yes", label: "yes" }));
  addPublished({ ...workspace, sha256: other.sha256 }, ["tiny", "elsewhere"], { predictions });
  addPublished({ ...workspace, sha256: "0".repeat(64) }, ["tiny", "lost"], { predictions });
  addPublished(workspace, ["tiny", "broken"], { metadata: "{" });
  addPublished(workspace, ["tiny", "empty"], { predictions: [] });
  const { folder, error, exitCode, stdout, stderr } = await eee(workspace, "--json");
  expect(error).toBeUndefined();
  expect(exitCode).toBe(1);
  const files = eeeIn(folder);
  expect([...files.keys()].sort()).toEqual(["tiny/elsewhere", "tiny/x"]);
  const { record, samples } = files.get("tiny/elsewhere") as EeeFile;
  expect(record.evaluation_results[0].source_data.additional_details.sha256).toBe(other.sha256);
  // The gold of the corpus counts, not what the file says.
  expect(samples.map(({ evaluation }) => evaluation.is_correct)).toEqual([true, false]);
  expect(samples[0].input.raw).toContain("State of a-1");
  expect(JSON.parse(stdout)).toMatchObject({
    results: [
      { run_id: "tiny/elsewhere", rows: 2 },
      { run_id: "tiny/x", rows: 6 },
    ],
    skipped: [
      {
        run_id: "tiny/broken",
        reason: expect.stringMatching(/^cannot be used \(results\/tiny\/broken\/metadata\.json is not JSON/),
      },
      { run_id: "tiny/empty", reason: "has no finished row" },
      {
        run_id: "tiny/lost",
        reason: `is about a corpus that is not in data/corpus/ (digest ${"0".repeat(64)})`,
      },
    ],
  });
  expect(stderr).toContain("tiny/lost is left out: it is about a corpus that is not in data/corpus/");
});

test.each(["eee", "parquet"])(
  "%s: what cannot be read is left out, said, and makes the exit code 1",
  async (format) => {
    const workspace = tiny();
    addPublished(workspace, ["tiny", "broken"], { metadata: "{" });
    workspace.addRun("no-run-json", { run: null, results: [] });
    workspace.addRun("other-json", { run: '{"schema_version": 1}' });
    mkdirSync(join(workspace.root, "runs", "marked-folder"));
    workspace.addRun("marked-folder", {});
    mkdirSync(join(workspace.root, "runs", "marked-folder", "results.jsonl"));
    const folder = join(exportsFolder(), "out");
    const args = ["export", "--format", format, "--out", folder, "--json"];
    const done = await bench(workspace, [...args, "--include-runs"]);
    expect(done.error).toBeUndefined();
    expect(done.exitCode).toBe(1);
    const left = [
      "marked-folder is left out: it cannot be used (runs/marked-folder/results.jsonl is not a file)",
      "no-run-json is left out: it cannot be used (runs/no-run-json/run.json is not there)",
      "other-json is left out: it cannot be used (runs/other-json/run.json is no run: ",
      "tiny/broken is left out: it cannot be used (results/tiny/broken/metadata.json is not JSON: ",
    ];
    for (const notice of left) expect(done.stderr).toContain(notice);
    expect(JSON.parse(done.stdout).skipped).toEqual(
      left.map((notice) => ({ run_id: notice.split(" ")[0], reason: expect.any(String), damaged: true })),
    );
    const runs =
      format === "eee"
        ? [...eeeIn(folder).keys()].sort()
        : (
            await (
              await open(workspace)
            ).rows(`SELECT run_id FROM read_parquet('${join(folder, "runs.parquet")}') ORDER BY run_id`)
          ).map((row) => row.run_id);
    expect(runs).toEqual(["marked-local-run", "tiny/x"]);
    // Nothing of a local run is looked at without the option.
    expect((await bench(workspace, args)).stderr).not.toContain("run-json");
  },
);

test.each(["eee", "parquet"])("%s: when nothing can be read, nothing is written", async (format) => {
  const workspace = makeWorkspace();
  workspace.addRun("broken", { run: "{" });
  const { error, stderr } = await bench(workspace, ["export", "--format", format, "--include-runs"]);
  expect(stderr).toContain("broken is left out: it cannot be used (runs/broken/run.json is not JSON");
  expect(error).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining("there is nothing to export"),
  });
  expect(existsSync(join(workspace.root, "export"))).toBe(false);
});

test("a damaged line keeps its result out of the records, and is counted in the tables", async () => {
  const workspace = tiny();
  const file = join(workspace.root, "results", "tiny", "x", "predictions.jsonl");
  writeFileSync(file, `${readFileSync(file, "utf8")}not JSON\n`);
  const alone = await eee(workspace);
  expect(alone.error).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining("there is nothing to export"),
  });
  expect(alone.stderr).toContain(
    "tiny/x is left out: it cannot be used (results/tiny/x/predictions.jsonl:7 is damaged",
  );
  expect(existsSync(alone.folder)).toBe(false);
  const { folder, error, exitCode } = await eee(workspace, "--include-runs");
  expect([error, exitCode]).toEqual([undefined, 1]);
  expect([...eeeIn(folder).keys()]).toEqual(["marked-local-run"]);
  const tables = join(exportsFolder(), "tables");
  const done = await bench(workspace, ["export", "--format", "parquet", "--out", tables]);
  expect([done.error, done.exitCode]).toEqual([undefined, 1]);
  expect(done.stderr).toContain("results/tiny/x/predictions.jsonl: 1 damaged line was left out");
  const { rows } = await open(workspace);
  expect(
    await rows(`SELECT run_id, damaged_lines FROM read_parquet('${join(tables, "runs.parquet")}')`),
  ).toEqual([{ run_id: "tiny/x", damaged_lines: 1 }]);
});

test("a model cannot choose where its files go", async () => {
  const workspace = makeWorkspace();
  const names = [
    "../../../up",
    "/etc/passwd",
    "CON",
    "data",
    "..",
    "a b\u202e<>",
    "x".repeat(300),
    "org/../y",
  ];
  for (const [i, name] of names.entries()) {
    const model = metadataOf("tiny", `m-${i}`, "").model as object;
    addPublished(workspace, ["tiny", `m-${i}`], {
      metadata: { model: { ...model, api_model: name, vendor: i % 2 === 0 ? name : null } },
      predictions: [prediction({ row: "a-1", gold: "yes", label: "yes" })],
    });
  }
  const { folder, error } = await eee(workspace);
  expect(error).toBeUndefined();
  const files = eeeIn(folder);
  expect(files.size).toBe(names.length);
  for (const { path, record } of files.values()) {
    expect(problemsOf(isAggregate, record)).toEqual([]);
    const [data, collection, ...parts] = path.split("/");
    expect([data, collection, parts.length]).toEqual(["data", "decision-bench__tiny", 3]);
    for (const part of parts.slice(0, 2)) {
      expect(part).toMatch(/^[^<>:"\\|?*\p{C}]{1,80}$/u);
      expect(part).not.toMatch(/^\.+$|[. ]$|^(con|data)$/i);
    }
  }
  expect(readdirSync(join(folder, ".."))).toEqual(["out"]);
});

test.each<[string, string[], string]>([
  ["no format", [], "required option '--format <name>' not specified"],
  ["another format", ["--format", "csv"], "Allowed choices are eee, parquet"],
  [
    "an option of the other format",
    ["--format", "parquet", "--organization", "X"],
    "--organization goes with --format eee only",
  ],
  ["an empty name", ["--format", "eee", "--organization", " "], "--organization is empty"],
  ["an empty place", ["--format", "eee", "--out", ""], "the name of the folder is empty"],
  [
    "a place among the results",
    ["--format", "eee", "--out", "results/new"],
    "lies in results/ of the workspace",
  ],
  [
    "a place among the runs behind a link",
    ["--format", "eee", "--out", "behind/new"],
    "lies in runs/ of the workspace",
  ],
  ["a link that leads nowhere", ["--format", "eee", "--out", "nowhere"], "is a link that leads nowhere"],
  [
    "a place below a file",
    ["--format", "eee", "--out", "note.txt/eee"],
    "note.txt/eee cannot be written (ENOTDIR)",
  ],
  ["a file", ["--format", "eee", "--out", "note.txt"], "note.txt is there and is not a folder"],
  ["a folder of somebody", ["--format", "eee", "--out", "."], "holds files that are no export of ours"],
])("%s is refused", async (_, args, message) => {
  const workspace = tiny();
  writeFileSync(join(workspace.root, "note.txt"), "mine");
  symlinkSync(join(workspace.root, "runs"), join(workspace.root, "behind"));
  symlinkSync(join(workspace.root, "not-there"), join(workspace.root, "nowhere"));
  const before = bytesIn(workspace.root);
  const { error } = await bench(workspace, ["export", ...args]);
  expect(error?.message).toContain(message);
  expect(bytesIn(workspace.root)).toEqual(before);
});

test("nothing to export is said, and nothing is written", async () => {
  const workspace = makeWorkspace();
  const { error } = await bench(workspace, ["export", "--format", "eee"]);
  expect(error).toMatchObject({
    exitCode: 1,
    message: expect.stringContaining("there is nothing to export"),
  });
  expect(existsSync(join(workspace.root, "export"))).toBe(false);
});

test("the default place is export/<format>; a file of somebody in a former export is kept", async () => {
  const workspace = tiny();
  const first = await bench(workspace, ["export", "--format", "parquet"]);
  expect(first.error).toBeUndefined();
  const folder = join(workspace.root, "export", "parquet");
  const before = bytesIn(folder);
  // A file a table, and what says what they are.
  expect(before.size).toBe(TABLES.length + 1);
  expect((await bench(workspace, ["export", "--format", "parquet"])).error).toBeUndefined();
  expect(bytesIn(folder)).toEqual(before);
  writeFileSync(join(folder, "notes.md"), "mine");
  const refused = await bench(workspace, ["export", "--format", "parquet"]);
  expect(refused.error).toMatchObject({ exitCode: 2, message: expect.stringContaining('"notes.md"') });
  expect(readFileSync(join(folder, "notes.md"), "utf8")).toBe("mine");
  const marker = JSON.parse(before.get("decision-bench-export.json") ?? "");
  expect(marker).toMatchObject({
    format: "parquet",
    analysis_version: "v1",
    include_runs: false,
    rows: { answers: 6 },
  });
});

test("a stopped export leaves the former one, and nothing beside it", async () => {
  const workspace = tiny();
  expect((await bench(workspace, ["export", "--format", "eee"])).error).toBeUndefined();
  const before = bytesIn(join(workspace.root, "export"));
  for (const format of ["eee", "parquet"]) {
    const stop = new AbortController();
    stop.abort();
    const { error } = await bench(workspace, ["export", "--format", format], { interrupt: stop.signal });
    expect(error).toMatchObject({ exitCode: 130 });
  }
  expect(bytesIn(join(workspace.root, "export"))).toEqual(before);
  expect(readdirSync(join(workspace.root, "export"))).toEqual(["eee"]);
});

test("what a killed export left is mended or removed; a link is followed", async () => {
  const workspace = tiny();
  expect((await bench(workspace, ["export", "--format", "eee"])).error).toBeUndefined();
  const folder = join(workspace.root, "export");
  const before = bytesIn(join(folder, "eee"));
  // No process has an id this large.
  const left = (kind: string): string => join(folder, `.eee.4194999-0123456789ab.${kind}`);
  cpSync(join(folder, "eee"), left("old"), { recursive: true });
  mkdirSync(left("new"));
  for (const kind of ["old", "new"]) utimesSync(left(kind), 1, 1);
  expect((await bench(workspace, ["export", "--format", "eee"])).error).toBeUndefined();
  expect(readdirSync(folder)).toEqual(["eee"]);
  symlinkSync(join(folder, "eee"), join(workspace.root, "linked"));
  expect((await bench(workspace, ["export", "--format", "eee", "--out", "linked"])).error).toBeUndefined();
  expect(bytesIn(join(folder, "eee"))).toEqual(before);
});
